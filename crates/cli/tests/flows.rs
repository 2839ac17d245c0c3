//! The commands on flows from outside: what is written, what is said, and the exit status.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

const FLOW: &str = "packet P{int32 x;}   // what travels\npipe A{out P o;middle a;}\npipe B { in P i; middle b; }\n\
    flow f { A->B via shm queue 4 block; }\n";

/// Runs `whittle` on `flow.spi`, which holds `text`.
fn whittle(folder: &Path, text: &str, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    fs::write(folder.join("flow.spi"), text)?;
    run(folder, arguments)
}

fn run(folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    Ok(command.args(arguments).current_dir(folder).stdin(Stdio::null()).output()?)
}

fn scratch() -> Result<Scratch, Box<dyn Error>> {
    Scratch::new("flows").map_err(|_| "no scratch folder".into())
}

#[test]
fn the_xml_form_is_the_same_flow() -> Outcome {
    let folder = scratch()?;
    let first = whittle(folder.path(), FLOW, &["compile", "flow.spi", "--emit", "xip"])?;
    assert!(first.status.success());
    fs::write(folder.path().join("flow.xip"), &first.stdout)?;
    let second = run(folder.path(), &["compile", "flow.xip", "--emit", "xip"])?;
    assert_eq!(String::from_utf8(first.stdout)?, String::from_utf8(second.stdout)?);
    let (spi, xip) =
        (run(folder.path(), &["pipe", "explain", "flow.spi"])?, run(folder.path(), &["pipe", "explain", "flow.xip"])?);
    assert!(!spi.stdout.is_empty() && spi.stdout == xip.stdout);
    Ok(())
}

/// Each edge of a program, its number and how many before it the edge is whose socket it comes to.
fn sockets(main: &Path) -> Result<Vec<(u32, u32)>, Box<dyn Error>> {
    let text = fs::read_to_string(main)?;
    let value = |edge: &str, member: &str| -> Result<u32, Box<dyn Error>> {
        let Some((_, rest)) = edge.split_once(&format!(".{member} = ")) else { return Ok(0) };
        Ok(rest.split(|other: char| !other.is_ascii_digit()).next().unwrap_or_default().parse()?)
    };
    let edges =
        text.split("const struct whittle_flow_edge ").skip(1).map(|edge| edge.split("};").next().unwrap_or_default());
    edges.map(|edge| Ok((value(edge, "number")?, value(edge, "shares")?))).collect()
}

#[test]
fn edges_into_a_program_share_a_socket_where_host_and_kind_are_the_same() -> Outcome {
    let folder = scratch()?;
    let text = "packet P { int32 x; }\npipe A { out P o; middle a; }\npipe B { in P i; middle b; }\n\
        pipe T { in P p; in P q; in P r; in P s; in P t; in P u; middle t; }\n\
        flow f { A a on \"h1\"; A b on \"h2\"; A c on \"h2\"; A d on \"h1\"; A e on \"h1\"; A g on \"h1\"; A h on \"h2\"; T t on \"h1\"; B z on \"h1\";\n\
        a.o -> t.p; b.o -> t.q; c.o -> t.r; d.o -> t.s; e.o -> t.t via unix; g.o -> t.u via shm; h.o -> z.i; }\n";
    let compiled = whittle(folder.path(), text, &["compile", "flow.spi"])?;
    assert!(compiled.status.success(), "{compiled:?}");
    let into = sockets(&folder.path().join("f_t.main.c"))?;
    assert_eq!(into, [(0, 0), (1, 0), (2, 1), (3, 3), (4, 0), (5, 1)]);
    for (sender, edges) in [("c", [(2, 1)]), ("d", [(3, 3)]), ("g", [(5, 1)]), ("h", [(6, 0)])] {
        assert_eq!(sockets(&folder.path().join(format!("f_{sender}.main.c")))?, edges, "both ends know the same");
    }
    Ok(())
}

#[test]
fn a_file_is_laid_out_in_place_and_then_stays_as_it_is() -> Outcome {
    let folder = scratch()?;
    let check = whittle(folder.path(), FLOW, &["fmt", "--check", "flow.spi"])?;
    assert_eq!(check.status.code(), Some(1));
    assert_eq!(fs::read_to_string(folder.path().join("flow.spi"))?, FLOW);
    assert!(run(folder.path(), &["fmt", "flow.spi"])?.status.success());
    let text = fs::read_to_string(folder.path().join("flow.spi"))?;
    assert!(text.contains("A -> B via shm queue 4 block;") && text.contains("// what travels"), "{text}");
    assert!(run(folder.path(), &["fmt", "--check", "flow.spi"])?.status.success());
    Ok(())
}

#[test]
fn a_file_with_errors_is_left_as_it_is() -> Outcome {
    let folder = scratch()?;
    let broken = "pipe A { out P }\n";
    let output = whittle(folder.path(), broken, &["fmt", "flow.spi"])?;
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr)?.contains("error[spi-"));
    assert_eq!(fs::read_to_string(folder.path().join("flow.spi"))?, broken);
    Ok(())
}

#[test]
fn an_edge_that_is_not_there_is_not_explained() -> Outcome {
    let folder = scratch()?;
    let found = whittle(folder.path(), FLOW, &["pipe", "explain", "flow.spi", "A.o"])?;
    assert!(String::from_utf8(found.stdout)?.contains("A.o -> B.i"));
    let missing = run(folder.path(), &["pipe", "explain", "flow.spi", "C.o"])?;
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8(missing.stderr)?.contains("[input-009]") && missing.stdout.is_empty());
    Ok(())
}

#[test]
fn what_needs_another_kind_of_file_says_so() -> Outcome {
    let folder = scratch()?;
    fs::write(folder.path().join("a.x"), "struct a { int x; };\n")?;
    for arguments in [["fmt", "a.x", ""], ["compile", "a.x", "--emit=xip"], ["compile", "flow.spi", "--side=client"]] {
        let arguments: Vec<&str> = arguments.into_iter().filter(|argument| !argument.is_empty()).collect();
        let output = whittle(folder.path(), FLOW, &arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    Ok(())
}

/// Neither the stack nor anybody's patience ends.
#[test]
fn a_flow_of_twenty_thousand_stages_is_checked() -> Outcome {
    const MANY: usize = 20_000;
    let mut text =
        "packet P { int32 x; }\npipe A { out P o rate 30/s; middle a; }\npipe F { in P i; out P o; middle f; }\n\
        pipe B { in P i needs reliable rate <= 20/s; middle b; }\nflow f {\n  A a; B b;\n"
            .to_owned();
    text.extend((0..MANY).map(|at| format!("  F f{at};\n")));
    text.push_str("  a -> f0;\n");
    text.extend((1..MANY).map(|at| format!("  f{} -> f{at};\n", at - 1)));
    text.push_str(&format!("  f{} -> b;\n}}\n", MANY - 1));
    let folder = scratch()?;
    let output = whittle(folder.path(), &text, &["check", "flow.spi"])?;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr)?.matches("error[").count(), 1);
    Ok(())
}
