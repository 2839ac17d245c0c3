//! Interfaces and their operations, as far as links need them: what they are known by, how each argument is passed, and what each message
//! is marshalled from and into. One form for all styles.

use cast::{Expression, Type};

use crate::{ArenaArgument, Argument, Label, LinkKind, NodeId, Raised, TypeStubId};

/// How a style passes arguments and results; the same for all operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// Arguments are passed by value, each as a parameter of its own; else one pointer to the only argument.
    pub by_value: bool,
    /// The caller supplies the room for results and a status is returned; else a static result's address is.
    pub caller_results: bool,
    /// Declarations say what functions take; without, as before ANSI C, they only say what functions return.
    pub prototypes: bool,
}

impl Default for Conventions {
    fn default() -> Self {
        Conventions { by_value: false, caller_results: false, prototypes: true }
    }
}

/// An interface, with all that its objects or its program answer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// As C names it: `Mail_Folder`; a version of a program in rpcgen's style: `DIRECTORY_V1`.
    pub name: String,
    /// `IDL:Mail/Folder:1.0`.
    pub repository_id: String,
    /// What ONC RPC knows it by, where that is known.
    pub onc: Option<OncNumbers>,
    /// The function that finds what serves a request: `directory_1`, `dispatch_Mail_Folder`.
    pub dispatch: String,
    /// The interfaces that it inherits from, directly or not, each once and after those that it inherits from itself.
    pub ancestors: Vec<Ancestor>,
    /// Its own operations and, where a link calls them as its own, those that it inherits.
    pub operations: Vec<Operation>,
    /// Declared in an included file, whose stubs are made there: only servers of heirs need it.
    pub imported: bool,
    /// Its objects never leave their process: no stubs.
    pub is_local: bool,
}

/// A program and its version (RFC 5531 section 8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OncNumbers {
    /// The program's name as declared.
    pub name: String,
    pub program: Label,
    pub version: Label,
}

/// An inherited interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// As C names it.
    pub name: String,
    pub repository_id: String,
}

/// An operation, or the reading or writing of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operation {
    /// As declared; what a request calls it where links know operations by names: `count`, `_get_size`.
    pub name: String,
    /// The procedure's number, where the interface has numbers.
    pub code: Option<Label>,
    /// The client's function: `Mail_Folder_count`, `list_1`.
    pub client: String,
    /// What serves it: a function of the user's (`list_1_svc`) or, of those that a server gives for its interface, the one of this name.
    pub server: String,
    /// The ancestor that declares it, as C names it, where a servant's functions stand by interface.
    pub inherited_from: Option<String>,
    /// The caller does not wait.
    pub is_oneway: bool,
    /// What the function returns; `None` for `void`.
    pub result: Option<Argument>,
    pub parameters: Vec<Argument>,
    pub raises: Vec<Raised>,
    /// What its messages are marshalled from and into.
    pub client_request: Message,
    pub client_reply: Message,
    pub server_request: Message,
    pub server_reply: Message,
    /// What a server decodes the request into, with an arena for all that it points to.
    pub arena: Option<ArenaArgument>,
    /// What the server is given may lie in the message while the call lasts: nobody keeps, replaces or releases it.
    pub borrows: bool,
    /// What a client's results hold stays in the reply, which the caller is given, as this parameter, to keep as long as it
    /// needs them; `None`: it is allocated.
    pub lent: Option<String>,
}

/// What one side has for a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Message {
    /// There is nothing in it.
    #[default]
    Nothing,
    /// A structure that only stubs know, with a member for each value that travels.
    Structure(TypeStubId),
    /// One value, by a routine that users know, too.
    Value(Value),
}

/// A value that is a message by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub ty: Type,
    /// True where the type is a C array.
    pub is_array: bool,
    /// What a pointer to the value is passed as: `pair *`; `int *` for an array of `int`.
    pub pointer: Type,
    /// The routine that marshals it: `xdr_int`, `xdr_wrapstring`, `xdr_direntseq`.
    pub routine: String,
    pub node: NodeId,
}

impl Message {
    /// The structure that it is marshalled from or into.
    pub fn structure(&self) -> Option<TypeStubId> {
        match self {
            Message::Structure(stub) => Some(*stub),
            Message::Nothing | Message::Value(_) => None,
        }
    }

    /// The value that it is.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Message::Value(value) => Some(value),
            Message::Nothing | Message::Structure(_) => None,
        }
    }
}

impl From<Option<TypeStubId>> for Message {
    fn from(stub: Option<TypeStubId>) -> Message {
        stub.map_or(Message::Nothing, Message::Structure)
    }
}

impl From<Option<Value>> for Message {
    fn from(value: Option<Value>) -> Message {
        value.map_or(Message::Nothing, Message::Value)
    }
}

/// The member of a reply that says which exception was raised; 0 for none.
pub const RAISED: &str = "raised";
/// The member of a reply that holds its union.
pub const OUTCOME: &str = "u";
/// The member of a reply's union that holds results.
pub const RESULTS: &str = "results";

/// The plain style's member that counts what a structure points to, and the one that points to it.
pub const COUNTED: [&str; 2] = ["length", "items"];

/// What Mach's messages call an operation: FNV-1a of its name, above all numbers that the kernel's notifications and MIG's subsystems
/// have, so that an heir's objects answer to what their ancestor's do.
pub fn mach_id(operation: &str) -> u32 {
    (hash(operation) & 0x3fff_ffff) | 0x4000_0000
}

/// FNV-1a of 32 bits: what a name is known by where messages have a number for it.
pub fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The plain style's function that releases what a value holds.
pub fn freeing(type_name: &str) -> String {
    format!("{type_name}_free")
}

/// The plain style's structure of a server's functions, without `struct`, by the interface's name.
pub fn operations_tag(interface: &str) -> String {
    format!("{interface}_operations")
}

/// The plain style's union of what an operation's exceptions tell, without `union`, by the client's function.
pub fn exceptions_tag(client: &str) -> String {
    format!("{client}_exceptions")
}

/// The plain style's macro for an interface's repository id.
pub fn id_macro(interface: &Interface) -> String {
    format!("{}_ID", interface.name.to_ascii_uppercase())
}

impl Interface {
    /// The plain style's structure of a server's functions, without `struct`.
    pub fn operations_tag(&self) -> String {
        operations_tag(&self.name)
    }
}

impl Operation {
    /// The client's last parameter, where its results are lent.
    pub fn reply(&self, link: LinkKind) -> Option<(&str, Type)> {
        self.lent.as_deref().map(|name| (name, Type::structure(link.reply()).pointer().pointer()))
    }

    /// The plain style's union of the exceptions' members, without `union`; `None` where there are none to tell.
    pub fn exceptions(&self) -> Option<String> {
        let tells = self.raises.iter().any(|raised| raised.stub.is_some());
        tells.then(|| exceptions_tag(&self.client))
    }
}

impl Interface {
    /// The name of the function that finds what serves a request, in styles where users never see it.
    pub fn dispatching(name: &str) -> String {
        format!("dispatch_{name}")
    }

    /// The program's number and the version's, as C writes them.
    pub fn numbers(&self) -> [Expression; 2] {
        let [program, version] = [self.onc.as_ref().map(|onc| &onc.program), self.onc.as_ref().map(|onc| &onc.version)];
        [program, version].map(|number| number.map_or_else(|| cast::build::unsigned(0), |number| number.c.clone()))
    }

    /// Whether an operation has the number 0, by which servers of ONC RPC are else asked whether they are there (RFC 5531, section 12.1).
    pub fn has_procedure_0(&self) -> bool {
        self.operations.iter().any(|operation| operation.number() == Some(0))
    }
}

impl Operation {
    /// The procedure's number, where it is known before the C compiler runs.
    pub fn number(&self) -> Option<i128> {
        self.code.as_ref().and_then(|code| code.value)
    }

    /// The procedure's number, as C writes it.
    pub fn procedure(&self) -> Expression {
        self.code.as_ref().map_or_else(|| cast::build::unsigned(0), |code| code.c.clone())
    }
}
