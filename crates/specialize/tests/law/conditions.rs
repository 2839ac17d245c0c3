//! Random programs about what tests say: numbers of all types, addresses and truth values, compared, masked, converted and compared
//! again, so that what one test has shown decides later ones. A kind of [`bundle`](crate::bundle).
//!
//! Every program is called with many arguments, since most of its paths are narrow.

use std::fmt::Write;

use filetest::random::Random;
use libtest_mimic::Trial;

use crate::bundle::{self, Bundle, INPUTS, Kind};

const ROOTS: usize = 3;

const DECLARATIONS: &str = "extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
";

/// What a root begins with: its argument in pieces, and an object with addresses inside it.
const PIECES: &str = "    static const char text[8] = \"a8\\t Z0\";
    unsigned all = x;
    unsigned char c = (unsigned char)x, t = 0;
    signed char s = (signed char)(x >> 3);
    unsigned short h = (unsigned short)(x >> 1);
    int i = (int)(x >> 2 & 31) - 9;
    unsigned u = x >> 4 & 15;
    long l = (long)(x & 63) - 20;
    _Bool b = (x & 6) != 0;
    const char *p = text + (x & 7), *q = text + (x >> 3 & 7);
";

const VARIABLES: [&str; 8] = ["c", "s", "h", "i", "u", "l", "t", "b"];
const TYPES: [&str; 7] = ["unsigned char", "signed char", "int", "unsigned", "long", "_Bool", "unsigned long"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

pub(crate) fn trials() -> Vec<Trial> {
    bundle::trials(Kind { name: "conditions", declarations: DECLARATIONS, write })
}

fn write(seed: u64, bundle: &mut Bundle) {
    let mut random = Random::new(seed);
    let mut writer = Writer { random: &mut random, text: String::new() };
    (0..ROOTS).for_each(|at| writer.root(at));
    let scenario = writer.text;
    bundle.add(seed, &scenario, &begin(&mut random), ROOTS);
}

/// The program that calls, and shows.
fn begin(random: &mut Random) -> String {
    let mut text = String::new();
    text.extend((0..ROOTS).map(|at| format!("unsigned root_{at}@(unsigned x);\n")));
    text.push_str("void begin@(void)\n{\n    unsigned x;\n");
    for at in 0..ROOTS {
        let input = random.below(INPUTS as u64);
        let _ = writeln!(
            text,
            "    {{\n        unsigned sum = 0;\n        const unsigned from = (unsigned)law_input({input}, {at});\n        \
             for (x = 0; x < 700; x++)\n            sum = sum * 31 + root_{at}@(x < 512 ? x : from * x);\n        \
             law_output(\"root_{at}@\", sum);\n    }}"
        );
    }
    text.push_str("}\n");
    text
}

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
}

impl Writer<'_> {
    fn one_of<'o>(&mut self, of: &[&'o str]) -> &'o str {
        of[self.random.below(of.len() as u64) as usize]
    }

    fn constant(&mut self) -> i64 {
        match self.random.below(3) {
            0 => self.random.below(3) as i64 - 1,
            _ => self.random.below(40) as i64 - 12,
        }
    }

    /// A number; small where signs could overflow.
    fn value(&mut self, depth: u64) -> String {
        let (variable, constant, shift) = (self.one_of(&VARIABLES), self.random.below(16) + 1, self.random.below(8));
        if depth == 0 {
            return if self.random.chance(75) { variable.to_owned() } else { format!("{}", self.constant()) };
        }
        match self.random.below(12) {
            0 => format!("({variable} & {constant})"),
            1 => format!("({variable} % {constant})"),
            2 => format!("({variable} + {constant})"),
            3 => format!("({variable} - {constant})"),
            4 => format!("({})({})", self.one_of(&TYPES), self.value(depth - 1)),
            5 => format!("({})", self.condition(depth - 1)),
            6 => format!("({} ? {} : {})", self.condition(depth - 1), self.value(depth - 1), self.value(0)),
            7 => format!("(x >> {shift} & {constant}u)"),
            8 => format!("text[({}) & 7]", self.value(depth - 1)),
            9 => format!("({variable} | {constant})"),
            _ => variable.to_owned(),
        }
    }

    fn condition(&mut self, depth: u64) -> String {
        let operator = self.one_of(&COMPARISONS);
        if depth == 0 {
            let variable = self.one_of(&VARIABLES);
            return format!("{variable} {operator} {}", self.constant());
        }
        match self.random.below(14) {
            0 => format!("({}) {operator} {}", self.condition(depth - 1), self.random.below(4) as i64 - 1),
            1 => format!("{} {operator} ({})", self.random.below(4) as i64 - 1, self.condition(depth - 1)),
            2 => format!("!({})", self.condition(depth - 1)),
            3 => format!("({}) && ({})", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("({}) || ({})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("p {operator} q"),
            6 => format!("p - text {operator} {}", self.random.below(9)),
            7 => self.value(depth - 1),
            8 => format!("({}) {operator} ({})", self.condition(depth - 1), self.condition(depth - 1)),
            9 => format!("{} {operator} {}", self.value(0), self.value(0)),
            _ => format!("{} {operator} {}", self.value(depth - 1), self.value(depth - 1)),
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * indent);
    }

    fn statements(&mut self, depth: u64, indent: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth, indent);
        }
        let number = self.random.below(100);
        self.line(indent, &format!("all = all * 31 + {number};"));
    }

    fn statement(&mut self, depth: u64, indent: usize) {
        let (condition, value, constant) = (self.condition(2), self.value(2), self.random.below(12));
        match self.random.below(12) {
            0 => self.line(indent, &format!("t = {condition};")),
            1 => self.line(indent, &format!("b = {condition};")),
            2 => self.line(indent, &format!("i = (int)((unsigned)({value}) & 31u) - 9;")),
            3 => self.line(indent, &format!("u = {value};")),
            4 => self.line(indent, &format!("if ({condition})\n{:1$}return all + {constant};", "", 4 * indent + 4)),
            5 => {
                self.line(indent, &format!("while (i < {constant} && ({condition}))\n{:1$}i++;", "", 4 * indent + 4));
            }
            6 if depth > 0 => {
                self.line(indent, &format!("switch (({value}) & 7) {{"));
                for case in [constant % 4, 4 + constant % 3] {
                    self.line(indent, &format!("case {case}:"));
                    self.statements(depth - 1, indent + 1);
                    if self.random.chance(70) {
                        self.line(indent + 1, "break;");
                    }
                }
                self.line(indent, "default:");
                self.statements(depth - 1, indent + 1);
                self.line(indent, "}");
            }
            7 => self.line(indent, &format!("all = all * 7 + ({condition}) * 5 + (unsigned)({value});")),
            _ if depth > 0 => {
                self.line(indent, &format!("if ({condition}) {{"));
                self.statements(depth - 1, indent + 1);
                if self.random.chance(60) {
                    self.line(indent, "} else {");
                    self.statements(depth - 1, indent + 1);
                }
                self.line(indent, "}");
            }
            _ => self.line(indent, &format!("all += ({condition}) ? {constant}u : (unsigned)({value});")),
        }
    }

    fn root(&mut self, at: usize) {
        let _ = write!(self.text, "\nunsigned root_{at}@(unsigned x)\n{{\n{PIECES}");
        self.text.push_str("    (void)s, (void)h, (void)l, (void)u, (void)p, (void)q, (void)b, (void)c;\n");
        self.statements(3, 1);
        self.statements(2, 1);
        self.text.push_str("    return all + t + b + (unsigned)i;\n}\n");
    }
}
