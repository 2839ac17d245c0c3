//! What the analysis is asked: roots, what is known of their inputs, and how exactly to look.

use core_c::{BlockId, FunctionId, GlobalId, LocalId};

use crate::lattice::BindingTime;
use crate::object::ObjectName;

/// A function to be specialized, and what is known when it is called.
#[derive(Clone, Debug)]
pub struct Root {
    pub function: FunctionId,
    /// By position; parameters beyond are dynamic.
    pub parameters: Vec<Entry>,
    /// Globals that hold their initial value when the root is called.
    pub known_globals: Vec<GlobalId>,
    /// The root is called once, at the start of the program: every global holds its initial value.
    pub starts_program: bool,
}

impl Root {
    /// A root of which only its text is known.
    pub fn new(function: FunctionId) -> Root {
        Root { function, parameters: Vec::new(), known_globals: Vec::new(), starts_program: false }
    }
}

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Dynamic,
    /// Its value will be known to the specializer.
    Static,
    /// It points to an object of its own, which nothing else that the root is given points to.
    Object {
        /// What no member mentions.
        otherwise: BindingTime,
        members: Vec<Member>,
    },
}

/// A part of an object that a parameter points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// In bytes.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
    pub time: BindingTime,
}

/// Something that the specializer could not keep static: it is dynamic where the block starts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generalization {
    pub function: FunctionId,
    pub block: BlockId,
    pub cell: Cell,
    /// For people to read.
    pub reason: String,
}

/// A register, or a part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    Register(LocalId),
    /// In bytes.
    Memory {
        object: ObjectName,
        offset: u64,
        size: u64,
    },
}

/// Whose property the binding time of a structure's member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Structure {
    /// One for the whole object.
    Whole,
    /// One for each member, shared by all objects of the type (monovariant).
    PerField,
    /// One for each member of each object (polyvariant).
    #[default]
    PerObject,
}

/// What the analysis tells apart. The papers' case for each is in `docs/ir/side-tables.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sensitivities {
    /// Binding times at each program point, not for a whole function.
    pub flow: bool,
    /// A variant of a function for each state it is called in.
    pub context: bool,
    /// A value may be used at specialization time and at run time.
    pub uses: bool,
    /// What a function returns may be static though its effects are dynamic.
    pub returns: bool,
    pub structure: Structure,
    /// Pointers in different members are told apart.
    pub pointer_fields: bool,
    /// Numbers that the program's text gives decide tests, so that a variant for encoding has no part for decoding.
    pub constants: bool,
    /// Where a dynamic value was found equal to a static one, it is static.
    pub tests: bool,
}

impl Default for Sensitivities {
    fn default() -> Self {
        Sensitivities {
            flow: true,
            context: true,
            uses: true,
            returns: true,
            structure: Structure::PerObject,
            pointer_fields: true,
            constants: true,
            tests: true,
        }
    }
}

impl Sensitivities {
    /// What can be switched off, by name.
    pub const NAMES: [&str; 9] =
        ["flow", "context", "uses", "returns", "objects", "members", "pointers", "numbers", "tests"];

    /// Switches off what has this name; false where nothing has.
    pub fn switch_off(&mut self, name: &str) -> bool {
        match name {
            "flow" => self.flow = false,
            "context" => self.context = false,
            "uses" => self.uses = false,
            "returns" => self.returns = false,
            "objects" if self.structure == Structure::Whole => {}
            "objects" => self.structure = Structure::PerField,
            "members" => self.structure = Structure::Whole,
            "pointers" => self.pointer_fields = false,
            "numbers" => self.constants = false,
            "tests" => self.tests = false,
            _ => return false,
        }
        true
    }

    /// The classic analysis, for which a variable is static or dynamic.
    pub fn none() -> Sensitivities {
        Sensitivities {
            flow: false,
            context: false,
            uses: false,
            returns: false,
            structure: Structure::Whole,
            pointer_fields: false,
            constants: false,
            tests: false,
        }
    }
}

/// How exactly to look, and when to stop.
#[derive(Clone, Debug)]
pub struct Options {
    pub sensitivities: Sensitivities,
    /// As many variants of a function are told apart; more are joined.
    pub variants_most: usize,
    /// As many numbers of one cell are told apart among the variants of a function.
    pub numbers_most: usize,
    /// As many blocks are looked at, again and again while something changes; then the analysis begins anew, and tells
    /// less apart ([`Extent`]).
    pub blocks_most: usize,
}

/// How much was told apart, where a program is large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Extent {
    /// All that was asked for.
    #[default]
    Whole,
    /// A few variants of each function.
    FewVariants,
    /// One variant of each function.
    OneVariant,
    /// Not even so did it come to an end: what it says is no more than a hint.
    Unfinished,
}

impl Extent {
    /// What to try next.
    pub(crate) fn less(self) -> Extent {
        match self {
            Extent::Whole => Extent::FewVariants,
            Extent::FewVariants => Extent::OneVariant,
            Extent::OneVariant | Extent::Unfinished => Extent::Unfinished,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { sensitivities: Sensitivities::default(), variants_most: 48, numbers_most: 4, blocks_most: 400_000 }
    }
}

impl Options {
    /// The same for a program that is too large.
    pub(crate) fn within(&self, extent: Extent) -> Options {
        let mut options = self.clone();
        if extent >= Extent::FewVariants {
            options.variants_most = options.variants_most.min(3);
            options.numbers_most = 1;
        }
        if extent >= Extent::OneVariant {
            options.sensitivities.context = false;
        }
        options
    }
}
