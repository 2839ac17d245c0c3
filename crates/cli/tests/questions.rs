//! What `whittle specialize` tells people: goldens of answers, and answers about the real RPC library.
//!
//! A scenario of `tests/questions` names its options on its first line; both channels are its answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use filetest::golden::{self, Golden};
use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

/// libtirpc's source, as `cargo xtask corpora` fetches it.
const LIBRARY: &str = "../../target/corpora/libtirpc";
const CASES: &str = "../../tests/specialize/rpc";
const BLESS: &str = "BLESS=1 cargo test -p whittle --test questions";
/// Figure 9 of Muller, Volanschi and Marlet.
const PAIR: &str = "#include <whittle/specialize.h>\n#include \"rmin.h\"\n\
    WHITTLE_SPECIALIZE bool_t rmin_encode(char *buf, struct pair *args)\n{\n    XDR xdrs;\n    \
    FACT\n    xdrmem_create(&xdrs, buf, SIZE, XDR_ENCODE);\n    return xdr_pair(&xdrs, args);\n}\n";

fn main() {
    let arguments = Arguments::from_args();
    let folder = here("../../tests/questions");
    let goldens = golden::find(&folder, "c").into_iter().filter(|golden| golden.kind == "answer");
    let case = |golden: Golden| -> Trial {
        let name = golden.name(&folder);
        oracle::trial(name, &["clang"], move || check(&golden))
    };
    let mut trials: Vec<Trial> = goldens.map(case).collect();
    trials.push(oracle::trial("a page is written where it is asked for", &["clang"], page));
    trials.push(oracle::trial("with an output, both are made", &["clang"], both));
    if here(LIBRARY).join("src/xdr.c").is_file() {
        let tools = ["clang", "rpcgen"];
        trials.push(oracle::trial("figure 9: all is known, two stores are left", &tools, figure_nine));
        trials.push(oracle::trial("figure 9: the blame path of the room in the buffer", &tools, unknown_room));
        trials.push(oracle::trial("figure 9: the colours", &tools, colours));
        trials.push(oracle::trial("what each sensitivity buys is as the table says", &tools, sensitivities));
    } else {
        trials.push(oracle::absent("answers about the real library", "libtirpc's source (make corpora)"));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn whittle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.current_dir(folder).arg("specialize");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn check(golden: &Golden) -> Result<(), Failed> {
    let folder = golden.input.parent().unwrap_or(Path::new("."));
    let name = golden.input.file_name().unwrap_or_default();
    let output = whittle(folder).args(&golden.options).arg(name).output()?;
    golden::check(golden, &said(&output), BLESS)
}

fn require(condition: bool, what: &str) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(what.into()) }
}

fn small() -> Result<Scratch, Failed> {
    let folder = Scratch::new("questions")?;
    for name in ["a_page_stands_alone.c", "stream.h"] {
        folder.copy(&here("../../tests/questions").join(name))?;
    }
    Ok(folder)
}

fn page() -> Result<(), Failed> {
    let folder = small()?;
    for words in [["--show-binding-times=a.html", "--message-format=full"], ["--show-binding-times=html", "-oa.html"]] {
        let output = oracle::succeed(whittle(folder.path()).arg("a_page_stands_alone.c").args(words))?;
        let path = folder.path().join("a.html");
        let page = fs::read_to_string(&path)?;
        require(said(&output).is_empty(), &said(&output))?;
        require(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n") && !page.contains("http"), &page)?;
        fs::remove_file(&path)?;
    }
    Ok(())
}

fn both() -> Result<(), Failed> {
    let folder = small()?;
    let words = ["a_page_stands_alone.c", "--show-binding-times=a.html", "--why", "mode", "-o", "out.c"];
    let output = oracle::succeed(whittle(folder.path()).args(words))?;
    require(said(&output).contains("`mode` is known"), &said(&output))?;
    let residual = fs::read_to_string(folder.path().join("out.c"))?;
    require(residual.contains("int root(char *buffer, int size)"), &residual)?;
    require(folder.path().join("a.html").is_file(), "no page")
}

/// A folder with the routines that rpcgen makes.
fn routines() -> Result<Scratch, Failed> {
    let folder = Scratch::new("questions-rpc")?;
    folder.copy(&here(CASES).join("rmin.x"))?;
    for (flag, name) in [("-h", "rmin.h"), ("-c", "rmin_xdr.c")] {
        oracle::succeed(oracle::command("rpcgen").current_dir(folder.path()).args([flag, "-o", name, "rmin.x"]))?;
    }
    Ok(folder)
}

/// Asks about `scenario` and the library's files.
fn ask(folder: &Scratch, scenario: &str, general: &[&str], words: &[&str]) -> Result<Output, Failed> {
    let library = here(LIBRARY).canonicalize()?;
    let mut command = whittle(folder.path());
    command.args([scenario, "rmin_xdr.c"]).args(words);
    command.args(general.iter().map(|name| library.join("src").join(name)));
    command.arg("--").args(["tirpc", "src"].map(|name| format!("-I{}", library.join(name).display())));
    oracle::succeed(&mut command)
}

/// What is said of figure 9, with this fact and this size.
fn asked(fact: &str, size: &str, questions: &[&str]) -> Result<String, Failed> {
    let folder = routines()?;
    let text = PAIR.replace("FACT", fact).replace("SIZE", size).replace(
        "args)\n{",
        &match size {
            "size" => "args, unsigned size)\n{".to_owned(),
            _ => "args)\n{".to_owned(),
        },
    );
    fs::write(folder.path().join("use.c"), text)?;
    Ok(said(&ask(&folder, "use.c", &["xdr.c", "xdr_mem.c"], questions)?))
}

const ALIGNED: &str = "WHITTLE_FACT(((unsigned long)buf & 3) == 0);";

fn figure_nine() -> Result<(), Failed> {
    let names = ["x_handy", "xdrs->x_op", "x_ops", "xdr_pair", "xdrmem_putlong_aligned"];
    let words: Vec<&str> = names.iter().flat_map(|name| ["--why", name]).collect();
    let expected = "`x_handy` is known wherever it is used\n`xdrs->x_op` is known wherever it is used\n\
                    `x_ops` is known wherever it is used\n`xdr_pair`: every test and call is decided\n";
    let text = asked(ALIGNED, "400", &words)?;
    let putlong = text.strip_prefix(expected).ok_or_else(|| text.clone())?;
    // Of the innermost layer the conversion stays, and no test.
    require(putlong.contains("the call of `htonl`") != putlong.contains("every test and call"), putlong)?;
    require(!putlong.contains("a test"), putlong)
}

fn unknown_room() -> Result<(), Failed> {
    let text = asked(ALIGNED, "size", &["--why", "x_handy", "--why", "xdrmem_putlong_aligned"])?;
    for line in [
        "why is `x_handy` not known?\n  use.c:3: `size`: the scenario leaves it to run time\n",
        "  help: give `size` a value in the scenario, or state one with WHITTLE_FACT\n",
        "what is left of `xdrmem_putlong_aligned`, and why?\n  xdr_mem.c:133: a test\n",
    ] {
        require(text.contains(line), &format!("not said: {line}\n{text}"))?;
    }
    Ok(())
}

fn colours() -> Result<(), Failed> {
    let text = asked(ALIGNED, "400", &["--show-binding-times"])?;
    // The fact decides which table of operations is taken; the test for room is decided.
    for lines in [
        "xdrs->x_handy < sizeof(int32_t))\n      |      ............. . ...............\n",
        "return (1);\n      |          .\n",
    ] {
        require(text.contains(lines), &format!("not shown:\n{lines}{text}"))?;
    }
    require(!text.contains("xdrmem_putlong_unaligned, gone") && text.contains("xdrmem_putlong_aligned, gone"), &text)
}

const TABLE: &str = "../../docs/sensitivities.md";
const TABLE_HEAD: &str = include_str!("questions/sensitivities.md");
const BLIND: [(&str, &str); 7] = [
    ("flow", "a variable that is unknown anywhere in a function is unknown in all of it"),
    ("context", "a parameter that is unknown in one call of a function is unknown in all"),
    ("uses", "a variable whose value the residual code needs is not used before run time"),
    ("returns", "what a function returns that leaves residual code is not known"),
    ("objects", "a member that is unknown in one structure of a type is unknown in all"),
    ("members", "a structure of which a member is unknown is unknown"),
    ("tests", "a test teaches nothing about what it tested"),
];

/// The table of `docs/sensitivities.md`: sizes of residual code, which are the same on every machine.
fn sensitivities() -> Result<(), Failed> {
    let folder = routines()?;
    for name in ["scenario.c", "exchange.c"] {
        folder.copy(&here(CASES).join(name))?;
    }
    let mut text = TABLE_HEAD.to_owned();
    let marshalling = ["xdr.c", "xdr_mem.c", "xdr_array.c", "xdr_reference.c"];
    let messages = [&marshalling[..], &["rpc_prot.c", "rpc_callmsg.c"]].concat();
    for (scenario, title, general) in [
        ("scenario.c", "Encoding and decoding of five types", &marshalling[..]),
        ("exchange.c", "A client's call: header, arguments, a reply of unknown length, and again", &messages[..]),
    ] {
        text += &format!(
            "\n## {title}\n\n`tests/specialize/rpc/{scenario}`\n\n| off | | functions | statements | tests |\n|---|---|--:|--:|--:|\n"
        );
        for (name, means) in std::iter::once(("nothing", "")).chain(BLIND) {
            let mut words = vec!["--statistics", "--message-format=json"];
            words.extend((name != "nothing").then_some(["--without", name]).into_iter().flatten());
            text += &row(name, means, &said(&ask(&folder, scenario, general, &words)?))?;
        }
    }
    let table = here(TABLE);
    let golden = Golden { input: table.clone(), expectation: table, kind: "md".to_owned(), options: Vec::new() };
    golden::check(&golden, &text, BLESS)
}

/// A row of the table, from the counts of one run.
fn row(name: &str, means: &str, counts: &str) -> Result<String, Failed> {
    let residual = counts.split("\"residual\":").nth(1).ok_or(counts)?;
    let mut text = format!("| {name} | {means} |");
    for part in ["functions", "statements", "tests"] {
        let number = residual.split(&format!("\"{part}\":")).nth(1).ok_or(counts)?;
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        text += &format!(" {digits} |");
    }
    Ok(text + "\n")
}
