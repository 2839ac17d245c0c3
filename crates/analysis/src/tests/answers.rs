//! What the analysis tells people: why something is dynamic, and how much was decided.

use super::Case;
use super::properties::{ENCODE, LAYERS};
use crate::{Count, Sensitivities, Why};

fn why(case: &Case, name: &str) -> Vec<String> {
    let Why::Dynamic(found) = case.analysis.why(&case.program, name) else { panic!("{name} is not dynamic") };
    let blame = &found[0].blame;
    let mut lines: Vec<String> = blame
        .steps
        .iter()
        .map(|step| {
            let line = step.span.and_then(|span| case.sources.place(span)).map_or(0, |place| place.line);
            format!("{line}: {}", step.text)
        })
        .collect();
    lines.extend(blame.suggestion.iter().map(|suggestion| format!("help: {suggestion}")));
    lines
}

#[test]
fn a_blame_path_leads_from_the_parameter_to_the_variable() {
    let text = "\
int half(int value) { return value / 2; }
int root(int size) {
    int room = half(size) + 1;
    if (room > 3) return 1;
    return 0;
}";
    let case = Case::new(text, Sensitivities::default());
    assert_eq!(
        why(&case, "room"),
        [
            "2: `size` is a dynamic parameter of `root`",
            "3: passed to `half` as `value`",
            "3: returned by `half`",
            "3: stored in `room`",
            "help: give `size` a value in the scenario, or state one with WHITTLE_FACT",
        ]
    );
    assert_eq!(case.analysis.why(&case.program, "nobody"), Why::NotFound);
}

#[test]
fn a_member_is_asked_for_by_its_path() {
    let text = format!(
        "{LAYERS}int root(char *b, struct pair *a, int n) {{ XDR x; xdrmem_create(&x, b, n, 0); return xdr_pair(&x, a); }}"
    );
    let case = Case::new(&text, Sensitivities::default());
    assert_eq!(
        why(&case, "xdrs->x_handy")[1..3],
        ["37: passed to `xdrmem_create` as `size`", "24: stored in `xdrs->x_handy`"]
    );
    let reading = why(&case, "xdrmem_putlong:xdrs->x_handy");
    assert!(reading.contains(&"24: stored in `x.x_handy`".to_owned()), "{reading:?}");
    assert_eq!(case.analysis.why(&case.program, "xdr_long:xdrs->x_op"), Why::Static);
}

#[test]
fn an_unknown_function_is_named_and_a_description_suggested() {
    let text = "int ask(void); int root(void) { static int g; g = 2; ask(); return g; }";
    let case = Case::new(text, Sensitivities::default());
    let lines = why(&case, "g");
    assert_eq!(lines[0], "1: `ask` is called, of which nothing is known");
    assert_eq!(lines.last().unwrap(), "help: say what `ask` does in a file for --effects");
}

#[test]
fn the_five_kinds_are_counted() {
    let case = Case::new(&format!("{LAYERS}{ENCODE}"), Sensitivities::default());
    let counts = case.analysis.statistics(&case.program);
    assert_eq!(counts.modes, Count { decided: 1, left: 0 });
    assert_eq!(counts.bounds, Count { decided: 1, left: 0 });
    assert_eq!(counts.statuses, Count { decided: 2, left: 0 });
    assert_eq!(counts.indirect_calls, Count { decided: 1, left: 0 });
    assert_eq!(counts.calls.left, 0);
    let classic = Case::new(&format!("{LAYERS}{ENCODE}"), Sensitivities::none());
    let counts = classic.analysis.statistics(&classic.program);
    assert_eq!(counts.modes.decided + counts.bounds.decided + counts.statuses.decided, 0);
}
