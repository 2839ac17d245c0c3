//! The user's verbatim lines in the text form: `(lines (before TYPE "line"…) (last "line"…) (branch TYPE 1))`.

use sexpr::{Cursor, Sexpr, atom, node, number, text};

use crate::Lines;

pub(super) fn write_lines(lines: &Lines) -> Sexpr {
    let quoted = |all: &[String]| all.iter().map(text).collect::<Vec<_>>();
    let before = lines.before.iter().map(|(ty, all)| node("before", std::iter::once(atom(ty)).chain(quoted(all))));
    let last = (!lines.last.is_empty()).then(|| node("last", quoted(&lines.last)));
    let number = |branch: usize| number(i128::try_from(branch).unwrap_or(i128::MAX));
    let branches = lines.branches.iter().map(|(ty, branch)| node("branch", [atom(ty), number(*branch)]));
    node("lines", before.chain(last).chain(branches))
}

pub(super) fn read_lines(mut parts: Cursor) -> Option<Lines> {
    fn quoted(mut parts: Cursor) -> Option<Vec<String>> {
        let all = std::iter::from_fn(|| parts.form());
        all.map(|line| line.as_text().map(str::to_string)).collect()
    }
    let mut lines = Lines::default();
    while let Some(mut before) = parts.list("before") {
        let ty = before.atom()?.to_string();
        lines.before.insert(ty, quoted(before)?);
    }
    if let Some(last) = parts.list("last") {
        lines.last = quoted(last)?;
    }
    while let Some(mut branch) = parts.list("branch") {
        let ty = branch.atom()?.to_string();
        lines.branches.insert(ty, usize::try_from(branch.number()?).ok()?);
    }
    parts.is_at_end().then_some(lines)
}
