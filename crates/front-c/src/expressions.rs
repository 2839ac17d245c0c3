//! Expressions: clang's tree, whose implicit conversions are nodes without a name, as typed C.

use cast::{BinaryOperator, Expression, ExpressionKind, Type, UnaryOperator};

use crate::clang::{Cursor, kinds};
use crate::importer::Importer;
use crate::lex::Kind;

/// Trees are no deeper than this, so that who walks over one needs no more stack than there is.
pub(crate) const DEEPEST: u32 = 1000;

impl<'u> Importer<'u> {
    /// An expression with all that is below it.
    pub(crate) fn expression(&mut self, cursor: Cursor<'u>) -> Expression {
        if self.depth > DEEPEST {
            return self.verbatim(cursor, "an expression nested beyond all measure");
        }
        self.depth += 1;
        let expression = self.any_expression(cursor);
        self.depth -= 1;
        expression
    }

    fn any_expression(&mut self, cursor: Cursor<'u>) -> Expression {
        match cursor.kind() {
            kinds::CXCursor_UnexposedExpr => self.unexposed(cursor),
            kinds::CXCursor_ParenExpr => self.only_operand(cursor),
            kinds::CXCursor_DeclRefExpr => self.reference(cursor),
            kinds::CXCursor_MemberRefExpr => self.member(cursor),
            kinds::CXCursor_CallExpr => self.call(cursor),
            kinds::CXCursor_UnaryOperator => self.unary(cursor),
            kinds::CXCursor_BinaryOperator | kinds::CXCursor_CompoundAssignOperator => self.binary(cursor),
            kinds::CXCursor_ArraySubscriptExpr => self.index(cursor),
            kinds::CXCursor_ConditionalOperator => self.conditional(cursor),
            kinds::CXCursor_CStyleCastExpr => self.cast(cursor),
            kinds::CXCursor_CompoundLiteralExpr => self.compound(cursor),
            kinds::CXCursor_InitListExpr => self.braces(cursor),
            kinds::CXCursor_UnaryExpr => self.size_of(cursor),
            kinds::CXCursor_IntegerLiteral
            | kinds::CXCursor_FloatingLiteral
            | kinds::CXCursor_CharacterLiteral
            | kinds::CXCursor_StringLiteral => self.literal(cursor),
            kinds::CXCursor_ImaginaryLiteral => {
                let (spelling, ty) = (self.spelled(cursor), self.type_of(cursor));
                self.make(cursor, ExpressionKind::Verbatim(spelling), ty)
            }
            kinds::CXCursor_StmtExpr => self.block_expression(cursor),
            kinds::CXCursor_AddrLabelExpr => self.label_address(cursor),
            kinds::CXCursor_GenericSelectionExpr => self.generic(cursor),
            _ => self.verbatim(cursor, "an expression"),
        }
    }

    /// The operand of parentheses and of operators that only wrap.
    pub(crate) fn only_operand(&mut self, cursor: Cursor<'u>) -> Expression {
        match cursor.expressions().as_slice() {
            [operand] => self.expression(*operand),
            _ => self.verbatim(cursor, "an expression"),
        }
    }

    /// The type of a value: parameters that were declared as arrays still look like arrays to libclang.
    pub(crate) fn value_type(&mut self, cursor: Cursor<'u>) -> Type {
        let ty = self.type_of(cursor);
        self.adjusted(ty)
    }

    fn reference(&mut self, cursor: Cursor<'u>) -> Expression {
        let Some(declaration) = cursor.referenced() else { return self.verbatim(cursor, "a name") };
        let spelling = self.spelled(cursor);
        if declaration.kind() == kinds::CXCursor_EnumConstantDecl {
            let ty = self.type_of(cursor);
            let value = self.enumerator_value(declaration);
            return self.make(cursor, ExpressionKind::Known { spelling, value }, ty);
        }
        let known = declaration.canonical().location().and_then(|offset| self.objects.get(&offset).cloned());
        if let Some(object) = known {
            return self.make(cursor, ExpressionKind::Name(object.name), object.ty);
        }
        let ty = self.type_of(cursor);
        let ty = if declaration.kind() == kinds::CXCursor_ParmDecl { self.adjusted(ty) } else { ty };
        // clang may refer to another function than the text names: `__sync_fetch_and_add_4`.
        let is_other = declaration.location().is_none() || declaration.spelling() != spelling;
        let name = if is_other { spelling } else { self.name_of(declaration) };
        self.make(cursor, ExpressionKind::Name(name), ty)
    }

    fn enumerator_value(&mut self, declaration: Cursor<'u>) -> i128 {
        let integer = declaration.parent().map(|parent| parent.enumeration_type().canonical());
        let scalar = integer.map(|integer| self.convert(integer));
        let is_unsigned = matches!(scalar, Some(Type::Scalar(scalar)) if crate::types::is_unsigned(scalar));
        declaration.enumerator(is_unsigned)
    }

    fn member(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let [base] = expressions.as_slice() else { return self.verbatim(cursor, "access to a member") };
        let base = self.expression(*base);
        let name = cursor.spelling();
        // An anonymous member: what it holds belongs to the outer record.
        let is_named = self.spelled(cursor).ends_with(name.as_str()) && !name.is_empty();
        if !is_named {
            return base;
        }
        let ty = self.type_of(cursor);
        let base = self.dereferenced(base);
        self.make(cursor, ExpressionKind::Member(Box::new(base), name), ty)
    }

    /// `*pointer` of a pointer, so that `p->a` is `(*p).a`; anything else as it is.
    fn dereferenced(&mut self, base: Expression) -> Expression {
        match self.types.resolve(&base.ty).element().cloned() {
            Some(ty) => {
                let span = base.span;
                Expression { kind: ExpressionKind::Unary(UnaryOperator::Dereference, Box::new(base)), ty, span }
            }
            None => base,
        }
    }

    fn call(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let Some((callee, arguments)) = expressions.split_first() else { return self.verbatim(cursor, "a call") };
        let mut function = self.expression(*callee);
        if !matches!(self.types.resolve(&function.ty), Type::Function(_) | Type::Pointer(_)) {
            // A builtin: only its use as a function has a type.
            let pointer = callee.ty().pointee();
            function.ty = pointer.map_or(Type::Void, |function| self.convert(function));
        }
        let arguments = arguments.iter().map(|argument| self.expression(*argument)).collect();
        let ty = self.value_type(cursor);
        self.make(cursor, ExpressionKind::Call(Box::new(function), arguments), ty)
    }

    fn unary(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let [operand] = expressions.as_slice() else { return self.verbatim(cursor, "an operator") };
        let range = cursor.range();
        let is_prefix = operand.range().start > range.start;
        let indices = self.text.indices(&range);
        let mark = if is_prefix { self.text.at(indices.start) } else { self.text.at(indices.end.saturating_sub(1)) };
        let operator = match (mark, is_prefix) {
            ("__extension__", _) => return self.expression(*operand),
            ("-", true) => UnaryOperator::Negate,
            ("!", true) => UnaryOperator::Not,
            ("~", true) => UnaryOperator::Complement,
            ("&", true) => UnaryOperator::AddressOf,
            ("*", true) => UnaryOperator::Dereference,
            ("++", true) => UnaryOperator::Increment,
            ("--", true) => UnaryOperator::Decrement,
            ("++", false) => UnaryOperator::IncrementAfter,
            ("--", false) => UnaryOperator::DecrementAfter,
            ("+", true) => {
                // Nothing but a conversion to the promoted type, which the result has.
                let (operand, ty) = (self.expression(*operand), self.value_type(cursor));
                return self.make(cursor, ExpressionKind::Cast(Box::new(operand)), ty);
            }
            _ => return self.verbatim(cursor, "an operator on parts of a complex number"),
        };
        let operand = self.expression(*operand);
        let ty = match operator {
            UnaryOperator::AddressOf => operand.ty.clone().pointer(),
            UnaryOperator::Dereference => match self.types.resolve(&operand.ty).element() {
                Some(element) => element.clone(),
                // A function, which is its own target.
                None => self.type_of(cursor),
            },
            _ => self.value_type(cursor),
        };
        self.make(cursor, ExpressionKind::Unary(operator, Box::new(operand)), ty)
    }

    fn binary(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let [left, right] = expressions.as_slice() else { return self.verbatim(cursor, "an operator") };
        let mark = self.text.word_at(left.range().end).to_owned();
        let (left, right) = (self.expression(*left), self.expression(*right));
        let ty = match mark.as_str() {
            "," => right.ty.clone(),
            _ => self.value_type(cursor),
        };
        let (left, right) = (Box::new(left), Box::new(right));
        let assigned = mark.strip_suffix('=').filter(|rest| !matches!(*rest, "=" | "!" | "<" | ">"));
        let kind = match (assigned, operator(&mark)) {
            (Some(""), _) => ExpressionKind::Assign(None, left, right),
            (Some(mark), _) if operator(mark).is_some() => ExpressionKind::Assign(operator(mark), left, right),
            (_, Some(operator)) => ExpressionKind::Binary(operator, left, right),
            _ => return self.verbatim(cursor, "an operator"),
        };
        self.make(cursor, kind, ty)
    }

    fn index(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let [base, at] = expressions.as_slice() else { return self.verbatim(cursor, "a subscript") };
        let (mut base, mut at) = (self.expression(*base), self.expression(*at));
        // `1[a]` is `a[1]`.
        if self.types.resolve(&at.ty).element().is_some() {
            std::mem::swap(&mut base, &mut at);
        }
        let element = self.types.resolve(&base.ty).element().cloned();
        let ty = element.unwrap_or_else(|| self.type_of(cursor));
        let ty = with_qualifiers_of(&base.ty, ty, &self.types);
        self.make(cursor, ExpressionKind::Index(Box::new(base), Box::new(at)), ty)
    }

    fn conditional(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let [condition, then, otherwise] = expressions.as_slice() else {
            return self.verbatim(cursor, "a conditional expression");
        };
        let ty = self.value_type(cursor);
        let [condition, then, otherwise] = [condition, then, otherwise].map(|part| Box::new(self.expression(*part)));
        self.make(cursor, ExpressionKind::Conditional(condition, then, otherwise), ty)
    }

    fn cast(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let Some((operand, bounds)) = expressions.split_last() else { return self.verbatim(cursor, "a cast") };
        if self.defines_a_type(cursor.range().start, operand.range().start) {
            return self.verbatim(cursor, "a type that is defined in a cast");
        }
        let mut bounds = bounds.iter().map(|bound| self.expression(*bound)).collect();
        let ty = self.convert_with(cursor.ty(), &mut bounds);
        let operand = self.expression(*operand);
        self.make(cursor, ExpressionKind::Cast(Box::new(operand)), ty)
    }

    fn compound(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        let Some(value) = expressions.last() else { return self.verbatim(cursor, "a compound literal") };
        if self.defines_a_type(cursor.range().start, value.range().start) {
            return self.verbatim(cursor, "a type that is defined in a compound literal");
        }
        let ty = self.type_of(cursor);
        let value = self.expression(*value);
        self.make(cursor, ExpressionKind::Compound(Box::new(value)), ty)
    }

    /// Whether the type between the parentheses of a cast has a body of its own.
    fn defines_a_type(&self, start: usize, end: usize) -> bool {
        let indices = self.text.indices(&(start..end));
        indices.into_iter().any(|at| self.text.at(at) == "{" && self.text.kind_at(at) == Some(Kind::Mark))
    }

    fn label_address(&mut self, cursor: Cursor<'u>) -> Expression {
        let label = cursor.children().first().and_then(|label| label.referenced());
        let Some(label) = label else { return self.verbatim(cursor, "the address of a label") };
        let ty = self.type_of(cursor);
        let name = self.label_name(label);
        self.make(cursor, ExpressionKind::LabelAddress(name), ty)
    }

    fn block_expression(&mut self, cursor: Cursor<'u>) -> Expression {
        let ty = self.value_type(cursor);
        let body = cursor.children();
        let mut statements = Vec::new();
        for statement in body {
            self.compound_body(statement, &mut statements);
        }
        self.make(cursor, ExpressionKind::Block(statements), ty)
    }
}

/// An element of a qualified array is as qualified as the array.
fn with_qualifiers_of(base: &Type, element: Type, types: &cast::TypeTable) -> Type {
    match base {
        Type::Qualified(qualifiers, inner) if matches!(types.resolve(inner), Type::Array(..)) => match element {
            Type::Qualified(own, element) => {
                let merged = cast::Qualifiers {
                    constant: own.constant || qualifiers.constant,
                    volatile: own.volatile || qualifiers.volatile,
                    ..own
                };
                Type::Qualified(merged, element)
            }
            other => Type::Qualified(*qualifiers, Box::new(other)),
        },
        _ => element,
    }
}

fn operator(mark: &str) -> Option<BinaryOperator> {
    use BinaryOperator::{
        Add, And, BitAnd, BitOr, BitXor, Comma, Divide, Equal, Greater, GreaterEqual, Less, LessEqual, Multiply,
        NotEqual, Or, Remainder, ShiftLeft, ShiftRight, Subtract,
    };
    const ALL: [BinaryOperator; 19] = [
        Multiply,
        Divide,
        Remainder,
        Add,
        Subtract,
        ShiftLeft,
        ShiftRight,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        BitAnd,
        BitXor,
        BitOr,
        And,
        Or,
        Comma,
    ];
    ALL.into_iter().find(|operator| operator.spelling() == mark)
}
