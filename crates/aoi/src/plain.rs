//! The parts of an AOI as languages without scopes, inheritance and annotations say them.

use crate::{Definition, DefinitionKind, Identity, Interface, Operation, Origin, Parameter, Role, Type, Value};
use source::Span;

impl Definition {
    /// A definition of a language without scopes.
    pub fn new(name: impl Into<String>, kind: DefinitionKind, span: Span, origin: Origin) -> Definition {
        let (scope, annotations) = (Vec::new(), Vec::new());
        Definition { name: name.into(), scope, repository_id: None, kind, annotations, span, origin }
    }
}

impl Operation {
    /// One that is called by a number, and answers its result.
    pub fn new(
        name: impl Into<String>,
        code: Value,
        parameters: Vec<Parameter>,
        result: Type,
        span: Span,
    ) -> Operation {
        let (raises, contexts, annotations) = (Vec::new(), Vec::new(), Vec::new());
        let (role, is_oneway, name) = (Role::Plain, false, name.into());
        Operation { name, code, role, is_oneway, parameters, result, raises, contexts, annotations, span }
    }
}

impl Interface {
    /// One of a language without scopes and inheritance.
    pub fn new(
        name: impl Into<String>,
        identity: Identity,
        operations: Vec<Operation>,
        span: Span,
        origin: Origin,
    ) -> Interface {
        let (scope, bases, annotations) = (Vec::new(), Vec::new(), Vec::new());
        Interface { name: name.into(), scope, identity, reference: None, bases, operations, annotations, span, origin }
    }
}
