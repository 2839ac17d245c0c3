//! `docs/walk.md`: the directory service on every floor. Its sentences are in `walk.md.in` beside this file; each line
//! there that begins with `@@` is replaced by what the compiler says of `tests/stubs/xdr/directory.x`.

use std::fs;

use cast::{Declaration, File};
use filetest::golden::Golden;
use source::SourceMap;
use stubs::passes;
use stubs::plan::{Direction, Plan, RoutineId, text};
use stubs::tables::Prefer;

use crate::goldens::{check, marshalling};
use crate::inputs::{own, root};

const INPUT: &str = "tests/stubs/xdr/directory.x";
const INTERFACE: Interface = Interface(INPUT);

/// A block of the page.
fn fenced(language: &str, content: &str) -> String {
    format!("```{language}\n{}\n```\n", content.trim_end())
}

/// An interface file of this repository, on every floor.
pub(crate) struct Interface(pub(crate) &'static str);

/// From the first form of a kind on, to its end.
pub(crate) fn part<'a>(text: &'a str, begin: &str) -> &'a str {
    let from = &text[text.find(begin).expect("a form of that kind")..];
    let end = from.match_indices("\n(").next().map_or(from.len(), |(at, _)| at);
    &from[..end]
}

impl Interface {
    /// The description without its comment.
    pub(crate) fn description(&self) -> String {
        let text = fs::read_to_string(root().join(self.0)).expect("the example");
        text.lines().filter(|line| !line.starts_with("/*")).map(|line| format!("{line}\n")).collect()
    }

    pub(crate) fn aoi(&self) -> String {
        let mut map = SourceMap::new();
        let file = map.add("interface.x", self.description());
        aoi::text::print(&front_onc::parse(&map, file, &front_onc::Options::default()).0)
    }

    /// One routine after a pass.
    pub(crate) fn plan(&self, pass: &str, direction: &str, name: &str) -> String {
        let direction = if direction == "encode" { Direction::Encode } else { Direction::Decode };
        let id = RoutineId { name: name.to_string(), direction };
        let mut shown = String::new();
        let mut after = |at: &str, plan: &Plan| {
            if at == pass {
                let routine = plan.routines[&id].clone();
                let part = Plan { routines: [(id.clone(), routine)].into(), ..Plan::default() };
                shown = text::print(&part).lines().skip(1).map(|line| format!("{line}\n")).collect();
            }
        };
        let lowered = own(self.0).lowered();
        after("lower", &lowered);
        passes::optimize(lowered, &[], &mut after);
        assert!(!shown.is_empty(), "no pass is called {pass}");
        shown
    }

    /// One function of the C that comes out.
    pub(crate) fn c(&self, name: &str) -> String {
        let is_wanted = |declaration: &Declaration| matches!(declaration, Declaration::Function(f) if f.name == name);
        // All stand where the library has operations of streams.
        let inside = |declaration| match declaration {
            Declaration::Conditional(conditional) => conditional.then,
            other => vec![other],
        };
        let mut all = marshalling(self.0, Prefer::Speed).declarations.into_iter().flat_map(inside);
        let function = all.find(is_wanted).expect("a function of that name");
        cast::print_file(&File { declarations: vec![function] })
    }
}

/// What a line that begins with `@@` stands for.
fn block(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["input"] => fenced("c", &INTERFACE.description()),
        ["aoi"] => fenced("", &INTERFACE.aoi()),
        ["mint"] => fenced("", &mint::text::print(&own(INPUT).pres.mint)),
        ["pres", kind] => {
            let written = pres::text::print(&own(INPUT).pres);
            let from = written.find(&format!("({kind}")).expect("a form of that kind");
            // The declarations of C come last; the page shows them as C.
            let to = written.find("\n(prologue").map_or(written.len(), |at| at + 1);
            fenced("", &written[from..to])
        }
        ["plan", pass, direction, name] => fenced("", &INTERFACE.plan(pass, direction, name)),
        ["c", name] => fenced("c", &INTERFACE.c(name)),
        _ => panic!("nothing is known of `@@ {line}`"),
    }
}

#[test]
fn the_walk_is_what_the_compiler_does() {
    let template = root().join("crates/stubs/tests/plan/walk.md.in");
    let text = fs::read_to_string(&template).expect("the sentences of the walk");
    let page: String =
        text.lines().map(|line| line.strip_prefix("@@ ").map_or_else(|| format!("{line}\n"), block)).collect();
    let expectation = root().join("docs/walk.md");
    check(&Golden { input: template, expectation, kind: "md".to_string(), options: Vec::new() }, &page);
}
