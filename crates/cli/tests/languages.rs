//! What an input is written in, and which forms of code it can have: said on the command line, or known by an ending. What cannot
//! be is refused before anything is read.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use filetest::scratch::Scratch;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const IDL: &str = "module Mail { interface Box { void send(in string text); }; };\n";
const ONC: &str = "program MAIL { version V { void SEND(string) = 1; } = 1; } = 0x20000001;\n";
const DEFS: &str =
    "subsystem demo 500;\ntype port_t = MACH_MSG_TYPE_COPY_SEND;\nroutine add(p : port_t; in a : int; out b : int);\n";
const FLOW: &str =
    "packet P { int32 x; }\npipe A { out P o; middle a; }\npipe B { in P i; middle b; }\nflow f { A -> B; }\n";

fn whittle(folder: &Path, arguments: &[&str], input: &str) -> Outcome<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // Whoever refuses its arguments does not read.
    let _ = child.stdin.take().ok_or("no input")?.write_all(input.as_bytes());
    Ok(child.wait_with_output()?)
}

#[test]
fn the_language_of_standard_input_can_be_said() -> Outcome {
    let folder = Scratch::new("languages")?;
    let names = |arguments: &[&str], input: &str| -> Outcome<Vec<String>> {
        let folder = Scratch::new("languages")?;
        let output = whittle(folder.path(), arguments, input)?;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let mut names: Vec<String> =
            fs::read_dir(folder.path())?.flatten().map(|entry| entry.file_name().to_string_lossy().into()).collect();
        names.sort();
        Ok(names)
    };
    let of_corba = names(&["compile", "-", "--language", "corba"], IDL)?;
    assert!(of_corba.contains(&"stdin-stubs.c".to_owned()), "{of_corba:?}");
    assert!(names(&["compile", "-"], ONC)?.contains(&"stdin_clnt.c".to_owned()));
    let either = ["compile", "-", "--language", "corba", "--style", "rpcgen", "--onc-program", "0x20000001"];
    assert!(names(&either, IDL)?.contains(&"stdin_clnt.c".to_owned()));
    let of_mig = ["compile", "-", "--language", "mig", "--link", "onc", "--onc-program", "0x20000001"];
    assert!(names(&of_mig, DEFS)?.contains(&"stdin_client.c".to_owned()));
    // Without a word it is the RPC language, and says so where a word of IDL comes.
    let output = whittle(folder.path(), &["check", "-"], IDL)?;
    assert!(output.status.code() == Some(1) && String::from_utf8(output.stderr)?.contains("[onc-"));
    let output = whittle(folder.path(), &["check", "-", "--language=corba"], ONC)?;
    assert!(output.status.code() == Some(1) && String::from_utf8(output.stderr)?.contains("[idl-"));
    Ok(())
}

#[test]
fn a_file_of_another_ending_has_the_language_that_is_said() -> Outcome {
    let folder = Scratch::new("languages")?;
    fs::write(folder.path().join("mail.idlh"), IDL)?;
    let output = whittle(folder.path(), &["compile", "mail.idlh", "--language", "corba"], "")?;
    assert!(output.status.success() && folder.path().join("mail-skels.c").is_file(), "{output:?}");
    fs::write(folder.path().join("mail.idl"), ONC)?;
    let output = whittle(folder.path(), &["check", "mail.idl", "--language", "onc"], "")?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

/// Procedure 0 is every program's own.
#[test]
fn a_subsystem_that_begins_at_zero_has_procedures_from_one_on() -> Outcome {
    let folder = Scratch::new("languages")?;
    let mut numbers = Vec::new();
    for base in ["subsystem demo 0", "subsystem demo 1"] {
        fs::write(folder.path().join("a.defs"), DEFS.replace("subsystem demo 500", base))?;
        let call = ["compile", "a.defs", "--link", "onc", "--onc-program", "0x20000001"];
        let output = whittle(folder.path(), &call, "")?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.success() && said.contains("mig-029") == base.ends_with('0'), "{said}");
        let client = fs::read_to_string(folder.path().join("a_client.c"))?;
        numbers.push(client.lines().find(|line| line.contains("whittle_onc_begin")).unwrap_or_default().to_owned());
    }
    assert!(numbers[0] == numbers[1] && numbers[0].contains(", 1u)"), "{numbers:?}");
    Ok(())
}

/// Each with a word that its refusal must have.
const REFUSED: [(&str, &str); 22] = [
    ("check a.x --encoding cdr", "`--style corba`"),
    ("check a.x --style rpcgen --link giop-tcp", "`--style corba`"),
    ("check a.idl --encoding protobuf", "`--style corba`"),
    ("check a.idl --style rpcgen --link fluke", "`--style plain`"),
    ("check a.idl --style rpcgen --encoding cdr", "`--style corba`"),
    ("check a.x --style plain --encoding xdr --link giop-tcp", "`--encoding xdr` goes with `--link onc`"),
    ("check a.idl --style plain --link giop-tcp --onc-program 7", "`--link onc`"),
    ("check a.idl --style corba --onc-program 7", "`--link onc`"),
    ("check a.x --style rpcgen --link fluke", "`--style plain`"),
    ("compile a.x --link none --side client", "of no side"),
    ("compile a.x --link none --runtime installed", "`whittle_codec.h`"),
    ("check a.x --link none --encoding cdr --byte-order big", "values alone"),
    ("check a.idl --language perl", "perl"),
    ("compile a.defs", "`whittle mig a.defs`"),
    ("compile a.defs --link mach", "`--style plain --encoding xdr --link onc`"),
    ("compile a.defs --link giop-tcp --onc-program 7", "`--link onc`"),
    ("compile f.spi --encoding cdr", "`encode xdr`"),
    ("compile f.spi --link tirpc", "`via tcp`"),
    ("compile f.spi --style corba", "one form in C"),
    ("check f.spi a.x --language onc", "ending"),
    ("check a.x f.spi --strict", "f.spi is a flow"),
    ("compile f.spi --from aoi", "text"),
];

#[test]
fn what_cannot_be_is_refused_and_nothing_is_written() -> Outcome {
    let folder = Scratch::new("languages")?;
    for (name, text) in [("a.x", ONC), ("a.idl", IDL), ("a.defs", DEFS), ("f.spi", FLOW)] {
        fs::write(folder.path().join(name), text)?;
    }
    for (call, word) in REFUSED {
        let output = whittle(folder.path(), &call.split_whitespace().collect::<Vec<_>>(), "")?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.code() == Some(2) && said.contains(word), "{call}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path())?.count(), 4);
    Ok(())
}
