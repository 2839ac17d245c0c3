//! What scenarios say, as the specializer understands it: for each annotation, whether a value is known behind it. Contracts and
//! `--why` agree on that.

use std::fs;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

const HEAD: &str = "\
#include <whittle/specialize.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum e { A, B, C };
struct s { int n; struct s *next; unsigned long size; const struct ops *ops; };
struct ops { int (*a)(int); };
int ask(void);
int tell(int *);
static int twice(int x) { return 2 * x; }
const struct ops table = { twice };
struct s one;
int count;
static int hidden;
static int more(int x) { return x > 5; }
static int asked(void) { return ask(); }
";

/// The parameters, what is said and done, the value, and whether it is known.
const CASES: [(&str, &str, &str, bool); 67] = [
    ("int n", "WHITTLE_FACT(n == 20);", "n", true),
    ("int n", "WHITTLE_ASSUME(n == 20);", "n", true),
    ("int n", "WHITTLE_USUALLY(n == 20); if (n != 20) return 0;", "n", true),
    ("char n", "WHITTLE_FACT(n == 20);", "n", true),
    ("enum e x", "WHITTLE_FACT(x == B);", "x", true),
    ("int n", "WHITTLE_FACT(!n);", "n", true),
    ("int n", "WHITTLE_FACT(n);", "n", false),
    ("void", "WHITTLE_FACT(count == 20);", "count", true),
    ("int *a", "WHITTLE_FACT(a[2] == 20);", "a[2]", true),
    ("struct s *p", "WHITTLE_FACT(p->n == 20);", "p->n", true),
    ("struct s *p", "WHITTLE_FACT(p->size == sizeof(int));", "p->size", true),
    // Relations and parts of numbers.
    ("int n", "WHITTLE_FACT(n != 3);", "n == 3", true),
    ("int n", "WHITTLE_FACT(n > 5);", "n > 5", true),
    ("int n", "WHITTLE_FACT(n > 5);", "more(n)", true),
    ("struct s *p", "WHITTLE_FACT(p->n > 5);", "p->n > 5", true),
    ("int n", "WHITTLE_FACT((n & 3) == 0);", "n & 3", true),
    ("unsigned n", "WHITTLE_FACT(n % 4 == 0);", "n % 4", true),
    ("int n, int m", "WHITTLE_FACT(n == 3 && m == 4);", "n + m", true),
    // Pointers.
    ("struct s *p", "WHITTLE_FACT(p == &one); one.n = 4;", "p->n", true),
    ("struct s *p", "WHITTLE_FACT(p->ops == &table);", "p->ops->a(3)", true),
    ("int (*f)(int)", "WHITTLE_FACT(f == twice);", "f(3)", true),
    ("struct s *p", "WHITTLE_FACT(p->next == 0);", "p->next == 0", true),
    ("struct s *p", "WHITTLE_FACT(p->next != 0);", "p->next == 0", true),
    ("struct s *p", "WHITTLE_FACT(p != 0);", "p == 0", true),
    ("struct s *p", "", "p == 0", false),
    ("struct s *p, struct s *q", "WHITTLE_FACT(q == p); p->n = 4;", "q->n", true),
    ("char *p, char *q", "WHITTLE_FACT(q == p + 4); p[4] = 3;", "*q", true),
    ("char *b", "WHITTLE_FACT(((unsigned long)b & 3) == 0);", "(unsigned long)b & 3", true),
    ("char *b", "WHITTLE_FACT((unsigned long)b % 4 == 0);", "(unsigned long)b % 4", true),
    ("char *b", "WHITTLE_FACT(((unsigned long)b & 3) == 0);", "(unsigned long)(b + 4) & 3", true),
    // Memory of others.
    ("struct s *p", "WHITTLE_FACT(p->n == 20); ask();", "p->n", false),
    ("struct s *p", "WHITTLE_FACT(p->n == 20); WHITTLE_PRIVATE(p); ask();", "p->n", true),
    (
        "struct s *p, int *q",
        "WHITTLE_FACT(p->n == 20); WHITTLE_PRIVATE(p); for (int i = 0; i < 3; i++) q[i] = ask();",
        "p->n",
        true,
    ),
    ("struct s *p, int *q", "WHITTLE_FACT(p->n == 20); *q = 3;", "p->n", false),
    ("struct s *p, int *q", "WHITTLE_FACT(p->n == 20); WHITTLE_PRIVATE(p); *q = 3;", "p->n", true),
    ("void", "int n = 4; ask();", "n", true),
    ("void", "int n = 4; tell(&n);", "n", false),
    ("void", "count = 4; ask();", "count", false),
    ("void", "hidden = 4; ask();", "hidden", false),
    ("void", "int n = 4; WHITTLE_DYNAMIC(n);", "n", false),
    ("void", "int n = 4; WHITTLE_DYNAMIC(n); n = 5;", "n", true),
    ("void", "struct s x = { 4, 0, 5, 0 }; WHITTLE_DYNAMIC(x.n);", "x.n", false),
    ("void", "struct s x = { 4, 0, 5, 0 }; WHITTLE_DYNAMIC(x.n);", "(int)x.size", true),
    ("int k", "int t[4] = { 1, 0, 3, 1 }; WHITTLE_DYNAMIC(t[k & 3]);", "t[0]", false),
    ("int k, int *p", "", "k <= k && !(p != p)", true),
    ("void", "WHITTLE_GENERAL(twice);", "twice(4)", false),
    ("void", "WHITTLE_GENERAL(more);", "twice(4)", true),
    // What functions usually return.
    ("void", "WHITTLE_USUALLY_RETURNS(ask, 7); int n = ask(); if (n != 7) return 0;", "n", true),
    ("void", "WHITTLE_USUALLY_RETURNS(ask, 7); int n = asked(); if (n != 7) return 0;", "n", true),
    ("struct s *p", "WHITTLE_USUALLY_RETURNS(ask, 7); p->n = ask(); if (p->n != 7) return 0;", "p->n", true),
    // Functions that are described.
    ("void", "count = 4; if (write(1, \"\", 1) < 0) return 0;", "count", true),
    ("void", "int n = 4; if (write(1, &n, 4) < 0) return 0;", "n", true),
    ("void", "int n = 4; tell(&n); n = 5; if (write(1, \"\", 1) < 0) return 0;", "n", true),
    ("void", "int n = 4; if (read(1, &n, 4) < 0) return 0;", "n", false),
    ("void", "char c; count = 4; if (read(1, &c, 1) < 0) return 0;", "count", false),
    ("struct s *p", "p->n = 4; if (write(1, \"\", 1) < 0) return 0;", "p->n", false),
    ("void", "struct s x; memset(&x, 0, sizeof x);", "x.n", true),
    ("void", "struct s *x = calloc(1, sizeof *x); if (!x) return 0;", "x->n", false),
    ("void", "struct s *x = malloc(sizeof *x); if (!x) return 0; x->n = 4;", "x->n", true),
    ("void", "", "strlen(\"four\")", true),
    ("void", "", "*strchr(\"four\", 114)", true),
    ("void", "int n = 16;", "__builtin_clz(n)", true),
    ("int n", "", "__builtin_constant_p(n)", true),
    ("void", "double d = 16.0;", "(int)__builtin_sqrt(d)", true),
    // What changes under tests that are not known.
    ("int m", "int n = 0; for (int i = 0; i < 4; i++) n += i;", "n", true),
    ("int m", "int n = m > 3 ? 1 : 2;", "n", true),
    ("int m", "int n = 0; for (int i = 0; i < m; i++) n += 1;", "n", false),
];

fn main() {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = CASES
        .into_iter()
        .map(|case| {
            let name = format!("{} ({}): {}", case.1, case.0, case.2);
            oracle::trial(name, &["clang"], move || check(case))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn check((parameters, said, value, expected): (&str, &str, &str, bool)) -> Result<(), Failed> {
    let folder = Scratch::new("annotations")?;
    let text = format!(
        "{HEAD}WHITTLE_SPECIALIZE int root({parameters})\n{{\n    {said}\n    int wanted = ({value});\n    \
         WHITTLE_STATIC(wanted);\n    return wanted;\n}}\n"
    );
    fs::write(folder.path().join("use.c"), &text)?;
    let run = |words: &[&str]| -> Result<(bool, String), Failed> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = command.current_dir(folder.path()).args(["specialize", "use.c"]).args(words).output()?;
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ok((output.status.success(), said))
    };
    let (kept, refusal) = run(&[])?;
    if !kept && !refusal.contains("`WHITTLE_STATIC`: the value is not known here") {
        return Err(refusal.into());
    }
    let (_, answer) = run(&["--why", "root:wanted"])?;
    let known = answer.contains("`root:wanted` is known wherever it is used");
    if !known && !answer.contains("why is `root:wanted` not known?") {
        return Err(answer.into());
    }
    match (kept, known) {
        (kept, known) if kept != known => Err(format!("kept: {kept}, known: {known}\n{answer}{refusal}").into()),
        _ if kept != expected => Err(format!("{kept}, not {expected}:\n{answer}{refusal}").into()),
        _ => Ok(()),
    }
}
