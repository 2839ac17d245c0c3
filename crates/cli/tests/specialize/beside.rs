//! Residual code beside the general code: what has one copy in the original program has one copy here, and calls of both
//! in any order give what they gave.

use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::{here, whittle};

/// A scenario, general code, and a program that calls functions of both.
struct Case {
    name: &'static str,
    roots: &'static [&'static str],
    scenario: &'static str,
    general: &'static str,
    program: &'static str,
    /// What the residual code says, and what it does not.
    has: &'static [&'static str],
    lacks: &'static [&'static str],
    /// What it says where it shares static variables.
    shares: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "a static variable of the general code has one copy",
        roots: &["step"],
        scenario: "int next(void);\nint step(void) { return next(); }\n",
        general: "static int counter, limit = 10;\n\
                  int next(void) { counter += 2; if (counter > limit) counter = 0; return counter; }\n\
                  void set_limit(int to) { limit = to; }\n",
        program: "int next(void), step(void); void set_limit(int);\n\
                  int main(void) { int i; for (i = 0; i < 20; i++) {\n\
                  printf(\"%d\\n\", i % 3 ? step() : next()); if (i == 9) set_limit(6); } return 0; }\n",
        has: &["return next();"],
        lacks: &["counter"],
        shares: &["t1 > whittle_general_limit"],
    },
    Case {
        name: "a static function that changes a static variable is called through what calls it",
        roots: &["step"],
        scenario: "int next(int by); int twice(int x);\nint step(void) { return twice(3) + next(2); }\n",
        general: "static int counter;\nstatic void bump(int by) { counter += by; }\n\
                  int next(int by) { bump(by); return counter; }\nint twice(int x) { return x * 2; }\n",
        program: "int next(int), step(void);\n\
                  int main(void) { int i; for (i = 0; i < 9; i++) printf(\"%d\\n\", i % 2 ? step() : next(i)); return 0; }\n",
        has: &["6 + "],
        lacks: &["counter", "bump", "twice"],
        shares: &["return 6 + t1;"],
    },
    Case {
        name: "a structure that nobody looks at gets no variable",
        roots: &["step"],
        scenario: "struct pair { long a, b, c; };\nstruct pair next(int *at);\n\
                   void skip(int *at, int n) { while (n-- > 0) next(at); }\n\
                   int step(int *at, int n) { skip(at, n & 1); return (*at > 4) != 0; }\n",
        general: "struct pair { long a, b, c; };\n\
                  struct pair next(int *at) { struct pair made = { 1, 2, 3 }; *at += 1; made.a = *at; return made; }\n",
        program: "int step(int *, int); void skip(int *, int);\n\
                  int main(void) { int i, at = 0; for (i = 0; i < 9; i++) { int made; skip(&at, i & 3); made = step(&at, i); printf(\"%d %d\\n\", made, at); }\n\
                  return 0; }\n",
        has: &["        next(at);\n", "return *at > 4;"],
        lacks: &["struct pair t1"],
        shares: &[],
    },
    Case {
        name: "a function's own static variable has one copy in a file",
        roots: &["step"],
        scenario: "int next(void) { static int n; return ++n; }\nint step(void) { return next(); }\n",
        general: "",
        program: "int next(void), step(void);\n\
                  int main(void) { int i; for (i = 0; i < 9; i++) printf(\"%d\\n\", i % 3 ? step() : next()); return 0; }\n",
        has: &[],
        lacks: &[],
        shares: &[],
    },
    Case {
        name: "which pointer is less, within one buffer, does not keep other tables from being copied",
        roots: &["write_hex"],
        scenario: "int put(char *into, int base, unsigned value);\nint write_hex(char *into, unsigned v) { return put(into, 16, v); }\n",
        general: "static const char digits[] = \"0123456789abcdef\";\n\
                  int put(char *into, int base, unsigned value) { char buffer[40], *at = buffer + 40, *start = into;\n\
                  const char *set = base == 8 ? digits + 8 : digits; do *--at = set[value % (unsigned)base]; while ((value /= (unsigned)base) != 0);\n\
                  while (at < buffer + 40) *into++ = *at++; *into = 0; return (int)(into - start); }\n",
        program: "int put(char *, int, unsigned), write_hex(char *, unsigned);\n\
                  int main(void) { char text[50]; unsigned i; for (i = 1; i < 99999999; i = i * 7 + 3) {\n\
                  int a = i % 2 ? write_hex(text, i) : put(text, 10, i); printf(\"%d %s\\n\", a, text); } return 0; }\n",
        has: &["digits["],
        lacks: &["put("],
        shares: &[],
    },
    Case {
        name: "whether two pointers into one string are equal does not keep tables from being copied",
        roots: &["write_two"],
        scenario: "int put(char *into, const char *format, ...);\nint write_two(char *into, int v) { return put(into, \"a%xb%X\", v, v); }\n",
        general: "#include <stdarg.h>\nstatic char *hex(char *into, int value, int upper) { static const char lower[] = \"0123456789abcdef\", \
                  capital[] = \"0123456789ABCDEF\";\n\
                  const char *set = upper ? capital : lower; *into++ = set[value >> 4 & 15]; *into++ = set[value & 15]; return into; }\n\
                  int put(char *into, const char *format, ...) { va_list list; char *start = into; va_start(list, format);\n\
                  while (*format != 0) { const char *from = format; while (*format != 0 && *format != '%') format++;\n\
                  while (from != format) *into++ = *from++;\n\
                  if (*format == 0) break; into = hex(into, va_arg(list, int), format[1] == 'X'); format += 2; }\n\
                  va_end(list); *into = 0; return (int)(into - start); }\n",
        program: "int put(char *, const char *, ...), write_two(char *, int);\n\
                  int main(void) { char text[50]; int i; for (i = 1; i < 99999999; i = i * 7 + 3) {\n\
                  int a = i % 2 ? write_two(text, i) : put(text, \"%x!\", i); printf(\"%d %s\\n\", a, text); } return 0; }\n",
        has: &["capital["],
        lacks: &["put(", "va_"],
        shares: &[],
    },
    Case {
        name: "tables that are ordered by their addresses and stand in another table have one copy",
        roots: &["first"],
        scenario: "struct span { const char *from, *to; }; const struct span *span(void); int inside(const char *);\n\
                   const char *begin(void); int first(void) { return inside(begin()); }\n",
        general: "struct span { const char *from, *to; };\nstatic const char text[] = \"abc\";\n\
                  static const struct span whole = { text, text + 3 };\nconst struct span *span(void) { return &whole; }\n\
                  const char *begin(void) { return text + 1; }\n\
                  int inside(const char *at) { const struct span *in = span(); return at >= in->from && at < in->to; }\n",
        program: "int first(void), inside(const char *); const char *begin(void);\n\
                  int main(void) { printf(\"%d %d\\n\", first(), inside(begin())); return 0; }\n",
        has: &[],
        lacks: &["\"abc\""],
        shares: &[],
    },
    Case {
        name: "tables that are compared by their addresses have one copy",
        roots: &["open_both"],
        scenario: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                   void open_memory(struct stream *); int is_memory(const struct stream *);\n\
                   int open_both(struct stream *s) { open_memory(s); return s->kind; }\n",
        general: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                  static int get(void) { return 7; }\nstatic const struct ops memory = { get };\n\
                  void open_memory(struct stream *s) { s->ops = &memory; s->kind = 3; }\n\
                  int is_memory(const struct stream *s) { return s->ops == &memory; }\n",
        program: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                  int is_memory(const struct stream *), open_both(struct stream *);\n\
                  int main(void) { struct stream s; int kind = open_both(&s);\n\
                  printf(\"%d %d %d\\n\", kind, is_memory(&s), s.ops->get()); return 0; }\n",
        has: &[],
        lacks: &["memory = {"],
        shares: &[],
    },
    Case {
        name: "tables that nobody compares are copied",
        roots: &["open_both"],
        scenario: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                   void open_memory(struct stream *);\n\
                   int open_both(struct stream *s) { open_memory(s); return s->ops->get(); }\n",
        general: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                  static int get(void) { return 7; }\nstatic const struct ops memory = { get };\n\
                  void open_memory(struct stream *s) { s->ops = &memory; s->kind = 3; }\n",
        program: "struct ops { int (*get)(void); }; struct stream { const struct ops *ops; int kind; };\n\
                  int open_both(struct stream *);\n\
                  int main(void) { struct stream s; int got = open_both(&s); printf(\"%d %d\\n\", got, s.ops->get()); return 0; }\n",
        has: &["return 7;"],
        lacks: &["open_memory"],
        shares: &[],
    },
    Case {
        name: "static functions that are compared have one copy",
        roots: &["install"],
        scenario: "typedef int (*hook)(int); void set(hook *to);\nint install(hook *to) { set(to); return 4; }\n",
        general: "typedef int (*hook)(int);\nstatic int plain(int x) { return x + 1; }\n\
                  void set(hook *to) { *to = plain; }\nint is_plain(hook h) { return h == plain; }\n",
        program: "typedef int (*hook)(int); int install(hook *), is_plain(hook);\n\
                  int main(void) { hook h; install(&h); printf(\"%d %d\\n\", is_plain(h), h(3)); return 0; }\n",
        has: &["set(to);"],
        lacks: &["plain"],
        shares: &[],
    },
    Case {
        name: "tables of functions with state lead to the general code's",
        roots: &["use"],
        scenario: "struct ops { int (*add)(int); int (*half)(int); }; extern const struct ops counting;\n\
                   int use(int x) { return counting.add(x) + counting.half(10); }\n",
        general: "struct ops { int (*add)(int); int (*half)(int); };\nstatic int all;\n\
                  static int add(int x) { return all += x; }\nstatic int half(int x) { return x / 2; }\n\
                  extern const struct ops counting;\nconst struct ops counting = { add, half };\n",
        program: "struct ops { int (*add)(int); int (*half)(int); }; extern const struct ops counting; int use(int);\n\
                  int main(void) { int i; for (i = 0; i < 6; i++) printf(\"%d\\n\", i % 2 ? use(i) : counting.add(i)); return 0; }\n",
        has: &["counting"],
        lacks: &["all"],
        shares: &[],
    },
    Case {
        name: "a whole program does not share its state with a copy",
        roots: &["main"],
        scenario: "int printf(const char *, ...); int next(void); int many(int, ...);\n\
                   int main(void) { int i; for (i = 0; i < 4; i++) printf(\"%d\\n\", next());\n\
                   printf(\"%d\\n\", many(1, 2)); printf(\"%d\\n\", next()); return 0; }\n",
        general: "#include <stdarg.h>\nstatic int counter;\nint next(void) { return ++counter; }\n\
                  int many(int n, ...) { va_list l; va_start(l, n); counter += va_arg(l, int); va_end(l); return counter; }\n",
        program: "",
        has: &[],
        lacks: &["counter"],
        shares: &[],
    },
    Case {
        name: "a whole program owns the state of files that it does without",
        roots: &["main"],
        scenario: "int printf(const char *, ...); int next(void);\n\
                   int main(void) { int i; for (i = 0; i < 2; i++) next(); printf(\"%d\\n\", next()); return 0; }\n",
        general: "static int counter;\nint next(void) { return ++counter; }\n",
        program: "",
        has: &["3"],
        lacks: &["counter", "next"],
        shares: &[],
    },
    Case {
        name: "constructors and objects in sections stay in the scenario's file",
        roots: &["step"],
        scenario: "static int begun;\n__attribute__((constructor)) static void begin(void) { begun = 5; }\n\
                   int shown = 3;\n__attribute__((used)) static const char note[] = \"kept\";\n\
                   int step(int x) { return begun + x * 2 + 0 * 7; }\n",
        general: "",
        program: "int step(int); extern int shown;\nint main(void) { printf(\"%d %d\\n\", step(3), shown); return 0; }\n",
        has: &["\"kept\""],
        lacks: &[],
        shares: &[],
    },
];

/// A trial for each case.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> =
        CASES.iter().map(|case| oracle::trial(case.name, &["clang", "gcc"], || compare(case))).collect();
    trials.push(oracle::trial("static variables of two sources of one name are shared", &["clang", "gcc"], one_name));
    trials
}

/// A file for each source, whatever folder it is in; none without a name for the residual file.
fn one_name() -> Result<(), Failed> {
    let scratch = Scratch::new("beside-names")?;
    let folder = scratch.path();
    fs::write(folder.join("use.c"), "int a(int), b(int);\nint both(int x) { return a(x) + b(1); }\n")?;
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name))?;
        let text = format!("static int n;\nint {name}(int x) {{ n += x; return n; }}\n");
        fs::write(folder.join(name).join("general.c"), text)?;
    }
    let arguments = ["--share-statics", "--root", "both", "use.c", "a/general.c", "b/general.c"];
    let shown = whittle(folder).args(arguments).output()?;
    if shown.status.code() != Some(2) || !shown.stdout.is_empty() {
        return Err(format!("no file is named, and it is not refused: {shown:?}").into());
    }
    oracle::succeed(whittle(folder).args(arguments).args(["-o", "residual.c"]))?;
    let mut gcc = oracle::command("gcc");
    gcc.current_dir(folder).args(["-Wall", "-Werror", "-shared", "-fPIC", "-Wl,-z,defs", "-o", "all.so", "residual.c"]);
    oracle::succeed(gcc.args(["general.shared.c", "general_2.shared.c"]))?;
    Ok(())
}

fn compare(case: &Case) -> Result<(), Failed> {
    let scratch = Scratch::new("beside")?;
    let folder = scratch.path();
    let program = format!("#include <stdio.h>\n{}", case.program);
    for (name, text) in [("use.c", case.scenario), ("general.c", case.general), ("program.c", &program)] {
        fs::write(folder.join(name), text)?;
    }
    let residual = specialize(case, folder, &["-o", "residual.c"])?;
    expect(&residual, case.has, true)?;
    expect(&residual, case.lacks, false)?;
    let original = run(folder, ["use.c", "general.c"], ("gcc", "-O1"))?;
    let same = |general: &str, residual: &str| {
        for build in [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O2")] {
            let found = run(folder, ["residual.c", general], build)?;
            if found != original {
                return Err(Failed::from(format!("{build:?}: {found} for {original}\n{residual}")));
            }
        }
        Ok(())
    };
    same("general.c", &residual)?;
    let sharing = specialize(case, folder, &["--share-statics", "-o", "residual.c"])?;
    expect(&sharing, case.shares, true)?;
    let general = if folder.join("general.shared.c").is_file() { "general.shared.c" } else { "general.c" };
    same(general, &sharing)
}

/// The residual code.
fn specialize(case: &Case, folder: &Path, options: &[&str]) -> Result<String, Failed> {
    let mut command = whittle(folder);
    for root in case.roots {
        command.args(["--root", root]);
    }
    oracle::succeed(command.args(["use.c", "general.c"]).args(options))?;
    Ok(fs::read_to_string(folder.join("residual.c"))?)
}

fn expect(residual: &str, words: &[&str], wanted: bool) -> Result<(), Failed> {
    let Some(word) = words.iter().find(|word| residual.contains(**word) != wanted) else { return Ok(()) };
    let verb = if wanted { "lacks" } else { "has" };
    Err(format!("the residual code {verb} `{word}`:\n{residual}").into())
}

/// What the program prints with these files beside it.
fn run(folder: &Path, sources: [&str; 2], (compiler, level): (&str, &str)) -> Result<String, Failed> {
    let mut command = oracle::command(compiler);
    let own = format!("-I{}", here("../../runtime/include").display());
    command.current_dir(folder).args(["-w", level, &own, "-o", "program", "program.c"]).args(sources);
    oracle::succeed(&mut command)?;
    let output = Command::new(folder.join("program")).output()?;
    Ok(format!("{}{:?}", String::from_utf8_lossy(&output.stdout), output.status.code()))
}
