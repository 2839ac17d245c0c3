//! Short functions that build AOI by hand.

use aoi::{
    Aoi, Definition, DefinitionId, DefinitionKind, Direction, Field, Identity, Interface, Item, OncIdentity, Operation,
    Origin, Parameter, Structure, Type, Value,
};
use source::Span;

pub(crate) fn number(value: i128, spelling: &str) -> Value {
    Value::Integer { value, spelling: spelling.to_string() }
}

pub(crate) fn int() -> Type {
    Type::Integer { bits: 32, signed: true, spelling: "int".to_string() }
}

pub(crate) fn field(name: &str, ty: Type) -> Field {
    Field { name: name.to_string(), ty, span: Span::default() }
}

pub(crate) fn define(aoi: &mut Aoi, name: &str, kind: DefinitionKind) -> DefinitionId {
    let name = name.to_string();
    let id = aoi.definitions.alloc(Definition::new(name, kind, Span::default(), Origin::Main));
    aoi.items.push(Item::Definition(id));
    id
}

pub(crate) fn structure(fields: Vec<Field>) -> DefinitionKind {
    DefinitionKind::Structure(Structure { fields })
}

/// A version with one procedure, `LIST`.
pub(crate) fn interface(argument: Type, direction: Direction, result: Type) -> Interface {
    let parameter = Parameter { name: None, direction, ty: argument, span: Span::default() };
    let onc = OncIdentity {
        program_name: "DIRECTORY".to_string(),
        program: number(0x2000_0101, "0x20000101"),
        version: number(1, "1"),
    };
    let operation = Operation::new("LIST", number(1, "1"), vec![parameter], result, Span::default());
    let identity = Identity { onc: Some(onc), ..Identity::default() };
    Interface::new("V1", identity, vec![operation], Span::default(), Origin::Main)
}
