//! The importer's doubt in itself: the type of every expression is computed again, by C's rules and from the parts of
//! the tree, and compared with what clang said (C11 section 6.5).
//!
//! In: the program. Out: a finding for each expression where the two differ; a conversion that was lost shows here.

use cast::{
    BinaryOperator, Declaration, Expression, ExpressionKind, Function, Program, Scalar, Statement, TagKind, Type,
    TypeTable, UnaryOperator, Variable,
};
use source::Diagnostic;

use crate::errors;
use crate::same::same;
use crate::walk::{self, Walk};

/// Compares the types of all expressions.
pub(crate) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut checker = Checker { types: &program.types, result: None, findings: Vec::new() };
    for declaration in program.units.iter().flat_map(|unit| &unit.file.declarations) {
        match declaration {
            Declaration::Function(function) => checker.function(function),
            Declaration::Variable(variable) => {
                walk::variable(&mut checker, variable);
                checker.variable(variable);
            }
            _ => {}
        }
    }
    checker.findings
}

struct Checker<'t> {
    types: &'t TypeTable,
    /// Of the function.
    result: Option<&'t Type>,
    findings: Vec<Diagnostic>,
}

impl<'t> Walk<'t> for Checker<'t> {
    fn expression(&mut self, expression: &'t Expression) {
        walk::expression(self, expression);
        if let Some(problem) = self.problem(expression) {
            self.findings.extend(expression.span.map(|span| errors::other_rule(span, &problem)));
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        walk::statement(self, statement);
        if let Statement::Declare(variable) = statement {
            self.variable(variable);
        }
        if let (Statement::Return(Some(value)), Some(result)) = (statement, self.result)
            && *self.types.resolve(result) != Type::Void
            && !self.fits(result, value)
        {
            let problem = format!("a `{}` is returned as `{}`", shown(&value.ty), shown(result));
            self.findings.extend(value.span.map(|span| errors::other_rule(span, &problem)));
        }
    }
}

fn shown(ty: &Type) -> String {
    cast::print_type(ty)
}

impl<'t> Checker<'t> {
    fn function(&mut self, function: &'t Function) {
        self.result = Some(&function.result);
        function.body.iter().for_each(|statement| self.statement(statement));
        self.result = None;
    }

    /// A value that is no list goes into a variable as into a parameter.
    fn variable(&mut self, variable: &'t Variable) {
        let Some(value) = &variable.initial else { return };
        let is_list = matches!(value.kind, ExpressionKind::Braces(_));
        let is_array = matches!(self.types.resolve(&variable.ty), Type::Array(..));
        if !is_list && !is_array && !self.fits(&variable.ty, value) {
            let problem = differ("an initial value", &value.ty, &variable.ty);
            self.findings.extend(value.span.map(|span| errors::other_rule(span, &problem)));
        }
    }

    /// What is wrong with an expression whose parts are right.
    fn problem(&self, expression: &Expression) -> Option<String> {
        let ty = &expression.ty;
        match &expression.kind {
            ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, ty),
            ExpressionKind::Assign(None, target, value) => {
                (!self.fits(&target.ty, value)).then(|| differ("assigned", &value.ty, &target.ty))
            }
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand, ty),
            ExpressionKind::Call(function, arguments) => self.call(function, arguments, ty),
            ExpressionKind::Member(base, name) => {
                let declared = self.member(&base.ty, name)?;
                (!self.same(declared, ty)).then(|| differ("a member read", declared, ty))
            }
            ExpressionKind::Index(base, _) => {
                let element = self.types.resolve(&base.ty).element()?;
                (!self.same(element, ty)).then(|| differ("an element read", element, ty))
            }
            ExpressionKind::Conditional(_, then, otherwise) if *self.types.resolve(ty) != Type::Void => {
                let fits = self.fits(ty, then) && self.fits(ty, otherwise);
                (!fits).then(|| differ("chosen", &then.ty, &otherwise.ty))
            }
            _ => None,
        }
    }

    fn binary(&self, operator: BinaryOperator, left: &Expression, right: &Expression, ty: &Type) -> Option<String> {
        use BinaryOperator::{Add, And, Comma, Or, ShiftLeft, ShiftRight, Subtract};
        let (a, b) = (self.decayed(&left.ty), self.decayed(&right.ty));
        if matches!(a, Type::Opaque(_)) || matches!(b, Type::Opaque(_)) {
            // Vectors and complex numbers have rules of their own.
            return None;
        }
        let is_pointer = |ty: &Type| matches!(ty, Type::Pointer(_));
        let is_int = self.scalar(ty) == Some(Scalar::Int);
        let fits = match operator {
            Comma => return None,
            And | Or => is_int,
            ShiftLeft | ShiftRight => {
                self.scalar(&a) == self.scalar(ty) && self.is_promoted(&a) && self.is_promoted(&b)
            }
            Add | Subtract if is_pointer(&a) && !is_pointer(&b) => self.same(&a, ty) && self.is_integer(&b),
            Add if is_pointer(&b) => self.same(&b, ty) && self.is_integer(&a),
            Subtract if is_pointer(&a) => self.scalar(ty).is_some(),
            _ if operator.is_logical() && is_pointer(&a) => is_int && is_pointer(&b),
            _ if operator.is_logical() => is_int && self.scalar(&a) == self.scalar(&b) && self.is_promoted(&a),
            _ => self.scalar(&a) == self.scalar(&b) && self.scalar(&a) == self.scalar(ty) && self.is_promoted(&a),
        };
        (!fits).then(|| {
            let [a, b, ty] = [&a, &b, ty].map(shown);
            format!("`{a} {} {b}` is `{ty}`", operator.spelling())
        })
    }

    fn unary(&self, operator: UnaryOperator, operand: &Expression, ty: &Type) -> Option<String> {
        use UnaryOperator::{Complement, Dereference, Negate, Not};
        if matches!(self.types.resolve(&operand.ty), Type::Opaque(_)) {
            return None;
        }
        let fits = match operator {
            Not => self.scalar(ty) == Some(Scalar::Int),
            Negate | Complement => self.scalar(&operand.ty) == self.scalar(ty) && self.is_promoted(ty),
            Dereference => match self.types.resolve(&operand.ty).element() {
                Some(element) => self.same(element, ty),
                None => true,
            },
            UnaryOperator::AddressOf => true,
            _ => self.same(&operand.ty, ty),
        };
        (!fits).then(|| differ("an operand", &operand.ty, ty))
    }

    fn call(&self, function: &Expression, arguments: &[Expression], ty: &Type) -> Option<String> {
        let mut called = self.types.resolve(&function.ty);
        if let Type::Pointer(target) = called {
            called = self.types.resolve(target);
        }
        let Type::Function(called) = called else { return None };
        if !self.same(&called.result, ty) {
            return Some(differ("a result", &called.result, ty));
        }
        if called.unprototyped {
            return None;
        }
        let wrong =
            called.parameters.iter().zip(arguments).find(|(parameter, argument)| !self.fits(&parameter.ty, argument));
        wrong.map(|(parameter, argument)| differ("an argument", &argument.ty, &parameter.ty))
    }

    fn member(&self, record: &Type, name: &str) -> Option<&'t Type> {
        let Type::Tagged(TagKind::Struct | TagKind::Union, tag) = self.types.resolve(record) else { return None };
        let fields = &self.types.records.get(tag)?.fields;
        let own = fields.iter().find(|field| field.name.as_deref() == Some(name));
        let anonymous = || {
            let without_name = fields.iter().filter(|field| field.name.is_none() && field.bits.is_none());
            without_name.into_iter().find_map(|field| self.member(&field.ty, name))
        };
        own.map(|field| &field.ty).or_else(anonymous)
    }

    /// Whether a value, after decay, has the type of the place it goes to.
    fn fits(&self, place: &Type, value: &Expression) -> bool {
        self.same(place, &self.decayed(&value.ty))
    }

    fn decayed(&self, ty: &Type) -> Type {
        match self.types.resolve(ty) {
            Type::Array(element, _) => (**element).clone().pointer(),
            Type::Function(_) => self.types.resolve(ty).clone().pointer(),
            other => other.clone(),
        }
    }

    /// Whether two types are one. An enumeration may stand for its integer, and opaque types for anything.
    fn same(&self, one: &Type, other: &Type) -> bool {
        match (self.types.resolve(one), self.types.resolve(other)) {
            (Type::Opaque(_), _) | (_, Type::Opaque(_)) => true,
            (one, other) => {
                same(self.types, one, other)
                    || self.scalar(one).is_some_and(|scalar| Some(scalar) == self.scalar(other))
            }
        }
    }

    fn scalar(&self, ty: &Type) -> Option<Scalar> {
        self.types.scalar(ty)
    }

    fn is_integer(&self, ty: &Type) -> bool {
        use Scalar::{Double, Float, Float128, LongDouble};
        self.scalar(ty).is_some_and(|scalar| !matches!(scalar, Float | Double | LongDouble | Float128))
    }

    /// Whether the integer promotions leave a type as it is.
    fn is_promoted(&self, ty: &Type) -> bool {
        use Scalar::{Bool, Char, Short, SignedChar, UnsignedChar, UnsignedShort};
        let is_small = |scalar| matches!(scalar, Bool | Char | SignedChar | UnsignedChar | Short | UnsignedShort);
        self.scalar(ty).is_some_and(|scalar| !is_small(scalar))
    }
}

fn differ(what: &str, one: &Type, other: &Type) -> String {
    format!("{what}: `{}` and `{}`", shown(one), shown(other))
}
