//! Texts in descriptions: machines, units, constants, repository ids. They reach comments and strings of C, pictures, XML and JSON.

use std::fs;
use std::path::Path;

use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, compiles, is_untouched, require, some, trial, whittle};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("texts of flows in C, Makefile and pictures", flows),
        trial("texts of constants in C", constants),
        trial("ids and defaults of IDL in C", ids),
        trial("findings as JSON", findings),
        trial("names in dumps are names", dumps),
    ]
}

/// The namespace of `.xip`, as whittle writes it.
pub(crate) fn namespace(folder: &Path) -> Outcome<String> {
    fs::write(folder.join("empty.spi"), "")?;
    let said = whittle(folder, &["compile", "--emit", "xip", "empty.spi"])?;
    let (_, rest) = said.output.split_once("xmlns=\"").ok_or("no namespace")?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

/// A text as `.xip` has it in attributes: any character can be said.
fn attribute(text: &str) -> String {
    let written = text.chars().map(|character| match character {
        '\\' => "\\\\".to_owned(),
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '"' => "&quot;".to_owned(),
        control if control.is_control() => format!("\\u{{{:x}}}", u32::from(control)),
        other => other.to_string(),
    });
    written.collect()
}

fn flow(folder: &Path, machine: &str) -> Outcome<String> {
    let (namespace, machine) = (namespace(folder)?, attribute(machine));
    Ok(format!(
        "<xip version=\"1\" xmlns=\"{namespace}\">\
         <packet name=\"P\"><field name=\"b\" type=\"bool\" unit=\"{machine}\"/></packet>\
         <pipe name=\"A\"><outport type=\"P\" name=\"p\"/><middle function=\"a\"/></pipe>\
         <pipe name=\"B\"><inport type=\"P\" name=\"p\"/><middle function=\"b\"/></pipe>\
         <flow name=\"f\"><instance pipe=\"A\" name=\"one\" node=\"{machine}\"/><instance pipe=\"B\" name=\"two\"/>\
         <edge from=\"one.p\" to=\"two.p\"><via transport=\"tcp\"/></edge></flow></xip>"
    ))
}

fn flows() -> Outcome {
    let mut made = 0;
    for payload in some(4) {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join("evil.h"), "#error foreign\n")?;
        let text = flow(folder.path(), payload)?;
        fs::write(folder.path().join("f.xip"), text)?;
        let graph = |format| whittle(folder.path(), &["pipe", "graph", "f.xip", "--format", format]);
        let svg = graph("svg")?;
        if !svg.is_done() {
            continue;
        }
        made += 1;
        roxmltree::Document::parse(&svg.output).map_err(|problem| format!("{payload:?}: {problem}"))?;
        is_lines(&graph("dot")?.output, payload)?;
        is_lines(&graph("mermaid")?.output.replace('\\', "/"), payload)?;
        let mermaid = graph("mermaid")?.output;
        require(!mermaid.contains("%%") && !mermaid.contains('`'), || format!("{payload:?}: {mermaid}"))?;
        round_trip(&folder, payload)?;
        let said = whittle(folder.path(), &["pipe", "explain", "f.xip"])?;
        require(!said.output.contains(['\u{1b}', '\u{202e}']), || format!("{payload:?}: {}", said.output))?;
        if whittle(folder.path(), &["compile", "--out", "out", "f.xip"])?.is_done() {
            compiles(&folder.path().join("out"), payload)?;
        }
        is_untouched(folder.path(), payload)?;
    }
    require(made > 2, || format!("only {made} texts were taken"))
}

/// A label stands within its line, in two quotes.
fn is_lines(picture: &str, payload: &str) -> Outcome {
    for line in picture.lines() {
        let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
        require(quotes == 0 || quotes == 2, || format!("{payload:?}: {line}"))?;
    }
    require(!picture.contains(['\u{1b}', '\u{202e}', '\r']), || format!("{payload:?}: {picture:?}"))
}

/// What is written as XML says the same when it is read again.
fn round_trip(folder: &Scratch, payload: &str) -> Outcome {
    let written = whittle(folder.path(), &["compile", "--emit", "xip", "f.xip"])?.output;
    fs::write(folder.path().join("again.xip"), &written)?;
    let again = whittle(folder.path(), &["compile", "--emit", "xip", "again.xip"])?.output;
    roxmltree::Document::parse(&written).map_err(|problem| format!("{payload:?}: {problem}"))?;
    require(!written.is_empty() && written == again, || format!("{payload:?}: {written}\n{again}"))
}

fn constants() -> Outcome {
    for payload in some(5) {
        let folder = Scratch::new("hostile")?;
        let plain: String = payload.chars().filter(|letter| !letter.is_control() && *letter != '"').collect();
        let escaped = plain.replace('\\', "\\\\");
        fs::write(folder.path().join("evil.h"), "#error foreign\n")?;
        fs::write(folder.path().join("c.x"), format!("const TEXT = \"{plain}\";\nstruct s {{ int a; }};\n"))?;
        let idl = format!(
            "const string TEXT = \"{escaped}\";\nconst wstring WIDE = L\"{escaped}\";\nstruct s {{ long a; }};\n"
        );
        fs::write(folder.path().join("c.idl"), idl)?;
        let calls: [&[&str]; 4] = [
            &["compile", "--out", "x", "c.x"],
            &["compile", "--style", "plain", "--out", "plain", "c.x"],
            &["compile", "--out", "idl", "c.idl"],
            &["compile", "--style", "rpcgen", "--out", "idl-rpcgen", "c.idl"],
        ];
        for words in calls {
            if whittle(folder.path(), words)?.is_done() {
                let out = folder.path().join(words[words.len() - 2]);
                let _ = fs::remove_file(out.join("whittle_corba.c"));
                let _ = fs::remove_file(out.join("whittle_onc.c"));
                let macros = if out.ends_with("x") || out.ends_with("idl-rpcgen") { "c_xdr.c" } else { "c.h" };
                // A macro is C only where it is used.
                let name = if out.ends_with("idl-rpcgen") { "WIDE" } else { "TEXT" };
                let using = format!(
                    "#include <stddef.h>\n#include \"c.h\"\nconst void *used(void);\nconst void *used(void) {{ return {name}; }}\n"
                );
                fs::write(out.join("use.c"), using)?;
                compiles(&out, payload).map_err(|problem| format!("{words:?} {macros}: {problem:?}"))?;
            }
            is_untouched(folder.path(), payload)?;
        }
    }
    Ok(())
}

fn ids() -> Outcome {
    for payload in some(6) {
        let plain: String = payload.chars().filter(|letter| !letter.is_control() && *letter != '"').collect();
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join("evil.h"), "#error foreign\n")?;
        let text = format!(
            "#pragma prefix \"{plain}\"\ninterface first {{ void go(); }};\ninterface second {{ void go(); }};\n\
             #pragma ID second \"IDL:{plain}:1.0\"\n\
             exception oops {{ string why; }};\ninterface third {{ void go() raises (oops); }};\n"
        );
        fs::write(folder.path().join("i.idl"), text)?;
        for words in [
            &["compile", "--out", "out", "i.idl"][..],
            &["compile", "--style", "plain", "--link", "giop-tcp", "--out", "out", "i.idl"],
        ] {
            if whittle(folder.path(), words)?.is_done() {
                for name in ["whittle_corba.c", "whittle_iiop.c"] {
                    let _ = fs::remove_file(folder.path().join("out").join(name));
                }
                compiles(&folder.path().join("out"), payload)?;
                fs::remove_dir_all(folder.path().join("out"))?;
            }
            is_untouched(folder.path(), payload)?;
        }
    }
    Ok(())
}

/// Each line of standard error is one object, whatever names and texts it speaks of.
fn findings() -> Outcome {
    for payload in some(7) {
        let folder = Scratch::new("hostile")?;
        let name = format!("j{}.x", payload.replace('/', "_"));
        fs::write(
            folder.path().join(&name),
            format!("struct s {{ int a }};\nconst T = \"{payload}\nstruct {payload} x;\n"),
        )?;
        for words in [
            &["check", "--message-format", "json", "--", &name][..],
            &["check", "--message-format", "short", "--", &name],
            &["check", "--", &name],
        ] {
            let said = whittle(folder.path(), words)?;
            require(!said.is_done(), || format!("{payload:?}: {said:?}"))?;
            if words[2] == "json" {
                for line in said.errors.lines() {
                    let value: serde_json::Value =
                        serde_json::from_str(line).map_err(|problem| format!("{payload:?}: {line}: {problem}"))?;
                    require(value["code"].is_string() && value["message"].is_string(), || line.to_owned())?;
                }
            }
        }
    }
    Ok(())
}

fn dumps() -> Outcome {
    for payload in ["a; int evil", "a\n#include \"evil.h\"\n", "a b", "", "1a", "a*/"] {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join("evil.h"), "#error foreign\n")?;
        let symbol = payload.replace('\n', "\\n").replace('"', "\\\"");
        let dumps = [
            ("aoi", format!("(struct |{symbol}| (x int32))\n")),
            ("aoi", format!("(struct s (|{symbol}| int32))\n")),
            ("aoi", format!("(const |{symbol}| 3)\n")),
            ("aoi", format!("(enum e (|{symbol}| 1))\n")),
            (
                "pres",
                format!(
                    "(conventions prototypes)\n(mint (@p (struct int32)))\n(type |{symbol}| (struct (member a int32)))\n"
                ),
            ),
        ];
        for (number, (stage, text)) in dumps.into_iter().enumerate() {
            fs::write(folder.path().join("d.dump"), text)?;
            let said = whittle(folder.path(), &["compile", "--from", stage, "d.dump"])?;
            require(!said.is_done(), || format!("{payload:?} as {number}: {said:?}"))?;
            let is_explained = ["cast-002", "input-003", "aoi-", "pres-", "rpcgen-", "c-"]
                .iter()
                .any(|code| said.errors.contains(code));
            require(is_explained && folder.names().len() == 2, || format!("{payload:?} as {number}: {said:?}"))?;
        }
    }
    Ok(())
}
