//! Random interpreters with random guest programs: stacks, registers and frames in local objects, return addresses among data,
//! indices that only run time knows, several ways to dispatch. A kind of [`bundle`](crate::bundle).
//!
//! Every access is masked and every run has fuel, so that C leaves nothing open.

use filetest::random::Random;
use libtest_mimic::Trial;

use crate::bundle::{self, Bundle, INPUTS, Kind};

/// Words that operations are written in; `M` and `VALUE` are each program's own.
const DECLARATIONS: &str = "#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
#define ELEMENT(at) M(stack)[(at) & 7u]
#define SLOT(at) ELEMENT(at) VALUE
#define PUSH SLOT(M(sp)++)
#define POP SLOT(--M(sp))
#define TOP SLOT(M(sp) - 1u)
#define REG(at) M(reg)[(at) & 3u]
#define PC M(pc)
#define SP M(sp)
#define FP M(fp)
#define FRAME M(frames)[M(fp) & 3u]
#define HERE code[PC & 15u]
#define NEXT code[PC++ & 15u]
";

/// Bytes of a guest program.
const CODE: usize = 16;

const OPERATIONS: [&str; 32] = [
    "PUSH = NEXT;",
    "PUSH = x ^ NEXT;",
    "{ unsigned a = POP; TOP += a; }",
    "{ unsigned a = POP; TOP ^= a * 3u; }",
    "{ unsigned a = TOP; PUSH = a; }",
    "{ unsigned a = POP, b = POP; PUSH = a; PUSH = b; }",
    "{ unsigned at = NEXT; REG(at) = POP; }",
    "{ unsigned at = NEXT; PUSH = REG(at); }",
    "{ unsigned at = POP; REG(at) += 1u; }",
    "{ unsigned at = POP; SLOT(at) = x; }",
    "{ unsigned at = POP; PUSH = SLOT(at); }",
    "{ unsigned to = NEXT; if (POP & 1u) PC = to; }",
    "{ unsigned to = NEXT; if (POP < REG(0)) PC = to; }",
    "PC = HERE;",
    "{ unsigned to = NEXT; unsigned back = PC; PUSH = back; PC = to; }",
    "PC = POP;",
    "{ unsigned to = NEXT; FRAME.back = (unsigned char)PC; FRAME.base = (unsigned char)SP; FP++; PC = to; }",
    "FP--; PC = FRAME.back; SP = FRAME.base;",
    "FP--; PC = FRAME.back;",
    "{ unsigned to = NEXT, at = NEXT; if (--REG(at) & 3u) PC = to; }",
    "{ unsigned to = NEXT; if (REG(1) != 0) { REG(1) >>= 1; PC = to; } }",
    "return POP;",
    "{ unsigned at = NEXT; unsigned *to = &REG(at); *to = *to * 5u + x; }",
    "{ unsigned at = POP; unsigned *to = &REG(at); unsigned *from = &REG(1); *to += 2u; *from ^= *to; }",
    "memset(&REG(0), (int)NEXT, 2 * sizeof(unsigned));",
    "{ unsigned at = NEXT & 3u; memmove(&ELEMENT(at), &ELEMENT(at + 1u), 3 * sizeof ELEMENT(0)); }",
    "law_output(\"trace\", TOP);",
    "{ unsigned at = POP; REG(at) = SP; }",
    "SP = REG(0);",
    "switch (POP & 3u) { case 0: TOP = 7; break; case 1: REG(2)++; break; case 2: PC = 0; break; default: SP++; }",
    "{ unsigned i; for (i = 0; i < (x & 3u); i++) REG(i) += i; }",
    "{ unsigned i, all = 0; for (i = 0; i < 4; i++) all = all * 7u + REG(i); PUSH = all; }",
];

pub(crate) fn trials() -> Vec<Trial> {
    bundle::trials(Kind { name: "machines", declarations: DECLARATIONS, write })
}

/// How a machine is written. Names end with `@`, in whose place the seed comes.
struct Machine {
    operations: Vec<&'static str>,
    /// Of the stack.
    element: &'static str,
    /// The machine is a structure of the caller's, not local variables.
    is_lent: bool,
    dispatch: Dispatch,
    fuel: &'static str,
}

#[derive(Clone, Copy)]
enum Dispatch {
    Switch,
    Cascade,
    Continue,
}

fn write(seed: u64, bundle: &mut Bundle) {
    let mut random = Random::new(seed);
    let mut below = |limit: usize| random.below(limit as u64) as usize;
    let machine = Machine {
        operations: (0..5 + below(5)).map(|_| OPERATIONS[below(OPERATIONS.len())]).collect(),
        element: ["unsigned", "unsigned", "unsigned char", "unsigned short", "struct slot@"][below(5)],
        is_lent: below(2) == 0,
        dispatch: [Dispatch::Switch, Dispatch::Cascade, Dispatch::Continue][below(3)],
        fuel: ["24", "(x & 15u) + 9u", "200"][below(3)],
    };
    let is_general = below(2) == 0;
    let of_seed = |text: &str| text.replace('@', &format!("_{seed}"));
    bundle.scenario.push_str(&of_seed(&machine.types()));
    if is_general {
        bundle.general.push_str(&of_seed(&(machine.types() + &machine.run())));
        bundle.scenario.push_str(&of_seed(&format!("{};\n", machine.prototype())));
    } else {
        bundle.scenario.push_str(&of_seed(&machine.run()));
    }
    let code: Vec<String> = (0..CODE).map(|_| below(24).to_string()).collect();
    bundle.scenario.push_str(&of_seed(&machine.root(&code.join(", "))));
    bundle.roots.push(of_seed("root@"));
    let calls = (0..4)
        .map(|turn| format!("    law_output(\"root@\", root@((unsigned)law_input({}, {turn})));\n", below(INPUTS)));
    let calls: String = calls.collect();
    bundle.begin.push_str(&of_seed(&format!("unsigned root@(unsigned x);\nvoid begin@(void)\n{{\n{calls}}}\n")));
}

impl Machine {
    fn types(&self) -> String {
        format!(
            "struct slot@ {{\n    unsigned value;\n    unsigned char tag;\n}};\nstruct frame@ {{\n    unsigned char back, base;\n}};\n\
             struct machine@ {{\n    unsigned pc, sp, fp;\n    {} stack[8];\n    unsigned reg[4];\n    struct frame@ frames[4];\n}};\n",
            self.element
        )
    }

    fn prototype(&self) -> String {
        let lent = if self.is_lent { "struct machine@ *m, " } else { "" };
        format!("unsigned run@({lent}const unsigned char *code, unsigned x)")
    }

    /// The interpreter.
    fn run(&self) -> String {
        let member = if self.is_lent { "m->name" } else { "name" };
        let value = if self.element.starts_with("struct") { ".value" } else { "" };
        let own = format!(
            "    unsigned pc = 0, sp = 0, fp = 0;\n    {} stack[8];\n    unsigned reg[4] = {{1, 2, 3}};\n    struct frame@ frames[4];\n\
             \x20   memset(stack, 0, sizeof stack);\n    memset(frames, 0, sizeof frames);\n",
            self.element
        );
        let own = if self.is_lent { "" } else { &own };
        let (count, operations) = (self.operations.len(), self.operations());
        format!(
            "#define M(name) {member}\n#define VALUE {value}\n{}\n{{\n    unsigned fuel;\n{own}    (void)x;\n\
             \x20   for (fuel = {}; fuel != 0; fuel--) {{\n        unsigned operation = NEXT % {count}u;\n{operations}    }}\n\
             \x20   return TOP + REG(0) + REG(1) * 3u + SP;\n}}\n#undef M\n#undef VALUE\n",
            self.prototype(),
            self.fuel
        )
    }

    fn operations(&self) -> String {
        let operations = self.operations.iter().enumerate();
        match self.dispatch {
            Dispatch::Switch => {
                let cases = operations.map(|(number, text)| format!("        case {number}: {text} break;\n"));
                format!("        switch (operation) {{\n{}        }}\n", cases.collect::<String>())
            }
            Dispatch::Cascade => {
                let arms =
                    operations.map(|(number, text)| format!("        if (operation == {number}) {{ {text} }}\n"));
                arms.collect::<Vec<_>>().join("        else\n")
            }
            Dispatch::Continue => operations
                .map(|(number, text)| format!("        if (operation == {number}) {{ {text} continue; }}\n"))
                .collect(),
        }
    }

    /// A function that runs a guest program that is known.
    fn root(&self, code: &str) -> String {
        let head = format!("static const unsigned char code@[{CODE}] = {{{code}}};\nunsigned root@(unsigned x)\n{{\n");
        if !self.is_lent {
            return head + "    return run@(code@, x) + 5u;\n}\n";
        }
        head + "    struct machine@ machine;\n    unsigned all, i;\n    memset(&machine, 0, sizeof machine);\n    machine.sp = 2;\n\
                \x20   machine.reg[1] = x;\n    all = run@(&machine, code@, x);\n    for (i = 0; i < 4; i++)\n\
                \x20       all = all * 31u + machine.reg[i];\n    return all;\n}\n"
    }
}
