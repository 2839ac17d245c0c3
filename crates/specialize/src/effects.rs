//! What functions do that the program does not define.

use std::collections::BTreeSet;

/// Effects of external functions, by name; of all others the worst is assumed.
#[derive(Clone, Debug)]
pub struct Effects {
    /// Read and write nothing but their arguments' values.
    pure: BTreeSet<String>,
    /// Do not return.
    never_return: BTreeSet<String>,
    /// May return more than once.
    return_twice: BTreeSet<String>,
}

impl Default for Effects {
    fn default() -> Self {
        let pure = [
            "htonl",
            "htons",
            "ntohl",
            "ntohs",
            "abs",
            "labs",
            "__builtin_bswap16",
            "__builtin_bswap32",
            "__builtin_bswap64",
            "__builtin_inf",
            "__builtin_inff",
            "sqrt",
            "sin",
            "cos",
            "fabs",
            "floor",
            "ceil",
            "trunc",
        ];
        let never_return =
            ["abort", "exit", "_exit", "__builtin_abort", "__builtin_trap", "__builtin_unreachable", "__assert_fail"];
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        let return_twice = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext"];
        Effects { pure: set(&pure), never_return: set(&never_return), return_twice: set(&return_twice) }
    }
}

impl Effects {
    pub(crate) fn is_pure(&self, name: &str) -> bool {
        self.pure.contains(name)
    }

    pub(crate) fn returns_twice(&self, name: &str) -> bool {
        self.return_twice.contains(name)
    }

    pub(crate) fn never_returns(&self, name: &str) -> bool {
        self.never_return.contains(name)
    }
}
