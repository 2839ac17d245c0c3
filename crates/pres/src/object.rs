//! The stubs of interfaces whose objects are called through references, as far as a link needs them: identity,
//! operations and how each argument is passed.

use cast::Type;

use crate::TypeStubId;

/// An interface, with all that its objects answer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectInterface {
    /// As C names it: `Mail_Folder`.
    pub name: String,
    /// `IDL:Mail/Folder:1.0`.
    pub repository_id: String,
    /// What ONC RPC knows it by, where that is known.
    pub onc: Option<OncNumbers>,
    /// The interfaces that it inherits from, directly or not, each once and after those that it inherits from itself.
    pub ancestors: Vec<Ancestor>,
    /// Its own operations and, where a link calls them as its own, those that it inherits.
    pub operations: Vec<ObjectOperation>,
    /// Declared in an included file, whose stubs are made there: only servers of heirs need it.
    pub imported: bool,
    /// Its objects never leave their process: no stubs.
    pub is_local: bool,
}

/// A program and its version (RFC 5531 section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OncNumbers {
    pub program: u32,
    pub version: u32,
}

/// An inherited interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// As C names it.
    pub name: String,
    pub repository_id: String,
}

/// An operation, or the reading or writing of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectOperation {
    /// What a request calls it: `count`, `_get_size`.
    pub name: String,
    /// The procedure's number, where the interface has numbers.
    pub number: Option<u32>,
    /// The servant's function, among those of its interface: the same, unless that is a word of C.
    pub member: String,
    /// The client's function: `Mail_Folder_count`.
    pub client: String,
    /// The ancestor that declares it, as C names it, where a servant's functions stand by interface.
    pub inherited_from: Option<String>,
    /// The caller does not wait.
    pub is_oneway: bool,
    /// What the function returns; `None` for `void`.
    pub result: Option<Argument>,
    pub parameters: Vec<Argument>,
    pub raises: Vec<Raised>,
    /// The structures that its messages are marshalled from and into; `None` where there is nothing in them.
    pub client_request: Option<TypeStubId>,
    pub client_reply: Option<TypeStubId>,
    pub server_request: Option<TypeStubId>,
    pub server_reply: Option<TypeStubId>,
    /// What the server is given may lie in the message while the call lasts: nobody keeps, replaces or releases it.
    pub borrows: bool,
    /// What a client's results hold stays in the reply, which the caller is given, as this parameter, to keep as long as it
    /// needs them; `None`: it is allocated.
    pub lent: Option<String>,
}

/// The member of a reply that says which exception was raised; 0 for none.
pub const RAISED: &str = "raised";
/// The member of a reply that holds its union.
pub const OUTCOME: &str = "u";
/// The member of a reply's union that holds results.
pub const RESULTS: &str = "results";

/// The plain style's member that counts what a structure points to, and the one that points to it.
pub const COUNTED: [&str; 2] = ["length", "items"];

/// What carries the calls of styles whose operations marshal from structures. Its run time has the headers, the structures and the functions that users see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// ONC RPC: `whittle_onc.h`.
    #[default]
    Onc,
    /// ONC RPC by a library's `CLIENT` and `SVCXPRT`: `whittle_tirpc.h`.
    Tirpc,
    /// IIOP: `whittle_iiop.h`.
    Iiop,
    /// Messages whose first words travel in registers: `whittle_fluke.h`.
    Fluke,
    /// Mach's ports: `whittle_mach.h`.
    Mach,
    /// Nothing: values alone, and no calls: `whittle_codec.h`.
    Nothing,
}

impl Carrier {
    /// What all that it declares begins with.
    pub fn prefix(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc",
            Carrier::Tirpc => "whittle_tirpc",
            Carrier::Iiop => "whittle_iiop",
            Carrier::Fluke => "whittle_fluke",
            Carrier::Mach => "whittle_mach",
            Carrier::Nothing => "whittle_codec",
        }
    }

    /// What programs include.
    pub fn public_header(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc.h",
            Carrier::Tirpc => "whittle_tirpc.h",
            Carrier::Iiop => "whittle_iiop.h",
            Carrier::Fluke => "whittle_fluke.h",
            Carrier::Mach => "whittle_mach.h",
            Carrier::Nothing => "whittle_codec.h",
        }
    }

    /// What generated files include.
    pub fn stub_header(self) -> &'static str {
        match self {
            Carrier::Onc => "whittle_onc_stubs.h",
            Carrier::Tirpc => "whittle_tirpc_stubs.h",
            Carrier::Iiop => "whittle_iiop_stubs.h",
            Carrier::Fluke => "whittle_fluke_stubs.h",
            Carrier::Mach => "whittle_mach_stubs.h",
            Carrier::Nothing => "whittle_codec.h",
        }
    }

    /// Whether calls are known by the numbers of RFC 5531: a program, its version, a procedure.
    pub fn is_onc(self) -> bool {
        matches!(self, Carrier::Onc | Carrier::Tirpc)
    }

    /// The type of whom calls go to: one client serves several interfaces.
    pub fn client(self) -> Type {
        match self {
            Carrier::Tirpc => Type::named("CLIENT"),
            _ => Type::structure(format!("{}_client", self.prefix())),
        }
    }

    /// The type of who serves.
    pub fn server(self) -> Type {
        match self {
            Carrier::Tirpc => Type::named("SVCXPRT"),
            _ => Type::structure(format!("{}_server", self.prefix())),
        }
    }

    /// The structure for a reply that somebody keeps, without `struct`.
    pub fn reply(self) -> String {
        format!("{}_reply", self.prefix())
    }
}

/// What Mach's messages call an operation: FNV-1a of its name, above all numbers that the kernel's notifications and MIG's subsystems
/// have, so that an heir's objects answer to what their ancestor's do.
pub fn mach_id(operation: &str) -> u32 {
    (hash(operation) & 0x3fff_ffff) | 0x4000_0000
}

/// FNV-1a of 32 bits: what a name is known by where messages have a number for it.
pub fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The plain style's function that lets go of what a value holds.
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
pub fn id_macro(interface: &ObjectInterface) -> String {
    format!("{}_ID", interface.name.to_ascii_uppercase())
}

impl ObjectInterface {
    /// The plain style's structure of a server's functions, without `struct`.
    pub fn operations_tag(&self) -> String {
        operations_tag(&self.name)
    }
}

impl ObjectOperation {
    /// The client's last parameter, where its results are lent.
    pub fn reply(&self, carrier: Carrier) -> Option<(&str, Type)> {
        self.lent.as_deref().map(|name| (name, Type::structure(carrier.reply()).pointer().pointer()))
    }

    /// The plain style's union of the exceptions' members, without `union`; `None` where there are none to tell.
    pub fn exceptions(&self) -> Option<String> {
        let tells = self.raises.iter().any(|raised| raised.stub.is_some());
        tells.then(|| exceptions_tag(&self.client))
    }
}

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
    /// What lets go of all that a value holds, given its address; `None` where it holds nothing.
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
