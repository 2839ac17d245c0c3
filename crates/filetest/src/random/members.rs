//! Random declarations: `hyper out<7>`, `string at<>`, `t4 *next`, with the fewest bytes that each takes.

use super::interface::File;

const SCALARS: [(&str, u64); 17] = [
    ("char", 4),
    ("unsigned char", 4),
    ("short", 4),
    ("unsigned short", 4),
    ("int", 4),
    ("int", 4),
    ("unsigned int", 4),
    ("unsigned", 4),
    ("u_int", 4),
    ("long", 4),
    ("unsigned long", 4),
    ("hyper", 8),
    ("unsigned hyper", 8),
    ("float", 4),
    ("double", 8),
    ("bool", 4),
    ("flag", 4),
];

/// Names that generated C might use itself.
const NAMES: [&str; 28] = [
    "at", "in", "out", "v", "i", "n", "xdrs", "objp", "count", "length", "data", "fresh", "end", "buf", "items",
    "item", "size", "value", "next", "slot", "room", "memory", "block", "owner", "release", "text", "growth",
    "storage",
];

/// No named type takes more in a message whose arrays are empty.
pub(super) const LARGEST: u64 = 12_000;

/// A declaration without its `;`.
pub(super) struct Declared {
    pub(super) text: String,
    pub(super) least: u64,
    pub(super) is_array: bool,
}

fn padded(bytes: u64) -> u64 {
    bytes.div_ceil(4) * 4
}

impl File {
    /// A name for a member, unlike those before.
    pub(super) fn member_name(&mut self, taken: &mut Vec<String>) -> String {
        let mut name = format!("m{}", taken.len() + 1);
        if self.random.chance(40) {
            let nasty = self.random.pick(&NAMES).map_or(name.as_str(), |nasty| nasty).to_owned();
            if !taken.contains(&nasty) {
                name = nasty;
            }
        }
        taken.push(name.clone());
        name
    }

    /// A length: small as a rule, now and then of more bytes than a block has.
    fn length(&mut self, each: u64) -> u64 {
        let most = (LARGEST / each.max(1)).max(1);
        let length = match self.random.weighted(&[70, 22, 8]) {
            0 => 1 + self.random.below(5),
            1 => 1 + self.random.below(40),
            _ => 4096 / each.max(1) + self.random.below(1500),
        };
        length.min(most)
    }

    /// A number, or the name of a constant that stands for it.
    fn number(&mut self, value: u64) -> String {
        let known = self.constants.iter().find(|(_, constant)| *constant == value);
        known.map_or_else(|| value.to_string(), |(name, _)| name.clone())
    }

    fn length_text(&mut self, each: u64) -> (String, u64) {
        if !self.constants.is_empty() && self.random.chance(25) {
            let constants = self.constants.clone();
            if let Some((name, value)) = self.random.pick(&constants).filter(|(_, value)| value * each <= LARGEST) {
                return (name.clone(), *value);
            }
        }
        let length = self.length(each);
        (self.number(length), length)
    }

    /// What stands between `<` and `>`.
    fn bound(&mut self) -> String {
        if self.random.chance(60) { String::new() } else { self.length_text(1).0 }
    }

    /// A type to make a declaration of: a word and its fewest bytes.
    fn base(&mut self) -> (String, u64) {
        if self.random.chance(50) {
            let types = self.types.clone();
            if let Some(known) = self.random.pick(&types) {
                return (known.name.clone(), known.least);
            }
        }
        self.random.pick(&SCALARS).map_or(("int".to_owned(), 4), |(name, least)| ((*name).to_owned(), *least))
    }

    /// A declaration of `name`, of any kind.
    pub(super) fn declared(&mut self, name: &str) -> Declared {
        let (base, least) = self.base();
        match self.random.weighted(&[34, 14, 16, 10, 12, 7, 7]) {
            1 if base != "bool" => {
                let (text, length) = self.length_text(least);
                Declared { text: format!("{base} {name}[{text}]"), least: length * least, is_array: true }
            }
            2 => Declared { text: format!("{base} {name}<{}>", self.bound()), least: 4, is_array: false },
            3 => Declared { text: format!("{base} *{name}"), least: 4, is_array: false },
            4 => Declared { text: format!("string {name}<{}>", self.bound()), least: 4, is_array: false },
            5 => Declared { text: format!("opaque {name}<{}>", self.bound()), least: 4, is_array: false },
            6 => {
                let (text, length) = self.length_text(1);
                Declared { text: format!("opaque {name}[{text}]"), least: padded(length), is_array: true }
            }
            _ => Declared { text: format!("{base} {name}"), least, is_array: false },
        }
    }
}
