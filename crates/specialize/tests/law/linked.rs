//! Random programs with state in two units: calls of both in sequences, objects and functions that are compared by their
//! addresses, and memory that is looked at through several types. A kind of [`bundle`](crate::bundle).

use std::fmt::Write;

use filetest::random::Random;
use libtest_mimic::Trial;

use crate::bundle::{self, Bundle, INPUTS, Kind};

/// Functions of each kind in a program.
const FUNCTIONS: usize = 5;
const ROOTS: usize = 3;

const DECLARATIONS: &str = "#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
struct ops {
    unsigned (*apply)(unsigned x);
    unsigned kind;
};
struct padded {
    char tag;
    unsigned number;
    short rest;
};
struct data {
    unsigned head, low[4], high[4];
    struct padded padded;
    const struct ops *ops;
    unsigned (*hook)(unsigned x);
    unsigned char bytes[16];
};
";

pub(crate) fn trials() -> Vec<Trial> {
    bundle::trials(Kind { name: "linked", declarations: DECLARATIONS, write })
}

/// All names of a program end with `@`, in whose place its seed comes.
fn write(seed: u64, bundle: &mut Bundle) {
    let mut random = Random::new(seed);
    let of_seed = |text: String| text.replace('@', &format!("_{seed}"));
    bundle.general.push_str(&of_seed(Writer { random: &mut random, unit: "general", text: String::new() }.unit()));
    bundle.scenario.push_str(&of_seed(Writer { random: &mut random, unit: "own", text: String::new() }.scenario()));
    bundle.begin.push_str(&of_seed(begin(&mut random)));
    bundle.roots.extend((0..ROOTS).map(|at| format!("root_{at}_{seed}")));
}

/// The program that calls, and shows.
fn begin(random: &mut Random) -> String {
    let mut text = String::new();
    for (unit, count) in [("general", FUNCTIONS), ("own", FUNCTIONS), ("root", ROOTS)] {
        text.extend((0..count).map(|at| format!("unsigned {unit}_{at}@(struct data *data, unsigned x);\n")));
    }
    text.push_str("void begin@(void)\n{\n    static struct data data = {1, {2, 3, 4, 5}, {6, 7, 8, 9}, {1, 2, 3}, 0, 0, \"abcdefgh\"};\n");
    text.push_str("    size_t i;\n");
    for _ in 0..24 {
        let (unit, count) =
            [("root", ROOTS), ("root", ROOTS), ("general", FUNCTIONS), ("own", FUNCTIONS)][random.below(4) as usize];
        let (at, input) = (random.below(count as u64), random.below(INPUTS as u64));
        let _ = writeln!(
            text,
            "    law_output(\"{unit}_{at}@\", {unit}_{at}@(&data, (unsigned)law_input({input}, {at})));"
        );
    }
    text.push_str("    data.ops = 0;\n    data.hook = 0;\n    for (i = 0; i < sizeof data; i++)\n");
    text.push_str("        law_output(\"byte\", ((unsigned char *)&data)[i]);\n}\n");
    text
}

struct Writer<'a> {
    random: &'a mut Random,
    /// What the functions of the unit begin with.
    unit: &'static str,
    text: String,
}

impl Writer<'_> {
    fn unit(mut self) -> String {
        (0..FUNCTIONS).for_each(|at| self.function(at));
        self.text
    }

    /// Functions of the scenario's own, then the roots.
    fn scenario(mut self) -> String {
        self.text.extend((0..FUNCTIONS).map(|at| format!("unsigned general_{at}@(struct data *data, unsigned x);\n")));
        (0..FUNCTIONS).for_each(|at| self.function(at));
        (0..ROOTS).for_each(|at| self.root(at));
        self.text
    }

    fn number(&mut self) -> u64 {
        match self.random.below(3) {
            0 => self.random.below(4),
            1 => self.random.below(64),
            _ => self.random.below(1 << 32),
        }
    }

    /// A function of the unit: static objects of its own, and a body of a random kind.
    fn function(&mut self, at: usize) {
        let (unit, a, b) = (self.unit, self.number(), self.number());
        let _ = write!(
            self.text,
            "\nstatic unsigned state_{at}@ = {a}u;\nstatic unsigned add_{at}@(unsigned x)\n{{\n    return x + {b}u;\n}}\n\
             static unsigned count_{at}@(unsigned x)\n{{\n    return state_{at}@ += x | 1u;\n}}\n\
             static const struct ops ops_{at}@ = {{{}_{at}@, {a}u}};\n",
            ["add", "add", "count"][self.random.below(3) as usize]
        );
        let _ = write!(self.text, "unsigned {unit}_{at}@(struct data *data, unsigned x)\n{{\n");
        let body = self.body(at);
        self.text.push_str(&body);
        self.text.push_str("}\n");
    }

    fn body(&mut self, at: usize) -> String {
        let (unit, a, b) = (self.unit, self.number(), self.number());
        // Some objects are those of many functions.
        let other = if self.random.chance(50) { 0 } else { self.random.below(at as u64 + 1) };
        let (small, kind) = (self.random.below(8), self.random.below(21));
        match if kind > 14 { 3 + kind % 3 } else { kind } {
            0 => format!("    state_{at}@ = state_{at}@ * {a}u + x;\n    return state_{at}@;\n"),
            1 => format!(
                "    static unsigned seen[4];\n    seen[x & 3] += x + {a}u;\n    data->head ^= {b}u;\n    return seen[(x + 1) & 3];\n"
            ),
            2 => format!(
                "    unsigned i, all = data->head;\n    for (i = 0; i < {small}; i++)\n        all = all * 31 + (x ^ i);\n    return all;\n"
            ),
            3 => format!("    data->ops = &ops_{other}@;\n    return data->ops->apply(x) + data->ops->kind;\n"),
            4 => format!(
                "    return (data->ops == &ops_{other}@) * 2u + (data->hook == add_{other}@) + \
                 (data->ops != 0 ? data->ops->apply(x) : {a}u);\n"
            ),
            5 => format!("    data->hook = add_{other}@;\n    return data->hook(x) + count_{at}@({small}u);\n"),
            6 => format!(
                "    const unsigned *at = (const unsigned *)(const void *)((const char *)data + 4);\n    unsigned i, all = {a}u;\n\
                 \x20   for (i = 0; i < (x & 7) + 1; i++)\n        all = all * 7 + at[i];\n    return all;\n"
            ),
            7 => format!(
                "    unsigned *at = (unsigned *)(void *)((char *)data + 4);\n    unsigned i;\n\
                 \x20   for (i = 0; i < {small} + (x & 1); i++)\n        at[i] += {a}u;\n    return data->low[3] ^ data->high[0];\n"
            ),
            8 => format!(
                "    struct padded copy = data->padded;\n    unsigned char bytes[sizeof copy];\n    unsigned i, all = 0;\n\
                 \x20   copy.number += x + {a}u;\n    memcpy(bytes, &copy, sizeof copy);\n    data->padded = copy;\n\
                 \x20   for (i = 0; i < sizeof bytes; i++)\n        all = all * 5 + bytes[i];\n    return all;\n"
            ),
            9 => format!(
                "    memmove(data->bytes + (x & 3), data->bytes, {small});\n    memmove(data->bytes, data->bytes + {}, 4);\n\
                 \x20   return data->bytes[{small}];\n",
                small & 3
            ),
            10 => format!(
                "    unsigned char *bytes = (unsigned char *)&data->padded.number;\n    bytes[x & 3] ^= (unsigned char){a}u;\n\
                 \x20   bytes[{}] = (unsigned char)x;\n    return data->padded.number;\n",
                small & 3
            ),
            11 => format!(
                "    const char *text = \"abcdefgh\";\n    return strncmp(text, \"abd\", x & 3) == 0 ? data->head + {a}u : {small}u;\n"
            ),
            12 => format!(
                "    union {{\n        unsigned whole;\n        unsigned short halves[2];\n        unsigned char bytes[4];\n    }} word;\n\
                 \x20   word.whole = {a}u;\n    word.halves[1] = (unsigned short)x;\n    word.bytes[{}] += 3;\n    return word.whole;\n",
                small & 3
            ),
            13 => format!(
                "    struct padded zero;\n    memset(&zero, {small}, sizeof zero);\n    zero.tag = (char)x;\n    data->padded = zero;\n\
                 \x20   return data->padded.number;\n"
            ),
            _ if other == at as u64 => format!("    data->head = x;\n    return state_{at}@;\n"),
            _ => format!("    return {unit}_{other}@(data, x + {a}u) ^ {unit}_{other}@(data, {small}u);\n"),
        }
    }

    /// A function that is specialized: calls with known and unknown numbers, and tests of what it has stored.
    fn root(&mut self, at: usize) {
        let _ = write!(self.text, "\nunsigned root_{at}@(struct data *data, unsigned x)\n{{\n    unsigned all = x;\n");
        for _ in 0..2 + self.random.below(4) {
            let (a, called) = (self.number(), self.random.below(FUNCTIONS as u64));
            let unit = ["general", "general", "own"][self.random.below(3) as usize];
            let line = match self.random.below(5) {
                0 => format!(
                    "    data->head = {a}u;\n    all += {unit}_{called}@(data, {a}u);\n    if (data->head == {a}u)\n        all ^= 5u;"
                ),
                1 => format!("    data->low[2] = {a}u;\n    all ^= {unit}_{called}@(data, data->low[2]);"),
                2 => format!("    all += {unit}_{called}@(data, x);"),
                3 => format!("    if (x & 1)\n        all += {unit}_{called}@(data, {a}u);"),
                _ => format!("    all = all * 3 + {unit}_{called}@(data, {a}u);"),
            };
            let _ = writeln!(self.text, "{line}");
        }
        self.text.push_str("    return all;\n}\n");
    }
}
