//! Types behind a line `%BEGIN`: recipes (MySQL's) put what stands between it and `%END` before the first `return TRUE` that
//! follows, to be done after all parts in each direction. In: the entry of such a type. Out: one that has a single such line,
//! its last.

use cast::build::{call, integer, name, not, returns, when};
use cast::{Declaration, ExpressionKind, Function, Linkage, Statement, Type};

/// Whether the lines before a type are such.
pub(super) fn is_so(texts: &[String]) -> bool {
    texts.iter().flat_map(|text| text.lines()).any(|line| line.starts_with("BEGIN"))
}

/// What was the entry is a function of its own, which a new entry calls.
pub(super) fn entered_apart(entry: Function) -> [Declaration; 3] {
    let mut apart = Function { linkage: Linkage::Static, name: format!("{}__parts", entry.name), ..entry.clone() };
    number_successes(&mut apart.body);
    let around = around(&entry, &apart.name);
    [Declaration::Function(apart), Declaration::Blank, Declaration::Function(around)]
}

/// `if (!parts(xdrs, objp)) return FALSE; return TRUE;`
fn around(entry: &Function, parts: &str) -> Function {
    let given =
        entry.parameters.iter().map(|parameter| name(parameter.name.clone().unwrap_or_default(), parameter.ty.clone()));
    let failed = not(call(parts, given.collect(), Type::INT));
    let body = vec![when(failed, vec![returns(name("FALSE", Type::INT))]), returns(name("TRUE", Type::INT))];
    Function { body, ..entry.clone() }
}

/// `return 1;` in place of `return TRUE;`
fn number_successes(body: &mut [Statement]) {
    for statement in body {
        match statement {
            Statement::Return(Some(value)) if value.kind == ExpressionKind::Name("TRUE".to_string()) => {
                *statement = returns(integer(1));
            }
            Statement::If { then, otherwise, .. } => {
                number_successes(then);
                number_successes(otherwise);
            }
            Statement::Block(inner) => number_successes(inner),
            _ => {}
        }
    }
}
