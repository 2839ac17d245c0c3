//! Random definitions: constants, enumerations, structures, unions, other names, and everything that refers to itself.

use super::interface::{File, Labels};
use super::members::LARGEST;

impl File {
    /// Adds one definition, or two that belong together.
    pub(super) fn definition(&mut self) {
        match self.random.weighted(&[6, 8, 24, 26, 18, 7, 5, 6]) {
            0 => self.constant(),
            1 => self.enumeration(),
            2 => self.alias(),
            3 => self.structure(),
            4 => self.union(),
            5 => self.list(),
            6 => self.tree(),
            _ => self.pair(),
        }
    }

    fn constant(&mut self) {
        let name = self.name("LIMIT");
        let value = 1 + self.random.below(30);
        let spelled = if self.random.chance(30) { format!("0x{value:x}") } else { value.to_string() };
        self.line(&format!("const {name} = {spelled};"));
        self.constants.push((name, value));
    }

    fn enumeration(&mut self) {
        let name = self.name("t");
        let mut labels = Vec::new();
        let mut members = Vec::new();
        let mut value = self.random.below(9) as i64 - 4;
        for index in 0..=self.random.below(5) {
            let label = format!("{}_{index}", name.to_uppercase());
            // rpcgen counts on from the member before.
            let text = if index > 0 && self.random.chance(50) {
                label.clone()
            } else {
                value += 1 + self.random.below(1000) as i64;
                format!("{label} = {value}")
            };
            value += 1;
            members.push(text);
            labels.push(label);
        }
        self.line(&format!("enum {name} {{ {} }};", members.join(", ")));
        self.learn(&name, 4, false);
        self.labels.push(Labels { name, labels });
    }

    fn alias(&mut self) {
        let name = self.name("t");
        if !self.labels.is_empty() && self.random.chance(10) {
            let labels = self.labels.clone();
            let Some(of) = self.random.pick(&labels) else { return };
            self.line(&format!("typedef {} {name};", of.name));
            self.learn(&name, 4, false);
            self.labels.push(Labels { name, labels: of.labels.clone() });
            return;
        }
        let declared = self.declared(&name);
        self.line(&format!("typedef {};", declared.text));
        self.learn(&name, declared.least, declared.is_array);
    }

    /// Members, each a line; and their fewest bytes.
    fn members(&mut self, count: u64, taken: &mut Vec<String>) -> (Vec<String>, u64) {
        let mut least = 0;
        let mut lines = Vec::new();
        for _ in 0..count {
            let name = self.member_name(taken);
            let declared = self.declared(&name);
            if least + declared.least <= LARGEST {
                least += declared.least;
                lines.push(format!("    {};", declared.text));
            }
        }
        (lines, least)
    }

    fn write_structure(&mut self, name: &str, lines: &[String]) {
        self.line(&format!("struct {name} {{\n{}\n}};", lines.join("\n")));
    }

    fn structure(&mut self) {
        let name = self.name("t");
        // Long stretches of words are what bulk copies are for.
        let count = if self.random.chance(15) { 8 + self.random.below(12) } else { 1 + self.random.below(7) };
        let (mut lines, mut least) = self.members(count, &mut Vec::new());
        if lines.is_empty() {
            lines.push("    int only;".to_owned());
            least = 4;
        }
        self.write_structure(&name, &lines);
        self.learn(&name, least, false);
    }

    /// A discriminant's type and the labels that it may have.
    fn discriminant(&mut self) -> (String, Vec<String>) {
        if !self.labels.is_empty() && self.random.chance(45) {
            let labels = self.labels.clone();
            if let Some(of) = self.random.pick(&labels) {
                return (of.name.clone(), of.labels.clone());
            }
        }
        match self.random.below(4) {
            0 => ("bool".to_owned(), vec!["TRUE".to_owned(), "FALSE".to_owned()]),
            1 => {
                let start = self.random.below(3);
                ("unsigned int".to_owned(), (start..start + 5).map(|label| label.to_string()).collect())
            }
            _ => ("int".to_owned(), ["-2", "0", "1", "2", "77", "0x100"].map(str::to_owned).to_vec()),
        }
    }

    fn union(&mut self) {
        let name = self.name("t");
        let (ty, mut labels) = self.discriminant();
        let mut taken = vec!["kind".to_owned()];
        let mut lines = Vec::new();
        let mut smallest = u64::MAX;
        let arms = 1 + self.random.below(4);
        for arm in 0..=arms {
            let is_default = arm == arms;
            if (is_default && self.random.chance(50)) || (!is_default && labels.is_empty()) {
                continue;
            }
            if is_default {
                lines.push("default:".to_owned());
            } else {
                let several = if self.random.chance(20) { 2 } else { 1 };
                for label in labels.drain(..several.min(labels.len())) {
                    lines.push(format!("case {label}:"));
                }
            }
            let least = self.arm(&name, &mut taken, &mut lines);
            smallest = smallest.min(least);
        }
        let body = lines.join("\n");
        self.line(&format!("union {name} switch ({ty} kind) {{\n{body}\n}};"));
        self.learn(&name, 4 + smallest, false);
    }

    fn arm(&mut self, union: &str, taken: &mut Vec<String>, lines: &mut Vec<String>) -> u64 {
        if self.random.chance(25) {
            lines.push("    void;".to_owned());
            return 0;
        }
        let member = self.member_name(taken);
        if self.random.chance(8) {
            lines.push(format!("    {union} *{member};"));
            return 4;
        }
        let declared = self.declared(&member);
        lines.push(format!("    {};", declared.text));
        declared.least
    }

    /// A linked list: the next cell last, or in the middle, or by another name.
    fn list(&mut self) {
        let name = self.name("t");
        let mut taken = vec!["next".to_owned()];
        let count = 1 + self.random.below(3);
        let (mut lines, least) = self.members(count, &mut taken);
        let next = match self.random.below(4) {
            0 => format!("    struct {name} *next;"),
            1 => {
                let list = self.name("t");
                self.line(&format!("typedef struct {name} *{list};"));
                self.learn(&list, 4, false);
                format!("    {list} next;")
            }
            _ => format!("    {name} *next;"),
        };
        let place = if self.random.chance(75) { lines.len() } else { 0 };
        lines.insert(place, next);
        self.write_structure(&name, &lines);
        self.learn(&name, least + 4, false);
    }

    /// A tree: of two branches, or of any number.
    fn tree(&mut self) {
        let name = self.name("t");
        let mut taken = vec!["left".to_owned(), "right".to_owned(), "kids".to_owned()];
        let count = self.random.below(3);
        let (mut lines, least) = self.members(count, &mut taken);
        if self.random.chance(50) {
            lines.push(format!("    {name} *left;"));
            lines.push(format!("    {name} *right;"));
            self.write_structure(&name, &lines);
            self.learn(&name, least + 8, false);
        } else {
            // By name, because rpcgen makes no valid C of a structure that holds an array of itself.
            let kids = self.name("t");
            self.line(&format!("typedef struct {name} {kids}<>;"));
            lines.push(format!("    {kids} kids;"));
            self.write_structure(&name, &lines);
            self.learn(&name, least + 4, false);
            self.learn(&kids, 4, false);
        }
    }

    /// Two structures that refer to each other.
    fn pair(&mut self) {
        let (first, second) = (self.name("t"), self.name("t"));
        let (mut lines, least) = self.members(2, &mut vec!["other".to_owned(), "again".to_owned()]);
        lines.insert(usize::from(self.random.chance(50)).min(lines.len()), format!("    struct {second} *other;"));
        self.write_structure(&first, &lines);
        self.learn(&first, least + 4, false);
        let (mut lines, least) = self.members(2, &mut vec!["other".to_owned(), "again".to_owned()]);
        lines.push(format!("    {first} *other;"));
        let again = if self.random.chance(40) {
            lines.push(format!("    struct {second} *again;"));
            4
        } else {
            0
        };
        self.write_structure(&second, &lines);
        self.learn(&second, least + 4 + again, false);
    }
}
