//! The guides and the README, run as they stand there: a block of C or text that names itself on its first line is a file, and a
//! block `console` is a session: each command is run, and must say what stands below it. One that fails must end with the line that
//! says so (`[exit status 1]`): what a guide shows as working must work.

#[path = "guides/network.rs"]
mod network;
#[path = "guides/pictures.rs"]
mod pictures;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::golden::{self, Golden};
use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};
use network::Network;

/// Each with the programs that it takes.
const GUIDES: [(&str, &[&str]); 18] = [
    ("../../README.md", &["clang", "bash"]),
    ("call-directly.md", &["gcc", "bash"]),
    ("call-on-one-machine.md", &["gcc", "bash"]),
    ("port-to-a-new-kernel.md", &["gcc", "bash"]),
    ("shape-the-interface.md", &["gcc", "bash"]),
    ("encode-without-rpc.md", &["gcc", "bash"]),
    ("replace-mig.md", &["cpp", "bash"]),
    ("call-over-mach.md", &["bash"]),
    ("run-time-files.md", &["gcc", "bash"]),
    ("limit-a-server.md", &["gcc", "bash"]),
    ("call-an-object.md", &["gcc", "bash"]),
    ("find-an-object.md", &["gcc", "bash", "omniNames"]),
    ("specialize-your-first-function.md", &["clang", "gcc", "bash"]),
    ("write-a-scenario.md", &["clang", "bash"]),
    ("read-the-colours.md", &["clang", "bash"]),
    ("when-it-does-not-specialize.md", &["clang", "bash"]),
    ("describe-a-flow.md", &["clang", "bash"]),
    ("run-your-first-flow.md", &["clang", "bash"]),
];
/// With servers that are registered with rpcbind.
const REGISTERS: (&str, &[&str]) =
    ("replace-rpcgen.md", &["gcc", "bash", "rpcbind", "rpcinfo", "unshare", "nsenter", "ip"]);
const BLESS: &str = "BLESS=1 cargo test -p whittle --test guides";

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::from(GUIDES.map(|(name, takes)| oracle::trial(name, takes, move || check(name, None))));
    let (name, takes) = REGISTERS;
    trials.push(match network::is_possible() {
        true => oracle::trial(name, takes, move || check(name, Some(&Network::new()?))),
        false => oracle::absent(name, "a network of one's own"),
    });
    trials.push(Trial::test("a command that fails is shown to fail, the last one, too", failures_are_seen));
    trials.push(Trial::test("ages of packets may differ, and nothing else", ages_may_differ));
    trials.push(Trial::test("every page with a session is run", every_session_is_run));
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(name: &str, network: Option<&Network>) -> Result<(), Failed> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides").join(name);
    let text = fs::read_to_string(&guide)?;
    let folder = Scratch::new("guide")?;
    let out = run(&text, folder.path(), network)?;
    pictures::check(&out, folder.path(), BLESS)?;
    let golden = Golden { input: guide.clone(), expectation: guide, kind: "md".to_owned(), options: Vec::new() };
    golden::check(&golden, &out, BLESS)
}

/// A page with what its commands say here.
fn run(text: &str, folder: &Path, network: Option<&Network>) -> Result<String, Failed> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, block)) = rest.split_once("\n```") {
        let (language, block) = block.split_once('\n').ok_or("a block without lines")?;
        let (body, behind) = block.split_once("```").ok_or("a block without an end")?;
        let body = match language {
            "console" => with_shown_ages(&session(folder, body, network)?, body),
            _ => file(folder, body)?,
        };
        out += &format!("{before}\n```{language}\n{body}```");
        rest = behind;
    }
    Ok(out + rest)
}

/// A session as the page shows it, where it differs in nothing but ages of packets (`<66 us`), which no two runs have alike.
fn with_shown_ages(said: &str, shown: &str) -> String {
    let words = |line: &str| -> Vec<String> {
        let mut before_is_age = false;
        let word = |word: &str| {
            let is_age = word.strip_prefix('<').is_some_and(|rest| rest.parse::<u64>().is_ok());
            let is_unit = std::mem::replace(&mut before_is_age, is_age) && ["ns", "us", "ms", "s"].contains(&word);
            if is_age || is_unit { "an age".to_owned() } else { word.to_owned() }
        };
        line.split_whitespace().map(word).collect()
    };
    let mut shown = shown.lines();
    let lines = said.lines().map(|line| match shown.next() {
        Some(before) if words(before) == words(line) => before,
        _ => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Writes a block into the file that its first line names, if it does.
fn file(folder: &Path, body: &str) -> Result<String, Failed> {
    let first = body.lines().next().unwrap_or_default();
    let name = first
        .strip_prefix("/* ")
        .and_then(|rest| rest.strip_suffix(" */"))
        .or(first.strip_prefix("# "))
        .or(first.strip_prefix("// "));
    if let Some(name) = name.filter(|name| name.contains('.') && !name.contains(' ')) {
        fs::write(folder.join(name), body)?;
    }
    Ok(body.to_owned())
}

/// The commands of a session with what they say.
fn session(folder: &Path, body: &str, network: Option<&Network>) -> Result<String, Failed> {
    let whittle = PathBuf::from(env!("CARGO_BIN_EXE_whittle"));
    let programs = whittle.parent().unwrap_or(Path::new(".")).display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    // Flows of other tests, and of people, may be there, too.
    let run = folder.join(".run");
    fs::create_dir_all(&run)?;
    let mut out = String::new();
    for command in body.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut shell = network.map_or_else(|| Command::new("bash"), Network::shell);
        shell
            .current_dir(folder)
            .env("PATH", &path)
            .env("XDG_RUNTIME_DIR", &run)
            // A command that fails before a pipe has failed, too.
            .args(["-o", "pipefail", "-c", &format!("{command} 2>&1")]);
        let output = shell.output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let said: Vec<&str> = said.trim_end().lines().map(str::trim_end).collect();
        out += &format!("$ {command}\n");
        said.iter().for_each(|line| out += &format!("{line}\n"));
        match output.status.code() {
            Some(0) => {}
            Some(status) => out += &format!("[exit status {status}]\n"),
            None => out += "[ended by a signal]\n",
        }
    }
    Ok(out)
}

fn failures_are_seen() -> Result<(), Failed> {
    let page = |said: &str| {
        format!("# Page\n\n```console\n$ echo first; false | cat\n{said}$ true\n$ exit 3\n{said}```\nEnd.\n")
    };
    let silent = page("");
    let expected = "# Page\n\n```console\n$ echo first; false | cat\nfirst\n[exit status 1]\n$ true\n$ exit 3\n[exit status 3]\n```\nEnd.\n";
    let shown = run(&silent, Scratch::new("guide")?.path(), None)?;
    if shown == expected { Ok(()) } else { Err(golden::difference(expected, &shown).into()) }
}

/// A session that no test runs may say anything.
fn ages_may_differ() -> Result<(), Failed> {
    let (shown, other) = ("a -> b  3  <66 us  <2 ms\n", "a -> b  3  <1050 us  <1 s\n");
    for (said, is_kept) in [(other, true), ("a -> b  4  <66 us  <2 ms\n", false), ("a -> b  3  <66 us  -\n", false)] {
        if (with_shown_ages(said, shown) == shown) != is_kept {
            return Err(format!("`{said}` beside `{shown}`").into());
        }
    }
    Ok(())
}

fn every_session_is_run() -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    for page in golden::files_below(&root.join("docs")) {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_run = GUIDES.iter().chain([&REGISTERS]).any(|(known, _)| *known == name);
        let has_session = || fs::read_to_string(&page).unwrap_or_default().contains("\n```console\n");
        if name.ends_with(".md") && !is_run && has_session() {
            missing.push(page.display().to_string());
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("add to GUIDES: {}", missing.join(", ")).into()) }
}
