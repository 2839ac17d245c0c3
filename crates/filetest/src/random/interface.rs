//! Random interface files: what they have in common, and the program at their end.

use super::Random;
use std::fmt::Write;

/// A type that members can be made of.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) name: String,
    /// The fewest bytes a value takes in a message.
    pub(super) least: u64,
    /// Its C type is an array: no argument of a procedure.
    pub(super) is_array: bool,
}

/// An enumeration, or another name for one: a discriminant.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    pub(super) name: String,
    pub(super) labels: Vec<String>,
}

/// A file while it is made.
pub(super) struct File {
    pub(super) random: Random,
    pub(super) text: String,
    pub(super) types: Vec<Known>,
    pub(super) labels: Vec<Labels>,
    pub(super) constants: Vec<(String, u64)>,
    names: usize,
}

impl File {
    /// A name that no other definition has.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(super) fn learn(&mut self, name: &str, least: u64, is_array: bool) {
        self.types.push(Known { name: name.to_owned(), least, is_array });
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// An interface file of about `size` definitions, in the dialect that rpcgen 1.4 accepts. Each type is the argument of
/// a procedure, unless its C type is an array.
pub fn interface(seed: u64, size: usize) -> String {
    let mut file = File {
        random: Random::new(seed),
        text: format!("/* Made from seed {seed}. */\n"),
        types: Vec::new(),
        labels: Vec::new(),
        constants: Vec::new(),
        names: 0,
    };
    // By name, because rpcgen makes no valid C of an array of `bool` in a structure.
    file.line("typedef bool flag;");
    file.learn("flag", 4, false);
    for _ in 0..size {
        file.definition();
    }
    let mut program = String::from("program SAFETY {\n    version SAFETY_ONE {\n");
    for (index, known) in file.types.iter().filter(|known| !known.is_array).enumerate() {
        let _ = writeln!(program, "        void USE_{}({}) = {};", index + 1, known.name, index + 1);
    }
    file.text + &program + "    } = 1;\n} = 0x20000333;\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_makes_the_same_file() {
        assert_eq!(interface(5, 20), interface(5, 20));
        assert_ne!(interface(5, 20), interface(6, 20));
    }

    #[test]
    fn braces_close_in_every_file() {
        for seed in 0..50 {
            let text = interface(seed, 12);
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "seed {seed}");
        }
    }
}
