//! What is different in routines for CDR: positions are aligned, and texts are checked together with what is aligned behind
//! them.

use cast::build::{address, call, integer, name, not, not_equal, sizeof_type, text, unsigned, when};
use cast::{Expression, ExpressionKind, Statement, Type};

use super::routine::{Emitter, u32_type};
use crate::encodings::ByteOrder;
use crate::plan::{Count, Direction, Op, Place, RoutineId, State, Storage, Word};

impl Emitter<'_> {
    /// On to a multiple of `to`, and a check for `more` bytes there.
    pub(super) fn align(&mut self, to: u64, count: Option<&Count>, more: u64) -> Vec<Statement> {
        let section = if self.id.direction == Direction::Decode { "in_align" } else { "out_align" };
        let (at, mut arguments) = (self.at(), vec![self.context(), self.at(), unsigned(to)]);
        let mut routine = section.to_string();
        if more > 0 {
            routine.push_str("_and");
            arguments.push(unsigned(more));
        }
        let value = self.runtime_in(section, &routine, arguments, at.ty);
        let moved = self.advance(value);
        match count {
            Some(count) => vec![when(not_equal(self.count(count), integer(0)), moved)],
            None => moved,
        }
    }

    /// A text, its padding, and a check for what follows.
    pub(super) fn cdr_text(&mut self, op: &Op) -> Vec<Statement> {
        let Op::Text { place, counted, bound, align, more, .. } = op else { return Vec::new() };
        let bound = self.bound(bound.as_ref());
        let mut arguments = vec![self.context(), self.at(), self.place(place)];
        arguments.extend(counted.as_ref().map(|counted| self.place(counted)));
        arguments.extend([bound, unsigned(*align), unsigned(*more)]);
        let (section, each) = match super::encode::is_inline(place) {
            _ if counted.is_some() => (self.in_order("out_counted_text"), ""),
            true => (self.in_order("out_inline_text"), ""),
            false => (self.in_order("out_text"), self.each()),
        };
        let at = self.at();
        let value = self.runtime_in(&section, &format!("{section}{each}"), arguments, at.ty);
        self.advance(value)
    }

    /// Bytes, whose number is in the value, their padding, and a check for what follows: one check for all of it. What stands
    /// between and only looks at the value may as well be looked at before.
    pub(super) fn cdr_bytes_and_more(&mut self, body: &[Op]) -> Option<(Vec<Statement>, usize)> {
        let (bytes, rest) = body.split_first().filter(|_| self.is_cdr() && self.id.direction == Direction::Encode)?;
        let (place, length) = match bytes {
            Op::Bytes { place, length } => (place, self.count(length)),
            Op::Order { word: word @ Word::One, place, count, words } => {
                self.assert_items(place, *word, *words);
                (place, self.run_length(count, *words))
            }
            _ => return None,
        };
        let looks = rest.iter().take_while(|op| matches!(op, Op::Check { .. } | Op::Member { .. })).count();
        let (to, more) = match rest.get(looks)? {
            Op::Ensure(more) => (1, *more),
            Op::Align { to, when: None, more } => (*to, *more),
            _ => return None,
        };
        let mut statements = self.ops(&rest[..looks]);
        let arguments = vec![self.context(), self.at(), self.data(place), length, unsigned(to), unsigned(more)];
        statements.extend(self.runtime_step("out_bytes_and", arguments));
        Some((statements, looks + 2))
    }

    pub(super) fn cdr_text_in(&mut self, op: &Op) -> Vec<Statement> {
        let Op::Text { place, counted, length, bound, align, more } = op else { return Vec::new() };
        let length = length.as_deref().unwrap_or("");
        let (bound, length) = (self.bound(bound.as_ref()), self.variable(length, u32_type()));
        let (section, each, text) = match super::encode::is_inline(place) {
            _ if counted.is_some() => ("in_counted_text", "", address(self.place(place))),
            true => ("in_inline_text", "", self.place(place)),
            false => ("in_text", self.each(), address(self.place(place))),
        };
        let mut arguments = vec![self.context(), self.at(), text];
        arguments.extend(counted.as_ref().map(|counted| address(self.place(counted))));
        arguments.extend([length, bound, unsigned(*align), unsigned(*more)]);
        let at = self.at();
        let value = self.runtime_in(section, &format!("{section}{each}"), arguments, at.ty);
        self.advance(value)
    }

    /// In loops over items the runtime's code stands in place.
    fn each(&self) -> &'static str {
        if self.in_loop { "_each" } else { "" }
    }

    /// Whether the message is in the byte order that the machine does not have.
    fn is_swapped(&self) -> Expression {
        match self.conventions.order {
            ByteOrder::Host => truth(false),
            ByteOrder::Swapped => truth(true),
            ByteOrder::Network => not(name("WHITTLE_BIG_ENDIAN", Type::INT)),
        }
    }

    /// A value of a value type: the library marshals what stands around the state.
    pub(super) fn cdr_value(&mut self, state: &State, place: &Place, storage: &Storage) -> Vec<Statement> {
        let callee = RoutineId { name: state.routine.clone(), direction: self.id.direction };
        let routine = name(self.functions.name(&callee), Type::Void);
        let mut arguments = vec![self.context(), self.at()];
        let section = if self.id.direction == Direction::Decode {
            let size = sizeof_type(state.ty.clone());
            let id = text(state.ids.first().map_or("", String::as_str));
            arguments.extend([address(self.place(place)), size, self.item_release(storage), id, routine]);
            "in_value"
        } else {
            // One behind the other, each with its NUL.
            let count = unsigned(state.ids.len() as u64);
            arguments.extend([self.place(place), text(state.ids.join("\0")), count, routine]);
            "out_value"
        };
        arguments.push(self.is_swapped());
        self.runtime_step(section, arguments)
    }

    /// `whittle_cdr_out_NAME(out, at, &value, constants)`, `whittle_cdr_in_NAME(in, at, &value, constants, swapped)`.
    pub(super) fn cdr_external(&mut self, routine: &str, constants: &[u64], place: &Place) -> Vec<Statement> {
        let decodes = self.id.direction == Direction::Decode;
        let mut arguments = vec![self.context(), self.at(), address(self.place(place))];
        arguments.extend(constants.iter().map(|constant| unsigned(*constant)));
        arguments.extend(decodes.then(|| self.is_swapped()));
        let direction = if decodes { "in" } else { "out" };
        self.advance(call(format!("whittle_cdr_{direction}_{routine}"), arguments, self.at().ty))
    }
}

fn truth(value: bool) -> Expression {
    name(if value { "true" } else { "false" }, Type::named("bool"))
}

/// `__alignof__(T)`, which C99 and C++ have, too.
pub(super) fn alignment_of(ty: &Type) -> Expression {
    let kind = ExpressionKind::Verbatim(format!("__alignof__({})", cast::print_type(ty)));
    Expression { kind, ty: Type::named("size_t"), span: None }
}
