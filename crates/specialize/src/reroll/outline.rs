//! What a statement looks like when its registers and its integer constants are left out.
//!
//! In: a statement or a block's end. Out: its outline, a text that two of them share exactly if they are equal but for
//! the registers and constants, and those in the order in which they stand.

use std::fmt::Write;

use core_c::{
    Argument, Callee, Expression, ExpressionKind, Function, LocalId, Place, PlaceBase, Program, Receiver, Shape,
    Statement, StatementKind, StepKind, Terminator, TypeId, Types,
};
use la_arena::{Arena, Idx};

/// An integer that may differ from one iteration to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) value: i128,
    pub(super) ty: TypeId,
    /// It chooses an element of an array.
    pub(super) index: bool,
}

/// One statement, or several one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) text: String,
    pub(super) constants: Vec<Constant>,
    pub(super) registers: Vec<LocalId>,
    /// It equals nothing, not even itself: text that nobody looks into, a call that may return twice.
    pub(super) alone: bool,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Plain,
    Index,
    /// A compiler's builtin may insist on a constant here.
    Fixed,
}

/// Draws outlines of one function's statements.
#[derive(Clone, Copy)]
pub(super) struct Outliner<'p> {
    pub(super) types: &'p Types,
    /// Of the program: who is called.
    pub(super) functions: &'p Arena<Function>,
    pub(super) function: &'p Function,
}

/// Functions that one call may leave several times: what a register holds then depends on which one it is.
const RETURN_TWICE: [&str; 8] =
    ["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "vfork", "getcontext"];

impl<'p> Outliner<'p> {
    pub(super) fn new(program: &'p Program, function: &'p Function) -> Outliner<'p> {
        Outliner { types: &program.types, functions: &program.functions, function }
    }

    pub(super) fn of_statement(self, statement: &Statement) -> Outline {
        let mut out = Outline::default();
        self.statement(&statement.kind, &mut out);
        out
    }

    pub(super) fn of_end(self, end: &Terminator) -> Outline {
        let mut out = Outline::default();
        self.end(end, &mut out);
        out
    }

    pub(super) fn statement(self, kind: &StatementKind, out: &mut Outline) {
        match kind {
            StatementKind::Set { .. } => out.text.push_str("set"),
            StatementKind::Store { place, .. } => self.place("store", place, out),
            StatementKind::LoadVolatile { place, .. } => self.place("volatile", place, out),
            StatementKind::Copy { to, from } => {
                self.place("copy", from, out);
                self.place("to", to, out);
            }
            StatementKind::Zero { place } => self.place("zero", place, out),
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments, out),
            StatementKind::Begin { local, size } => put(out, "begin", (number(*local), size.is_some())),
            StatementKind::Assembly { .. } => out.alone = true,
        }
        for (role, value) in operands(self, kind) {
            self.expression(role, value, out);
        }
        if let Some(local) = kind.written_register() {
            put(out, "=", number(self.function.locals[local].ty));
            out.registers.push(local);
        }
        out.text.push(';');
    }

    /// A block's end; where it leads is looked at elsewhere.
    pub(super) fn end(self, end: &Terminator, out: &mut Outline) {
        match end {
            Terminator::Goto(_) => out.text.push_str("goto"),
            Terminator::Branch { .. } => out.text.push_str("branch"),
            Terminator::Switch { cases, .. } => {
                out.text.push_str("switch");
                cases.iter().for_each(|case| put(out, " ", (case.first, case.last)));
            }
            Terminator::Return(Some(Argument::Object(place))) => self.place("return", place, out),
            Terminator::Return(value) => put(out, "return", value.is_some()),
            Terminator::GotoAddress { .. } => out.alone = true,
            Terminator::Unreachable => out.text.push_str("unreachable"),
        }
        for value in end.expressions() {
            self.expression(Role::Plain, value, out);
        }
        out.text.push(';');
    }

    fn call(self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument], out: &mut Outline) {
        match callee {
            Callee::Function(id) => {
                put(out, "call", number(*id));
                out.alone |= RETURN_TWICE.contains(&self.functions[*id].name.as_str());
            }
            Callee::Pointer(_) => out.text.push_str("call*"),
        }
        for argument in arguments {
            match argument {
                Argument::Value(_) => out.text.push('v'),
                Argument::Object(place) => self.place("o", place, out),
            }
        }
        match receiver {
            None => {}
            Some(Receiver::Register(_)) => out.text.push('r'),
            Some(Receiver::Object(place)) => self.place("to", place, out),
        }
    }

    fn place(self, word: &str, place: &Place, out: &mut Outline) {
        out.text.push_str(word);
        match place.base {
            PlaceBase::Local(local) => put(out, " local", number(local)),
            PlaceBase::Global(global) => put(out, " global", number(global)),
            PlaceBase::Pointee(_) => out.text.push_str(" *"),
        }
        for step in &place.steps {
            match &step.kind {
                StepKind::Field { name, offset, bits } => put(out, ".", (name, offset, bits)),
                StepKind::Index(_) => out.text.push_str("[]"),
            }
            put(out, ":", number(step.ty));
        }
        put(out, ":", (number(place.ty), place.volatile));
    }

    fn expression(self, role: Role, value: &Expression, out: &mut Outline) {
        match &value.kind {
            ExpressionKind::Integer(constant) => {
                if role != Role::Fixed && self.may_vary(value.ty) {
                    let constant = Constant { value: *constant, ty: value.ty, index: role == Role::Index };
                    out.constants.push(constant);
                    out.text.push('#');
                } else {
                    put(out, "integer", constant);
                }
            }
            ExpressionKind::Float(text) => put(out, "float", text),
            ExpressionKind::Local(local) => {
                out.registers.push(*local);
                out.text.push('r');
            }
            ExpressionKind::Load(place) => self.place("load", place, out),
            ExpressionKind::Address(place) => self.place("&", place, out),
            ExpressionKind::Function(id) => put(out, "function", number(*id)),
            ExpressionKind::Label(_) | ExpressionKind::Opaque { .. } => out.alone = true,
            ExpressionKind::Unary(operator, _) => put(out, "", operator),
            ExpressionKind::Binary(operator, ..) => put(out, "", operator),
            ExpressionKind::Offset { negative, .. } => put(out, "offset", negative),
            ExpressionKind::Distance(..) => out.text.push_str("distance"),
            ExpressionKind::Convert(_) => out.text.push_str("convert"),
        }
        put(out, ":", number(value.ty));
        for (at, child) in value.children().into_iter().enumerate() {
            self.expression(role_below(value, role, at), child, out);
        }
    }

    /// Shows the registers that a statement reads, and the constants that are no part of its outline, in its order.
    pub(super) fn rewrite(self, kind: &mut StatementKind, change: &mut dyn FnMut(&mut Expression)) {
        let roles: Vec<Role> = operands(self, kind).into_iter().map(|(role, _)| role).collect();
        for (role, value) in roles.into_iter().zip(kind.expressions_mut()) {
            self.rewrite_expression(role, value, change);
        }
    }

    /// As [`Outliner::rewrite`].
    pub(super) fn rewrite_end(self, end: &mut Terminator, change: &mut dyn FnMut(&mut Expression)) {
        for value in end.expressions_mut() {
            self.rewrite_expression(Role::Plain, value, change);
        }
    }

    fn rewrite_expression(self, role: Role, value: &mut Expression, change: &mut dyn FnMut(&mut Expression)) {
        match value.kind {
            ExpressionKind::Integer(_) if role != Role::Fixed && self.may_vary(value.ty) => return change(value),
            ExpressionKind::Local(_) => return change(value),
            _ => {}
        }
        let roles: Vec<Role> = (0..value.children().len()).map(|at| role_below(value, role, at)).collect();
        for (role, child) in roles.into_iter().zip(value.children_mut()) {
            self.rewrite_expression(role, child, change);
        }
    }

    fn may_vary(self, ty: TypeId) -> bool {
        matches!(self.types.shape_of(ty), Shape::Integer { bits: ..=64, boolean: false, .. })
    }
}

/// The role of an expression's child, by position.
fn role_below(value: &Expression, role: Role, at: usize) -> Role {
    match (&value.kind, value.place()) {
        (ExpressionKind::Convert(_), _) if role == Role::Fixed => Role::Fixed,
        (_, Some(place)) if at >= usize::from(is_pointee(place)) => Role::Index,
        _ => Role::Plain,
    }
}

/// The outermost expressions of a statement, in the order of [`StatementKind::expressions_mut`].
fn operands<'s>(outliner: Outliner<'_>, kind: &'s StatementKind) -> Vec<(Role, &'s Expression)> {
    let StatementKind::Call { receiver, callee, arguments } = kind else {
        let places = kind.places();
        let of_places = places.into_iter().flat_map(|(_, place)| place_operands(place));
        let own = kind.expressions();
        let mut found: Vec<(Role, &Expression)> = of_places.collect();
        found.extend(own.into_iter().skip(found.len()).map(|value| (Role::Plain, value)));
        return found;
    };
    let mut found = Vec::new();
    let mut fixed = false;
    match callee {
        Callee::Pointer(pointer) => found.push((Role::Plain, pointer)),
        Callee::Function(id) => fixed = outliner.functions[*id].name.starts_with("__"),
    }
    for argument in arguments {
        match argument {
            Argument::Value(value) => found.push((if fixed { Role::Fixed } else { Role::Plain }, value)),
            Argument::Object(place) => found.extend(place_operands(place)),
        }
    }
    if let Some(Receiver::Object(place)) = receiver {
        found.extend(place_operands(place));
    }
    found
}

fn place_operands(place: &Place) -> impl Iterator<Item = (Role, &Expression)> {
    let pointers = usize::from(is_pointee(place));
    let role = move |at| if at < pointers { Role::Plain } else { Role::Index };
    place.expressions().into_iter().enumerate().map(move |(at, value)| (role(at), value))
}

fn is_pointee(place: &Place) -> bool {
    matches!(place.base, PlaceBase::Pointee(_))
}

pub(super) fn number<T>(id: Idx<T>) -> u32 {
    id.into_raw().into_u32()
}

fn put(out: &mut Outline, word: &str, value: impl std::fmt::Debug) {
    // Writing to a string does not fail.
    let _ = write!(out.text, "{word}{value:?}");
}
