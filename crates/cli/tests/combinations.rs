//! What goes together: the table that `whittle matrix` prints holds. Each row compiles a description, every other call that states
//! a style, an encoding and a link is refused with the name of a row, and the page in `docs/` is what the command prints.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use driver::{COMBINATIONS, Combination, Encoding, Language, Link, Style};
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const ONC: &str = "struct point { int x; string name<8>; };\n\
    program SHOW { version ONE { point MOVE(point) = 1; } = 1; } = 0x20000007;\n";
const IDL: &str = "struct point { long x; string<8> name; };\n\
    @onc(program = 0x20000007, version = 1) interface show { point move(in point by); };\n";
const DEFS: &str = "subsystem show 500;\ntype mach_port_t = MACH_MSG_TYPE_COPY_SEND;\ntype name_t = c_string[*:8];\n\
    type point_t = struct { int x; int y; };\n\
    routine move(show : mach_port_t; in by : point_t; in name : name_t; out point : point_t);\n";

fn whittle(folder: &Path, call: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_whittle")).current_dir(folder).args(call.split_whitespace()).output()
}

fn every() -> impl Iterator<Item = Combination> {
    Language::ALL.into_iter().flat_map(|language| {
        Style::ALL.into_iter().flat_map(move |style| {
            Encoding::ALL.into_iter().flat_map(move |encoding| {
                Link::ALL.into_iter().map(move |link| Combination { language, style, encoding, link })
            })
        })
    })
}

#[test]
fn each_row_compiles_and_whatever_is_none_is_refused_with_one() -> Outcome {
    let folder = Scratch::new("combinations")?;
    fs::write(folder.path().join("a.x"), ONC)?;
    fs::write(folder.path().join("a.idl"), IDL)?;
    fs::write(folder.path().join("a.defs"), DEFS)?;
    for (at, row) in every().enumerate() {
        let (ending, options) = (row.language.ending(), row.options());
        // What `.defs` files have no word for.
        let by_number = row.language == Language::Mig && row.encoding == Encoding::Xdr;
        let number = if by_number { "--onc-program 0x20000007" } else { "" };
        let output = whittle(folder.path(), &format!("compile a{ending} {options} {number} -o made{at}/"))?;
        let said = String::from_utf8(output.stderr)?;
        let is_row = COMBINATIONS.contains(&row);
        assert_eq!(output.status.code(), Some(if is_row { 0 } else { 2 }), "{ending} {options}: {said}");
        let rows = COMBINATIONS.iter().filter(|other| other.language == row.language);
        let named = rows.filter(|row| said.contains(&row.options())).count();
        assert_eq!(named, usize::from(!is_row), "{ending} {options}: {said}");
        assert_eq!(folder.path().join(format!("made{at}/a.h")).is_file(), is_row, "{ending} {options}");
    }
    Ok(())
}

#[test]
fn the_page_is_what_the_command_prints() -> Outcome {
    let output = whittle(Path::new("."), "matrix")?;
    let printed = String::from_utf8(output.stdout)?;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/matrix.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&page, &printed)?;
    }
    assert_eq!(fs::read_to_string(page)?, printed, "BLESS=1 cargo test -p whittle --test combinations");
    Ok(())
}
