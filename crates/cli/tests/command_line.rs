//! The command line from outside: `whittle rpcgen` beside the real rpcgen, call by call; what is written and what is
//! not; the names under which the command answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

const WHITTLE: &str = env!("CARGO_BIN_EXE_whittle");

/// Calls on which both must agree: the files they make, the exit status, the channels they speak on.
const CALLS: &str = "\
b.x|-a b.x|-aNC b.x|-T b.x|-N b.x|-N -T b.x|-N -t b.x|-NT b.x|-t b.x|-h b.x|-h|-c|-l|-m|-t|-Sc|-Ss|-Sm|-s tcp|-s tcp b.x\
|-n tcp b.x|-5 -n tcp b.x|-n tcp|-s tcp -s udp b.x|-s foo b.x|-o x.h b.x|-h -o x.h b.x|-h -o x.h|-c -h b.x|-hc b.x\
|-h -h b.x|-hh b.x||-Z b.x|b.x c.x|nofile.x|-h nofile.x|-C b.x|-k b.x|-b b.x|-5 b.x|-Sx b.x|-S b.x|-Scs b.x|-Sc b.x\
|-Ss b.x|-Sm b.x|-i 0 b.x|-i0 b.x|-i x b.x|-i b.x|-i -5 b.x|-K 5 b.x|-K -1 b.x|-I -K 5 b.x|-IK 5 b.x|-I b.x|-I -5 b.x\
|-K|-D b.x|-DX b.x|-DX=1 b.x|-DX=1=2 b.x|-D1X b.x|-D X b.x|-Y /usr/bin b.x|-Y/usr/bin b.x|-Y /nonexistent b.x|-L b.x\
|-M b.x|-MN b.x|--help|--version|--versio|--foo|-a -h b.x|-ah b.x|-a -o q b.x|-a -s tcp b.x|-a|-T|-|-- b.x|- b.x\
|b.x -h|b.x -a|-h b.x -N|-o|-h -o|-o x.h|-o x.h -o y.h b.x|-h -o x -o y b.x|-hN b.x|-No foo b.x|-hofoo b.x|-ho foo b.x\
|-aI b.x|-mN b.x|-5I b.x|-b -5 b.x|-n tcp -s tcp b.x|-5 -n tcp -s tcp b.x|-5 -s tcp b.x|-5 -s circuit_v b.x\
|-s circuit_v b.x|-5 -s foo b.x|-5 -a b.x|-5 -m b.x|-J b.x|-v b.x|-q|-? b.x|-h -T b.x|-hT b.x|-tT b.x|-I -5 -K 5 b.x\
|-I -K -1 b.x|-ss|-stcp b.x|-ntcp -5 b.x|-U X b.x|-UX b.x|types.x|sub/b.x|noext|b.idl|a.b.x|-a types.x|-T types.x\
|-Sm sub/b.x|-hDX b.x|-hi b.x|-hY /usr/bin b.x|-cs tcp b.x|-sc tcp b.x|-hSc b.x|-D|-h -DX=1|-MNC5 b.x|-lM b.x|-ltT b.x\
|-aSs b.x|-Sca b.x|-h sub|sub|empty.x|constants.x|-c constants.x|-l constants.x|-c -o out.c constants.x|lines.x|void.x\
|-h empty.x|-Sc void.x|-Ss void.x|broken.x|-h broken.x|-h -o out.h broken.x|several.x|-N several.x|missing.x";

/// The files that calls speak of.
const FILES: [(&str, &str); 10] = [
    (
        "b.x",
        "%#include <stdio.h>\nstruct pair { int a; int b; };\nprogram PROG { version V1 { pair SWAP(pair) = 1; int \
         ADD(int) = 2; } = 1; } = 0x20000101;\n",
    ),
    ("types.x", "struct p { int a; };\n"),
    ("empty.x", ""),
    ("constants.x", "const A = 3;\n"),
    ("lines.x", "%#include <x.h>\n"),
    ("void.x", "program P { version V { void N(void) = 0; } = 1; } = 1;\n"),
    ("broken.x", "struct p { int a };\n"),
    ("several.x", "program P { version V { int N(int, int) = 1; } = 1; } = 0x20000001;\n"),
    ("missing.x", "#include \"nothere.x\"\nstruct p { int a; };\n"),
    ("sub/b.x", "struct p { int a; };\n"),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for call in CALLS.split('|') {
        let name = format!("rpcgen {call}: as rpcgen does");
        trials.push(oracle::trial(name, &["rpcgen", "cpp"], move || same_behaviour(call)));
    }
    let mut own = |name: &str, test: fn() -> Result<(), Failed>| trials.push(Trial::test(name, test));
    own("under the name rpcgen the command is rpcgen", answers_to_the_name_of_rpcgen);
    own("outputs that exist are replaced", outputs_are_replaced);
    own("nothing is written when anything is wrong", nothing_is_written_after_an_error);
    own("an output that cannot be written is named", an_unwritable_output_is_named);
    own("an input is never replaced", an_input_is_never_replaced);
    own("a file that is not there is named", a_missing_input_is_named);
    own("several files are checked in one call", several_files_are_checked);
    own("of very many errors the first are shown", many_errors_are_counted);
    own("a folder for outputs is made", the_output_folder_is_made);
    own("every diagnostic can be explained", diagnostics_are_explained);
    own("manual and completions are printed", manual_and_completions);
    own("every subcommand has a page of the manual", every_subcommand_has_a_page);
    own("large files are taken", large_files_are_taken);
    own("descriptions come from pipes", descriptions_come_from_pipes);
    own("a language of tomorrow is refused politely", other_languages_are_refused);
    libtest_mimic::run(&arguments, trials).exit();
}

/// A folder with the files.
fn folder() -> Result<Scratch, Failed> {
    let folder = Scratch::new("calls")?;
    fs::create_dir(folder.path().join("sub"))?;
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text)?;
    }
    for name in ["noext", "b.idl", "b.defs", "b.c", "a.b.x", "c.x"] {
        fs::write(folder.path().join(name), FILES[0].1)?;
    }
    Ok(folder)
}

/// What a call does, as far as others notice.
#[derive(Debug, PartialEq, Eq)]
struct Behaviour {
    status: Option<i32>,
    new_files: Vec<String>,
    speaks: bool,
    complains: bool,
}

fn behaviour(mut command: Command, call: &str) -> Result<Behaviour, Failed> {
    let folder = folder()?;
    let before = names(folder.path());
    let input = fs::File::open(folder.path().join("b.x"))?;
    let output = command.args(call.split_whitespace()).current_dir(folder.path()).stdin(input).output()?;
    let new_files = names(folder.path()).into_iter().filter(|name| !before.contains(name)).collect();
    let succeeded = output.status.success();
    Ok(Behaviour {
        status: output.status.code(),
        new_files,
        // What rpcgen has printed before it fails is nothing to rely on.
        speaks: succeeded && !output.stdout.is_empty(),
        complains: !output.stderr.is_empty(),
    })
}

fn names(folder: &Path) -> Vec<String> {
    let files = filetest::golden::files_below(folder).into_iter();
    files.filter_map(|file| Some(file.strip_prefix(folder).ok()?.display().to_string())).collect()
}

fn whittle_rpcgen() -> Command {
    let mut command = Command::new(WHITTLE);
    command.arg("rpcgen").env_remove("CPP");
    command
}

fn same_behaviour(call: &str) -> Result<(), Failed> {
    let expected = behaviour(oracle::command("rpcgen"), call)?;
    let actual = behaviour(whittle_rpcgen(), call)?;
    if expected == actual { Ok(()) } else { Err(format!("rpcgen: {expected:?}\nwhittle: {actual:?}").into()) }
}

fn run(folder: &Scratch, words: &str) -> Result<Output, Failed> {
    let mut command = Command::new(WHITTLE);
    command.args(words.split_whitespace()).current_dir(folder.path()).stdin(Stdio::null()).env_remove("CPP");
    Ok(command.output()?)
}

fn require(condition: bool, what: &str) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(what.into()) }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn answers_to_the_name_of_rpcgen() -> Result<(), Failed> {
    let folder = folder()?;
    let link: PathBuf = folder.path().join("rpcgen");
    std::os::unix::fs::symlink(WHITTLE, &link)?;
    let output = Command::new(&link).arg("--version").output()?;
    require(text(&output.stdout).starts_with("rpcgen (whittle)"), &text(&output.stdout))
}

fn outputs_are_replaced() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("out.h"), "old")?;
    let output = run(&folder, "rpcgen -h -o out.h types.x")?;
    require(output.status.success(), &text(&output.stderr))?;
    require(fs::read_to_string(folder.path().join("out.h"))?.contains("struct p"), "the old text is still there")
}

fn nothing_is_written_after_an_error() -> Result<(), Failed> {
    let folder = folder()?;
    let before = names(folder.path());
    // Only one of the four outputs has an error: what is read for the client.
    let source = "#ifdef RPC_CLNT\nstruct broken { int };\n#endif\nstruct p { int a; };\n\
                  program P { version V { void N(void) = 0; } = 1; } = 1;\n";
    fs::write(folder.path().join("types.x"), source)?;
    let output = run(&folder, "rpcgen types.x")?;
    require(output.status.code() == Some(1), "the status is not 1")?;
    require(names(folder.path()) == before, "a file was written")
}

fn an_unwritable_output_is_named() -> Result<(), Failed> {
    let folder = folder()?;
    let output = run(&folder, "rpcgen -h -o absent/out.h types.x")?;
    let said = text(&output.stderr);
    require(output.status.code() == Some(1) && said.contains("host-004") && said.contains("absent/out.h"), &said)
}

fn an_input_is_never_replaced() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("part.h"), "struct part { int a; };\n")?;
    fs::write(folder.path().join("whole.x"), "#include \"part.h\"\nstruct whole { part p; };\n")?;
    for call in ["rpcgen -h -o types.x types.x", "rpcgen part.h", "rpcgen -h -o part.h whole.x"] {
        let before = fs::read_to_string(folder.path().join("part.h"))?;
        let output = run(&folder, call)?;
        let said = text(&output.stderr);
        require(output.status.code() == Some(1) && said.contains("host-005"), &format!("{call}: {said}"))?;
        require(fs::read_to_string(folder.path().join("part.h"))? == before, "the input was replaced")?;
    }
    Ok(())
}

fn a_missing_input_is_named() -> Result<(), Failed> {
    let folder = folder()?;
    let output = run(&folder, "check nofile.x --message-format short")?;
    let said = text(&output.stderr);
    let expected = "error[host-001]: nofile.x: No such file or directory\n";
    require(output.status.code() == Some(1) && said == expected, &said)
}

fn several_files_are_checked() -> Result<(), Failed> {
    let folder = folder()?;
    let output = run(&folder, "check b.x types.x")?;
    require(output.status.success() && output.stderr.is_empty(), &text(&output.stderr))?;
    let output = run(&folder, "check broken.x types.x nofile.x --message-format short")?;
    let said = text(&output.stderr);
    require(output.status.code() == Some(1) && said.contains("broken.x:1:") && said.contains("nofile.x: No"), &said)?;
    require(run(&folder, "check broken.x b.c types.x")?.status.code() == Some(2), "the worst does not count")?;
    require(run(&folder, "check")?.status.code() == Some(2), "no file is no mistake")
}

fn many_errors_are_counted() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("types.x"), "struct p { int a };\n".repeat(120))?;
    let count = |output: &Output, what: &str| text(&output.stderr).matches(what).count();
    let full = run(&folder, "check types.x")?;
    require(count(&full, "error[") == 50 && full.status.code() == Some(1), &text(&full.stderr))?;
    require(text(&full.stderr).ends_with("\nand 70 more errors; --message-format short shows all\n"), "not counted")?;
    let json = run(&folder, "check types.x --message-format json")?;
    let short = run(&folder, "check types.x --message-format short")?;
    require(count(&json, "\"code\"") == 120 && count(&short, "error[") == 120, &text(&short.stderr))
}

fn the_output_folder_is_made() -> Result<(), Failed> {
    let folder = folder()?;
    let broken = run(&folder, "compile broken.x --out made/here")?;
    require(broken.status.code() == Some(1) && !folder.path().join("made").exists(), "made for nothing")?;
    let output = run(&folder, "compile b.x --out made/here --side client")?;
    require(output.status.success(), &text(&output.stderr))?;
    let made = names(&folder.path().join("made/here"));
    require(made == ["b.h", "b_clnt.c", "b_xdr.c"], &format!("{made:?}"))
}

fn diagnostics_are_explained() -> Result<(), Failed> {
    let folder = folder()?;
    let one = text(&run(&folder, "explain HOST-002")?.stdout);
    require(one.starts_with("host-002: there is no C preprocessor\n\n"), &one)?;
    let all = text(&run(&folder, "explain")?.stdout);
    require(all.lines().count() > 4 && all.contains("host-001: "), &all)?;
    require(run(&folder, "explain no-999")?.status.code() == Some(2), "an unknown code is accepted")
}

fn manual_and_completions() -> Result<(), Failed> {
    let folder = folder()?;
    let manual = text(&run(&folder, "man")?.stdout);
    for part in [".SH NAME", "whittle\\-compile(1)", "whittle\\-rpcgen(1)", ".SH EXAMPLES"] {
        require(manual.contains(part), &format!("{part} is not in the manual:\n{manual}"))?;
    }
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&folder, &format!("completions {shell}"))?;
        require(text(&output.stdout).contains("whittle"), shell)?;
        let file = folder.path().join(shell);
        fs::write(&file, &output.stdout)?;
        // Those that are installed read it without complaint.
        if oracle::find(shell).is_some() {
            oracle::succeed(Command::new(shell).arg("-n").arg(&file))?;
        }
    }
    Ok(())
}

/// Each subcommand has a page, printed or as a file, with what is its own.
fn every_subcommand_has_a_page() -> Result<(), Failed> {
    let folder = folder()?;
    require(run(&folder, "man --all --out made/man1")?.status.success(), "the pages are not written")?;
    let own = [
        ("compile", "no\\-opt"),
        ("rpcgen", "\\-s nettype"),
        ("pipe run", "whittle\\-pipe"),
        ("specialize", "\\-\\-root"),
        ("man", "SUBCOMMAND"),
    ];
    for (command, part) in own {
        let page = text(&run(&folder, &format!("man {command}"))?.stdout);
        let name = format!("whittle-{}.1", command.replace(' ', "-"));
        require(page.contains(part), &format!("{part} is not in {name}:\n{page}"))?;
        require(fs::read_to_string(folder.path().join("made/man1").join(&name))? == page, &name)?;
    }
    let page = run(&folder, "man pipe run")?.stdout;
    for name in ["man pipe-run", "man whittle-pipe-run"] {
        require(run(&folder, name)?.stdout == page, name)?;
    }
    require(text(&page).contains(".SH SYNOPSIS\n.nf\nwhittle pipe run [OPTIONS] <FILE>\n"), &text(&page))?;
    let pages = names(&folder.path().join("made/man1"));
    require(!pages.iter().any(|page| page.contains("help")), &format!("{pages:?}"))?;
    pages.iter().try_for_each(|page| reads_well(&folder.path().join("made/man1").join(page)))?;
    for (words, complaint) in [
        ("man nothing", "error: `whittle` has no subcommand `nothing`; there are compile, "),
        ("man check it", "error: `whittle check` has no subcommands: `it` has no page"),
        ("man check --all", "cannot be used with"),
    ] {
        let output = run(&folder, words)?;
        require(output.status.code() == Some(2) && text(&output.stderr).contains(complaint), &text(&output.stderr))?;
    }
    Ok(())
}

/// Where a formatter of manual pages is installed, it has no complaint. Pages have no date: they depend on the version alone.
fn reads_well(page: &Path) -> Result<(), Failed> {
    if oracle::find("man").is_some() {
        let output = oracle::succeed(Command::new("man").args(["--warnings", "-E", "UTF-8", "-l"]).arg(page))?;
        require(output.stderr.is_empty(), &text(&output.stderr))?;
    }
    if oracle::find("mandoc").is_some() {
        let output = Command::new("mandoc").args(["-T", "lint", "-W", "warning"]).arg(page).output()?;
        let said = text(&output.stdout);
        let complaints: Vec<&str> = said.lines().filter(|line| !line.contains("missing date")).collect();
        require(complaints.is_empty(), &complaints.join("\n"))?;
    }
    Ok(())
}

fn other_languages_are_refused() -> Result<(), Failed> {
    let folder = folder()?;
    let output = run(&folder, "compile b.defs")?;
    require(output.status.code() == Some(2) && text(&output.stderr).contains(".defs"), &text(&output.stderr))
}

/// A pipe gives its text only once, whatever its name.
fn descriptions_come_from_pipes() -> Result<(), Failed> {
    let folder = folder()?;
    fs::write(folder.path().join("c.h"), "const C = 3;\n")?;
    let script = format!(
        "(echo '#include \"c.h\"'; echo 'struct s {{ int a[C]; }};') | {WHITTLE} compile --language onc --emit aoi /dev/stdin"
    );
    let output = Command::new("sh").arg("-c").arg(script).current_dir(folder.path()).output()?;
    let said = text(&output.stdout);
    require(
        output.status.success() && said.contains("(struct s (a (array int32 C)))"),
        &format!("{said}{}", text(&output.stderr)),
    )
}

/// Interfaces far larger than people write are taken.
fn large_files_are_taken() -> Result<(), Failed> {
    let procedures =
        |at: usize| format!("program P{at} {{ version V {{ int F{at}(int) = 1; }} = 1; }} = {};\n", at + 1);
    let constants = |at: usize| format!("const C{at} = {at};\n");
    let chain = |at: usize| match at {
        0 => "struct s0 { int x; };\n".to_string(),
        _ => format!("struct s{at} {{ s{} x; }};\n", at - 1),
    };
    let files: [String; 3] =
        [(0..1000).map(procedures).collect(), (0..20_000).map(constants).collect(), (0..1000).map(chain).collect()];
    for text in files {
        let folder = Scratch::new("large")?;
        fs::write(folder.path().join("many.x"), &text)?;
        oracle::succeed(
            Command::new(WHITTLE).args(["rpcgen", "-N", "-a", "--server-arena", "many.x"]).current_dir(folder.path()),
        )?;
    }
    Ok(())
}
