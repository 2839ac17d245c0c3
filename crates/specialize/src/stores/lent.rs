//! Objects that are only read, here and by the functions that their addresses are lent to.
//!
//! In: a function and one of its bases. Out: whether nobody writes there through an address that comes from the base, keeps such an
//! address, or compares it with another object's: every call of a recursive function has an object of its own, a static one is shared.
//! Functions of the program are looked into; of the library's, their descriptions say it.

use std::collections::BTreeSet;

use core_c::{
    Argument, Callee, Expression, ExpressionKind, Function, FunctionId, Place, Program, Receiver, Shape, StatementKind,
};

use super::bases::{Base, Bases, Spot};
use crate::library::effects::Effects;
use crate::mutation;

/// Calls of calls that are looked into.
const DEPTH: usize = 16;

/// True where what is at `base` is only read, but for statements that `own` takes over.
pub(super) fn is_only_read(
    program: &Program,
    effects: &Effects,
    function: &Function,
    (bases, base): (&Bases<'_>, Base),
    own: &dyn Fn(&StatementKind) -> bool,
) -> bool {
    let mut open = BTreeSet::new();
    Reader { program, effects, bases, base, open: &mut open }.is_only_read(function, own)
}

struct Reader<'a> {
    program: &'a Program,
    effects: &'a Effects,
    bases: &'a Bases<'a>,
    base: Base,
    /// Functions and parameters that are being looked into.
    open: &'a mut BTreeSet<(FunctionId, usize)>,
}

impl Reader<'_> {
    fn is_only_read(&mut self, function: &Function, own: &dyn Fn(&StatementKind) -> bool) -> bool {
        // What is returned is a variable that is gone, or the caller's.
        function.blocks.values().all(|block| {
            let mut statements = block.statements.iter().map(|statement| &statement.kind);
            statements.all(|kind| own(kind) || self.only_reads(kind))
                && !block.end.expressions().into_iter().any(|value| self.depends_on_identity(value))
        })
    }

    fn only_reads(&mut self, kind: &StatementKind) -> bool {
        if kind.expressions().into_iter().any(|value| self.depends_on_identity(value)) {
            return false;
        }
        match kind {
            StatementKind::Set { .. } | StatementKind::Begin { .. } => true,
            StatementKind::LoadVolatile { place, .. } | StatementKind::Zero { place } => !self.is_at(place),
            StatementKind::Copy { to, from } => !self.is_at(to) && !from.volatile,
            StatementKind::Store { place, value } => !self.is_at(place) && !self.leads(value),
            StatementKind::Assembly { .. } => {
                let mut places = kind.places().into_iter();
                !places.any(|(_, place)| self.is_at(place)) && !kind.expressions().into_iter().any(|e| self.leads(e))
            }
            StatementKind::Call { receiver, callee, arguments } => self.is_lent(receiver.as_ref(), callee, arguments),
        }
    }

    fn is_lent(&mut self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) -> bool {
        let object = match receiver {
            Some(Receiver::Object(place)) => Some(place),
            _ => None,
        };
        if object.is_some_and(|place| self.is_at(place)) {
            return false;
        }
        let given = |argument: &Argument| matches!(argument, Argument::Value(value) if self.leads(value));
        let lent: Vec<usize> = arguments.iter().enumerate().filter(|(_, one)| given(one)).map(|(at, _)| at).collect();
        match callee {
            Callee::Pointer(pointer) => lent.is_empty() && !self.leads(pointer),
            Callee::Function(callee) => {
                lent.is_empty() || (object.is_none() && lent.into_iter().all(|at| self.borrows(*callee, at, arguments)))
            }
        }
    }

    /// True where a function only reads through one of its arguments, and keeps it nowhere.
    fn borrows(&mut self, id: FunctionId, at: usize, arguments: &[Argument]) -> bool {
        let callee = &self.program.functions[id];
        if mutation::forgets("borrow") {
            return true;
        }
        if !callee.has_body() {
            return !arguments.iter().any(|argument| self.holds_pointers(argument))
                && self.effects.comes_back(&callee.name)
                && !self.effects.sees_anything(&callee.name)
                && self.effects.writes_through(&callee.name).is_some_and(|written| !written.contains(&at));
        }
        let Some(parameter) = callee.parameters.get(at).filter(|_| !callee.blocks.is_empty()) else { return false };
        if self.open.contains(&(id, at)) {
            return true;
        }
        if self.open.len() == DEPTH {
            return false;
        }
        self.open.insert((id, at));
        let bases = Bases::of(self.program, callee, &[*parameter].into());
        let base = Base::Pointee(*parameter);
        let has_base = bases.pointees().any(|known| known == base);
        let mut reader = Reader { program: self.program, effects: self.effects, bases: &bases, base, open: self.open };
        has_base && reader.is_only_read(callee, &|_| false)
    }

    /// A function may put one of its arguments behind another one: `strtol` does.
    fn holds_pointers(&self, argument: &Argument) -> bool {
        let Argument::Value(value) = argument else { return false };
        let types = &self.program.types;
        types.element(value.ty).is_some_and(|element| matches!(types.shape_of(element), Shape::Pointer(_)))
    }

    /// True where a value depends on which object it is, or may: null and addresses in the same object aside.
    fn depends_on_identity(&self, value: &Expression) -> bool {
        value.any(&mut |part| match &part.kind {
            ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
                let (left_leads, right_leads) = (self.bases.reached(left), self.bases.reached(right));
                let is_one = left_leads == right_leads && left_leads.len() == 1;
                let leads = left_leads.contains(&self.base) || right_leads.contains(&self.base);
                leads && !is_one && !is_null(left) && !is_null(right)
            }
            ExpressionKind::Opaque { operands, .. } => operands.iter().any(|operand| self.leads(operand)),
            _ => false,
        })
    }

    fn is_at(&self, place: &Place) -> bool {
        match self.bases.spot(place) {
            Spot::Bytes(base, _) => base == self.base,
            Spot::Among(bases) => bases.contains(&self.base),
            Spot::Elsewhere => false,
        }
    }

    fn leads(&self, value: &Expression) -> bool {
        self.bases.reached(value).contains(&self.base)
    }
}

fn is_null(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Integer(0) => true,
        ExpressionKind::Convert(inner) => is_null(inner),
        _ => false,
    }
}
