//! What functions do whose bodies the program does not have.
//!
//! In: the name of a function. Out: what it reads, writes, keeps and returns, and whether it may be called before run time
//! ([`Library`]). The descriptions are data: `libc.effects` for the C library and POSIX, and the user's own files of the same
//! form. What compilers' builtins mean, which nobody declares, is in `builtin.rs`. A function without a description may do
//! anything to all memory that it can reach. Source: C11 (ISO 9899:2011) section 7, POSIX.1-2017.

mod builtin;
mod library;
mod read;

use builtin::builtin;
pub use library::Library;

/// What a call does. Arguments are meant by position, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Described(Description),
    /// Copies as many bytes as the argument `count` says (`memcpy`); gives `to`.
    Copy {
        to: usize,
        from: usize,
        count: usize,
    },
    /// Sets as many bytes to a value (`memset`), to zero where no argument gives one; gives `to`.
    Fill {
        to: usize,
        value: Option<usize>,
        count: usize,
    },
    /// `va_start`, `va_copy`, `va_arg`; the list's address comes first.
    ListStart,
    ListCopy,
    ListNext,
    /// What a scenario says (`whittle/specialize.h`). None of it is code of the program.
    Scenario,
}

/// A function's effects, each on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub when: When,
    pub reads: Vec<Reach>,
    pub writes: Vec<Reach>,
    /// Arguments that are kept outside: what they point to may be changed by any unknown function from then on.
    pub keeps: Vec<usize>,
    pub result: Outcome,
    /// False for `exit` and its like.
    pub returns: bool,
}

impl Description {
    /// A function of its arguments' values alone, to be called whenever these are known.
    pub fn pure() -> Description {
        Description {
            when: When::Anytime,
            reads: Vec::new(),
            writes: Vec::new(),
            keeps: Vec::new(),
            result: Outcome::Computed,
            returns: true,
        }
    }

    /// A function that runs at run time and touches nothing of the program.
    pub fn remote() -> Description {
        Description { when: When::RunTime, result: Outcome::Dynamic, ..Description::pure() }
    }
}

/// When a function may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Also by the specializer: the result depends on nothing but what is described.
    Anytime,
    RunTime,
}

/// Memory that a function reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// From where an argument points, to the end of the object.
    Pointee(usize),
    /// As many bytes as another argument says, times a constant.
    Bytes { pointer: usize, count: usize, times: u64 },
    /// As many bytes.
    Fixed { pointer: usize, size: u64 },
    /// All that went outside, and all globals that are not constant.
    Exposed,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Nothing,
    /// Something that the specializer knows in any case.
    Known,
    /// Something that follows from arguments and memory read.
    Computed,
    /// Something that is known at run time only, and points to nothing of the program.
    Dynamic,
    Argument(usize),
    /// NULL, or a pointer into what an argument points to.
    Within(usize),
    /// NULL, or a new object.
    Fresh {
        zeroed: bool,
    },
    /// A pointer to memory outside.
    Outside,
}
