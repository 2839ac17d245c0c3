//! `_Generic` (C11 section 6.5.1.1). libclang does not say which branch is chosen; the result's type does, if only one
//! branch has it. Otherwise clang is asked again: the same text with an enumerator in front whose value is the number of the
//! branch.

use cast::Expression;

use crate::clang::{Cursor, TranslationUnit, kinds};
use crate::importer::Importer;

/// The enumerator that tells.
const ANSWER: &str = "whittle_chosen_branch";

impl<'u> Importer<'u> {
    /// The branch that is chosen stands for the whole.
    pub(crate) fn generic(&mut self, cursor: Cursor<'u>) -> Expression {
        let mut expressions = cursor.expressions();
        expressions.sort_by_key(|expression| expression.range().start);
        let ty = cursor.ty().canonical().spelling();
        // The controlling expression comes first.
        let branches = expressions.get(1..).unwrap_or_default();
        let fitting: Vec<&Cursor> = branches.iter().filter(|branch| branch.ty().canonical().spelling() == ty).collect();
        let chosen = match fitting.as_slice() {
            [chosen] => Some(**chosen),
            _ => self.number_of_branch(cursor, branches).and_then(|number| branches.get(number).copied()),
        };
        match chosen {
            Some(chosen) => self.expression(chosen),
            None => self.verbatim(cursor, "`_Generic` whose branches have one type"),
        }
    }

    /// Asks clang for the number of the branch.
    fn number_of_branch(&self, cursor: Cursor<'u>, branches: &[Cursor<'u>]) -> Option<usize> {
        let range = cursor.range();
        let content = self.question.content;
        let mut question = format!("enum {{ {ANSWER} = ");
        let mut copied = range.start;
        for (number, branch) in branches.iter().enumerate() {
            question.push_str(&format!("{}{number}", content.get(copied..branch.range().start)?));
            copied = branch.range().end;
        }
        question.push_str(&format!("{} }}; ", content.get(copied..range.end)?));
        let (before, behind) = content.split_at_checked(self.statement_start)?;
        let asked = TranslationUnit::parse(&format!("{before}{question}{behind}"), self.question.arguments)?;
        // A name that is not declared there yet: whatever clang makes of that is no answer.
        if asked.findings().iter().filter(|finding| finding.is_error).count() > self.question.errors {
            return None;
        }
        let answer = find(asked.cursor(), self.statement_start)?;
        usize::try_from(answer.enumerator(true)).ok()
    }
}

/// The enumerator below what covers an offset.
fn find(below: Cursor, offset: usize) -> Option<Cursor> {
    below.children().into_iter().find_map(|child| {
        if child.kind() == kinds::CXCursor_EnumConstantDecl && child.spelling() == ANSWER {
            return Some(child);
        }
        let range = child.range();
        if range.start <= offset && offset < range.end { find(child, offset) } else { None }
    })
}
