//! The objects that pointers point to, as far as they are told apart.

use std::collections::BTreeMap;

use core_c::{BlockId, Function, FunctionId, GlobalId, Local, LocalId, Program, TypeId};

/// A statement or, one past the last, the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    pub function: FunctionId,
    pub block: BlockId,
    pub index: usize,
}

/// An object of one analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(crate) u32);

pub(crate) fn object_id(number: usize) -> ObjectId {
    ObjectId(u32::try_from(number).unwrap_or(u32::MAX))
}

/// What an object is. All that a name stands for at one time shares one abstract content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectName {
    /// All memory that the program did not make: whatever a dynamic pointer from outside may point to, and everything
    /// whose address went outside.
    Outside,
    Global(GlobalId),
    Local(FunctionId, LocalId),
    /// What one call of an allocating function made, under one call of the function that holds it.
    Heap {
        site: StatementId,
        caller: Option<StatementId>,
    },
    Function(FunctionId),
    /// The arguments that stand for the `...` of a function.
    Variable(FunctionId),
    /// What a parameter of a root points to, by the parameter's position.
    Pointee(FunctionId, usize),
    /// What a pointer at a byte offset of an object from outside pointed to at the beginning.
    Behind(ObjectId, i64),
}

/// The objects seen so far. Numbers are given in the order of first sight.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    names: Vec<ObjectName>,
    known: BTreeMap<ObjectName, ObjectId>,
}

/// Memory that the program did not make.
pub(crate) const OUTSIDE: ObjectId = ObjectId(0);

impl Objects {
    pub(crate) fn new() -> Objects {
        let known = BTreeMap::from([(ObjectName::Outside, OUTSIDE)]);
        Objects { names: vec![ObjectName::Outside], known }
    }

    pub(crate) fn id(&mut self, name: ObjectName) -> ObjectId {
        let next = ObjectId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let id = *self.known.entry(name).or_insert(next);
        if id == next {
            self.names.push(name);
        }
        id
    }

    pub(crate) fn find(&self, name: ObjectName) -> Option<ObjectId> {
        self.known.get(&name).copied()
    }

    pub(crate) fn name(&self, id: ObjectId) -> ObjectName {
        self.names.get(id.0 as usize).copied().unwrap_or(ObjectName::Outside)
    }

    /// How many pointers lie between the root's parameter and the object.
    pub(crate) fn depth(&self, id: ObjectId) -> usize {
        match self.name(id) {
            ObjectName::Behind(of, _) => 1 + self.depth(of),
            _ => 0,
        }
    }
}

impl ObjectName {
    /// The type it was declared with.
    pub fn declared_type(self, program: &Program) -> Option<TypeId> {
        match self {
            ObjectName::Global(global) => Some(program.globals[global].ty),
            ObjectName::Local(function, local) => Some(program.functions[function].locals[local].ty),
            ObjectName::Pointee(function, position) => {
                let function = &program.functions[function];
                let parameter = *function.parameters.get(position)?;
                program.types.element(function.locals[parameter].ty)
            }
            _ => None,
        }
    }

    /// A part of it, by byte offset, as people name it.
    pub fn describe_part(self, program: &Program, offset: Option<i64>) -> String {
        crate::paths::describe_part(program, self, offset)
    }

    /// As people name it.
    pub fn describe(self, program: &Program) -> String {
        match self {
            ObjectName::Outside => "memory outside the program".to_owned(),
            ObjectName::Global(global) => match &program.globals[global].literal {
                Some(literal) => literal.clone(),
                None => format!("`{}`", plain(&program.globals[global].name)),
            },
            ObjectName::Local(function, local) => describe_local(&program.functions[function], local),
            ObjectName::Heap { site, .. } => {
                format!("what `{}` allocates", plain(&program.functions[site.function].name))
            }
            ObjectName::Function(function) => format!("`{}`", plain(&program.functions[function].name)),
            ObjectName::Variable(function) => {
                format!("the further arguments of `{}`", plain(&program.functions[function].name))
            }
            ObjectName::Pointee(function, position) => {
                let function = &program.functions[function];
                let parameter = function.parameters.get(position).map(|parameter| &function.locals[*parameter]);
                format!("`*{}`", plain(parameter.map_or("", |parameter| &parameter.name)))
            }
            ObjectName::Behind(..) => "what a pointer from outside points to".to_owned(),
        }
    }
}

/// A local as people name it.
pub(crate) fn describe_local(function: &Function, local: LocalId) -> String {
    match &function.locals[local] {
        Local { name, .. } if name.is_empty() => "an intermediate value".to_owned(),
        Local { name, .. } => format!("`{}`", plain(name)),
    }
}

/// A name without what makes it unique in the program.
pub(crate) fn plain(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}
