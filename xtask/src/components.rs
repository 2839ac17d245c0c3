//! `docs/components.md`: how much of each component is its own, as Table 1 of the paper that whittle follows has it (Flick,
//! PLDI'97): lines of the library that a kind of component stands on, and lines that are unique to each. In: the sources.
//! Out: the page.

use std::fmt::Write;

use crate::tree::{self, File};

const PAGE: &str = "docs/components.md";

const INTRODUCTION: &str = "\
# How much of each component is its own

After this page you know how much a new language, style, encoding or link costs. `cargo xtask components` counts substantive lines of Rust: no blank lines, no
comments, no tests. The share is that of a component's own lines in them and those of its library, as in Table 1 of Flick's paper (PLDI'97, section 2), whose
numbers, of C and C++, stand beside where it has such a component.

| kind | component | lines | own | Flick's lines | own |
|---|---|---|---|---|---|
";

/// A kind of component: the library below, and the components, each with what its paths begin with and Flick's numbers.
struct Kind {
    name: &'static str,
    library: &'static [&'static str],
    flick: &'static str,
    components: &'static [(&'static str, &'static [&'static str], &'static str)],
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "front end",
        library: &["crates/source/src/", "crates/tokens/src/", "crates/aoi/src/"],
        flick: "1797 | ",
        components: &[
            ("OMG IDL", &["crates/front-corba/src/"], "1661 | 48.0 %"),
            ("ONC RPC", &["crates/front-onc/src/"], "1494 | 45.4 %"),
            ("MIG", &["crates/front-mig/src/"], " | "),
        ],
    },
    Kind {
        name: "style",
        library: &["crates/mint/src/", "crates/pres/src/", "crates/cast/src/", "crates/present/src/"],
        flick: "6509 | ",
        components: &[
            ("CORBA's C mapping", &["crates/present/src/corba/"], "773 | 10.6 %"),
            ("rpcgen's", &["crates/present/src/rpcgen/"], "281 | 4.1 %"),
            ("plain", &["crates/present/src/plain/"], " | "),
            ("packets of flows", &["crates/present/src/flow/"], " | "),
        ],
    },
    Kind {
        name: "encoding",
        library: &["crates/stubs/src/"],
        flick: "8179 | ",
        components: &[
            ("XDR", &["crates/stubs/src/encodings/xdr"], "410 | 4.8 % (with ONC RPC)"),
            ("CDR", &["crates/stubs/src/encodings/cdr", "crates/stubs/src/emit/cdr"], "353 | 4.1 % (with IIOP)"),
            ("native", &["crates/stubs/src/encodings/native"], " | "),
            (
                "protobuf",
                &["crates/stubs/src/encodings/protobuf", "crates/stubs/src/protobuf", "crates/stubs/src/emit/protobuf"],
                " | ",
            ),
        ],
    },
    Kind {
        name: "link",
        library: &["crates/stubs/src/links/"],
        flick: "",
        components: &[
            ("ONC RPC", &["crates/stubs/src/links/onc/"], " | "),
            ("GIOP", &["crates/stubs/src/links/giop/"], " | "),
            ("CORBA's style over any", &["crates/stubs/src/links/corba/"], " | "),
            ("rpcgen's style over any", &["crates/stubs/src/links/rpcgen/"], " | "),
            ("none", &["crates/stubs/src/links/none/"], " | "),
            ("Mach", &["crates/stubs/src/links/mach/"], "664 | 7.5 %"),
            ("flows", &["crates/stubs/src/links/flow/"], " | "),
        ],
    },
];

/// Writes the page.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let files: Vec<File> = tree::files()?.into_iter().filter(|file| file.path.ends_with(".rs")).collect();
    std::fs::write(tree::root().join(PAGE), page(&files)).map_err(|error| vec![format!("{PAGE}: {error}")])?;
    println!("wrote {PAGE}");
    Ok(())
}

fn page(files: &[File]) -> String {
    let below = |prefixes: &[&str]| {
        let of = files.iter().filter(|file| prefixes.iter().any(|prefix| file.path.starts_with(prefix)));
        of.map(|file| substantive(&file.text)).sum::<usize>()
    };
    let kinds_below = |kind: &Kind| {
        // Other kinds of components are none of a library; links stand beside encodings.
        let others = KINDS.iter().filter(|other| other.name != kind.name && other.name == "link");
        let inside = others.filter(|other| kind.library.iter().any(|prefix| other.library[0].starts_with(prefix)));
        inside.map(|other| below(other.library)).sum::<usize>()
    };
    let mut text = INTRODUCTION.to_owned();
    for kind in &KINDS {
        let is_part = |paths: &[&str]| {
            let whole = kind.components.iter().map(|(_, whole, _)| *whole);
            whole.filter(|whole| *whole != paths).any(|whole| whole.iter().any(|path| paths[0].starts_with(path)))
        };
        let is_inside = |paths: &[&str]| kind.library.iter().any(|prefix| paths[0].starts_with(prefix));
        let all = kind.components.iter().filter(|(_, paths, _)| is_inside(paths) && !is_part(paths));
        let library = below(kind.library) - all.map(|(_, paths, _)| below(paths)).sum::<usize>() - kinds_below(kind);
        let flick = if kind.flick.is_empty() { " | " } else { kind.flick };
        let _ = writeln!(text, "| {} | library | {library} | | {flick} |", kind.name);
        for (name, paths, flick) in kind.components {
            let own = below(paths);
            if own > 0 {
                let share = own * 1000 / (own + library);
                let _ = writeln!(text, "| | {name} | {own} | {}.{} % | {flick} |", share / 10, share % 10);
            }
        }
    }
    text
}

/// Lines that say something: up to the tests at the end of a file.
fn substantive(text: &str) -> usize {
    let lines = text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tests_do_not_count() {
        assert_eq!(substantive("//! About.\n\nuse a;\n/// Says.\nfn f() {}\n#[cfg(test)]\nmod tests {\n}\n"), 2);
    }

    #[test]
    fn a_library_is_what_no_component_has() {
        let file = |path: &str, lines: usize| File { path: path.to_owned(), text: "x;\n".repeat(lines) };
        let files = [
            file("crates/stubs/src/lower/walk.rs", 60),
            file("crates/stubs/src/encodings/xdr.rs", 40),
            file("crates/stubs/src/links/rpc/client.rs", 30),
            file("crates/stubs/src/links/giop/mod.rs", 10),
            file("crates/stubs/src/links/corba/client.rs", 20),
        ];
        let page = page(&files);
        for row in [
            "| encoding | library | 60 |",
            "| | XDR | 40 | 40.0 % |",
            "| link | library | 30 |",
            "| | GIOP | 10 | 25.0 % |",
            "| | CORBA's style over any | 20 | 40.0 % |",
        ] {
            assert!(page.contains(row), "{row}: {page}");
        }
    }
}
