//! The runtime's walk, cut down to the tables of one file. In: the kinds of their parts, and a section of
//! `runtime/include/whittle/table_*.h`. Out: its text without what no table needs.
//!
//! Why: a file of three small types is not to pay for unions, lists and strings. Two walks may stand in one translation unit,
//! so a letter for each feature is in the names of what the text declares.

use std::collections::BTreeSet;

use super::Part;

/// What tables need of the walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    features: BTreeSet<&'static str>,
}

/// A kind of part, the feature that it needs, and the feature's letter.
const FEATURES: &[(&str, &str, char)] = &[
    ("ARRAY", "ARRAYS", 'a'),
    ("BYTES", "BYTES", 'b'),
    ("DEEPER", "DEPTH", 'l'),
    ("DOUBLES", "DOUBLES", 'd'),
    ("FAR", "FAR", 'f'),
    ("OPAQUE", "OPAQUES", 'o'),
    ("POINTER", "POINTERS", 'p'),
    ("ONE", "ONES", 'm'),
    ("ROUTINE", "ROUTINES", 'r'),
    ("STRING", "STRINGS", 's'),
    ("TYPE", "TYPES", 't'),
    ("UNION", "UNIONS", 'u'),
    ("VECTOR", "VECTORS", 'v'),
    ("OWE", "OWED", 'w'),
    ("BOOL", "NUMBERS", 'n'),
    ("CHAR", "NUMBERS", 'n'),
    ("UCHAR", "NUMBERS", 'n'),
    ("SHORT", "NUMBERS", 'n'),
    ("USHORT", "NUMBERS", 'n'),
    ("LONG", "NUMBERS", 'n'),
    ("ULONG", "NUMBERS", 'n'),
];

/// Features that others bring with them, in the order in which they follow from each other.
const DERIVED: &[(&str, &[&str])] = &[
    ("POINTERS", &["ONES"]),
    ("COUNTED", &["ARRAYS", "OPAQUES", "STRINGS"]),
    ("PADDED", &["BYTES", "OPAQUES", "STRINGS"]),
    ("STORED", &["COUNTED", "POINTERS"]),
    ("STORAGE", &["STORED", "ROUTINES"]),
    ("ITEMS", &["ARRAYS", "VECTORS"]),
    ("LEVELS", &["DEPTH", "ROUTINES"]),
    ("INNER", &["POINTERS", "TYPES", "UNIONS"]),
];

impl Walk {
    /// What these parts need.
    pub(super) fn through(parts: &[&Part]) -> Walk {
        // The type of items is no part of its own.
        let is_of_items = |index: usize| {
            let before = index.checked_sub(2).and_then(|at| parts.get(at..index));
            before.is_some_and(|before| before[1].kind == "ITEM" && before[0].kind != "ROUTINE")
        };
        let own = parts.iter().enumerate().filter(|(index, part)| part.kind != "TYPE" || !is_of_items(*index));
        let feature = |(_, part): (usize, &&Part)| FEATURES.iter().find(|(kind, ..)| *kind == part.kind);
        let mut features: BTreeSet<&str> = own.filter_map(feature).map(|(_, feature, _)| *feature).collect();
        for (feature, from) in DERIVED {
            if from.iter().any(|other| features.contains(other)) {
                features.insert(feature);
            }
        }
        Walk { features }
    }

    /// Tables call routines.
    pub(crate) fn calls(&self) -> bool {
        self.features.contains("ROUTINES")
    }

    /// `whittle_walk`, with what it is for.
    pub(super) fn name(&self) -> String {
        format!("whittle_walk{}", self.letters())
    }

    /// The name of the section's guard.
    pub(crate) fn guard(&self, section: &str) -> String {
        format!("{section}{}", self.letters())
    }

    fn letters(&self) -> String {
        let letters: BTreeSet<char> = FEATURES
            .iter()
            .filter(|(_, feature, _)| self.features.contains(feature))
            .map(|(.., letter)| *letter)
            .collect();
        let letters: String = letters.into_iter().collect();
        if letters.is_empty() { letters } else { format!("_{letters}") }
    }

    /// The section's lines that are for these features.
    pub(crate) fn text(&self, section: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        // For each condition that is open, its own ones (`true`) and those of the C preprocessor: whether lines are kept.
        let mut open: Vec<(bool, bool)> = Vec::new();
        for line in section.lines() {
            let is_kept = |open: &[(bool, bool)]| open.iter().all(|(_, kept)| *kept);
            if let Some(feature) = line.strip_prefix("#if WALK_") {
                open.push((true, self.features.contains(feature)));
                continue;
            }
            match (line, open.last_mut()) {
                ("#else", Some((true, kept))) => {
                    *kept = !*kept;
                    continue;
                }
                ("#endif", Some((true, _))) => {
                    open.pop();
                    continue;
                }
                ("#endif", Some((false, _))) => {
                    lines.extend(is_kept(&open).then(|| line.to_string()));
                    open.pop();
                    continue;
                }
                _ if line.starts_with("#if") => open.push((false, true)),
                _ => {}
            }
            lines.extend(is_kept(&open).then(|| line.to_string()));
        }
        lines.join("\n").replace("whittle_walk", &self.name())
    }
}
