//! The stubs of one interface, as far as a link needs them: identity and operations (CONTRACTS section 1).

use cast::{Expression, Type};

use crate::NodeId;

/// One version of one program, with the names that the style gives to its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceStubs {
    pub program_name: String,
    pub program: Expression,
    pub version_name: String,
    pub version: Expression,
    /// The version as names carry it: `1` in `list_1`.
    pub version_suffix: String,
    /// The dispatch routine: `directory_1`.
    pub dispatch: String,
    pub operations: Vec<OperationStub>,
}

/// One operation as the client calls it and the server implements it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationStub {
    /// The procedure's name as declared; also the macro that holds its number.
    pub name: String,
    pub code: Expression,
    /// `list_1`.
    pub client: String,
    /// `list_1_svc`.
    pub server: String,
    /// The arguments in order; empty for `void`.
    pub arguments: Vec<StubValue>,
    /// `None` for `void`.
    pub result: Option<StubValue>,
}

/// An argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubValue {
    /// `arg1` and so on.
    pub name: String,
    pub ty: Type,
    /// True where the type is a C array.
    pub is_array: bool,
    /// The routine that marshals it: `xdr_int`, `xdr_wrapstring`, `xdr_direntseq`.
    pub routine: String,
    pub node: NodeId,
}
