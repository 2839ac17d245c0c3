//! The types of PLAN.

use std::collections::BTreeMap;

use cast::Type;
use pres::{Extent, Label, ScalarKind};

/// The marshalling routines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Three for each type: encode, decode, release.
    pub routines: BTreeMap<RoutineId, Routine>,
    /// The order in which the header declares the types.
    pub order: Vec<String>,
    /// Arguments that a server decodes into an arena each (`--server-arena`).
    pub arenas: Vec<ArenaEntry>,
}

/// The entry that decodes an argument together with the arena that all it points to lives in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaEntry {
    /// The structure of the value and its arena.
    pub structure: String,
    /// The C name of the entry.
    pub entry: String,
    /// The routine's name in the plan.
    pub routine: String,
    /// Storage is the heap's after all: a routine of the user's allocates there.
    pub on_heap: bool,
    /// What the structure calls its members.
    pub members: pres::ArenaMembers,
}

/// Names a routine: a type's name and what is done to its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoutineId {
    pub name: String,
    pub direction: Direction,
}

/// What a routine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From C values to the message.
    Encode,
    /// From the message to C values.
    Decode,
    /// Releases what decoding allocated.
    Release,
}

/// One routine over values of one type; the variable `v` points to the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// The C name that the user calls: `xdr_direntry`.
    /// Empty for routines that only release a part of a type.
    pub entry: String,
    /// The type of `*v`.
    pub ty: Type,
    /// The type is a C array: users pass the array itself.
    pub is_array: bool,
    /// What the type is, for the choice of where a cycle is broken: aliases are inlined first.
    pub is_alias: bool,
    /// Values hold pointers to storage that release releases.
    pub owns_storage: bool,
    /// The routine may call itself, directly or not: calls to it stay calls.
    pub is_recursive: bool,
    /// Its last action may be itself again: `v` moves on and the body runs again.
    pub is_loop: bool,
    /// Nothing but routines of this plan calls it: one that all of them have taken in is not needed.
    pub is_internal: bool,
    /// Its loops are worth a version for wide vectors.
    pub is_wide: bool,
    /// The routine begins at a position of the message that is a multiple of this: 1 where nothing is known.
    pub entry_phase: u64,
    pub body: Vec<Op>,
}

/// A C object, as a path from a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub variable: String,
    pub steps: Vec<Step>,
    /// The type of the object that the path ends at.
    pub ty: Type,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// What a pointer points to.
    Target,
    Member(String),
    /// An element, by the name of an index variable.
    Element(String),
}

/// How many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    Known(u64),
    /// Only the C compiler knows: a macro's name.
    Symbol(String),
    /// A number in the value.
    Value(Place),
    /// A local variable of the routine.
    Local(String),
}

/// An array layout that is the message's own but for the order of the bytes in its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub word: Word,
    /// Words in one object.
    pub words: u64,
    /// It is one where its position in the message is a multiple of this.
    pub alignment: u64,
}

/// The width of a run's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Bytes, as they are.
    One,
    Two,
    Four,
    Eight,
}

impl Word {
    /// In bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Word::One => 1,
            Word::Two => 2,
            Word::Four => 4,
            Word::Eight => 8,
        }
    }
}

/// One operation on the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// So many bytes follow (decode) or have room (encode), or the routine fails.
    Ensure(u64),
    /// On to a position of the message that is a multiple of `to`, where `when` is not 0; what is skipped is zero, and not
    /// judged when read. `more` bytes behind it are checked for at once.
    Align {
        to: u64,
        when: Option<Count>,
        more: u64,
    },
    /// Accesses at fixed offsets from one place of the message, which then moves on by `size`.
    Chunk {
        size: u64,
        parts: Vec<Part>,
    },
    /// The message, and the item that `index` counts, are about to be touched: so many bytes of each are likely.
    Ahead {
        index: String,
        item: Type,
        likely: u64,
    },
    /// An object whose parts are marshalled by `body`; `layout` where a run of words would do as well.
    Aggregate {
        place: Place,
        layout: Option<Layout>,
        body: Vec<Op>,
    },
    /// A run of words in byte order of the message, checked by itself.
    Order {
        word: Word,
        place: Place,
        count: Count,
        words: u64,
    },
    /// Bytes as they are, and their padding, checked by themselves. `place` is the first byte's array or pointer.
    Bytes {
        place: Place,
        length: Count,
    },
    /// A string: encode writes its length, the bytes and padding; decode has the length in a local.
    /// The message then goes on at a multiple of `align`, and `more` bytes there are checked for at once.
    /// One that does not end with zero in C has its length at `counted`.
    Text {
        place: Place,
        counted: Option<Place>,
        length: Option<String>,
        bound: Option<Extent>,
        align: u64,
        more: u64,
    },
    /// Decode: counted bytes into storage that is allocated where the pointer is NULL.
    CountedBytes {
        data: Place,
        length: Place,
        count: String,
    },
    /// Decode: counted runs of words, likewise; `words` to each item of type `item`.
    CountedOrder {
        data: Place,
        length: Place,
        count: String,
        item: Type,
        word: Word,
        words: u64,
    },
    /// Fails where a count exceeds its bound, or where a pointer is NULL though the count is not 0.
    Check {
        count: Count,
        bound: Option<Extent>,
        data: Option<Place>,
    },
    /// The body for every index. With `strip`, one check covers so many rounds, of `strip` bytes each.
    /// With `bind`, the body reaches the element through a pointer; otherwise by its index. `layout` is one element's.
    Loop {
        index: String,
        count: Count,
        over: Item,
        bind: bool,
        layout: Option<Layout>,
        strip: Option<u64>,
        body: Vec<Op>,
    },
    /// Decode: the body for every item of an array that grows as items arrive.
    Items {
        index: String,
        count: String,
        data: Place,
        length: Place,
        item: Type,
        layout: Option<Layout>,
        /// The fewest bytes of the message that one item takes.
        least: u64,
        /// As for `Loop`.
        strip: Option<u64>,
        storage: Storage,
        body: Vec<Op>,
    },
    /// The body where the pointer is not NULL. Decode: where the local `flag` is set, after allocation;
    /// release: the target is freed after the body. An array of one item at most is that, too: its length is at `counted`,
    /// and says whether the item is there.
    Optional {
        pointer: Place,
        target: Type,
        counted: Option<Place>,
        flag: Option<String>,
        storage: Storage,
        body: Vec<Op>,
    },
    /// The arm that the value selects.
    Switch {
        value: Place,
        arms: Vec<Arm>,
        otherwise: Otherwise,
    },
    /// The routine of another type, in the same direction.
    Call {
        routine: String,
        place: Place,
    },
    /// This routine again for the value that a pointer leads to, as for `Optional`; nothing follows.
    Again {
        pointer: Place,
        target: Type,
        counted: Option<Place>,
        flag: Option<String>,
        storage: Storage,
    },
    /// A routine of the user's or the library's: `bool_t routine(XDR *, T *)`, or what the encoding calls it.
    External {
        routine: String,
        arguments: Vec<u64>,
        place: Place,
        storage: Storage,
        /// Where the library's routine calls one of ours.
        state: Option<State>,
    },
    /// Decode: storage for what a pointer points to, which is always in the message.
    Allocate {
        pointer: Place,
        target: Type,
        storage: Storage,
    },
    /// Decode: so many items are in a buffer that has room for no more, and that is released unless it is borrowed.
    Capacity {
        maximum: Place,
        release: Place,
        count: String,
    },
    /// Release: frees what the pointer points to, where `when` is not 0, and sets it to NULL.
    Free {
        pointer: Place,
        owner: Owner,
        when: Option<Place>,
    },
    /// Decode: fails where so many bytes, beside those owed, are not there; with a local `flag`, where that is set.
    Claim {
        flag: Option<String>,
        bytes: u64,
    },
    /// Decode: so many bytes of the message are owed to what follows, and back nothing else until they are paid.
    Owe(u64),
    Pay(u64),
    /// Refuses a value outside the enumeration (`--strict`).
    Member {
        value: Place,
        members: Vec<Label>,
    },
}

/// The items of an array; a pointer to one is named after the index: `item` for `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The array, or the pointer to its first element.
    pub data: Place,
    pub ty: Type,
    /// The type is an array's, which its name may not tell.
    pub is_array: bool,
}

/// The pointer that goes with an index variable.
pub fn item_name(index: &str) -> String {
    format!("item{}", index.strip_prefix('i').unwrap_or(index))
}

/// What decoding does about storage that it allocates.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Storage {
    pub of: Owner,
    pub clear: Clear,
    /// The object whose pointer it hangs on, and the routine that releases all of it, where that takes more than
    /// freeing the pointer.
    pub owner: Option<(Place, String)>,
    /// The routine that releases what one item holds, or one target.
    pub item: Option<String>,
}

/// Who releases storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Owner {
    /// We do, from its items outwards.
    #[default]
    Heap,
    /// The context's allocator, with all that hangs on it.
    Managed,
    /// The caller, whose storage it is; not what hangs on it.
    Caller,
}

/// What is set to zero in storage that was just allocated, so that it can be released at any time.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Clear {
    /// It holds no pointers.
    #[default]
    Nothing,
    /// These pointers, as paths from the new object.
    Pointers(Vec<Vec<String>>),
    /// All of it.
    Everything,
}

/// One access at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub offset: u64,
    pub access: Access,
}

/// What is written or read at an offset, as the direction says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    Scalar {
        kind: ScalarKind,
        place: Place,
    },
    /// Encode: a count.
    Count(Count),
    /// Encode: whether a pointer is not NULL.
    Flag(Place),
    /// Decode: a word into a local variable.
    Local(String),
    /// Bytes as they are.
    Copy {
        place: Place,
        length: u64,
    },
    /// Padding: written as zeros, not judged when read.
    Zero {
        length: u64,
    },
    /// A run of words.
    Order {
        word: Word,
        place: Place,
        words: u64,
    },
}

/// A case of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    pub labels: Vec<Label>,
    pub body: Vec<Op>,
}

/// What values without an arm do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    Fail,
    Body(Vec<Op>),
}

impl Place {
    /// The value that the routine's parameter points to.
    pub fn root(ty: Type) -> Place {
        Place { variable: "v".to_string(), steps: vec![Step::Target], ty }
    }

    fn step(&self, step: Step, ty: Type) -> Place {
        let mut steps = self.steps.clone();
        steps.push(step);
        Place { variable: self.variable.clone(), steps, ty }
    }

    /// A member of this structure or union.
    #[must_use]
    pub fn member(&self, name: &str, ty: Type) -> Place {
        self.step(Step::Member(name.to_string()), ty)
    }

    /// An element of this array, or of what this pointer points to.
    #[must_use]
    pub fn element(&self, index: &str, ty: Type) -> Place {
        self.step(Step::Element(index.to_string()), ty)
    }

    /// What this pointer points to.
    #[must_use]
    pub fn target(&self, ty: Type) -> Place {
        self.step(Step::Target, ty)
    }

    /// The same path seen from a caller, where this routine's value is `value`.
    #[must_use]
    pub fn seen_from(&self, value: &Place) -> Place {
        let mut steps = value.steps.clone();
        match self.steps.split_first() {
            Some((Step::Target, rest)) if self.variable == "v" => {
                steps.extend(rest.iter().cloned());
                Place { variable: value.variable.clone(), steps, ty: self.ty.clone() }
            }
            _ => self.clone(),
        }
    }
}

impl Plan {
    /// The routine of a type in a direction.
    pub fn routine(&self, name: &str, direction: Direction) -> Option<&Routine> {
        self.routines.get(&RoutineId { name: name.to_string(), direction })
    }
}

/// The state of a value type, which the library marshals behind a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The type whose routine marshals it.
    pub routine: String,
    pub ty: Type,
    /// The repository id of the value type, and those of the bases that it may be taken for.
    pub ids: Vec<String>,
}

impl Op {
    /// The bodies inside this operation.
    pub fn bodies(&self) -> Vec<&[Op]> {
        match self {
            Op::Aggregate { body, .. } | Op::Loop { body, .. } | Op::Items { body, .. } | Op::Optional { body, .. } => {
                vec![body]
            }
            Op::Switch { arms, otherwise, .. } => {
                let mut bodies: Vec<&[Op]> = arms.iter().map(|arm| &arm.body[..]).collect();
                if let Otherwise::Body(body) = otherwise {
                    bodies.push(body);
                }
                bodies
            }
            _ => Vec::new(),
        }
    }

    /// What stands last in a body inside this operation is the last of it, but for storage that is freed. (Managed storage is
    /// released by its allocator, node by node: its depth stays bounded.)
    pub fn ends_with_bodies(&self) -> bool {
        match self {
            Op::Aggregate { .. } | Op::Switch { .. } => true,
            Op::Optional { storage, .. } => storage.of != Owner::Managed,
            _ => false,
        }
    }

    /// This operation with each body inside it replaced by what `change` makes of it.
    #[must_use]
    pub fn map_bodies(mut self, change: &mut dyn FnMut(Vec<Op>) -> Vec<Op>) -> Op {
        let mut replace = |body: &mut Vec<Op>| {
            *body = change(std::mem::take(body));
            // Most bodies are short, and there is one for each level of each type.
            body.shrink_to_fit();
        };
        match &mut self {
            Op::Aggregate { body, .. } | Op::Loop { body, .. } | Op::Items { body, .. } | Op::Optional { body, .. } => {
                replace(body)
            }
            Op::Switch { arms, otherwise, .. } => {
                arms.iter_mut().for_each(|arm| replace(&mut arm.body));
                if let Otherwise::Body(body) = otherwise {
                    replace(body);
                }
            }
            _ => {}
        }
        self
    }
}
