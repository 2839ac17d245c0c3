//! A walk over all names of a tree, to change them: objects, labels and types, in declarations, statements,
//! expressions and types alike. In: a tree and what is to be done with a name. Out: the same tree with other names.

use crate::{
    CaseLabel, Declaration, Designator, Expression, ExpressionKind, Function, Initializer, Statement, Type, Variable,
};

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameOf {
    /// A variable, parameter or function.
    Object,
    Label,
    /// A typedef.
    Typedef,
    /// A structure, union or enumeration.
    Tag,
}

/// What is done with each name.
pub type Rename<'r> = &'r mut dyn FnMut(NameOf, &mut String);

/// All names of a declaration; those in text that the tree does not model stay.
pub fn rename_declaration(declaration: &mut Declaration, rename: Rename) {
    match declaration {
        Declaration::Typedef { name, ty } => {
            rename(NameOf::Typedef, name);
            rename_type(ty, rename);
        }
        Declaration::Record(record) => {
            record.tag.iter_mut().for_each(|tag| rename(NameOf::Tag, tag));
            record.fields.iter_mut().for_each(|field| rename_type(&mut field.ty, rename));
        }
        Declaration::Enumeration(enumeration) => {
            enumeration.tag.iter_mut().for_each(|tag| rename(NameOf::Tag, tag));
            let values = enumeration.members.iter_mut().filter_map(|(_, value)| value.as_mut());
            values.for_each(|value| rename_expression(value, rename));
        }
        Declaration::Variable(variable) => rename_variable(variable, rename),
        Declaration::Prototype(function) | Declaration::Function(function) => rename_function(function, rename),
        Declaration::Conditional(conditional) => {
            let parts = conditional.then.iter_mut().chain(&mut conditional.otherwise);
            parts.for_each(|part| rename_declaration(part, rename));
        }
        Declaration::ExternC(inner) => inner.iter_mut().for_each(|part| rename_declaration(part, rename)),
        Declaration::StaticAssert(condition, _) => rename_expression(condition, rename),
        Declaration::Define(definition) => {
            definition.value.iter_mut().for_each(|value| rename_expression(value, rename));
        }
        Declaration::Include(_)
        | Declaration::Require(_)
        | Declaration::Comment(_)
        | Declaration::Verbatim(_)
        | Declaration::Undefine(_)
        | Declaration::Blank => {}
    }
}

/// All names of a function, its own included.
pub fn rename_function(function: &mut Function, rename: Rename) {
    rename(NameOf::Object, &mut function.name);
    rename_type(&mut function.result, rename);
    for parameter in &mut function.parameters {
        parameter.name.iter_mut().for_each(|name| rename(NameOf::Object, name));
        rename_type(&mut parameter.ty, rename);
    }
    rename_statements(&mut function.body, rename);
}

/// All names of a variable, its own included.
pub fn rename_variable(variable: &mut Variable, rename: Rename) {
    rename(NameOf::Object, &mut variable.name);
    rename_type(&mut variable.ty, rename);
    variable.initial.iter_mut().for_each(|value| rename_expression(value, rename));
}

/// All names in statements.
pub fn rename_statements(statements: &mut [Statement], rename: Rename) {
    statements.iter_mut().for_each(|statement| rename_statement(statement, rename));
}

fn rename_statement(statement: &mut Statement, rename: Rename) {
    match statement {
        Statement::Expression(value) | Statement::GotoAddress(value) => rename_expression(value, rename),
        Statement::Declare(variable) => rename_variable(variable, rename),
        Statement::Block(body) => rename_statements(body, rename),
        Statement::If { condition, then, otherwise } => {
            rename_expression(condition, rename);
            rename_statements(then, rename);
            rename_statements(otherwise, rename);
        }
        Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
            rename_expression(condition, rename);
            rename_statements(body, rename);
        }
        Statement::For { initial, condition, step, body } => {
            initial.iter_mut().for_each(|initial| rename_statement(initial, rename));
            condition.iter_mut().chain(step).for_each(|value| rename_expression(value, rename));
            rename_statements(body, rename);
        }
        Statement::Switch { value, arms } => {
            rename_expression(value, rename);
            for arm in arms {
                arm.labels.iter_mut().for_each(|label| rename_case(label, rename));
                rename_statements(&mut arm.body, rename);
            }
        }
        Statement::SwitchBody { value, body } => {
            rename_expression(value, rename);
            rename_statements(body, rename);
        }
        Statement::Case(label) => rename_case(label, rename),
        Statement::Return(value) => value.iter_mut().for_each(|value| rename_expression(value, rename)),
        Statement::Goto(label) | Statement::Label(label) => rename(NameOf::Label, label),
        Statement::Assembly { outputs, inputs, labels, .. } => {
            outputs.iter_mut().chain(inputs).for_each(|value| rename_expression(value, rename));
            labels.iter_mut().for_each(|label| rename(NameOf::Label, label));
        }
        Statement::Conditional { then, otherwise, .. } => {
            rename_statements(then, rename);
            rename_statements(otherwise, rename);
        }
        Statement::Break
        | Statement::Continue
        | Statement::At(_)
        | Statement::Comment(_)
        | Statement::Verbatim(_)
        | Statement::Blank => {}
    }
}

fn rename_case(label: &mut CaseLabel, rename: Rename) {
    match label {
        CaseLabel::Value(value) => rename_expression(value, rename),
        CaseLabel::Range(first, last) => {
            rename_expression(first, rename);
            rename_expression(last, rename);
        }
        CaseLabel::Default => {}
    }
}

/// All names in an expression and in the types of its parts.
pub fn rename_expression(expression: &mut Expression, rename: Rename) {
    rename_type(&mut expression.ty, rename);
    match &mut expression.kind {
        ExpressionKind::Name(name) => rename(NameOf::Object, name),
        ExpressionKind::LabelAddress(label) => rename(NameOf::Label, label),
        ExpressionKind::Unary(_, value)
        | ExpressionKind::Member(value, _)
        | ExpressionKind::Cast(value)
        | ExpressionKind::Implicit(value)
        | ExpressionKind::Compound(value)
        | ExpressionKind::VariableArgument(value)
        | ExpressionKind::SizeofValue(value) => rename_expression(value, rename),
        ExpressionKind::Binary(_, left, right)
        | ExpressionKind::Assign(_, left, right)
        | ExpressionKind::Index(left, right)
        | ExpressionKind::Otherwise(left, right) => {
            rename_expression(left, rename);
            rename_expression(right, rename);
        }
        ExpressionKind::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| rename_expression(part, rename));
        }
        ExpressionKind::Call(function, arguments) => {
            rename_expression(function, rename);
            arguments.iter_mut().for_each(|argument| rename_expression(argument, rename));
        }
        ExpressionKind::Block(body) => rename_statements(body, rename),
        ExpressionKind::Braces(parts) => parts.iter_mut().for_each(|part| rename_part(part, rename)),
        ExpressionKind::SizeofType(ty) => rename_type(ty, rename),
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Literal { .. }
        | ExpressionKind::Known { .. }
        | ExpressionKind::Verbatim(_) => {}
    }
}

fn rename_part(part: &mut Initializer, rename: Rename) {
    for designator in &mut part.designators {
        match designator {
            Designator::Member(_) => {}
            Designator::Index(at) => rename_expression(at, rename),
            Designator::Range(first, last) => {
                rename_expression(first, rename);
                rename_expression(last, rename);
            }
        }
    }
    rename_expression(&mut part.value, rename);
}

/// All names in a type.
pub fn rename_type(ty: &mut Type, rename: Rename) {
    match ty {
        Type::Named(name) => rename(NameOf::Typedef, name),
        Type::Tagged(_, tag) => rename(NameOf::Tag, tag),
        Type::Anonymous(record) => record.fields.iter_mut().for_each(|field| rename_type(&mut field.ty, rename)),
        Type::Pointer(inner) | Type::Qualified(_, inner) => rename_type(inner, rename),
        Type::Array(element, length) => {
            rename_type(element, rename);
            length.iter_mut().for_each(|length| rename_expression(length, rename));
        }
        Type::Function(function) => {
            rename_type(&mut function.result, rename);
            function.parameters.iter_mut().for_each(|parameter| rename_type(&mut parameter.ty, rename));
        }
        Type::Void | Type::Scalar(_) | Type::Opaque(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{NameOf, rename_expression};
    use crate::{Type, build};

    #[test]
    fn names_are_met_wherever_they_stand() {
        let mut value =
            build::call("f", vec![build::name("x", Type::named("t")), build::name("y", Type::INT)], Type::INT);
        let mut met = Vec::new();
        rename_expression(&mut value, &mut |of, name| {
            met.push((of, name.clone()));
            name.push('2');
        });
        let expected = [(NameOf::Object, "f"), (NameOf::Typedef, "t"), (NameOf::Object, "x"), (NameOf::Object, "y")];
        assert_eq!(met, expected.map(|(of, name)| (of, name.to_owned())));
        assert_eq!(crate::print_expression(&value), "f2(x2, y2)");
    }
}
