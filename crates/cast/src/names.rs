//! Names and numbers that are one token each. In: a file of C that whittle makes. Out: those that are none, so that text of a
//! description cannot become C of another kind on its way through names.

use crate::{
    Declaration, Designator, Expression, ExpressionKind, Field, File, Function, Parameter, Record, Statement, Type,
    Variable,
};
use escape::c::is_identifier;

/// Each text that stands for a name or a number and is not one.
pub(crate) fn wrong(file: &File) -> Vec<String> {
    let mut checker = Checker { wrong: Vec::new() };
    checker.declarations(&file.declarations);
    checker.wrong
}

struct Checker {
    wrong: Vec<String>,
}

/// What a number may be written with; negative ones stand in parentheses, and sums of two.
fn is_number(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || ".+-() _".contains(letter);
    (!text.is_empty() && text.chars().all(is_part)) || is_character(text)
}

/// `'a'`
fn is_character(text: &str) -> bool {
    matches!(text.as_bytes(), [b'\'', letter, b'\''] if letter.is_ascii_graphic() && !matches!(letter, b'\'' | b'\\'))
}

/// `unsigned long`, `struct tag`, `CORBA_long`.
fn is_type_name(text: &str) -> bool {
    text.split(' ').all(is_identifier)
}

impl Checker {
    fn check(&mut self, text: &str, is_right: bool) {
        if !is_right {
            self.wrong.push(text.to_owned());
        }
    }

    fn name(&mut self, name: &str) {
        self.check(name, is_identifier(name));
    }

    fn declarations(&mut self, list: &[Declaration]) {
        for declaration in list {
            match declaration {
                Declaration::Define(definition) => {
                    self.name(&definition.name);
                    definition.value.iter().for_each(|value| self.expression(value));
                }
                Declaration::Typedef { name, ty } => {
                    self.name(name);
                    self.ty(ty);
                }
                Declaration::Record(record) => self.record(record),
                Declaration::Enumeration(enumeration) => {
                    enumeration.tag.iter().for_each(|tag| self.name(tag));
                    for (name, value) in &enumeration.members {
                        self.name(name);
                        value.iter().for_each(|value| self.expression(value));
                    }
                }
                Declaration::Variable(variable) => self.variable(variable),
                Declaration::Prototype(function) | Declaration::Function(function) => self.function(function),
                Declaration::Conditional(conditional) => {
                    self.name(&conditional.condition.name);
                    self.declarations(&conditional.then);
                    self.declarations(&conditional.otherwise);
                }
                Declaration::ExternC(inner) => self.declarations(inner),
                Declaration::StaticAssert(condition, _) => self.expression(condition),
                Declaration::Require(requirement) => self.name(&requirement.name),
                Declaration::Include(_)
                | Declaration::Undefine(_)
                | Declaration::Comment(_)
                | Declaration::Verbatim(_)
                | Declaration::Blank => {}
            }
        }
    }

    fn record(&mut self, record: &Record) {
        record.tag.iter().for_each(|tag| self.name(tag));
        record.fields.iter().for_each(|field| self.field(field));
    }

    fn field(&mut self, field: &Field) {
        self.name(&field.name);
        self.ty(&field.ty);
    }

    fn variable(&mut self, variable: &Variable) {
        if variable.spelling.is_none() {
            self.name(&variable.name);
            self.ty(&variable.ty);
        }
        variable.initial.iter().for_each(|value| self.expression(value));
    }

    fn parameter(&mut self, parameter: &Parameter) {
        parameter.name.iter().for_each(|name| self.name(name));
        // Of K&R C's functions nothing is said between the parentheses.
        if parameter.ty != Type::named("") {
            self.ty(&parameter.ty);
        }
    }

    fn function(&mut self, function: &Function) {
        if function.spelling.is_none() {
            self.name(&function.name);
            self.ty(&function.result);
            function.parameters.iter().for_each(|parameter| self.parameter(parameter));
        }
        self.statements(&function.body);
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Void | Type::Scalar(_) | Type::Opaque(_) => {}
            Type::Named(name) | Type::Tagged(_, name) => self.check(name, is_type_name(name)),
            Type::Anonymous(record) => self.record(record),
            Type::Pointer(to) | Type::Qualified(_, to) => self.ty(to),
            Type::Array(element, length) => {
                self.ty(element);
                length.iter().for_each(|length| self.expression(length));
            }
            Type::Function(function) => {
                self.ty(&function.result);
                function.parameters.iter().for_each(|parameter| self.parameter(parameter));
            }
        }
    }

    fn statements(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expression(value) | Statement::GotoAddress(value) => self.expression(value),
            Statement::Declare(variable) => self.variable(variable),
            Statement::Block(body) => self.statements(body),
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statements(then);
                self.statements(otherwise);
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.statements(body);
            }
            Statement::For { initial, condition, step, body } => {
                initial.iter().for_each(|initial| self.statement(initial));
                condition.iter().chain(step).for_each(|value| self.expression(value));
                self.statements(body);
            }
            Statement::Switch { value, arms } => {
                self.expression(value);
                for arm in arms {
                    for label in &arm.labels {
                        if let crate::CaseLabel::Value(value) = label {
                            self.expression(value);
                        }
                    }
                    self.statements(&arm.body);
                }
            }
            Statement::SwitchBody { value, body } => {
                self.expression(value);
                self.statements(body);
            }
            Statement::Return(value) => value.iter().for_each(|value| self.expression(value)),
            Statement::Goto(label) | Statement::Label(label) => self.name(label),
            Statement::Conditional { condition, then, otherwise } => {
                self.name(&condition.name);
                self.statements(then);
                self.statements(otherwise);
            }
            _ => {}
        }
    }

    fn expression(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Integer(text) | ExpressionKind::Float(text) => self.check(text, is_number(text)),
            ExpressionKind::Name(name) => self.check(name, is_type_name(name)),
            ExpressionKind::LabelAddress(name) => self.name(name),
            ExpressionKind::Unary(_, operand) => self.expression(operand),
            ExpressionKind::Binary(_, left, right)
            | ExpressionKind::Assign(_, left, right)
            | ExpressionKind::Index(left, right)
            | ExpressionKind::Otherwise(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expression(part));
            }
            ExpressionKind::Call(function, arguments) => {
                self.expression(function);
                arguments.iter().for_each(|argument| self.expression(argument));
            }
            ExpressionKind::Member(base, name) => {
                self.expression(base);
                self.check(name, name.split('.').all(is_identifier));
            }
            ExpressionKind::Cast(inner) | ExpressionKind::Compound(inner) | ExpressionKind::VariableArgument(inner) => {
                self.ty(&value.ty);
                self.expression(inner);
            }
            ExpressionKind::Implicit(inner) | ExpressionKind::SizeofValue(inner) => self.expression(inner),
            ExpressionKind::SizeofType(ty) => self.ty(ty),
            ExpressionKind::Block(body) => self.statements(body),
            ExpressionKind::Braces(parts) => {
                for part in parts {
                    for designator in &part.designators {
                        if let Designator::Member(name) = designator {
                            self.check(name, name.split('.').all(is_identifier));
                        }
                    }
                    self.expression(&part.value);
                }
            }
            ExpressionKind::Text(_)
            | ExpressionKind::Literal { .. }
            | ExpressionKind::Known { .. }
            | ExpressionKind::Verbatim(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn a_name_is_one_name() {
        let hostile = "x; } int y(void) { return 0";
        let define = |name: &str, value| Declaration::Define(crate::Definition { name: name.to_owned(), value });
        let file = |declaration| File { declarations: vec![declaration] };
        let found = |declaration| wrong(&file(declaration));
        assert_eq!(found(define("A", Some(build::name("B", Type::INT)))), Vec::<String>::new());
        assert_eq!(found(define(hostile, None)), [hostile]);
        assert_eq!(found(define("A", Some(build::spelled("1\n#include \"x\"", Type::INT)))).len(), 1);
        assert_eq!(found(Declaration::Typedef { name: "t".to_owned(), ty: Type::named(hostile).pointer() }), [hostile]);
    }
}
