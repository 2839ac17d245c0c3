//! Statements.

use cast::{CaseLabel, Expression, Statement};

use crate::clang::{Cursor, kinds};
use crate::expressions::DEEPEST;
use crate::importer::Importer;

impl<'u> Importer<'u> {
    /// A statement and all it consists of, behind its place.
    pub(crate) fn statement(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        if self.depth > DEEPEST {
            return self.verbatim_statement(cursor, "a statement nested beyond all measure", out);
        }
        self.depth += 1;
        self.any_statement(cursor, out);
        self.depth -= 1;
    }

    fn any_statement(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        if cursor.kind() != kinds::CXCursor_CompoundStmt && cursor.kind() != kinds::CXCursor_NullStmt {
            out.extend(self.span(cursor).map(Statement::At));
        }
        match cursor.kind() {
            _ if cursor.is_expression() => {
                let value = self.expression(cursor);
                out.push(Statement::Expression(value));
            }
            kinds::CXCursor_CompoundStmt => {
                let mut body = Vec::new();
                self.compound_body(cursor, &mut body);
                out.push(Statement::Block(body));
            }
            kinds::CXCursor_DeclStmt => self.local_declarations(cursor, out),
            kinds::CXCursor_NullStmt => {}
            kinds::CXCursor_IfStmt => self.if_statement(cursor, out),
            kinds::CXCursor_WhileStmt | kinds::CXCursor_SwitchStmt | kinds::CXCursor_DoStmt => {
                self.headed_statement(cursor, out);
            }
            kinds::CXCursor_ForStmt => self.for_statement(cursor, out),
            kinds::CXCursor_CaseStmt | kinds::CXCursor_DefaultStmt => self.case(cursor, out),
            kinds::CXCursor_LabelStmt => {
                out.push(Statement::Label(self.label_name(cursor)));
                self.children_as_statements(cursor, out);
            }
            kinds::CXCursor_GotoStmt => {
                let label = cursor.children().first().and_then(|label| label.referenced());
                match label {
                    Some(label) => out.push(Statement::Goto(self.label_name(label))),
                    None => self.verbatim_statement(cursor, "`goto`", out),
                }
            }
            kinds::CXCursor_IndirectGotoStmt => match cursor.expressions().first() {
                Some(address) => {
                    let address = self.expression(*address);
                    out.push(Statement::GotoAddress(address));
                }
                None => self.verbatim_statement(cursor, "`goto`", out),
            },
            kinds::CXCursor_BreakStmt => out.push(Statement::Break),
            kinds::CXCursor_ContinueStmt => out.push(Statement::Continue),
            kinds::CXCursor_ReturnStmt => {
                let value = cursor.expressions().first().map(|value| self.expression(*value));
                out.push(Statement::Return(value));
            }
            kinds::CXCursor_AsmStmt => self.assembly(cursor, out),
            // A statement with attributes, which say nothing of what it does.
            kinds::CXCursor_UnexposedStmt => self.children_as_statements(cursor, out),
            _ => self.verbatim_statement(cursor, "a statement", out),
        }
    }

    /// The statements of a block, without its braces.
    pub(crate) fn compound_body(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let outer = self.statement_start;
        for child in cursor.children() {
            self.statement_start = child.range().start;
            self.statement(child, out);
        }
        self.statement_start = outer;
    }

    fn children_as_statements(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        for child in cursor.children() {
            if child.is_expression() || child.is_statement() {
                self.statement(child, out);
            }
        }
    }

    /// A statement below `if` or a loop, as a list.
    fn body(&mut self, cursor: Cursor<'u>) -> Vec<Statement> {
        let mut body = Vec::new();
        if cursor.kind() == kinds::CXCursor_CompoundStmt {
            self.compound_body(cursor, &mut body);
        } else {
            self.statement(cursor, &mut body);
        }
        body
    }

    pub(crate) fn verbatim_statement(&mut self, cursor: Cursor<'u>, what: &str, out: &mut Vec<Statement>) {
        self.note_text(cursor, what);
        let text = self.spelled(cursor);
        let end = if text.ends_with(['}', ';']) { "" } else { ";" };
        out.push(Statement::Verbatim(format!("{text}{end}")));
    }

    /// The labels of a function by the names that `asm goto` knows them by.
    pub(crate) fn note_labels(&mut self, below: Cursor<'u>) {
        for child in below.children() {
            if child.kind() == kinds::CXCursor_LabelStmt {
                self.labels.insert(child.spelling(), self.label_name(child));
            }
            self.note_labels(child);
        }
    }

    /// The name of a label, which may stand once in every block that declares it.
    pub(crate) fn label_name(&self, label: Cursor<'u>) -> String {
        format!("{}@@{}", label.spelling(), label.range().start)
    }

    fn if_statement(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let children = cursor.children();
        let [condition, then, rest @ ..] = children.as_slice() else {
            return self.verbatim_statement(cursor, "`if`", out);
        };
        let condition = self.expression(*condition);
        let then = self.body(*then);
        let otherwise = rest.first().map(|otherwise| self.body(*otherwise)).unwrap_or_default();
        out.push(Statement::If { condition, then, otherwise });
    }

    fn headed_statement(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let children = cursor.children();
        let [first, second] = children.as_slice() else { return self.verbatim_statement(cursor, "a loop", out) };
        out.push(match cursor.kind() {
            kinds::CXCursor_DoStmt => {
                let body = self.body(*first);
                Statement::DoWhile { body, condition: self.expression(*second) }
            }
            kinds::CXCursor_WhileStmt => {
                let condition = self.expression(*first);
                Statement::While { condition, body: self.body(*second) }
            }
            _ => {
                let value = self.expression(*first);
                Statement::SwitchBody { value, body: self.body(*second) }
            }
        });
    }

    /// Any of the three parts may be missing; which, the two semicolons tell.
    fn for_statement(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let children = cursor.children();
        let Some((body, parts)) = children.split_last() else { return self.verbatim_statement(cursor, "`for`", out) };
        let indices = self.text.indices(&cursor.range());
        let first = self.text.find(&[";"], indices.start + 2, indices.end);
        let second = self.text.find(&[";"], first + 1, indices.end);
        let offset = |index: usize| self.text.tokens.get(index).map_or(usize::MAX, |token| token.start);
        let (first, second) = (offset(first), offset(second));
        let part = |after: usize, before: usize| {
            parts.iter().copied().find(|part| (after..before).contains(&part.range().start))
        };
        let (initial, condition, step) = (part(0, first), part(first, second), part(second, usize::MAX));
        let mut before = Vec::new();
        match initial {
            Some(initial) if initial.is_expression() => before.push(Statement::Expression(self.expression(initial))),
            Some(initial) => self.local_declarations(initial, &mut before),
            None => {}
        }
        let condition = condition.map(|condition| self.expression(condition));
        let step = step.map(|step| self.expression(step));
        let body = self.body(*body);
        if before.len() <= 1 {
            let initial = before.pop().map(Box::new);
            return out.push(Statement::For { initial, condition, step, body });
        }
        // Several declarations do not fit into the head.
        before.push(Statement::For { initial: None, condition, step, body });
        out.push(Statement::Block(before));
    }

    fn case(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let children = cursor.children();
        let Some((statement, values)) = children.split_last() else {
            return self.verbatim_statement(cursor, "`case`", out);
        };
        let values: Vec<Expression> = values.iter().map(|value| self.constant_expression(*value)).collect();
        let mut values = values.into_iter();
        out.push(Statement::Case(match (values.next(), values.next()) {
            (Some(first), Some(last)) => CaseLabel::Range(first, last),
            (Some(value), None) => CaseLabel::Value(value),
            _ => CaseLabel::Default,
        }));
        self.statement(*statement, out);
    }

    /// The text is kept; the operands are there for analyses.
    fn assembly(&mut self, cursor: Cursor<'u>, out: &mut Vec<Statement>) {
        let range = cursor.range();
        let indices = self.text.indices(&range);
        let open = (indices.clone()).find(|at| self.text.at(*at) == "(").unwrap_or(indices.start);
        let close = self.text.closing(open, self.text.tokens.len());
        // The colons that part template, outputs, inputs, clobbers and labels; `::` is two of them.
        let mut starts = Vec::new();
        let mut at = open + 1;
        while at < close {
            at = self.text.find(&[":", "::"], at, close);
            let Some(token) = self.text.tokens.get(at).filter(|_| at < close) else { break };
            starts.extend((0..token.end - token.start).map(|_| at));
            at += 1;
        }
        let section = |number: usize| {
            let start = starts.get(number).map_or(close, |at| at + 1);
            self.text.tokens.get(start).map_or(range.end, |token| token.start)
        };
        let (outputs_from, inputs_from, inputs_to) = (section(0), section(1), section(2));
        let mut operands: Vec<Cursor> = cursor.expressions();
        operands.sort_by_key(|operand| operand.range().start);
        operands
            .retain(|operand| operand.kind() != kinds::CXCursor_StringLiteral || operand.range().start >= outputs_from);
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for operand in operands {
            match operand.range().start {
                start if start < inputs_from => outputs.push(self.expression(operand)),
                start if start < inputs_to => inputs.push(self.expression(operand)),
                _ => {}
            }
        }
        // libclang says nothing of the labels.
        let names = starts.get(3).map_or(close..close, |at| at + 1..close);
        let names = names.map(|at| self.text.at(at)).filter(|word| *word != ",");
        let labels = names.map(|name| self.labels.get(name).cloned().unwrap_or(name.to_owned())).collect();
        let text = format!("{};", self.text.flat(indices.start..close + 1));
        out.push(Statement::Assembly { text, outputs, inputs, labels });
    }
}
