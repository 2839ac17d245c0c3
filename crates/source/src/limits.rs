//! How much one compilation may take. In: a count of something that grows with the input. Out: whether that is too much,
//! and one form of diagnostic that names the place and the option that allows more.
//!
//! Input comes from anybody. Where the work is linear in the input's size the size alone is bounded; where a few lines can
//! ask for more than any machine has (macros, inheritance, composition, computing ahead of time) what they ask for is counted.
//! Only what is counted decides, never a clock, so that output stays a function of input; who asks for a time limit gets one.

use crate::{Diagnostic, Span};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    InputSize,
    Expansion,
    Nesting,
    Inherited,
    Flow,
    Findings,
    OutputSize,
    Steps,
    Statements,
    Variants,
    Memory,
    Time,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub limit: Limit,
    /// As `--limit` has it.
    pub name: &'static str,
    pub default: u64,
    /// The most that may be asked for.
    pub most: u64,
    /// What is counted: "more than 256 …".
    pub counts: &'static str,
    /// Why there is a limit, and why this one.
    pub reason: &'static str,
}

const MIB: u64 = 1 << 20;

/// Every limit. `docs/limits.md` is made of this table.
pub const LIMITS: [Entry; 12] = [
    Entry {
        limit: Limit::InputSize,
        name: "input-size",
        default: 16 * MIB,
        most: 1 << 31,
        counts: "bytes in one input file",
        reason: "time and memory are proportional to it; devices and pipes have no end. Descriptions that people write stay under 1 MiB.",
    },
    Entry {
        limit: Limit::Expansion,
        name: "expansion",
        default: 16 * MIB,
        most: 1 << 31,
        counts: "bytes of text after preprocessing",
        reason: "30 macros that use each other twice make a gigabyte, and so do files that include each other twice. The largest C sources that people have reach 10 MiB.",
    },
    Entry {
        limit: Limit::Nesting,
        name: "nesting",
        default: 256,
        most: 4096,
        counts: "levels of nesting",
        reason: "what walks types, expressions and statements does so recursively, on a stack of 1 GiB. People nest a dozen levels.",
    },
    Entry {
        limit: Limit::Inherited,
        name: "inherited",
        default: 200_000,
        most: 1 << 31,
        counts: "inherited interfaces and operations, counted once for each interface that inherits them",
        reason: "each heir declares and dispatches all that it inherits, so that a chain of n interfaces makes n*n declarations.",
    },
    Entry {
        limit: Limit::Flow,
        name: "flow",
        default: 200_000,
        most: 1 << 31,
        counts: "stages, edges and applications of aspects in a flow, all composed pipes opened",
        reason: "composed pipes may double at each level, edges between composed ports multiply, and aspects apply to each stage and edge.",
    },
    Entry {
        limit: Limit::Findings,
        name: "findings",
        default: 2000,
        most: 1 << 31,
        counts: "errors and warnings",
        reason: "a file of another kind, taken for a description, has an error at each word. Nobody reads the others.",
    },
    Entry {
        limit: Limit::OutputSize,
        name: "output-size",
        default: 256 * MIB,
        most: 1 << 40,
        counts: "bytes of output",
        reason: "no C compiler takes more. 100,000 structures in rpcgen's style make 115 MiB.",
    },
    Entry {
        limit: Limit::Steps,
        name: "steps",
        default: 20_000_000,
        most: u64::MAX,
        counts: "steps of specializing one function",
        reason: "a scenario is a program, and may run without end. A run that takes more begins again with less patience, and all runs together may take three times as many.",
    },
    Entry {
        limit: Limit::Statements,
        name: "statements",
        default: 200_000,
        most: u64::MAX,
        counts: "residual statements of one function",
        reason: "unrolled loops and unfolded calls multiply; what varies is given up before the residual function grows larger.",
    },
    Entry {
        limit: Limit::Variants,
        name: "variants",
        default: 4096,
        most: u64::MAX,
        counts: "residual copies of one place in the program",
        reason: "each thing that is known of a place makes a copy of it; what varies is given up before there are more.",
    },
    Entry {
        limit: Limit::Memory,
        name: "memory",
        default: 1 << 20,
        most: u64::MAX,
        counts: "values that are known while a function is specialized",
        reason: "each takes some hundred bytes, whether a table says it or the scenario computes it; one designator (`[1000000] = 1`) makes all elements before it known.",
    },
    Entry {
        limit: Limit::Time,
        name: "time",
        default: u64::MAX,
        most: u64::MAX,
        counts: "seconds for specializing, shared by the functions of a scenario",
        reason: "whoever builds may have no more; there is no limit unless `--time-limit` or `--limit time` sets one. When half of a function's time is gone, what varies is given up.",
    },
];

/// The limits of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    values: [u64; LIMITS.len()],
}

impl Default for Limits {
    fn default() -> Self {
        Limits { values: LIMITS.map(|entry| entry.default) }
    }
}

impl Limits {
    /// The most that is allowed.
    pub fn get(&self, limit: Limit) -> u64 {
        self.values[limit as usize]
    }

    /// The same, as sizes in memory are counted.
    pub fn size(&self, limit: Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }

    /// Sets a limit.
    pub fn set(&mut self, limit: Limit, value: u64) {
        self.values[limit as usize] = value;
    }

    /// Sets a limit as the command line says it: `nesting=1000`, `output-size=1G`. The error is a sentence.
    pub fn read(&mut self, text: &str) -> Result<(), String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("expected NAME=NUMBER, found `{text}`; the names are {}", names()));
        };
        let Some(entry) = LIMITS.iter().find(|entry| entry.name == name) else {
            return Err(format!("there is no limit `{name}`; the names are {}", names()));
        };
        let value = number(value).ok_or_else(|| {
            format!("`{name}` takes a number, such as {} (K, M and G are binary), not `{value}`", entry.default)
        })?;
        if value > entry.most {
            return Err(format!("`{name}` is at most {}", entry.most));
        }
        self.set(entry.limit, value);
        Ok(())
    }

    /// Whether `count` is too much.
    pub fn are_exceeded(&self, limit: Limit, count: usize) -> bool {
        count as u64 > self.get(limit)
    }

    /// `limit-001`: the input asks for more than one of the limits allows. The message says what was counted, and the
    /// option that allows more.
    pub fn exceeded(&self, limit: Limit, at: Option<Span>) -> Diagnostic {
        let (entry, value) = (LIMITS[limit as usize], self.get(limit));
        let finding = Diagnostic::error("limit-001", format!("more than {value} {}", entry.counts)).help(format!(
            "`--limit {}={}` allows twice as many",
            entry.name,
            shown(value.saturating_mul(2).max(1))
        ));
        match at {
            Some(span) => finding.at(span, "the limit is exceeded here"),
            None => finding,
        }
    }
}

fn names() -> String {
    LIMITS.map(|entry| format!("`{}`", entry.name)).join(", ")
}

/// `100`, `64K`, `2M`, `1G`.
fn number(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 10),
        b'M' | b'm' => (&text[..text.len() - 1], 20),
        b'G' | b'g' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse::<u64>().ok().filter(|_| is_number)?.checked_mul(1 << shift)
}

fn shown(value: u64) -> String {
    match value {
        value if value > 0 && value % MIB == 0 => format!("{}M", value / MIB),
        value => value.to_string(),
    }
}

/// The table as a page of the documentation.
pub fn page() -> String {
    let mut page = String::from(PAGE);
    for entry in LIMITS {
        let Entry { name, default, most, counts, reason, .. } = entry;
        let [default, most] =
            [default, most].map(|value| if value == u64::MAX { "-".to_owned() } else { shown(value) });
        page.push_str(&format!("| `{name}` | {default} | {most} | {counts} | {reason} |\n"));
    }
    page
}

const PAGE: &str = "\
# Limits

After this page you know how much time and memory a compilation may take, and can allow more or less.

Time and memory are proportional to the size of the input, or bounded by a count. If a limit is exceeded, whittle reports the
error `limit-001` with the place, writes nothing, and ends with status 1. `--limit NAME=NUMBER` sets a limit, and may be repeated.
`K`, `M` and `G` behind the number stand for 2^10, 2^20 and 2^30.

No limit of the compiler itself is a clock unless `time` is set: what one machine compiles, every machine does. A C preprocessor or
compiler that whittle runs is stopped after 10 seconds of processor time, at 1 GiB of memory, or after it has waited for a minute.

| name | default | at most | counts | reason |
|---|---|---|---|---|
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_limits() {
        for (at, entry) in LIMITS.iter().enumerate() {
            assert_eq!(entry.limit as usize, at, "{}", entry.name);
            assert!(entry.default <= entry.most, "{}", entry.name);
        }
    }

    #[test]
    fn the_page_is_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, page()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), page(), "BLESS=1 writes it");
    }

    #[test]
    fn limits_are_read_as_the_command_line_has_them() {
        let mut limits = Limits::default();
        limits.read("nesting=1000").unwrap();
        limits.read("output-size=1G").unwrap();
        assert_eq!((limits.get(Limit::Nesting), limits.get(Limit::OutputSize)), (1000, 1 << 30));
        for wrong in
            ["nesting", "nesting=", "nesting=-1", "nesting=K", "nest=3", "nesting=99999999", "steps=99999999999G"]
        {
            assert!(limits.read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_exceeded_names_the_option_that_allows_more() {
        let finding = Limits::default().exceeded(Limit::Nesting, None);
        assert_eq!((finding.code, finding.message.as_str()), ("limit-001", "more than 256 levels of nesting"));
        assert_eq!(finding.help.as_deref(), Some("`--limit nesting=512` allows twice as many"));
    }
}
