//! How each argument of an operation is passed, and which exceptions it raises.

use cast::Type;

use crate::TypeStubId;

/// A parameter or the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    pub name: String,
    pub way: Way,
    pub passing: Passing,
    /// The second of two parameters, where a structure of a count and a pointer is passed as those; the pointer has the
    /// argument's name, and `passing` is that of its items.
    pub count: Option<String>,
    /// The type of the value: `Mail_Message`.
    pub ty: Type,
    /// The type of the parameter, or of what is returned: `Mail_Message **`.
    pub passed: Type,
    /// What releases all that a value holds, given its address; `None` where it holds nothing.
    pub release: Option<String>,
}

/// Which way a value travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    In,
    Out,
    InOut,
    Result,
}

impl Argument {
    /// The parameters of C that it takes.
    pub fn parameters(&self) -> Vec<(String, Type)> {
        let mut parameters = vec![(self.name.clone(), self.passed.clone())];
        parameters.extend(self.count.iter().map(|count| (count.clone(), Type::named("uint32_t"))));
        parameters
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.parameters().into_iter().map(|(name, _)| name).collect()
    }
}

/// How C passes a value, by its type (the C mapping's section 1.21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Numbers, enumerations, and handles of objects and type codes.
    Value,
    /// A pointer to characters that end with zero.
    Text,
    /// A structure or union of fixed length.
    FixedRecord,
    /// A structure or union that holds what is allocated, a sequence, an `any`.
    VariableRecord,
    FixedArray,
    VariableArray,
}

/// An exception that an operation may raise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raised {
    pub repository_id: String,
    /// The C structure of its members.
    pub ty: Type,
    /// The macro that holds its id: `ex_Mail_Full`.
    pub id: String,
    /// Its members; `None` where it has none.
    pub stub: Option<TypeStubId>,
    /// What allocates one.
    pub allocate: String,
}

impl Raised {
    /// The member of a reply's union that holds its members. C++ lets none hide its own type.
    pub fn member(&self) -> String {
        match &self.ty {
            Type::Named(name) => format!("_{name}"),
            _ => self.id.clone(),
        }
    }
}
