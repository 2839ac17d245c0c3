//! Descriptions by name: the C library's, and those that a user adds.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use source::{Diagnostic, FileId};

use crate::{Description, Effect, Reach, When, builtin, read};

/// What is known of one function.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// None where the worst is to be assumed.
    pub(crate) effect: Option<Effect>,
    pub(crate) returns_twice: bool,
    pub(crate) sets_errno: bool,
    /// It waits for others: they may change what they reach meanwhile, but not through its arguments.
    pub(crate) waits: bool,
}

/// Functions by name. Later descriptions replace earlier ones.
#[derive(Clone, Debug)]
pub struct Library {
    entries: BTreeMap<String, Entry>,
}

const STANDARD: &str = include_str!("libc.effects");

static LIBC: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library { entries: BTreeMap::new() };
    for line in read::lines(STANDARD) {
        if let Ok((name, entry)) = read::line(line, true) {
            library.entries.insert(name, entry);
        }
    }
    library
});

impl Default for Library {
    /// The C library and POSIX.
    fn default() -> Library {
        LIBC.clone()
    }
}

impl Library {
    /// Adds the descriptions of a file; what cannot be read is reported.
    pub fn add(&mut self, file: FileId, text: &str) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for line in read::lines(text) {
            match read::line(line, false) {
                Ok((name, entry)) => drop(self.entries.insert(name, entry)),
                Err(problem) => findings.push(problem.finding(file)),
            }
        }
        findings
    }

    fn of(&self, name: &str) -> Option<Effect> {
        self.entries.get(name)?.effect.clone()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name).or_else(|| self.entries.get(name.strip_prefix("__builtin_")?))
    }

    /// Under its own name, as a builtin, or as the function that a builtin stands for.
    fn effect(&self, name: &str) -> Option<Effect> {
        self.of(name).or_else(|| builtin(name)).or_else(|| self.entry(name)?.effect.clone())
    }

    fn description(&self, name: &str) -> Option<Description> {
        match self.effect(name)? {
            Effect::Described(described) => Some(described),
            _ => None,
        }
    }

    /// May be done before run time, where what it is given is known: by what its arguments are something can be decided.
    pub fn may_be_computed(&self, name: &str) -> bool {
        match self.effect(name) {
            Some(Effect::Described(described)) => described.when == When::Anytime,
            Some(_) => true,
            None => false,
        }
    }

    /// Changes no memory that a program can see.
    pub fn changes_nothing(&self, name: &str) -> bool {
        let silent = self.entry(name).is_none_or(|entry| !entry.sets_errno);
        silent && self.description(name).is_some_and(|described| described.writes.is_empty())
    }

    /// Writes nothing through its arguments, and keeps none of them.
    pub fn only_reads(&self, name: &str) -> bool {
        let waits = self.entry(name).is_some_and(|entry| entry.waits);
        self.description(name).is_some_and(|described| {
            let through = described.writes.iter().any(|reach| *reach != Reach::Exposed || !waits);
            described.keeps.is_empty() && !through
        })
    }

    /// The arguments, by position, through which it writes; none where it may change anything.
    pub fn writes_through(&self, name: &str) -> Option<Vec<usize>> {
        if let Some((to, _)) = self.fills(name) {
            return Some(vec![to]);
        }
        let described = self.description(name).filter(|described| described.keeps.is_empty())?;
        let pointer = |reach: &Reach| match reach {
            Reach::Exposed => None,
            Reach::Pointee(pointer) | Reach::Bytes { pointer, .. } | Reach::Fixed { pointer, .. } => Some(*pointer),
        };
        described.writes.iter().map(pointer).collect()
    }

    /// Of a function that writes a number of bytes and nothing else, such as `memcpy`: the argument through which, and the one that says how many.
    pub fn fills(&self, name: &str) -> Option<(usize, usize)> {
        match self.effect(name)? {
            Effect::Copy { to, count, .. } | Effect::Fill { to, count, .. } => Some((to, count)),
            _ => None,
        }
    }

    /// It may look at any variable of the program, or change it.
    pub fn sees_anything(&self, name: &str) -> bool {
        self.writes_through(name).is_none()
            || self.description(name).is_none_or(|described| described.reads.contains(&Reach::Exposed))
    }

    /// Returns to its caller, once, and keeps none of its arguments.
    pub fn comes_back(&self, name: &str) -> bool {
        !self.returns_twice(name)
            && match self.effect(name) {
                Some(Effect::Described(described)) => described.returns && described.keeps.is_empty(),
                Some(Effect::Copy { .. } | Effect::Fill { .. }) => true,
                _ => false,
            }
    }

    /// As `exit`.
    pub fn never_returns(&self, name: &str) -> bool {
        self.description(name).is_some_and(|described| !described.returns)
    }

    /// As `setjmp`.
    pub fn returns_twice(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.returns_twice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn every_line_of_the_c_library_is_understood() {
        for line in read::lines(STANDARD) {
            assert!(read::line(line, true).is_ok(), "{:?} {:?}", line, read::line(line, true).err());
        }
    }

    #[test]
    fn functions_do_what_their_lines_say() {
        let library = Library::default();
        assert_eq!(library.of("memcpy"), Some(Effect::Copy { to: 0, from: 1, count: 2 }));
        let Some(Effect::Described(receive)) = library.of("recvfrom") else { panic!("recvfrom is described") };
        for (name, may) in [("memcpy", true), ("__builtin_memset", true), ("strlen", true), ("sendto", false)] {
            assert_eq!(library.may_be_computed(name), may, "{name}");
        }
        assert_eq!(receive.writes[0], Reach::Bytes { pointer: 1, count: 2, times: 1 });
        assert_eq!((receive.when, receive.result), (When::RunTime, Outcome::Dynamic));
        for (name, changes_nothing, only_reads) in [
            ("strlen", true, true),
            ("htonl", true, true),
            ("__builtin_bswap32", true, true),
            ("__builtin_strlen", true, true),
            ("write", false, true),
            ("read", false, false),
            ("signal", false, false),
            ("nobody_knows", false, false),
        ] {
            assert_eq!(
                (library.changes_nothing(name), library.only_reads(name)),
                (changes_nothing, only_reads),
                "{name}"
            );
        }
        assert_eq!(library.writes_through("clock_gettime"), Some(vec![1]));
        assert_eq!(library.writes_through("recv"), None, "others may run while it waits");
        assert!(library.only_reads("connect") && library.sees_anything("connect") && !library.sees_anything("close"));
        for name in ["exit", "abort", "__builtin_abort", "__builtin_trap", "__builtin_unreachable", "__assert_fail"] {
            assert!(library.never_returns(name), "{name}");
        }
        for (name, comes_back) in
            [("memcpy", true), ("sendto", true), ("qsort", false), ("exit", false), ("setjmp", false)]
        {
            assert_eq!(library.comes_back(name), comes_back, "{name}");
        }
        assert!(library.returns_twice("setjmp") && !library.returns_twice("exit"));
    }

    #[test]
    fn a_user_adds_and_replaces() {
        let mut library = Library::default();
        let mut sources = source::SourceMap::new();
        let text = "# mine\nlogs(text): reads text, sets errno\nstrlen(text): writes text\n";
        let file = sources.add("my.effects", text);
        assert!(library.add(file, text).is_empty());
        assert!(library.only_reads("logs") && !library.changes_nothing("logs"));
        assert!(!library.only_reads("strlen"));
    }
}
