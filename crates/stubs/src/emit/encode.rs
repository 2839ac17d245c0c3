//! Encoding: from C values to the message.

use cast::build::{address, call, cast as cast_to, multiply, name, not, not_equal, null, or, unsigned, when};
use cast::{Expression, Statement, Type};

use super::routine::Emitter;
use crate::plan::{Count, Direction, Op, Place, RoutineId, Step, Word};

impl Emitter<'_> {
    pub(super) fn encode_frame(&mut self) -> Vec<Statement> {
        let mut body = self.ops(&self.routine.body);
        if self.routine.is_loop {
            body.push(Statement::Break);
            body = vec![Statement::For { initial: None, condition: None, step: None, body }];
        }
        // Streams take what rpcgen's routines take.
        let is_counted = self.routine.is_recursive && self.is_message();
        let mut statements = if is_counted { Vec::new() } else { self.uses() };
        if is_counted {
            let enter = self.runtime("out_enter", vec![self.context()], Type::INT);
            statements.push(when(not(enter), vec![self.fail()]));
        }
        statements.extend(body);
        if is_counted {
            let leave = self.runtime_in("out_enter", "out_leave", vec![self.context()], Type::Void);
            statements.push(Statement::Expression(leave));
        }
        self.finish(&mut statements);
        statements
    }

    pub(super) fn encode_op(&mut self, op: &Op) -> Vec<Statement> {
        match op {
            Op::Ensure(bytes) => self.need(unsigned(*bytes)),
            Op::Chunk { size, parts } => self.chunk(*size, parts),
            Op::Order { word, place, count, words } => self.encode_run(*word, place, count, *words),
            Op::Bytes { place, length } => self.encode_bytes(place, length, 0),
            Op::Text { .. } if self.is_cdr() => self.cdr_text(op),
            Op::Text { place, bound, more, .. } => {
                let bound = self.bound(bound.as_ref());
                let arguments = vec![self.context(), self.at(), self.place(place), bound];
                let section = if is_inline(place) { "out_inline_text" } else { "out_text" };
                self.text(section, arguments, *more)
            }
            Op::Ahead { likely, .. } => {
                vec![Statement::Expression(self.runtime("ahead", vec![self.at(), unsigned(*likely)], Type::Void))]
            }
            Op::Optional { pointer, counted, body, .. } => {
                vec![when(self.is_there(pointer, counted.as_ref()), self.ops(body))]
            }
            Op::Again { pointer, counted, .. } => {
                let (v, next) = (self.variable("v", Type::Void), self.place(pointer));
                let onward = vec![cast::build::assign(v, next), Statement::Continue];
                vec![when(self.is_there(pointer, counted.as_ref()), onward)]
            }
            Op::Call { routine, place } => {
                let callee = RoutineId { name: routine.clone(), direction: Direction::Encode };
                let arguments = vec![self.context(), self.at(), address(self.place(place))];
                self.advance(call(self.functions.name(&callee), arguments, self.at().ty))
            }
            Op::External { state: Some(state), place, storage, .. } => self.cdr_value(state, place, storage),
            Op::External { routine, arguments, place, .. } if self.is_message() => {
                self.external(routine, arguments, place)
            }
            Op::External { routine, place, .. } => self.encode_external(routine, place),
            // `op` writes these for every direction.
            Op::Aggregate { .. }
            | Op::Align { .. }
            | Op::Check { .. }
            | Op::Switch { .. }
            | Op::Member { .. }
            | Op::Loop { .. } => Vec::new(),
            // Decoding and releasing alone have these (plan-009).
            Op::CountedBytes { .. }
            | Op::CountedOrder { .. }
            | Op::Items { .. }
            | Op::Allocate { .. }
            | Op::Capacity { .. }
            | Op::Claim { .. }
            | Op::Owe(_)
            | Op::Pay(_)
            | Op::Free { .. } => Vec::new(),
        }
    }

    /// The pointer leads to something: the length beside it says so, where there is one.
    fn is_there(&self, pointer: &Place, counted: Option<&Place>) -> Expression {
        match counted {
            Some(length) => not_equal(self.place(length), cast::build::integer(0)),
            None => not_equal(self.place(pointer), null()),
        }
    }

    /// Bytes, and a check for `more` behind those of an item.
    pub(super) fn encode_bytes(&mut self, place: &Place, length: &Count, more: u64) -> Vec<Statement> {
        let mut arguments = vec![self.context(), self.at(), self.data(place), self.count(length)];
        let mut section = "out_bytes".to_string();
        if self.has_versions() {
            arguments.push(unsigned(more));
            section = self.in_version(&section, &mut arguments);
        }
        self.runtime_step(&section, arguments)
    }

    /// A runtime routine that takes the cursor on.
    pub(super) fn runtime_step(&mut self, section: &str, arguments: Vec<Expression>) -> Vec<Statement> {
        let at = self.at();
        let value = self.runtime(section, arguments, at.ty);
        self.advance(value)
    }

    /// A text, and `more` bytes behind it; for items of arrays the runtime's code stands in place.
    pub(super) fn text(&mut self, section: &str, mut arguments: Vec<Expression>, more: u64) -> Vec<Statement> {
        if more == 0 && !self.in_loop {
            return self.runtime_step(section, arguments);
        }
        arguments.push(unsigned(more));
        let at = self.at();
        let value = if self.has_versions() && !section.ends_with("inline_text") {
            let section = self.in_version(section, &mut arguments);
            self.runtime(&section, arguments, at.ty)
        } else {
            let place = if self.in_loop { "each" } else { "and" };
            self.runtime_in(section, &format!("{section}_{place}"), arguments, at.ty)
        };
        self.advance(value)
    }

    /// The bound of a string; without one, what 32 bits can say.
    pub(super) fn bound(&self, bound: Option<&pres::Extent>) -> Expression {
        match bound {
            Some(bound) if bound.value.is_none_or(|value| value < u64::from(u32::MAX)) => bound.c.clone(),
            _ => name("UINT32_MAX", super::routine::u32_type()),
        }
    }

    /// The first byte of an array inside its parent, or what a pointer points to.
    pub(super) fn data(&self, place: &Place) -> Expression {
        let value = self.place(place);
        if matches!(place.ty, Type::Pointer(_)) { value } else { address(value) }
    }

    fn encode_run(&mut self, word: Word, place: &Place, count: &Count, words: u64) -> Vec<Statement> {
        let section = format!("out_{}", self.run_of(word));
        self.assert_items(place, word, words);
        let count = self.run_length(count, words);
        let arguments = vec![self.context(), self.at(), self.data(place), count];
        self.runtime_step(&section, arguments)
    }

    /// The words in so many items.
    pub(super) fn run_length(&self, count: &Count, words: u64) -> Expression {
        let count = self.count(count);
        if words == 1 { count } else { multiply(cast_to(Type::named("size_t"), count), unsigned(words)) }
    }

    /// The items of a run are nothing but words.
    pub(super) fn assert_items(&mut self, place: &Place, word: Word, words: u64) {
        match (&place.ty, place.steps.last()) {
            (Type::Pointer(item), _) => self.assert_run(item, words * word.bytes()),
            // The first item of an array stands for all of them.
            (item, Some(Step::Element(first))) if word == Word::One && first == "0" => {
                self.assert_run(item, words * word.bytes());
            }
            _ => {}
        }
    }

    fn encode_external(&mut self, routine: &str, place: &Place) -> Vec<Statement> {
        let pause = self.runtime("out_pause", vec![self.context(), self.at()], Type::INT);
        let stream = cast::build::arrow(self.context(), "xdrs", Type::named("XDR").pointer());
        let object = self.users_object(place, true);
        let refused = or(not(pause), not(call(routine, vec![stream, object], Type::INT)));
        let resume = self.runtime("out_resume", vec![self.context()], self.at().ty);
        vec![when(refused, vec![self.fail()]), cast::build::assign(self.at(), resume)]
    }
}

/// The text lies in the structure itself.
pub(super) fn is_inline(place: &Place) -> bool {
    matches!(place.ty, Type::Array(..))
}
