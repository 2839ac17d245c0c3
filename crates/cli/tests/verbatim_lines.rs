//! `%` lines, wherever a description has them: in each output they stand in rpcgen's order before and behind what it defines.

use std::fs;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed};

/// Each line `%/* NAME */` is followed through the outputs.
const DESCRIPTIONS: [(&str, &str); 7] = [
    (
        "before, between and within all definitions",
        "%/* L0 */\n%/* L1 */\nconst A = 1;\n%/* L2 */\nenum e {\n%/* L3 */\n E1,\n%/* L4 */\n E2 };\n%/* L5 */\nstruct s { int a;\n\
         %/* L6 */\n int b; };\n%/* L7 */\ntypedef int t<>;\n%/* L8 */\nunion u switch (e d) {\n%/* L9 */\ncase E1: int x;\n\
         %/* L10 */\ndefault: void; };\n%/* L11 */\ntypedef opaque o[4];\n%/* L12 */\nconst B = 2;\n%/* L13 */\nprogram P {\n\
         %/* L14 */\n version V {\n%/* L15 */\n int F(s) = 1;\n%/* L16 */\n t G(void) = 2;\n%/* L17 */\n } = 1;\n%/* L18 */\n\
         version W {\n int F(s) = 1;\n%/* L19 */\n } = 2;\n%/* L20 */\n} = 0x20000001;\n%/* L21 */\n\
         program Q { version X { void N(void) = 0; } = 1; } = 0x20000002;\n%/* L22 */\nstruct z { int q; };\n%/* L23 */\n",
    ),
    ("nothing else", "%/* L0 */\n%/* L1 */\n"),
    ("at the end, without a newline", "struct s { int a; };\n%/* L0 */\n%/* L1 */"),
    (
        "under the symbols of the outputs",
        "#ifdef RPC_HDR\n%/* H */\n#endif\n#ifdef RPC_XDR\n%/* X */\n#endif\n#ifdef RPC_CLNT\n%/* C */\n#endif\n#ifdef RPC_SVC\n\
         %/* S */\n#endif\nstruct s { int a; };\n%/* L1 */\nprogram Q { version W { void N(s) = 0; } = 1; } = 0x20000002;\n\
         #ifdef RPC_SVC\n%/* S2 */\n#endif\n#ifdef RPC_CLNT\n%/* C2 */\n#endif\n",
    ),
    (
        "among types that hold each other",
        "struct b { int x; };\n%/* L1 */\nstruct a { b *x; string y<>; };\n%/* L2 */\nstruct l { int v; l *next; };\n%/* L3 */\n\
         typedef l *lp;\n%/* L4 */\ntypedef string st<>;\n%/* L5 */\nconst C = 5;\n%/* L6 */\ntypedef b bs[C];\n",
    ),
    (
        "around programs that come first",
        "%/* L0 */\nprogram P { version V { void F(void) = 1; } = 1; } = 0x20000001;\n%/* L1 */\nstruct s { int a; };\n%/* L2 */\n\
         program Q { version W { s G(s) = 1; } = 1; } = 0x20000003;\n%/* L3 */\n",
    ),
    (
        "without types",
        "%/* L0 */\nconst A = 2;\n%/* L1 */\nconst B = 3;\n%/* L2 */\n\
         program P { version V { void F(void) = 1; } = 1; } = 0x20000001;\n%/* L3 */\n",
    ),
];

const OUTPUTS: [&str; 5] = ["-h", "-c", "-l", "-m", "-s tcp"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, description) in DESCRIPTIONS {
        for output in OUTPUTS {
            let name = format!("% lines, {name}: rpcgen {output}");
            trials.push(oracle::trial(name, &["rpcgen", "cpp"], move || same_order(description, output)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn same_order(description: &str, output: &str) -> Result<(), Failed> {
    let folder = Scratch::new("verbatim")?;
    fs::write(folder.path().join("p.x"), description)?;
    let written = |mut command: Command| -> Result<Vec<String>, Failed> {
        let output_of = oracle::succeed(command.current_dir(folder.path()).args(output.split(' ')).arg("p.x"))?;
        Ok(sequence(&String::from_utf8_lossy(&output_of.stdout), output))
    };
    let expected = written(oracle::command("rpcgen"))?;
    for preferred in [&[][..], &["--prefer", "speed"], &["--prefer", "size"]] {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.args(["rpcgen", "--quiet"]).args(preferred).env_remove("CPP");
        let actual = written(whittle)?;
        if actual != expected {
            return Err(format!("{preferred:?}\nrpcgen:  {expected:?}\nwhittle: {actual:?}").into());
        }
    }
    Ok(())
}

/// The lines and the names that are defined, in order.
fn sequence(text: &str, output: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // The second form of routines, for other libraries, defines nothing else.
    let mut is_second_form = false;
    for line in text.lines() {
        is_second_form = line == "#else" || is_second_form && line != "#endif";
        let marker = line.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */"));
        let marker = marker.filter(|name| name.len() < 4 && !name.contains(' ')).map(|name| format!("%{name}"));
        let name = marker.or_else(|| if is_second_form { None } else { defined(line, output) });
        // A procedure of two versions is one macro.
        found.extend(name.filter(|name| !found.contains(name)));
    }
    found
}

/// What a line defines in such an output.
fn defined(line: &str, output: &str) -> Option<String> {
    if output == "-h" {
        let words: Vec<&str> = line.split(' ').collect();
        return match words[..] {
            ["#define", name, _] if name.len() < 3 => Some(name.to_string()),
            ["struct" | "enum", name, "{"] | ["enum", name, "WHITTLE_INT_ENUM", "{"] => Some(name.to_string()),
            ["typedef", .., "{"] => None,
            ["typedef", .., name] | ["}", name] => {
                Some(name.trim_matches('*').split(['[', ';']).next()?.to_string()).filter(|name| !name.is_empty())
            }
            _ => None,
        };
    }
    let (before, after) = line.split_once('(')?;
    let name = before.split_whitespace().next_back()?.trim_start_matches('*');
    let is_defined = match output {
        "-c" => after.starts_with("XDR *xdrs") && name.starts_with("xdr_"),
        "-l" => after.contains("CLIENT *clnt") && name.contains('_'),
        _ => after.starts_with("struct svc_req *rqstp"),
    };
    (is_defined && !line.ends_with(';')).then(|| name.to_string())
}
