//! Core C as C that people like to read.
//!
//! In: a function of a Core C program. Out: the same function as CAST, structured: its blocks become statements in
//! [`statement`], conditions and calls that stand alone go back into the expressions that use them in [`fold`] and
//! [`conditions`], and `structure` finds `if`, loops and `switch` again in the dominator tree, after Ramsey, "Beyond
//! Relooper" (ICFP 2022), with C's `goto` for whatever is none of them. Why: residual programs are read by people.

mod braces;
mod conditions;
mod constant_bits;
mod declare;
mod expression;
mod file;
mod finish;
mod flow;
mod fold;
mod literal;
mod names;
mod place;
mod statement;
mod statics;
mod structure;
#[cfg(test)]
mod tests;
mod truth;
mod types;
mod walk;

use std::collections::BTreeSet;

pub use file::{Options, file, file_with, settle};

use cast::{Parameter, Type};

use crate::graph::{LocalSet, number};
use crate::{
    Access, Expression, ExpressionKind, Function, FunctionId, Linkage, LocalKind, Place, PlaceBase, Program, Receiver,
    StatementKind, Step, StepKind, TypeId,
};

/// What raising a function needs to know.
struct Raiser<'a> {
    program: &'a Program,
    function: &'a Function,
    /// By local.
    names: Vec<String>,
    /// Memory locals whose accesses are volatile.
    volatile: LocalSet,
    /// Registers and objects that something reads, or has the address of.
    read: LocalSet,
    /// What the function returns.
    result: Type,
    /// The names of registers.
    registers: BTreeSet<String>,
}

/// A function as C. One without blocks gives its head alone.
pub fn function(program: &Program, id: FunctionId) -> cast::Function {
    let mut raised = with_holes(program, id);
    finish::fill(&mut raised);
    raised
}

/// A function whose text with holes waits for final names.
fn with_holes(program: &Program, id: FunctionId) -> cast::Function {
    let function = &program.functions[id];
    // Recursion goes as deep as blocks dominate each other.
    let room = (function.blocks.len() + 64) * 16 * 1024;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(room.max(1 << 23));
        match worker.spawn_scoped(scope, || raise(program, id)) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => raise(program, id),
        }
    })
}

fn raise(program: &Program, id: FunctionId) -> cast::Function {
    let function = &program.functions[id];
    let names = names::of_locals(program, function);
    let (result, types, variadic) = signature(program, function);
    let registers = function.locals.iter().filter(|(_, local)| local.kind == LocalKind::Register);
    let registers = registers.map(|(id, _)| names[number(id)].clone()).collect();
    let (volatile, read) = (volatile_locals(program, function), read_locals(function));
    let raiser = Raiser { program, function, names, volatile, read, result, registers };
    let mut raised = raiser.head(types, variadic);
    if function.blocks.is_empty() {
        return raised;
    }
    let mut flow = flow::build(&raiser);
    fold::calls(&raiser, &mut flow);
    let statics = statics::declarations(&raiser, id);
    let fixed = structure::addressed(&flow, &statics);
    while conditions::join(&raiser, &mut flow, &fixed) {
        fold::calls(&raiser, &mut flow);
    }
    raised.body = structure::structure(raiser.table(), &flow, fixed);
    raised.body.splice(0..0, statics);
    finish::clean(&mut raised.body);
    declare::declare(&raiser, &mut raised);
    braces::join(&raiser, &mut raised.body);
    constant_bits::write(&raiser, &mut raised.body);
    finish::finish(&mut raised);
    raised
}

fn signature(program: &Program, function: &Function) -> (Type, Vec<Type>, bool) {
    match types::resolve(&program.types.table, &program.types.get(function.ty).c) {
        Type::Function(ty) => {
            (ty.result.clone(), ty.parameters.iter().map(|parameter| parameter.ty.clone()).collect(), ty.variadic)
        }
        _ => (Type::INT, Vec::new(), false),
    }
}

fn read_locals(function: &Function) -> LocalSet {
    let mut found = LocalSet::default();
    for block in function.blocks.values() {
        let values = block.statements.iter().flat_map(|statement| statement.kind.expressions());
        for value in values.chain(block.end.expressions()) {
            value.walk(&mut |part| {
                if let ExpressionKind::Local(local) = part.kind {
                    found.insert(local);
                }
                found.extend(part.place().and_then(Place::local_base));
            });
        }
        for statement in &block.statements {
            let is_assembly = matches!(statement.kind, StatementKind::Assembly { .. });
            let places = statement.kind.places().into_iter();
            let read = places.filter(|(access, _)| is_assembly || *access == Access::Read);
            found.extend(read.filter_map(|(_, place)| place.local_base()));
        }
        found.extend(block.end.place().and_then(Place::local_base));
    }
    found
}

impl<'a> Raiser<'a> {
    /// For constants outside of functions.
    fn outside(program: &'a Program, nobody: &'a Function) -> Raiser<'a> {
        Raiser {
            program,
            function: nobody,
            names: Vec::new(),
            volatile: LocalSet::default(),
            read: LocalSet::default(),
            result: Type::Void,
            registers: BTreeSet::new(),
        }
    }
}

impl Raiser<'_> {
    fn is_local(&self, name: &str) -> bool {
        self.names.iter().any(|local| local == name)
    }

    fn is_register(&self, name: &str) -> bool {
        self.registers.contains(name)
    }

    fn head(&self, types: Vec<Type>, variadic: bool) -> cast::Function {
        let locals = self.function.parameters.iter().map(Some).chain(std::iter::repeat(None));
        let parameters = match self.function.parameters.is_empty() {
            true => types.into_iter().map(|ty| Parameter { name: None, ty }).collect(),
            false => locals.zip(self.parameter_types(types)).map(|(local, ty)| self.parameter(local, ty)).collect(),
        };
        let linkage = match (self.function.linkage, self.function.inline) {
            (Linkage::External, _) => cast::Linkage::Plain,
            (Linkage::Internal, false) => cast::Linkage::Static,
            (Linkage::Internal, true) => cast::Linkage::StaticInline,
        };
        let (name, result) = (self.function.name.clone(), self.result.clone());
        cast::Function { linkage, name, result, parameters, variadic, span: self.function.span, ..Default::default() }
    }

    /// The types that the head gives, or, where it says nothing of parameters, those of the locals.
    fn parameter_types(&self, types: Vec<Type>) -> Vec<Type> {
        let count = self.function.parameters.len();
        if types.len() >= count {
            return types;
        }
        self.function.parameters.iter().map(|local| self.c_type(self.function.locals[*local].ty).clone()).collect()
    }

    fn parameter(&self, local: Option<&crate::LocalId>, ty: Type) -> Parameter {
        let name = local.map(|local| self.names[number(*local)].clone());
        let volatile = local.is_some_and(|local| self.volatile.contains(*local));
        // A parameter that others' values are put into cannot promise that nothing else points there.
        let restrict =
            types::qualifiers(self.table(), &ty).restrict && local.is_some_and(|local| !self.is_assigned(*local));
        let ty = ty.unqualified().clone();
        let ty = if restrict { ty.restrict() } else { ty };
        Parameter { name, ty: if volatile { ty.volatile() } else { ty } }
    }

    /// True for a register that a statement sets.
    fn is_assigned(&self, register: crate::LocalId) -> bool {
        let mut statements = self.function.blocks.values().flat_map(|block| &block.statements);
        statements.any(|statement| match &statement.kind {
            StatementKind::Set { local, .. } | StatementKind::LoadVolatile { local, .. } => *local == register,
            StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => *local == register,
            _ => false,
        })
    }
}

/// True where one of the steps into an object leads to what is volatile by its own declaration.
fn is_declared_volatile(program: &Program, mut whole: TypeId, steps: &[Step]) -> bool {
    let is_volatile = |ty: &Type| types::qualifiers(&program.types.table, ty).volatile;
    steps.iter().any(|step| {
        let owner = std::mem::replace(&mut whole, step.ty);
        let member = match &step.kind {
            StepKind::Field { name, .. } => program
                .types
                .record(owner)
                .and_then(|record| record.fields.iter().find(|field| field.name.as_ref() == Some(name))),
            StepKind::Index(_) => None,
        };
        is_volatile(&program.types.get(step.ty).c) || member.is_some_and(|field| is_volatile(&field.ty))
    })
}

/// The memory locals that are declared `volatile`: those whose accesses are, where no part of them says so.
fn volatile_locals(program: &Program, function: &Function) -> LocalSet {
    let mut found = LocalSet::default();
    let mut look = |place: &Place| {
        if let PlaceBase::Local(local) = place.base
            && place.volatile
            && !is_declared_volatile(program, function.locals[local].ty, &place.steps)
            && function.locals[local].kind == LocalKind::Memory
        {
            found.insert(local);
        }
    };
    let mut look_in = |value: &Expression| {
        value.walk(&mut |part| {
            if let ExpressionKind::Load(place) | ExpressionKind::Address(place) = &part.kind {
                look(place);
            }
        });
    };
    for block in function.blocks.values() {
        block
            .statements
            .iter()
            .flat_map(|s| s.kind.expressions())
            .chain(block.end.expressions())
            .for_each(&mut look_in);
    }
    for block in function.blocks.values() {
        block.statements.iter().flat_map(|s| s.kind.places()).for_each(|(_, place)| look(place));
    }
    found
}

/// What a label is called until [`finish::finish`] numbers those that are used.
fn label(block: usize) -> String {
    format!("{}L{block}", names::TEMPORARY)
}
