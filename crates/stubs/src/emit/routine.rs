//! One routine: its signature, its frame, and the dispatch over operations that all directions share.

use std::collections::BTreeSet;

use cast::build::{
    add, address, assign, count_loop, dereference, equal, greater, index, integer, local, member, name, not_equal,
    null, parameter, returns, unsigned, when,
};
use cast::{CaseLabel, Expression, ExpressionKind, Function, Linkage, Statement, SwitchArm, Type};

use super::names::{Functions, variable};
use super::{Conventions, Family};
use crate::plan::{Arm, Count, Direction, Item, Op, Otherwise, Place, Routine, RoutineId, Step, item_name};

/// Writes one routine.
pub(super) struct Emitter<'a> {
    pub(super) id: &'a RoutineId,
    pub(super) routine: &'a Routine,
    reserved: &'a BTreeSet<String>,
    pub(super) functions: &'a Functions,
    pub(super) conventions: Conventions,
    /// Sections of the runtime that the routine uses.
    pub(super) used: BTreeSet<String>,
    /// Types that must have the size of a run of words.
    pub(super) assertions: BTreeSet<(String, u64)>,
    /// Inside a loop over items: what is done there is done often.
    pub(super) in_loop: bool,
    /// The routine may have a version for wide vectors; something in it does differ there.
    pub(super) is_wide: bool,
    pub(super) asks_width: bool,
    /// What is decoded may lie where it came from.
    pub(super) in_place: bool,
    /// Release: the pointers that are freed behind what is being written, the outer first.
    pub(super) open: Vec<Place>,
    pub(super) linkage: Linkage,
}

/// `uint32_t`.
pub(super) fn u32_type() -> Type {
    Type::named("uint32_t")
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        id: &'a RoutineId,
        routine: &'a Routine,
        reserved: &'a BTreeSet<String>,
        functions: &'a Functions,
        conventions: Conventions,
    ) -> Self {
        let (used, assertions) = (BTreeSet::new(), BTreeSet::new());
        let is_wide = routine.is_wide && conventions.family == Family::Xdr;
        Emitter {
            id,
            routine,
            reserved,
            functions,
            conventions,
            used,
            assertions,
            in_loop: false,
            is_wide,
            asks_width: false,
            in_place: false,
            open: Vec::new(),
            linkage: super::INTERNAL,
        }
    }

    /// A variable of the routine.
    pub(super) fn variable(&self, base: &str, ty: Type) -> Expression {
        name(variable(base, self.reserved), ty)
    }

    pub(super) fn variable_name(&self, base: &str) -> String {
        variable(base, self.reserved)
    }

    /// The runtime's routine `whittle_NAME`, whose section goes into the file.
    pub(super) fn runtime(&mut self, section: &str, arguments: Vec<Expression>, result: Type) -> Expression {
        self.runtime_in(section, section, arguments, result)
    }

    /// The same of a routine in a section of another name.
    pub(super) fn runtime_in(
        &mut self,
        section: &str,
        routine: &str,
        arguments: Vec<Expression>,
        result: Type,
    ) -> Expression {
        let section = self.of_family(section);
        self.used.insert(section);
        cast::build::call(format!("whittle_{}", self.of_family(routine)), arguments, result)
    }

    /// What works on the message has names of its own in each of the runtime's families.
    fn of_family(&self, routine: &str) -> String {
        let is_of_message = routine.starts_with("in_") || routine.starts_with("out_");
        let prefix = if is_of_message { self.conventions.family.prefix() } else { "" };
        format!("{prefix}{routine}")
    }

    /// Numbers have their own size and place.
    pub(super) fn is_cdr(&self) -> bool {
        self.conventions.family == Family::Cdr
    }

    /// No stream: messages are memory, and storage is the context's.
    pub(super) fn is_message(&self) -> bool {
        self.conventions.family != Family::Stream
    }

    /// The cursor's type.
    fn cursor_type(&self) -> Type {
        match self.id.direction {
            Direction::Decode => Type::CHAR.constant().pointer(),
            _ => Type::CHAR.pointer(),
        }
    }

    /// The cursor.
    pub(super) fn at(&self) -> Expression {
        self.variable("at", self.cursor_type())
    }

    /// The stream's context: `in` or `out`.
    pub(super) fn context(&self) -> Expression {
        let name = if self.id.direction == Direction::Decode { "in" } else { "out" };
        let context = format!("whittle_{}{name}", self.conventions.family.prefix());
        self.variable(name, Type::structure(context).pointer())
    }

    /// `at`, `offset` bytes on.
    pub(super) fn at_offset(&self, offset: u64) -> Expression {
        if offset == 0 { self.at() } else { add(self.at(), integer(i128::from(offset))) }
    }

    /// `at = value; if (at == NULL) return NULL;`
    pub(super) fn advance(&self, value: Expression) -> Vec<Statement> {
        vec![assign(self.at(), value), when(equal(self.at(), null()), vec![self.fail()])]
    }

    /// `return at;` behind a routine's statements. Where the last of them is such a step its value is returned as it is.
    pub(super) fn finish(&self, statements: &mut Vec<Statement>) {
        let step = statements.len().checked_sub(2).and_then(|at| match &statements[at] {
            Statement::Expression(step) => match &step.kind {
                ExpressionKind::Assign(None, _, value) => Some((at, (**value).clone())),
                _ => None,
            },
            _ => None,
        });
        match step {
            Some((at, value)) if statements[at..] == self.advance(value.clone()) => {
                statements.truncate(at);
                statements.push(returns(value));
            }
            _ => statements.push(returns(self.at())),
        }
    }

    /// What failure does.
    pub(super) fn fail(&self) -> Statement {
        returns(null())
    }

    /// The object at a place.
    pub(super) fn place(&self, place: &Place) -> Expression {
        let mut value = self.variable(&place.variable, Type::Void);
        for step in &place.steps {
            value = match step {
                Step::Target => dereference(value),
                Step::Member(name) => member(value, name.as_str(), Type::Void),
                Step::Element(at) if at == "0" => index(value, integer(0)),
                Step::Element(at) => index(value, self.variable(at, u32_type())),
            };
        }
        value.ty = place.ty.clone();
        value
    }

    pub(super) fn count(&self, count: &Count) -> Expression {
        match count {
            Count::Known(value) => unsigned(*value),
            Count::Symbol(symbol) => operand(symbol),
            Count::Value(place) => self.place(place),
            Count::Local(local) => self.variable(local, u32_type()),
        }
    }

    /// The whole function.
    pub(super) fn function(&mut self) -> Function {
        let encodes = self.id.direction == Direction::Encode;
        let qualified = |ty: Type| if encodes { ty.constant() } else { ty };
        let v = self.variable("v", qualified(self.routine.ty.clone()).pointer());
        let value = name(self.variable_name("value"), qualified(Type::Void).pointer());
        // C++ wants the conversion said.
        let typed = cast::build::cast(v.ty.clone(), value.clone());
        let mut body = vec![local(cast::print_expression(&v), v.ty, Some(typed))];
        let mut parameters = Vec::new();
        let mut result = Type::Void;
        if self.id.direction != Direction::Release {
            let context = self.context();
            parameters.push(parameter(cast::print_expression(&context), context.ty));
            parameters.push(parameter(self.variable_name("at"), self.cursor_type()));
            result = self.cursor_type();
        }
        parameters.push(parameter(cast::print_expression(&value), value.ty));
        body.extend(match self.id.direction {
            Direction::Release => self.release_frame(),
            Direction::Decode => self.decode_frame(),
            Direction::Encode => self.encode_frame(),
        });
        let (linkage, name) = (self.linkage, self.functions.name(self.id));
        Function { linkage, name, result, parameters, body, ..Function::default() }
    }

    /// Marks what no operation looks at as looked at: the context, and the value.
    pub(super) fn uses(&self) -> Vec<Statement> {
        let unused = |name: Expression| Statement::Expression(cast::build::cast(Type::Void, name));
        let context = (!moves(&self.routine.body)).then(|| unused(self.context()));
        let value = self.routine.body.is_empty().then(|| unused(self.variable("v", Type::Void)));
        context.into_iter().chain(value).collect()
    }

    /// Operations in order.
    pub(super) fn ops(&mut self, body: &[Op]) -> Vec<Statement> {
        let (mut statements, mut rest) = (Vec::new(), body);
        while let [op, next @ ..] = rest {
            let together = self.prefixed(rest).or_else(|| self.open_text(rest)).or_else(|| self.bytes_and_more(rest));
            let together = together.or_else(|| self.cdr_bytes_and_more(rest));
            let (more, taken) = together.unwrap_or_else(|| (self.op(op), 1));
            statements.extend(more);
            rest = rest.get(taken..).unwrap_or(next);
        }
        statements
    }

    /// The operations of a loop's round.
    pub(super) fn round(&mut self, body: &[Op]) -> Vec<Statement> {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let statements = self.ops(body);
        self.in_loop = outer;
        statements
    }

    fn op(&mut self, op: &Op) -> Vec<Statement> {
        match op {
            Op::Aggregate { body, .. } => self.ops(body),
            Op::Check { count, bound, data } => self.check(count, bound.as_ref(), data.as_ref()),
            Op::Align { to, when, more } => self.align(*to, when.as_ref(), *more),
            Op::Switch { value, arms, otherwise } => vec![self.switch(value, arms, otherwise)],
            Op::Member { value, members } => vec![self.member_check(value, members)],
            Op::Loop { body, .. } if body.is_empty() => Vec::new(),
            Op::Loop { index, count, over, bind, strip, body, .. } => {
                self.counted_loop(index, count, bind.then_some(over), *strip, body)
            }
            _ => match self.id.direction {
                Direction::Encode => self.encode_op(op),
                Direction::Decode => self.decode_op(op),
                Direction::Release => self.release_op(op),
            },
        }
    }

    fn check(&self, count: &Count, bound: Option<&pres::Extent>, data: Option<&Place>) -> Vec<Statement> {
        let mut statements = Vec::new();
        if let Some(bound) = bound.filter(|bound| bound.value.is_none_or(|value| value < u64::from(u32::MAX))) {
            let bound =
                if bound.value.is_some() { bound.c.clone() } else { cast::build::cast(u32_type(), bound.c.clone()) };
            statements.push(when(greater(self.count(count), bound), vec![self.fail()]));
        }
        if let Some(data) = data {
            let null = equal(self.place(data), null());
            let missing = match count {
                Count::Known(1..) => null,
                _ => cast::build::and(not_equal(self.count(count), integer(0)), null),
            };
            statements.push(when(missing, vec![self.fail()]));
        }
        statements
    }

    fn switch(&mut self, value: &Place, arms: &[Arm], otherwise: &Otherwise) -> Statement {
        let mut result: Vec<SwitchArm> = Vec::new();
        for arm in arms {
            let labels = arm.labels.iter().map(|label| CaseLabel::Value(label.c.clone())).collect();
            let mut body = self.ops(&arm.body);
            if !matches!(body.last(), Some(Statement::Continue | Statement::Return(_))) {
                body.push(Statement::Break);
            }
            result.push(SwitchArm { labels, body });
        }
        let body = match otherwise {
            Otherwise::Fail => vec![self.fail()],
            Otherwise::Body(body) => {
                let mut body = self.ops(body);
                body.push(Statement::Break);
                body
            }
        };
        result.push(SwitchArm { labels: vec![CaseLabel::Default], body });
        // A compiler would miss a number among the members of an enumeration, or a member among the labels.
        let numbers =
            arms.iter().flat_map(|arm| &arm.labels).all(|label| label.value.is_some_and(|n| i32::try_from(n).is_ok()));
        let is_named = matches!(value.ty, Type::Named(_) | Type::Tagged(..));
        let is_truth = value.ty == Type::Scalar(cast::Scalar::Bool);
        let mut value = self.place(value);
        if numbers && is_named || is_truth {
            value = cast::build::cast(Type::INT, value);
        }
        Statement::Switch { value, arms: result }
    }

    fn member_check(&self, value: &Place, members: &[pres::Label]) -> Statement {
        let labels = members.iter().map(|member| CaseLabel::Value(member.c.clone())).collect();
        let known = SwitchArm { labels, body: vec![Statement::Break] };
        let unknown = SwitchArm { labels: vec![CaseLabel::Default], body: vec![self.fail()] };
        let value = cast::build::cast(Type::INT, self.place(value));
        Statement::Switch { value, arms: vec![known, unknown] }
    }

    /// `items = data` before a loop and `item = &items[i]` in each round, `const` where values are only read. What is
    /// written to the message might be taken for the pointer's own bytes, so that it would be loaded each time.
    fn bind(&self, index_name: &str, over: &Item) -> [Statement; 2] {
        // Before C23 a pointer to an array is none to a constant one.
        let is_constant = self.id.direction == Direction::Encode && !over.is_array;
        let ty = if is_constant { over.ty.clone().constant() } else { over.ty.clone() };
        let ty = ty.pointer();
        let items = self.variable(&format!("{index_name}_items"), ty.clone());
        let element = index(items.clone(), self.variable(index_name, u32_type()));
        [
            local(cast::print_expression(&items), ty.clone(), Some(self.place(&over.data))),
            local(self.variable_name(&item_name(index_name)), ty, Some(address(element))),
        ]
    }

    /// A loop of so many rounds; with `strip`, checked for many rounds at once.
    pub(super) fn counted_loop(
        &mut self,
        index_name: &str,
        count: &Count,
        over: Option<&Item>,
        strip: Option<u64>,
        body: &[Op],
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        let mut round = Vec::new();
        if let Some(over) = over {
            let [before, inside] = self.bind(index_name, over);
            statements.push(before);
            round.push(inside);
        }
        round.extend(self.round(body));
        let total = match count {
            Count::Value(_) => {
                let total = self.variable_name(&format!("{index_name}_count"));
                let mut value = self.count(count);
                if let (Direction::Release, Some(over)) = (self.id.direction, over) {
                    value = cast::build::conditional(equal(self.place(&over.data), null()), integer(0), value);
                }
                statements.push(local(total.as_str(), u32_type().constant(), Some(value)));
                name(total, u32_type())
            }
            _ => self.count(count),
        };
        match strip {
            None => statements.push(count_loop(&self.variable_name(index_name), u32_type(), total, round)),
            Some(bytes) => statements.push(self.strip_loop(index_name, total, bytes, round)),
        }
        statements
    }

    /// Two loops: the outer checks for as many rounds as a segment holds, the inner runs them unchecked.
    pub(super) fn strip_loop(
        &mut self,
        index_name: &str,
        total: Expression,
        bytes: u64,
        round: Vec<Statement>,
    ) -> Statement {
        let i = self.variable(index_name, u32_type());
        let end_name = self.variable_name(&format!("{index_name}_end"));
        let end = name(end_name.as_str(), u32_type());
        let most = unsigned((crate::passes::LARGEST_SEGMENT / bytes.max(1)).max(1));
        let left = cast::build::subtract(total.clone(), i.clone());
        let stop = cast::build::conditional(greater(left, most.clone()), add(i.clone(), most), total.clone());
        let rounds = cast::build::cast(Type::named("size_t"), cast::build::subtract(end.clone(), i.clone()));
        let room = cast::build::multiply(rounds, unsigned(bytes));
        let mut outer = vec![local(end_name, u32_type().constant(), Some(stop))];
        outer.extend(self.need(room));
        let step = cast::build::unary(cast::UnaryOperator::IncrementAfter, i.clone());
        let condition = cast::build::less(i.clone(), end);
        outer.push(Statement::For { initial: None, condition: Some(condition), step: Some(step), body: round });
        Statement::For {
            initial: Some(Box::new(local(self.variable_name(index_name), u32_type(), Some(integer(0))))),
            condition: Some(cast::build::less(i, total)),
            step: None,
            body: outer,
        }
    }
}

/// Whether operations touch the message, or allocate, and not only look at the value.
fn moves(body: &[Op]) -> bool {
    body.iter().any(|op| match op {
        Op::Check { .. } | Op::Member { .. } => false,
        Op::Aggregate { .. } | Op::Loop { .. } | Op::Switch { .. } => op.bodies().into_iter().any(moves),
        _ => true,
    })
}

/// A name of the user's as part of an expression: a macro may be one itself.
fn operand(symbol: &str) -> Expression {
    let bare = symbol.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(symbol);
    match bare.chars().all(crate::reserved::is_part_of_word) {
        true => cast::build::verbatim(format!("({bare})"), Type::INT),
        false => name(symbol, Type::INT),
    }
}
