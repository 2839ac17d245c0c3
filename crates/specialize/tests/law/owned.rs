//! Random programs about who owns an object: recursive functions that are handed objects, and addresses
//! inside them, at known and unknown places, that are stored through, moved, kept in memory, in a table or as a number, and lent to functions.
//! A kind of [`bundle`](crate::bundle).

use std::fmt::Write;

use filetest::random::Random;
use libtest_mimic::Trial;

use crate::bundle::{self, Bundle, Kind};

const FUNCTIONS: usize = 3;
const ROOTS: usize = 3;

const DECLARATIONS: &str = "#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
struct item {
    unsigned left;
    unsigned short small;
    unsigned right;
};
struct box {
    unsigned head, numbers[4];
    struct item items[4];
    unsigned *kept;
    struct box *next;
    unsigned char bytes[16];
    unsigned last;
};
";

pub(crate) fn trials() -> Vec<Trial> {
    bundle::trials(Kind { name: "owned", declarations: DECLARATIONS, write })
}

fn write(seed: u64, bundle: &mut Bundle) {
    let mut random = Random::new(seed);
    let is_quiet = random.chance(60);
    let mut writer = Writer { random: &mut random, is_quiet, text: String::new() };
    writer.text.push_str("static void add@(unsigned *to, unsigned x)\n{\n    *to += x;\n}\n");
    (0..FUNCTIONS).for_each(|at| writer.function(at));
    (0..ROOTS).for_each(|at| writer.root(at));
    let scenario = writer.text;
    bundle.add(seed, &scenario, &begin(&mut random), ROOTS);
}

/// The program that calls, and shows.
fn begin(random: &mut Random) -> String {
    let mut text = String::new();
    text.extend((0..ROOTS).map(|at| format!("unsigned root_{at}@(struct box *box, struct box *other, unsigned x);\n")));
    text.push_str("void begin@(void)\n{\n    static struct box one = {.numbers = {2, 3, 4, 5}}, two;\n    size_t i;\n");
    text.push_str("    one.kept = &two.head;\n    two.kept = &two.last;\n    one.next = two.next = &two;\n");
    text.push_str(&bundle::calls(random, 12, ROOTS, "&one, &two"));
    text.push_str("    one.kept = two.kept = 0;\n    one.next = two.next = 0;\n    for (i = 0; i < sizeof one; i++)\n");
    text.push_str("        law_output(\"byte\", ((unsigned char *)&one)[i] * 256 + ((unsigned char *)&two)[i]);\n}\n");
    text
}

struct Writer<'a> {
    random: &'a mut Random,
    /// Addresses stay in variables, so that functions know objects to be theirs alone.
    is_quiet: bool,
    text: String,
}

impl Writer<'_> {
    fn known(&mut self) -> u64 {
        self.random.below(4)
    }

    /// A number of the object, by name.
    fn member(&mut self) -> String {
        let at = self.known();
        match self.random.below(6) {
            0 => "head".to_owned(),
            1 => "last".to_owned(),
            2 => format!("items[{at}].right"),
            3 => format!("items[{at}].left"),
            _ => format!("numbers[{at}]"),
        }
    }

    /// The address of a number inside it.
    fn address(&mut self) -> String {
        let (at, shift) = (self.known(), self.random.below(8));
        match self.random.below(7) {
            0 => format!("&box->{}", self.member()),
            1 => format!("&box->items[x >> {shift} & 3].left"),
            2 => format!("&box->items[x >> {shift} & 3].right"),
            3 => format!("box->numbers + (x >> {shift} & {at})"),
            4 => format!("x >> {shift} & 1 ? &box->{} : at", self.member()),
            5 if !self.is_quiet => format!("x >> {shift} & 1 ? &other->{} : &box->{}", self.member(), self.member()),
            _ => format!("&box->numbers[x >> {shift} & 3]"),
        }
    }

    fn statement(&mut self) -> String {
        let (a, b, shift) = (self.known(), self.random.below(9), self.random.below(8));
        let member = self.member();
        match self.random.below(22) {
            0 | 1 => format!("at = {};", self.address()),
            2 => "*at += x;".to_owned(),
            3 => format!("*at = {b}u;"),
            4 => format!("memset(at, {a}, sizeof *at);"),
            5 => format!("memcpy(at, &box->{member}, sizeof *at);"),
            6 => format!("memcpy(box->bytes + (x >> {shift} & 7), \"abcdef\", {});", a + 1),
            7..=11 if self.is_quiet => format!("at = {}; *at = {b}u;", self.address()),
            7 => format!("box->kept = {};", self.address()),
            8 => "*box->kept ^= x;".to_owned(),
            9 => format!("*(unsigned *)((unsigned long)at) = {b}u;"),
            10 => format!("{{ struct box *both[2] = {{box, other}}; both[x >> {shift} & 1]->{member} = {b}u; }}"),
            11 => format!("add@({}, {b}u);", self.address()),
            12 => format!("at = box->numbers; for (i = 0; i < (x >> {shift} & 3); i++) at++;"),
            13 => format!("box->items[x >> {shift} & 3] = box->items[{a}];"),
            14 | 17 if self.is_quiet => format!("box->{member} += {b}u;"),
            14 => format!("(x >> {shift} & 1 ? box : other)->{member} = {b}u;"),
            15 => format!("if (box->{member} == {b}u) all ^= {a}u;"),
            16 => "all = all * 31 + *at;".to_owned(),
            17 => format!("box->next = x >> {shift} & 1 ? box : other; box->next->{member} += {b}u;"),
            18 => format!("all = all * 5 + box->bytes[x >> {shift} & 15] + box->bytes[{b}];"),
            19 => format!("all = all * 3 + other->{member};"),
            _ => format!("box->{member} = {b}u;"),
        }
    }

    fn statements(&mut self, most: u64) {
        for _ in 0..2 + self.random.below(most) {
            let line = self.statement();
            let _ = writeln!(self.text, "    {line}");
        }
        let _ = writeln!(
            self.text,
            "    for (i = 0; i < 4; i++)\n        all = all * 7 + box->numbers[i] + box->items[i].left * 3;\n    all += box->head * 11 + box->last;"
        );
    }

    /// A function that calls itself, or one before it.
    fn function(&mut self, at: usize) {
        let _ = write!(
            self.text,
            "\nstatic unsigned walk_{at}@(struct box *box, struct box *other, unsigned x, unsigned depth)\n{{\n    \
             unsigned *at = &box->head, all = depth, i;\n"
        );
        self.statements(6);
        let called = if self.random.chance(60) { at } else { self.random.below(at as u64 + 1) as usize };
        let handed = if self.is_quiet { 0 } else { self.random.below(4) as usize };
        let handed = ["box, other", "box, other", "other, box", "box, box->next"][handed];
        let _ = writeln!(
            self.text,
            "    if (depth > 0)\n        all = all * 13 + walk_{called}@({handed}, x >> 1, depth - 1);"
        );
        self.statements(4);
        self.text.push_str("    return all;\n}\n");
    }

    /// A function that is specialized: objects of its own, or those that it is handed.
    fn root(&mut self, at: usize) {
        let is_own = self.random.chance(50);
        let given = if is_own { "given" } else { "box" };
        let _ = writeln!(
            self.text,
            "\nunsigned root_{at}@(struct box *{given}, struct box *other, unsigned x)\n{{\n    unsigned *at, all = x, i;"
        );
        if is_own {
            let own = "own = {1, {2, 3, 4, 5}, {{6, 7, 8}}, &given->head, given, \"text\", 9}, *box = &own";
            let _ = writeln!(self.text, "    struct box {own};");
        }
        self.text.push_str("    at = &box->last;\n");
        self.statements(5);
        let (called, depth) = (self.random.below(FUNCTIONS as u64), self.random.below(4));
        let depth = if self.random.chance(50) { format!("{depth}") } else { "x & 3".to_owned() };
        let _ = writeln!(self.text, "    all = all * 17 + walk_{called}@(box, other, x, {depth});");
        self.statements(5);
        if is_own {
            // Nobody keeps the address of what ends here.
            self.text
                .push_str("    given->kept = other->kept = &other->last;\n    given->next = other->next = other;\n");
        }
        self.text.push_str("    return all;\n}\n");
    }
}
