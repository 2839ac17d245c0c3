//! Random programs about contexts in callers' frames: recursive functions that are handed a structure which holds numbers of run time,
//! known numbers, a function to call next and the context above; they look at it, and some copy it, change it, keep its address or
//! compare it. A kind of [`bundle`](crate::bundle).

use std::fmt::Write;

use filetest::random::Random;
use libtest_mimic::Trial;

use crate::bundle::{self, Bundle, Kind};

const FUNCTIONS: usize = 4;
const ROOTS: usize = 2;

const DECLARATIONS: &str = "#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
struct state {
    unsigned total, counts[4];
    unsigned char bytes[8];
};
struct context {
    unsigned kind, number;
    unsigned (*step)(struct state *state, const struct context *context, unsigned x, unsigned depth);
    const struct context *up;
    unsigned long wide;
    double real;
    signed char small;
    unsigned short pair[2];
    unsigned flags : 5, rest : 11;
};
";

pub(crate) fn trials() -> Vec<Trial> {
    bundle::trials(Kind { name: "contexts", declarations: DECLARATIONS, write })
}

fn write(seed: u64, bundle: &mut Bundle) {
    let mut random = Random::new(seed);
    let is_quiet = random.chance(70);
    let mut writer = Writer { random: &mut random, is_quiet, text: String::new() };
    writer.text.push_str("static const struct context *kept@;\n");
    for at in 0..FUNCTIONS {
        let _ = writeln!(writer.text, "static unsigned step_{at}@{PARAMETERS};");
    }
    (0..FUNCTIONS).for_each(|at| writer.function(at));
    (0..ROOTS).for_each(|at| writer.root(at));
    let scenario = writer.text;
    bundle.add(seed, &scenario, &begin(&mut random), ROOTS);
}

const PARAMETERS: &str = "(struct state *state, const struct context *context, unsigned x, unsigned depth)";

/// The program that calls, and shows.
fn begin(random: &mut Random) -> String {
    let mut text = String::new();
    text.extend((0..ROOTS).map(|at| format!("unsigned root_{at}@(struct state *state, unsigned x);\n")));
    text.push_str("void begin@(void)\n{\n    static struct state state;\n    size_t i;\n");
    text.push_str(&bundle::calls(random, 8, ROOTS, "&state"));
    text.push_str(
        "    for (i = 0; i < 4; i++)\n        law_output(\"count\", state.counts[i] * 3LL + state.bytes[i]);\n",
    );
    text.push_str("    law_output(\"total\", state.total);\n}\n");
    text
}

struct Writer<'a> {
    random: &'a mut Random,
    /// Contexts are only looked at.
    is_quiet: bool,
    text: String,
}

impl Writer<'_> {
    /// A number, known or not.
    fn number(&mut self) -> String {
        let (known, shift) = (self.random.below(9), self.random.below(6));
        if self.random.chance(50) { format!("{known}u") } else { format!("(x >> {shift} & {})", known * 3 + 1) }
    }

    /// What a context's member holds, as a number.
    fn member(&mut self, of: &str) -> String {
        match self.random.below(8) {
            0 => format!("{of}kind"),
            1 => format!("(unsigned){of}wide"),
            2 => format!("(unsigned)({of}real * 4)"),
            3 => format!("(unsigned){of}small"),
            4 => format!("{of}pair[{}]", self.random.below(2)),
            5 => format!("{of}pair[x & 1]"),
            6 => format!("{of}{}", ["flags", "rest"][self.random.below(2) as usize]),
            _ => format!("{of}number"),
        }
    }

    /// A context of this frame, above which is the one that was given.
    fn context(&mut self, name: &str, up: &str) {
        let [kind, number, wide, small, pair, flags] = std::array::from_fn(|_| self.number());
        let (step, real) = (self.random.below(FUNCTIONS as u64), self.random.below(5));
        let real = if self.random.chance(50) { format!("{real}.5") } else { format!("(double)(x & {real})") };
        let _ = writeln!(
            self.text,
            "    struct context {name} = {{{kind}, {number}, step_{step}@, {up}, {wide}, {real}, (signed char){small}, \
             {{(unsigned short){pair}, 7}}, {flags} & 31, 3}};"
        );
    }

    fn statement(&mut self) -> String {
        let (number, a, b) = (self.number(), self.random.below(4), self.random.below(9));
        let member = self.member("context->");
        match self.random.below(18) {
            0 => format!("state->counts[{a}] += {member};"),
            1 => format!("state->counts[{member} & 3]++;"),
            2 => format!("if ({member} > {number})\n        all ^= {b}u;"),
            3 => {
                let above = self.member("context->up->");
                format!("if (context->up != NULL)\n        all = all * 3 + {above};")
            }
            4 => format!("for (i = 0; i < ({member} & 3); i++)\n        all = all * 2 + {number};"),
            5 => format!("state->bytes[{member} & 7] = (unsigned char){number};"),
            6 => format!(
                "switch ({member} & 3) {{\n    case 0: all += {number}; break;\n    case 1: state->total ^= {member}; break;\n    default: all++;\n    }}"
            ),
            7 => "copy = *context;".to_owned(),
            8 => format!("copy.number += {number};"),
            9 => format!("memset(copy.pair, {b}, sizeof copy.pair);"),
            10 => format!("copy.flags = {number} & 31;"),
            11 => format!("copy.up = {};", if self.random.chance(50) { "context" } else { "NULL" }),
            12 if !self.is_quiet => format!("((struct context *)context)->number += {number};"),
            13 if !self.is_quiet => format!("((struct context *)context)->rest = {number} & 7;"),
            14 if !self.is_quiet => "kept@ = context;".to_owned(),
            // The address of what has ended compares like nothing.
            15 if !self.is_quiet => "all += kept@ != NULL;".to_owned(),
            16 if !self.is_quiet => "memset(((struct context *)context)->pair, 1, 3);".to_owned(),
            17 => format!("state->total = state->total * 5 + {};", self.member("copy.")),
            _ => format!("all = all * 7 + {member};"),
        }
    }

    fn statements(&mut self, most: u64) {
        for _ in 0..1 + self.random.below(most) {
            let line = self.statement();
            let _ = writeln!(self.text, "    {line}");
        }
    }

    /// Calls go down, so that there is an end; what they are handed is there as long as they run.
    fn call(&mut self) {
        let handed = ["&next", "&next", "&copy", "context"][self.random.below(4) as usize];
        let callee = match self.random.below(3) {
            0 => "context->step".to_owned(),
            1 => "next.step".to_owned(),
            _ => format!("step_{}@", self.random.below(FUNCTIONS as u64)),
        };
        let _ = writeln!(self.text, "    all = all * 13 + {callee}(state, {handed}, x >> 1, depth - 1);");
        if self.random.chance(40) {
            let (number, member) = (self.number(), self.random.below(3) as usize);
            let _ = writeln!(self.text, "    next.{} = {number};", ["number", "kind", "wide"][member]);
        }
    }

    fn function(&mut self, at: usize) {
        let _ = writeln!(self.text, "\nstatic unsigned step_{at}@{PARAMETERS}\n{{\n    unsigned all = depth, i;");
        self.context("next", "context");
        self.text.push_str("    struct context copy = next;\n    i = 0;\n    (void)i;\n");
        self.statements(4);
        self.text.push_str("    if (depth == 0)\n        return all + context->number;\n");
        self.call();
        self.statements(3);
        if self.random.chance(50) {
            self.call();
        }
        self.statements(2);
        self.text.push_str("    return all + next.number * 3 + copy.pair[1] + context->kind;\n}\n");
    }

    /// A function that is specialized.
    fn root(&mut self, at: usize) {
        let _ = writeln!(self.text, "\nunsigned root_{at}@(struct state *state, unsigned x)\n{{");
        self.context("first", "NULL");
        self.context("second", "&first");
        let depth = match self.random.below(3) {
            0 => "x & 3".to_owned(),
            _ => format!("{}", self.random.below(4)),
        };
        let (one, other) = (self.random.below(FUNCTIONS as u64), self.random.below(FUNCTIONS as u64));
        let _ = writeln!(self.text, "    unsigned all = step_{one}@(state, &second, x, {depth});");
        let number = self.number();
        let _ = writeln!(self.text, "    first.number += {number};\n    second.pair[1]++;");
        let _ = writeln!(self.text, "    all = all * 17 + step_{other}@(state, &second, x >> 2, {depth});");
        // Nobody keeps the address of what ends here.
        self.text.push_str("    kept@ = NULL;\n    return all + first.number + second.number + second.rest;\n}\n");
    }
}
