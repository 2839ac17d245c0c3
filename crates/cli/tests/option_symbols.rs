//! Options beside Debian's rpcgen: which calls succeed, which files they make, and what the object files of both tools' output
//! define, leave to the user, and declare. `DIFFERENCES` has all that is not the same, each with its reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed};

const DESCRIPTION: &str = "const N = 3;\nstruct pair { int a; string s<>; };\n#ifdef EXTRA\nstruct extra { int e; };\n#endif\n\
    program P { version V { int ADD(pair) = 1; void PING(void) = 2; pair GET(int) = 3; } = 1;\n\
    version W { int ADD(pair) = 1; } = 2; } = 0x20000001;\n";

/// For each file, options beside it. What rpcgen writes compiles with these; servers with `-5 -s`, `-n` or `-5 -M`, all with
/// `-T` and what `-I -M` gives do not.
const COMPILED: [(&str, &str); 9] = [
    ("-h", "|-N|-M|-N -M|-k|-DEXTRA|-5|-b|-C|-N -5|-N -M -k|-I -L"),
    ("-c", "|-N|-k|-DEXTRA|-M|-N -M|-5|-b -C|-i 0|-i 9 -L"),
    ("-l", "|-N|-M|-N -M|-k|-5|-b -C|-N -5|-M -5|-N -M -5|-i 0"),
    ("-m", "|-N|-M|-N -M|-I|-I -L|-I -K 5|-5|-5 -I|-L|-b -C|-k|-N -I|-N -5|-N -M -k"),
    ("-s tcp", "|-N -M|-I|-L|-I -K -1|-N|-M|-b -C -k|-N -I -L"),
    ("-s udp", "|-I -L|-M -L"),
    ("-s tcp -s udp", "|-N -I|-N -M -L"),
    ("-Sc", "|-N -M|-N|-M|-5|-N -M -5|-b -C -k"),
    ("-Ss", "|-N|-N -M|-M|-5|-M -5|-b -C -k"),
];

/// Calls whose status and files are compared; `command_line.rs` has those that are alike in any case.
const CALLS: &str = "-5 -n tcp -I p.x|-n tcp -I p.x|-5 -n tcp -n udp p.x|-5 -n tcp -L -o s.c p.x|-a -T p.x|-Sm -o out p.x|-h -Sm p.x\
    |-Sm -s tcp p.x|-K x p.x|-c -o p.x p.x|-h -o none/out p.x|-c none.x|-c -h -o out p.x|-I -L -m -o s.c p.x|-M -N -a p.x\
    |-T -N -m p.x|-t -N -o t.i p.x|-T -h -o p.h p.x|-i 0 -c -o c.c p.x|-m -K -o s.c p.x|-m -s tcp p.x|-l p.x q.x";

/// What is not as with rpcgen, on purpose: the call, as it begins, and why.
const DIFFERENCES: [(&str, &str); 5] = [
    ("-a -T", "rpcgen has no room for so many file names and fails; whittle writes all"),
    ("-Sm -o", "rpcgen refuses to name the Makefile; whittle writes it"),
    ("-h -Sm", "rpcgen ignores -Sm; whittle says that it makes one file"),
    ("-Sm -s", "rpcgen ignores -Sm; whittle says that it makes one file"),
    ("-K x", "rpcgen takes a word for 0 seconds; whittle refuses it"),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for call in CALLS.split('|') {
        let test = move || judge(call, results(call)?);
        trials.push(oracle::trial(format!("rpcgen {call}: status and files"), &["rpcgen", "cpp"], test));
    }
    for (file, options) in COMPILED {
        for options in options.split('|') {
            let call = format!("{file} {options}").trim_end().to_owned();
            let name = format!("rpcgen {call}: the same symbols");
            let test = move || judge(&call, symbols(&call)?);
            trials.push(oracle::trial(name, &["rpcgen", "cpp", "gcc", "nm"], test));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// rpcgen's and whittle's must be the same, unless the difference is known, which must be one then.
fn judge<T: PartialEq + std::fmt::Debug>(call: &str, [theirs, ours]: [T; 2]) -> Result<(), Failed> {
    let known = DIFFERENCES.iter().find(|(begin, _)| call.starts_with(begin));
    match (theirs == ours, known) {
        (true, None) | (false, Some(_)) => Ok(()),
        (true, Some((_, reason))) => Err(format!("no difference any more: {reason}").into()),
        (false, None) => Err(format!("rpcgen:  {theirs:?}\nwhittle: {ours:?}").into()),
    }
}

/// Both commands.
fn tools() -> [Command; 2] {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.args(["rpcgen", "--quiet"]).env_remove("CPP");
    [oracle::command("rpcgen"), whittle]
}

fn folder() -> Result<Scratch, Failed> {
    let folder = Scratch::new("options")?;
    for name in ["p.x", "q.x"] {
        fs::write(folder.path().join(name), DESCRIPTION)?;
    }
    Ok(folder)
}

/// The status, and the files afterwards.
type Behaviour = (Option<i32>, Vec<String>);

fn results(call: &str) -> Result<[Behaviour; 2], Failed> {
    let [theirs, ours] = tools().map(|mut tool| {
        let folder = folder()?;
        let output = tool.current_dir(folder.path()).args(call.split(' ')).output()?;
        // What is left of a call that failed is nothing to rely on.
        let names = if output.status.success() { folder.names() } else { Vec::new() };
        Ok::<_, Failed>((output.status.code(), names))
    });
    Ok([theirs?, ours?])
}

/// What an output defines, what it leaves to the user, what it declares.
fn symbols(call: &str) -> Result<[BTreeSet<String>; 2], Failed> {
    let [theirs, ours] = tools().map(|tool| symbols_of(tool, call));
    Ok([theirs?, ours?])
}

fn symbols_of(tool: Command, call: &str) -> Result<BTreeSet<String>, Failed> {
    let folder = folder()?;
    let at = folder.path();
    let run = |words: &str| {
        let mut command = Command::new(tool.get_program());
        command.current_dir(at).args(tool.get_args()).args(words.split(' ')).arg("p.x");
        oracle::succeed(&mut command)
    };
    // The header is made with the options that it depends on.
    let of_header = call.split(' ').filter(|word| ["-N", "-M", "-k", "-DEXTRA"].contains(word));
    let of_header: String = of_header.map(|word| format!(" {word}")).collect();
    run(&format!("-h{of_header} -o p.h"))?;
    run(&format!("{call} -o out.c"))?;
    if call.starts_with("-h") {
        fs::rename(at.join("out.c"), at.join("p.h"))?;
        fs::write(at.join("out.c"), "#include \"p.h\"\n")?;
    }
    let mut gcc = oracle::command("gcc");
    gcc.current_dir(at).args(["-w", "-c", "-aux-info", "declared", "-o", "out.o", "out.c"]);
    oracle::succeed(gcc.args(oracle::flags_of("libtirpc", "--cflags")))?;
    let mut found = declared(at, if call.starts_with("-h") { "p.h" } else { "none" })?;
    let output = oracle::succeed(oracle::command("nm").current_dir(at).arg("out.o"))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., kind, name] = words[..] else { continue };
        let is_asked =
            name.starts_with("xdr_pair") || name.contains("_1") || name.contains("_2") || name.contains("_rpc");
        if matches!(kind, "T" | "D" | "B" | "C" | "R") || (kind == "U" && is_asked) {
            found.insert(format!("{} {name}", if kind == "C" { "B" } else { kind }));
        }
    }
    Ok(found)
}

/// The functions that a header declares, with their types.
fn declared(folder: &Path, header: &str) -> Result<BTreeSet<String>, Failed> {
    let text = fs::read_to_string(folder.join("declared"))?;
    let of_header = format!("/* {header}:");
    let own = text.lines().filter(|line| line.starts_with(&of_header));
    Ok(own.filter_map(|line| Some(line.split_once("*/ ")?.1.to_owned())).collect())
}
