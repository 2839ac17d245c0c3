//! What people call the parts of a program: a variable, a member of what a pointer leads to, an element.
//!
//! In: objects, places and expressions of Core C, or a name as a person writes it. Out: text for messages, and paths that can be
//! compared. Names in Core C are unique in the program (`count@2`); people know only the part before the `@`.

mod paths;

pub use paths::{Path, path_of_expression, path_of_place, spelling};

use crate::{Function, FunctionId, GlobalId, Local, LocalId, Program, TypeId};

/// An object that the program declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectName {
    Global(GlobalId),
    Local(FunctionId, LocalId),
}

impl ObjectName {
    /// As people name it, between backquotes; a literal stands for itself.
    pub fn describe(self, program: &Program) -> String {
        match self {
            ObjectName::Global(global) => match &program.globals[global].literal {
                Some(literal) => literal.clone(),
                None => format!("`{}`", plain(&program.globals[global].name)),
            },
            ObjectName::Local(function, local) => describe_local(&program.functions[function], local),
        }
    }

    /// A part of it, by its offset in bytes.
    pub fn describe_part(self, program: &Program, offset: Option<i64>) -> String {
        let whole = self.describe(program);
        let Some(offset) = offset.and_then(|offset| u64::try_from(offset).ok()) else { return whole };
        let steps = paths::member_at(program, self.declared_type(program), offset);
        match whole.strip_suffix('`') {
            Some(name) if !steps.is_empty() => format!("{name}{steps}`"),
            _ => whole,
        }
    }

    fn declared_type(self, program: &Program) -> TypeId {
        match self {
            ObjectName::Global(global) => program.globals[global].ty,
            ObjectName::Local(function, local) => program.functions[function].locals[local].ty,
        }
    }
}

fn describe_local(function: &Function, local: LocalId) -> String {
    match &function.locals[local] {
        Local { name, .. } if name.is_empty() => "an intermediate value".to_owned(),
        Local { name, .. } => format!("`{}`", plain(name)),
    }
}

/// A name without what makes it unique in the program.
pub fn plain(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}
