//! Functions of the C library as the specializer knows them, held against the library itself: random calls with known,
//! partly known and unknown arguments, with several names for one area, and with areas that overlap.
//!
//! In: `library.txt`, a call or more of each function that is known. Each call stands in a function of its own, between areas
//! whose content is known: what it gives, what is in the areas afterwards and `errno` are compared.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use filetest::oracle;
use filetest::random::Random;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::compare::{Values, compile};
use crate::program::{BUILDS, WORK};
use crate::slice;
use crate::worker::{ENDLESS, Outcome, Request, specialize};

const CALLS: &str = include_str!("library.txt");
/// What the specializer knows to be left alone.
const EFFECTS: &str = include_str!("../../../effects/src/libc.effects");
const HEAD: &str = include_str!("library.h");

/// Programs of a run, which have all lines together, and of a soak.
const PROGRAMS: u64 = 6;
const PROGRAMS_OF_A_SOAK: u64 = 100;

/// Values of inputs that each program is tried on.
const TRIES: usize = 4;

/// A line: a function, what is compared of its result, and a call.
struct Line {
    name: &'static str,
    result: &'static str,
    call: &'static str,
}

fn lines() -> impl Iterator<Item = Line> {
    let line = |text: &'static str| {
        let mut parts = text.splitn(3, " | ");
        Some(Line { name: parts.next()?, result: parts.next()?, call: parts.next()? })
    };
    CALLS.lines().filter(|text| !text.starts_with('#')).filter_map(line)
}

/// A trial for each program, and one that sees to it that no function is known without a line.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("library: every function that is known is tried", all_are_tried)];
    trials.extend(
        slice::seeds(PROGRAMS, PROGRAMS_OF_A_SOAK)
            .map(|seed| oracle::trial(format!("library: calls {seed}"), &["gcc", "clang"], move || judge(seed))),
    );
    trials
}

fn all_are_tried() -> Result<(), Failed> {
    let described = EFFECTS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('(').next());
    let known: BTreeSet<&str> = described.filter(|name| !name.is_empty()).chain(::specialize::COMPUTED).collect();
    let tried: BTreeSet<&str> = lines().map(|line| line.name).collect();
    match known.symmetric_difference(&tried).next() {
        Some(name) if known.contains(name) => {
            Err(format!("`{name}` is known, and `library.txt` has no call of it").into())
        }
        Some(name) => Err(format!("`{name}` is called in `library.txt`, and nothing knows it").into()),
        None => Ok(()),
    }
}

fn judge(seed: u64) -> Result<(), Failed> {
    let scratch = Scratch::new("law-library")?;
    let folder = scratch.path();
    let Program { text, begin, roots, inputs } = program(seed);
    let source = folder.join("calls.c");
    fs::write(&source, text)?;
    fs::write(folder.join("begin.c"), begin)?;
    // The library itself, not what compilers know of it.
    let flags = ["-D_GNU_SOURCE", "-fno-builtin"].map(str::to_owned).to_vec();
    let request = Request {
        sources: vec![&source],
        roots: roots.iter().map(String::as_str).collect(),
        flags: flags.clone(),
        ..Request::default()
    };
    let residual = match specialize(&request, folder, WORK)? {
        Outcome::Residual(residual) => residual.text,
        Outcome::Refused(why) | Outcome::Crashed(why) => return Err(format!("seed {seed}: {why}").into()),
        Outcome::Endless => return Err(ENDLESS.into()),
    };
    let file = folder.join("residual.c");
    fs::write(&file, residual)?;
    let flags = [&flags[..], &[folder.join("begin.c").display().to_string()]].concat();
    let builds = [BUILDS[seed as usize % BUILDS.len()]];
    let original = compile(&source, &flags, &builds, folder, "original")??;
    let residual = compile(&file, &flags, &builds, folder, "residual")??;
    let mut random = Random::new(seed);
    let mut compared = 0;
    for turn in 0..TRIES {
        let given = (0..inputs).filter(|_| turn > 0 && random.chance(70)).collect::<Vec<_>>();
        let given: Vec<String> = given.iter().map(|at| format!("{at}={}", random.below(64))).collect();
        let values: Values = (given.join(" "), String::new());
        if let Some(expected) = original.expected(&values, folder)? {
            compared += 1;
            if let Some(why) = residual.difference(&values, &expected, folder)? {
                return Err(format!("seed {seed}, with {values:?}: {why}").into());
            }
        }
    }
    if compared == 0 { Err(format!("seed {seed}: no run could be compared").into()) } else { Ok(()) }
}

const RETURN_TWICE: [&str; 6] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext"];

/// A program of random calls.
struct Program {
    /// A function for each call.
    text: String,
    /// Another file, which calls them all.
    begin: String,
    roots: Vec<String>,
    inputs: usize,
}

/// The program that a seed gives, of every sixth line.
fn program(seed: u64) -> Program {
    let mut writer = Writer { random: Random::new(seed), inputs: 0, declared: String::new(), operands: 0 };
    let (mut text, mut roots) = (HEAD.to_owned(), Vec::new());
    let first = (seed % PROGRAMS) as usize;
    for (number, line) in lines().enumerate().skip(first).step_by(PROGRAMS as usize) {
        let name = format!("try_{number}");
        if RETURN_TWICE.contains(&line.name) {
            // What calls them is not specialized; what calls that is.
            text.push_str(&writer.function(&format!("{name}_as_it_stands"), &line));
            let _ = write!(text, "void {name}(void)\n{{\n    {name}_as_it_stands();\n}}\n\n");
        } else {
            text.push_str(&writer.function(&name, &line));
        }
        roots.push(name);
    }
    let mut begin = String::new();
    roots.iter().for_each(|root| begin.push_str(&format!("void {root}(void);\n")));
    begin.push_str("int main(void)\n{\n");
    roots.iter().for_each(|root| begin.push_str(&format!("    {root}();\n")));
    begin.push_str("    return 0;\n}\n");
    Program { text, begin, roots, inputs: writer.inputs }
}

struct Writer {
    random: Random,
    inputs: usize,
    /// Declarations of the operands of the call that is being written.
    declared: String,
    operands: usize,
}

impl Writer {
    fn function(&mut self, name: &str, line: &Line) -> String {
        (self.declared, self.operands) = (String::new(), 0);
        let call = self.call(line.call);
        let mut text = format!("/* {} */\nvoid {name}(void)\n{{\n    struct area a, b, c;\n", line.name);
        text.push_str("    char *end = 0;\n    (void)end;\n");
        if self.random.chance(50) {
            text.push_str("    law_see(&a);\n    law_see(&b);\n    law_see(&c);\n");
        }
        for area in ["a", "b", "c"] {
            let _ = writeln!(text, "    {area} = {};", ["numbers", "words", "letters"][self.below(3)]);
            if self.random.chance(40) {
                let at = self.below(5);
                let letter = self.unknown(i64::from(b'a' + at as u8), 25);
                let _ = writeln!(text, "    {area}.bytes[{at}] = (char)('a' + {letter} % 26);");
            }
        }
        text.push_str(&self.declared);
        text.push_str("    errno = 0;\n");
        let show = format!("\"{}\"", line.name);
        let _ = writeln!(text, "{}", result(line.result, &call, &show));
        let _ = writeln!(text, "    law_output(\"errno\", errno);");
        for area in ["a", "b", "c"] {
            let _ = writeln!(text, "    SHOW({area});");
        }
        text.push_str("}\n\n");
        text
    }

    /// The call with operands in place of what begins with `%`.
    fn call(&mut self, template: &str) -> String {
        let mut parts = template.split('%');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (kind, rest) = part.split_at(part.len().min(1));
            // `% 8` is C's.
            if kind == " " {
                text.push('%');
                text.push_str(part);
                continue;
            }
            text.push_str(&self.operand(kind));
            text.push_str(rest);
        }
        text
    }

    fn operand(&mut self, kind: &str) -> String {
        if kind == "s" {
            return "&end".to_owned();
        }
        self.operands += 1;
        let name = format!("x{}", self.operands);
        let place = |writer: &mut Self, area: &str| {
            let at = if writer.random.chance(25) { writer.unknown(1, 3) } else { writer.below(4).to_string() };
            format!("{area}.bytes + {at}")
        };
        let (ty, value) = match kind {
            "t" => (
                "const char *",
                match self.below(5) {
                    0 => ["\"\"", "\"12\"", "\"12ab\"", "\"ab\"", "\"abc\"", "\"\\xff z\""][self.below(6)].to_owned(),
                    1 => format!("fixed + {}", self.below(5)),
                    2 => place(self, "c"),
                    _ => place(self, "b"),
                },
            ),
            "w" => ("char *", place(self, "a")),
            "f" => ("const char *", place(self, "b")),
            "o" => {
                let area = ["a", "a", "b"][self.below(3)];
                ("const char *", place(self, area))
            }
            "n" => ("size_t", self.number(&["0", "1", "2", "3", "5", "8"], 7)),
            "c" => ("int", self.number(&["'1'", "'a'", "0", "'b' + 256", "-1", "255"], 127)),
            "h" => ("int", self.number(&["0", "1", "-1", "255", "32767", "-32768"], 9999)),
            "i" => ("int", self.number(&["0", "1", "-1", "0x12345678", "INT_MAX", "INT_MIN", "0x8000"], 9999)),
            "l" => ("long", self.number(&["0", "1", "-1", "0x123456789abcdefl", "LONG_MAX", "LONG_MIN"], 9999)),
            "d" | "e" => (if kind == "d" { "double" } else { "float" }, self.number(&DOUBLES, 40)),
            "F" => ("int", "law_file()".to_owned()),
            "P" => ("int", "law_socket()".to_owned()),
            _ => ("FILE *", "law_stream()".to_owned()),
        };
        let _ = writeln!(self.declared, "    {ty} {name} = {value};");
        name
    }

    fn number(&mut self, known: &[&str], most: u64) -> String {
        if self.random.chance(30) { self.unknown(2, most) } else { known[self.below(known.len())].to_owned() }
    }

    /// A number that only the outside knows, from 0 to `most`.
    fn unknown(&mut self, usual: i64, most: u64) -> String {
        self.inputs += 1;
        format!("(int)((unsigned long)law_input({}, {usual}) % {}u)", self.inputs - 1, most + 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }
}

/// Numbers that functions of `<math.h>` find hard.
const DOUBLES: [&str; 16] = [
    "0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.5", "16.0", "1e300", "-1e300", "1e-300", "1e30f", "-745.5", "-2000.0",
    "709.0", "5e-324", "3.0",
];

/// The statement that makes a call and shows what it gives.
fn result(kind: &str, call: &str, name: &str) -> String {
    match kind {
        "none" => format!("    {call};"),
        "sign" => format!("    law_output({name}, SIGN({call}));"),
        "truth" => format!("    law_output({name}, ({call}) != 0);"),
        "double" => format!("    law_double({name}, {call});"),
        "float" => format!("    law_double({name}, (double)({call}));"),
        "text" => format!("    law_output({name}, {call}[0]);"),
        "number" => format!("    law_output({name}, (long long)({call}));"),
        at => {
            let base = at.replace("at ", "x");
            format!("    {{ const char *at = {call}; law_output({name}, at == 0 ? -1 : at - {base}); }}")
        }
    }
}
