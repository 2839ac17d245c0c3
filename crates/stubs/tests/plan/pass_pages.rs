//! `docs/passes/`: a page for each pass. Its sentences are in `pass_pages/NAME.md.in`; what stands there between `@@ x` and `@@ end` is
//! an example, and a line that begins with `@@ plan` is replaced by what a pass makes of it.

use std::fs;

use filetest::golden::Golden;
use stubs::passes::{self, PASSES};
use stubs::plan::{Direction, Plan, RoutineId, text};

use crate::goldens::check;
use crate::inputs::{Way, presented, root};

/// A page as it is made.
#[derive(Default)]
struct Page {
    text: String,
    example: String,
    is_example: bool,
}

impl Page {
    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["@@", "x"] => {
                self.is_example = true;
                self.example.clear();
                self.text.push_str("```c\n");
            }
            ["@@", "end"] => {
                self.is_example = false;
                self.text.push_str("```\n");
            }
            ["@@", "plan", pass, direction, name] => {
                let plan = plan(&self.example, pass, direction, name);
                self.text.push_str(&format!("```\n{}\n```\n", plan.trim_end()));
            }
            ["@@", ..] => panic!("nothing is known of `{line}`"),
            _ => {
                self.text.push_str(&format!("{line}\n"));
                if self.is_example {
                    self.example.push_str(&format!("{line}\n"));
                }
            }
        }
    }
}

/// One routine of the example after a pass.
fn plan(example: &str, pass: &str, direction: &str, name: &str) -> String {
    let direction = if direction == "encode" { Direction::Encode } else { Direction::Decode };
    let id = RoutineId { name: name.to_string(), direction };
    let mut shown = String::new();
    let mut after = |at: &str, plan: &Plan| {
        if at == pass {
            let mut routine = plan.routines[&id].clone();
            routine.entry.clear();
            let part = Plan { routines: [(id.clone(), routine)].into(), ..Plan::default() };
            // The order of the types comes first, and is none here.
            shown = text::print(&part).lines().skip(1).map(|line| format!("{line}\n")).collect();
        }
    };
    let lowered = presented("example.x", example, Way::Plain).expect("no mistakes").lowered();
    after("lower", &lowered);
    passes::optimize(lowered, &[], &mut after);
    assert!(!shown.is_empty(), "no pass is called {pass}");
    shown
}

#[test]
fn every_pass_has_a_page_that_shows_what_it_does() {
    for pass in PASSES {
        let input = root().join(format!("crates/stubs/tests/plan/pass_pages/{}.md.in", pass.name));
        let template = fs::read_to_string(&input).unwrap_or_else(|problem| panic!("{}: {problem}", input.display()));
        let mut page = Page::default();
        template.lines().for_each(|line| page.line(line));
        let expectation = root().join(format!("docs/passes/{}.md", pass.name));
        check(&Golden { input, expectation, kind: "md".to_string(), options: Vec::new() }, &page.text);
    }
}

#[test]
fn the_index_names_every_pass_and_whether_it_can_be_switched_off() {
    let index = fs::read_to_string(root().join("docs/passes/README.md")).expect("the index");
    for pass in PASSES {
        let link = format!("[{0}]({0}.md)", pass.name);
        let row = index.lines().find(|line| line.contains(&link)).unwrap_or_else(|| panic!("no row has {link}"));
        assert_eq!(row.contains("always on"), pass.required, "{row}");
    }
}
