//! `#line`, so that debuggers and compilers' findings lead to the place in the source that a statement comes from. In: the body of a
//! function. Out: a directive before each statement; once the file is printed, [`settle`] keeps those that say something new.

use cast::{Declaration, Expression, Statement, Variable};
use source::{SourceMap, Span};

use super::super::walk;

/// Stands where the file's own lines begin again.
const OWN: &str = "#line";

/// Puts the lines into a function's body. What has no place of its own belongs to the statement before it.
pub(super) fn insert(sources: &SourceMap, function: &mut cast::Function) -> Option<Declaration> {
    let head = function.span.and_then(|span| line(sources, span));
    let mut writer = Writer { sources, last: head.clone() };
    writer.list(&mut function.body);
    function.body.extend(writer.again());
    head.map(Declaration::Verbatim)
}

/// Stands behind a function with lines.
pub(super) fn own() -> Declaration {
    Declaration::Verbatim(OWN.to_owned())
}

/// The printed text of a file of that name, with the directives that change where a line counts as being.
pub fn settle(text: &str, name: &str) -> String {
    let own = escape::c::line_directive(1, name);
    let own = parsed(&own).map_or("", |(_, file)| file);
    let (mut out, mut written) = (String::new(), 0);
    // Where a compiler takes the next line to be, and the directive before it.
    let (mut here, mut wanted) = ((1, own), None);
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end();
        if plain == OWN || parsed(plain).is_some() {
            wanted = Some(plain);
            continue;
        }
        if let Some(directive) = wanted.take_if(|_| !plain.is_empty()) {
            let there = parsed(directive);
            if there.unwrap_or((written + 1, own)) != here {
                here = there.unwrap_or((written + 2, own));
                let directive = there.map(|_| directive.to_owned());
                out.push_str(&directive.unwrap_or_else(|| escape::c::line_directive(here.0, name)));
                out.push('\n');
                written += 1;
            }
        }
        out.push_str(line);
        written += 1;
        here.0 += 1;
    }
    out
}

/// The line, and the file between its quotes.
fn parsed(directive: &str) -> Option<(usize, &str)> {
    let (line, file) = directive.strip_prefix("#line ")?.split_once(' ')?;
    Some((line.parse().ok()?, file))
}

struct Writer<'a> {
    sources: &'a SourceMap,
    last: Option<String>,
}

impl Writer<'_> {
    fn list(&mut self, list: &mut Vec<Statement>) {
        for mut statement in std::mem::take(list) {
            let here = place(&statement).and_then(|span| line(self.sources, span));
            self.last = here.or(self.last.take());
            if !is_silent(&statement) {
                list.extend(self.again());
            }
            let own = self.last.clone();
            walk::bodies_mut(&mut statement).into_iter().for_each(|body| self.list(body));
            // The condition stands behind the body.
            if let Statement::DoWhile { body, .. } = &mut statement {
                self.last = own;
                body.extend(self.again());
            }
            list.push(statement);
        }
    }

    fn again(&self) -> Option<Statement> {
        self.last.clone().map(Statement::Verbatim)
    }
}

/// No code is made of it.
fn is_silent(statement: &Statement) -> bool {
    match statement {
        Statement::Declare(variable) => variable.initial.is_none(),
        Statement::Label(_) | Statement::Blank | Statement::Comment(_) => true,
        _ => false,
    }
}

/// Where a statement comes from.
fn place(statement: &Statement) -> Option<Span> {
    match statement {
        Statement::Declare(Variable { span: span @ Some(_), .. }) => *span,
        other => walk::expressions(other).into_iter().find_map(first_span),
    }
}

fn line(sources: &SourceMap, span: Span) -> Option<String> {
    let place = sources.place(span)?;
    Some(escape::c::line_directive(place.line, place.file))
}

fn first_span(value: &Expression) -> Option<Span> {
    value.span.or_else(|| walk::children(value).into_iter().find_map(first_span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(settle(text, "own.c"), expected);
    }

    #[test]
    fn lines_that_follow_each_other_need_no_directive() {
        check("#line 7 \"a.c\"\nf(\n#line 8 \"a.c\"\n);\n", "#line 7 \"a.c\"\nf(\n);\n");
    }

    #[test]
    fn a_line_that_goes_on_needs_one_all_the_same() {
        let text = "#line 7 \"a.c\"\na();\n#line 7 \"a.c\"\nb();\n";
        check(text, text);
    }

    #[test]
    fn of_several_directives_the_last_counts() {
        check("#line 7 \"a.c\"\n#line 9 \"a.c\"\na();\n", "#line 9 \"a.c\"\na();\n");
        check("#line 7 \"a.c\"\n#line\n", "");
    }

    #[test]
    fn the_file_itself_goes_on_where_it_is() {
        check("int a;\n#line\nint b;\n", "int a;\nint b;\n");
        let text = "int a;\n#line 7 \"a.c\"\nf();\n#line\nint b;\n";
        check(text, "int a;\n#line 7 \"a.c\"\nf();\n#line 5 \"own.c\"\nint b;\n");
    }
}
