//! Finds wrong trees before a C compiler does: names nobody declares, members that a known record lacks, calls
//! with a wrong number of arguments, `goto`s without a label, `break` and `return` out of place.

use std::collections::BTreeMap;

use source::Diagnostic;

use crate::{
    Declaration, Expression, ExpressionKind, File, Function, Linkage, Record, Statement, TagKind, Type, UnaryOperator,
};

/// What the headers that a file includes declare, as far as the file's builder knows them.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Functions, by name, with their number of parameters; `None` for a variable number.
    pub functions: BTreeMap<String, Option<usize>>,
}

/// What is wrong with a file; empty when nothing is.
pub fn verify(file: &File, known: &Known) -> Vec<Diagnostic> {
    let mut verifier = Verifier { known: known.clone(), ..Verifier::default() };
    verifier.collect(&file.declarations);
    verifier.declarations(&file.declarations);
    let wrong = crate::names::wrong(file);
    // What is made of a wrong name is wrong as well: one of them says enough.
    verifier.findings.extend(wrong.first().map(|text| not_a_name(text)));
    verifier.findings
}

/// `cast-002`: a name that is none in C. It came from a dump, or from a name of a file, and would become C of another kind.
fn not_a_name(text: &str) -> Diagnostic {
    Diagnostic::error("cast-002", format!("`{}` cannot stand for a name or a number in C", escape::line(text)))
        .help("a name is letters, digits and `_`, and begins with no digit")
}

#[derive(Default)]
struct Verifier {
    known: Known,
    records: BTreeMap<String, Record>,
    function: String,
    labels: Vec<String>,
    loops: usize,
    switches: usize,
    returns_value: bool,
    findings: Vec<Diagnostic>,
}

impl Verifier {
    /// `cast-001`: C that no compiler would take. A fault of whittle's own, found before it writes anything; please
    /// report it.
    fn finding(&mut self, message: String) {
        self.findings.push(Diagnostic::error("cast-001", format!("in `{}`: {message}", self.function)));
    }

    /// Notes what the file itself declares.
    fn collect(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Record(record) => {
                    if let Some(tag) = &record.tag {
                        self.records.insert(tag.clone(), record.clone());
                    }
                }
                Declaration::Prototype(function) | Declaration::Function(function) => {
                    let count = (!function.variadic).then_some(function.parameters.len());
                    self.known.functions.insert(function.name.clone(), count);
                }
                Declaration::Conditional(conditional) => {
                    self.collect(&conditional.then);
                    self.collect(&conditional.otherwise);
                }
                Declaration::ExternC(inner) => self.collect(inner),
                _ => {}
            }
        }
    }

    fn declarations(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Function(function) => self.function(function),
                Declaration::Conditional(conditional) => {
                    self.declarations(&conditional.then);
                    self.declarations(&conditional.otherwise);
                }
                Declaration::ExternC(inner) => self.declarations(inner),
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &Function) {
        self.function = function.name.clone();
        self.returns_value = function.result != Type::Void;
        self.labels.clear();
        self.labels_of(&function.body);
        self.statements(&function.body);
        if function.linkage == Linkage::Static && function.name.is_empty() {
            self.finding("a function has no name".to_string());
        }
    }

    fn labels_of(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Label(label) if self.labels.contains(label) => {
                    self.finding(format!("label `{label}` stands twice"));
                }
                Statement::Label(label) => self.labels.push(label.clone()),
                Statement::Block(body)
                | Statement::While { body, .. }
                | Statement::DoWhile { body, .. }
                | Statement::For { body, .. } => self.labels_of(body),
                Statement::If { then, otherwise, .. } | Statement::Conditional { then, otherwise, .. } => {
                    self.labels_of(then);
                    self.labels_of(otherwise);
                }
                Statement::Switch { arms, .. } => arms.iter().for_each(|arm| self.labels_of(&arm.body)),
                _ => {}
            }
        }
    }

    fn statements(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn looped(&mut self, body: &[Statement]) {
        self.loops += 1;
        self.statements(body);
        self.loops -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(value) => self.expression(value),
            Statement::Declare(variable) => variable.initial.iter().for_each(|value| self.expression(value)),
            Statement::Block(body) => self.statements(body),
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.looped(body);
            }
            Statement::For { initial, condition, step, body } => {
                initial.iter().for_each(|initial| self.statement(initial));
                condition.iter().chain(step).for_each(|value| self.expression(value));
                self.looped(body);
            }
            Statement::Switch { value, arms } => {
                self.expression(value);
                self.switches += 1;
                arms.iter().for_each(|arm| self.statements(&arm.body));
                self.switches -= 1;
            }
            Statement::Break if self.loops + self.switches == 0 => self.finding("`break` out of place".to_string()),
            Statement::Continue if self.loops == 0 => self.finding("`continue` out of place".to_string()),
            Statement::Return(value) => {
                if value.is_some() != self.returns_value {
                    self.finding("`return` does not fit the function's type".to_string());
                }
                value.iter().for_each(|value| self.expression(value));
            }
            Statement::Goto(label) if !self.labels.contains(label) => {
                self.finding(format!("no label `{label}`"));
            }
            Statement::Conditional { then, otherwise, .. } => {
                self.statements(then);
                self.statements(otherwise);
            }
            _ => {}
        }
    }

    fn expression(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Unary(operator, operand) => {
                if *operator == UnaryOperator::Dereference && matches!(operand.ty.unqualified(), Type::Scalar(_)) {
                    self.finding("a number is dereferenced".to_string());
                }
                self.expression(operand);
            }
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Assign(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Call(function, arguments) => {
                self.call(function, arguments.len());
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            ExpressionKind::Member(base, name) => {
                self.member(&base.ty, name);
                self.expression(base);
            }
            ExpressionKind::Index(base, at) => {
                self.expression(base);
                self.expression(at);
            }
            ExpressionKind::Cast(inner) | ExpressionKind::SizeofValue(inner) => self.expression(inner),
            ExpressionKind::Braces(parts) => parts.iter().for_each(|part| self.expression(&part.value)),
            _ => {}
        }
    }

    fn call(&mut self, function: &Expression, given: usize) {
        let ExpressionKind::Name(name) = &function.kind else { return };
        if let Some(Some(wanted)) = self.known.functions.get(name).copied()
            && wanted != given
        {
            self.finding(format!("`{name}` takes {wanted} arguments and gets {given}"));
        }
    }

    fn member(&mut self, base: &Type, name: &str) {
        let has = |record: &Record| record.fields.iter().any(|field| field.name == name);
        let lacks = match base.unqualified() {
            Type::Tagged(TagKind::Struct | TagKind::Union, tag) => self.records.get(tag).is_some_and(|r| !has(r)),
            Type::Anonymous(record) => !has(record),
            Type::Scalar(_) | Type::Pointer(_) => true,
            _ => false,
        };
        if lacks {
            self.finding(format!("`{}` has no member `{name}`", crate::print_type(base)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, verify};
    use crate::{Declaration, File, Function, Linkage, Statement, Type};

    #[test]
    fn a_jump_to_nowhere_is_found() {
        let function = Function {
            linkage: Linkage::Plain,
            attributes: Vec::new(),
            name: "f".to_owned(),
            result: Type::Void,
            parameters: Vec::new(),
            variadic: false,
            body: vec![Statement::Goto("nowhere".to_owned())],
            ..Function::default()
        };
        let file = File { declarations: vec![Declaration::Function(function)] };
        let codes: Vec<&str> = verify(&file, &Known::default()).iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["cast-001"]);
    }
}
