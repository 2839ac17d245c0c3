//! What functions do that the program does not define: the same descriptions that the analysis goes by.

use analysis::effects::Library;

/// Effects of external functions, by name; of all others the worst is assumed.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    library: Library,
}

impl Effects {
    /// The functions that a library describes.
    pub fn new(library: Library) -> Effects {
        Effects { library }
    }

    /// Changes no memory.
    pub fn is_pure(&self, name: &str) -> bool {
        self.library.changes_nothing(name)
    }

    /// Writes nothing through its arguments.
    pub fn only_reads(&self, name: &str) -> bool {
        self.library.only_reads(name)
    }

    /// May return more than once.
    pub fn returns_twice(&self, name: &str) -> bool {
        self.library.returns_twice(name)
    }

    pub fn never_returns(&self, name: &str) -> bool {
        self.library.never_returns(name)
    }
}
