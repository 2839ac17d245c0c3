//! Statements.

use super::declaration::variable;
use super::declarator::spelled;
use super::expression::text;
use super::writer::Writer;
use crate::{CaseLabel, Statement, SwitchArm};

/// Statements in order, at the writer's depth.
pub(super) fn statements(writer: &mut Writer, body: &[Statement]) {
    let mut falls = false;
    for statement in body {
        if falls && matches!(statement, Statement::Case(_)) {
            writer.line("/* fall through */");
        }
        print(writer, statement);
        falls = goes_on(statement, falls);
    }
}

/// Whether control may come to what follows a statement, other than by a label.
fn goes_on(statement: &Statement, falls: bool) -> bool {
    match statement {
        Statement::At(_) | Statement::Blank | Statement::Verbatim(_) => falls,
        Statement::Case(_)
        | Statement::Comment(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Return(_)
        | Statement::Goto(_)
        | Statement::GotoAddress(_) => false,
        _ => true,
    }
}

fn block(writer: &mut Writer, head: &str, body: &[Statement], tail: &str) {
    writer.line(&format!("{head}{{"));
    writer.indent();
    statements(writer, body);
    writer.outdent();
    writer.line(&format!("}}{tail}"));
}

/// A body without the notes on where statements come from.
fn visible(body: &[Statement]) -> &[Statement] {
    match body {
        [Statement::At(_), rest @ ..] => visible(rest),
        _ => body,
    }
}

/// A body that may go without braces: a single plain statement.
fn is_simple(body: &[Statement]) -> bool {
    let is_note = |statement: &Statement| match statement {
        Statement::At(_) => true,
        Statement::Verbatim(text) => text.starts_with("#line"),
        _ => false,
    };
    let notes = body.iter().take_while(|statement| is_note(statement)).count();
    matches!(
        body[notes..],
        [Statement::Expression(_) | Statement::Return(_) | Statement::Goto(_) | Statement::Break | Statement::Continue]
    )
}

fn guarded(writer: &mut Writer, head: &str, body: &[Statement]) {
    if is_simple(body) {
        writer.line(head);
        writer.indent();
        statements(writer, body);
        writer.outdent();
    } else {
        block(writer, &format!("{head} "), body, "");
    }
}

fn print(writer: &mut Writer, statement: &Statement) {
    match statement {
        Statement::Expression(value) => writer.line(&format!("{};", text(value))),
        Statement::Declare(declared) => variable(writer, declared),
        Statement::Block(body) => block(writer, "", body, ""),
        Statement::If { condition, then, otherwise } => print_if(writer, "", &text(condition), then, otherwise),
        Statement::While { condition, body } => guarded(writer, &format!("while ({})", text(condition)), body),
        Statement::DoWhile { body, condition } => block(writer, "do ", body, &format!(" while ({});", text(condition))),
        Statement::For { initial, condition, step, body } => {
            let initial = initial.as_deref().map(clause).unwrap_or_default();
            let condition = condition.as_ref().map(|value| format!(" {}", text(value))).unwrap_or_default();
            let step = step.as_ref().map(|value| format!(" {}", text(value))).unwrap_or_default();
            guarded(writer, &format!("for ({initial};{condition};{step})"), body);
        }
        Statement::Switch { value, arms } => switch(writer, &text(value), arms),
        Statement::SwitchBody { value, body } => block(writer, &format!("switch ({}) ", text(value)), body, ""),
        Statement::Case(label) => writer.label(&format!("{};", case(label))),
        Statement::Break => writer.line("break;"),
        Statement::Continue => writer.line("continue;"),
        Statement::Return(None) => writer.line("return;"),
        Statement::Return(Some(value)) => writer.line(&format!("return {};", text(value))),
        Statement::Goto(label) => writer.line(&format!("goto {};", spelled(label))),
        Statement::GotoAddress(address) => writer.line(&format!("goto *{};", text(address))),
        Statement::Assembly { text, .. } => writer.line(text),
        Statement::At(_) => {}
        // An empty statement follows, so that a label may end a block.
        Statement::Label(label) => writer.label(&format!("{}:;", spelled(label))),
        Statement::Comment(comment) => writer.line(&format!("/* {} */", comment.as_str())),
        Statement::Conditional { condition, then, otherwise } => {
            writer.raw(&condition.to_string());
            statements(writer, then);
            if !otherwise.is_empty() {
                writer.raw("#else");
                statements(writer, otherwise);
            }
            writer.raw("#endif");
        }
        Statement::Verbatim(lines) => lines.lines().for_each(|line| writer.line(line)),
        Statement::Blank => writer.blank(),
    }
}

/// The first clause of a `for`, without its semicolon.
fn clause(statement: &Statement) -> String {
    let mut inner = Writer::default();
    print(&mut inner, statement);
    inner.finish().trim_end().trim_end_matches(';').to_string()
}

fn print_if(writer: &mut Writer, before: &str, condition: &str, then: &[Statement], otherwise: &[Statement]) {
    let head = format!("{before}if ({condition})");
    if otherwise.is_empty() {
        // An `if` without braces right inside another would catch a later `else`.
        return guarded(writer, &head, then);
    }
    writer.line(&format!("{head} {{"));
    writer.indent();
    statements(writer, then);
    writer.outdent();
    if let [Statement::If { condition, then, otherwise }] = visible(otherwise)
        && !otherwise.is_empty()
    {
        return print_if(writer, "} else ", &text(condition), then, otherwise);
    }
    block(writer, "} else ", otherwise, "");
}

/// `case value:` or `default:`.
fn case(label: &CaseLabel) -> String {
    match label {
        CaseLabel::Value(value) => format!("case {}:", text(value)),
        CaseLabel::Range(first, last) => format!("case {} ... {}:", text(first), text(last)),
        CaseLabel::Default => "default:".to_string(),
    }
}

fn switch(writer: &mut Writer, value: &str, arms: &[SwitchArm]) {
    writer.line(&format!("switch ({value}) {{"));
    writer.indent();
    for arm in arms {
        for label in &arm.labels {
            writer.label(&case(label));
        }
        // A declaration may not follow a label directly, and is not to be seen in other arms.
        if arm.body.iter().any(|statement| matches!(statement, Statement::Declare(_))) {
            block(writer, "", &arm.body, "");
        } else {
            statements(writer, &arm.body);
        }
    }
    writer.outdent();
    writer.line("}");
}
