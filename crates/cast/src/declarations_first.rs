//! C89's blocks: declarations stand before statements, and a `for` declares nothing (ISO 9899:1990 section 6.6.2).
//!
//! In: statements of generated C, in which no block hides a name of the blocks around it. Out: the same, where what was declared
//! later is declared at the head of its block, without a value, and gets its value where it was declared. Blocks that declare
//! the same variable one after the other, or one inside of what follows the other, share the outermost.

use std::collections::BTreeMap;

use crate::{Expression, ExpressionKind, Statement, SwitchArm, Type, Variable, build};

/// The body of a function, declarations first.
pub fn declarations_first(body: Vec<Statement>) -> Vec<Statement> {
    block(body, &mut Scope::default())
}

/// A variable that is declared at the head of a block.
type Hoisted = (String, Type);

/// The variables that were moved to the heads of a block and of the blocks around it, by name: functions may have thousands.
#[derive(Default)]
struct Scope(BTreeMap<String, Vec<Type>>);

impl Scope {
    fn has(&self, variable: &Variable) -> bool {
        let ty = variable.ty.clone().assignable();
        self.0.get(&variable.name).is_some_and(|types| types.contains(&ty))
    }

    /// Adds what a block declares behind a statement, or in the head of a `for`, and no block around it has moved already.
    fn enter(&mut self, body: &[Statement]) -> Vec<Hoisted> {
        let mut moved = Vec::new();
        let mut is_behind = false;
        for statement in body {
            let variable = match statement {
                Statement::Declare(variable) if self.has(variable) => {
                    is_behind = true;
                    None
                }
                Statement::Declare(variable) if is_behind && can_move(variable) => Some(variable),
                Statement::For { initial: Some(initial), .. } => match &**initial {
                    Statement::Declare(variable) => Some(variable),
                    _ => None,
                },
                _ => None,
            };
            is_behind |= !matches!(statement, Statement::Declare(_) | Statement::Blank);
            if let Some(variable) = variable.filter(|variable| !self.has(variable)) {
                let ty = variable.ty.clone().assignable();
                self.0.entry(variable.name.clone()).or_default().push(ty.clone());
                moved.push((variable.name.clone(), ty));
            }
        }
        moved
    }

    fn leave(&mut self, moved: &[Hoisted]) {
        for (name, _) in moved {
            self.0.get_mut(name).map(Vec::pop);
        }
    }
}

/// A block's statements.
fn block(body: Vec<Statement>, scope: &mut Scope) -> Vec<Statement> {
    let moved = scope.enter(&body);
    let (mut head, mut rest) = (Vec::new(), Vec::new());
    for statement in body {
        match statement {
            Statement::Declare(variable) if !scope.has(&variable) => {
                if rest.is_empty() { &mut head } else { &mut rest }.push(Statement::Declare(variable));
            }
            Statement::Declare(variable) => rest.extend(assignment(variable)),
            Statement::Blank if rest.is_empty() => head.push(Statement::Blank),
            other => rest.push(inside(other, scope)),
        }
    }
    scope.leave(&moved);
    head.extend(moved.into_iter().map(|(name, ty)| build::local(name, ty, None)));
    head.append(&mut rest);
    head
}

/// Values in braces cannot be assigned, and objects that outlive the block are not set anew.
fn can_move(variable: &Variable) -> bool {
    let is_list = matches!(variable.initial, Some(Expression { kind: ExpressionKind::Braces(_), .. }));
    variable.storage == crate::Storage::Automatic && !is_list
}

fn assignment(variable: Variable) -> Option<Statement> {
    let ty = variable.ty.assignable();
    variable.initial.map(|value| build::assign(build::name(variable.name, ty), value))
}

/// A statement whose blocks have their declarations first.
fn inside(statement: Statement, scope: &mut Scope) -> Statement {
    match statement {
        Statement::Block(body) => Statement::Block(block(body, scope)),
        Statement::If { condition, then, otherwise } => {
            Statement::If { condition, then: block(then, scope), otherwise: block(otherwise, scope) }
        }
        Statement::While { condition, body } => Statement::While { condition, body: block(body, scope) },
        Statement::DoWhile { body, condition } => Statement::DoWhile { body: block(body, scope), condition },
        Statement::For { initial, condition, step, body } => {
            let initial = initial.and_then(|initial| match *initial {
                Statement::Declare(variable) => assignment(variable).map(Box::new),
                other => Some(Box::new(other)),
            });
            Statement::For { initial, condition, step, body: block(body, scope) }
        }
        Statement::Switch { value, arms } => {
            let arm = |arm: SwitchArm| SwitchArm { labels: arm.labels, body: block(arm.body, scope) };
            Statement::Switch { value, arms: arms.into_iter().map(arm).collect() }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{call, count_loop, integer, local, name, when};
    use crate::{File, Linkage, print_file};

    fn printed(body: Vec<Statement>) -> String {
        let function = build::function(Linkage::Static, Type::Void, "f", vec![], declarations_first(body));
        print_file(&File { declarations: vec![function] })
    }

    fn step() -> Statement {
        Statement::Expression(call("step", vec![name("i", Type::INT)], Type::Void))
    }

    #[test]
    fn what_is_declared_later_gets_its_value_there() {
        let body = vec![
            local("a", Type::INT.constant(), Some(integer(1))),
            step(),
            local("b", Type::INT.constant(), Some(integer(2))),
        ];
        let expected =
            "static void f(void)\n{\n    const int a = 1;\n    int b;\n    step(i);\n    b = 2;\n}\n".to_string();
        assert_eq!(printed(body), expected);
    }

    #[test]
    fn loops_share_their_counter_with_loops_in_blocks_beside_them() {
        let round = || count_loop("i", Type::INT, integer(3), vec![step()]);
        let text = printed(vec![when(integer(1), vec![round()]), round(), round()]);
        assert_eq!(text.matches("int i;").count(), 1, "{text}");
        assert_eq!(text.matches("for (i = 0; i < 3; i++)").count(), 3, "{text}");
    }

    #[test]
    fn a_block_that_declares_what_a_block_around_it_has_moved_declares_it_no_more() {
        let inner = vec![local("n", Type::INT.constant(), Some(integer(1))), local("m", Type::INT, None)];
        let text = printed(vec![when(integer(1), inner), local("n", Type::INT, Some(integer(2)))]);
        assert_eq!(text.matches("int n;").count(), 1, "{text}");
        assert!(text.contains("int m;\n        n = 1;"), "{text}");
    }
}
