//! Expressions that libclang gives no name: implicit conversions, and operators that look like calls.

use cast::{Expression, ExpressionKind, Type};

use crate::clang::Cursor;
use crate::importer::Importer;
use crate::same::{alike, same};

impl<'u> Importer<'u> {
    pub(crate) fn unexposed(&mut self, cursor: Cursor<'u>) -> Expression {
        let expressions = cursor.expressions();
        match expressions.as_slice() {
            [operand] if operand.range() == cursor.range() => return self.conversion(cursor, *operand),
            // `a ?: b` has four children: the first value three times, then the other.
            [first, .., last] if expressions.len() == 4 && expressions[1].range() == first.range() => {
                let ty = self.value_type(cursor);
                let (first, last) = (self.expression(*first), self.expression(*last));
                return self.make(cursor, ExpressionKind::Otherwise(Box::new(first), Box::new(last)), ty);
            }
            _ => {}
        }
        let word = self.text.word_at(cursor.range().start).to_owned();
        match word.as_str() {
            "__builtin_va_arg" => match expressions.last() {
                // The type's own expressions come first.
                Some(list) => {
                    let (list, ty) = (self.expression(*list), self.type_of(cursor));
                    self.make(cursor, ExpressionKind::VariableArgument(Box::new(list)), ty)
                }
                None => self.verbatim(cursor, "`va_arg`"),
            },
            "__builtin_offsetof" | "__builtin_types_compatible_p" | "__builtin_LINE" | "__builtin_COLUMN" => {
                self.known(cursor, &word)
            }
            "__builtin_choose_expr" => self.choice(cursor, &expressions),
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => self.literal(cursor),
            "__builtin_shufflevector" => self.operator_call(cursor, &word),
            word if word.starts_with("__atomic_") || word.starts_with("__c11_atomic_") => {
                self.operator_call(cursor, word)
            }
            word => self.verbatim(cursor, &format!("`{word}`")),
        }
    }

    /// A conversion that nobody wrote: a node, unless it only loads an object or decays an array or a function.
    fn conversion(&mut self, cursor: Cursor<'u>, operand: Cursor<'u>) -> Expression {
        let value = self.expression(operand);
        let ty = self.value_type(cursor);
        if alike(value.ty.unqualified(), ty.unqualified()) || self.is_decay(&value.ty, &ty) {
            return value;
        }
        if matches!(value.kind, ExpressionKind::Braces(_)) {
            return value;
        }
        self.make(cursor, ExpressionKind::Implicit(Box::new(value)), ty)
    }

    fn is_decay(&self, from: &Type, to: &Type) -> bool {
        match self.types.resolve(from) {
            Type::Array(element, _) => self.is_pointer_to(to, element),
            function @ Type::Function(_) => self.is_pointer_to(to, function),
            // `va_list` where it is an array, and the compiler's own functions, whose type nobody can spell.
            Type::Opaque(opaque) => {
                (opaque.spelling == "__builtin_va_list" && *self.types.resolve(to) == Type::Opaque(opaque.clone()))
                    || opaque.spelling == "<builtin fn type>"
            }
            _ => false,
        }
    }

    fn is_pointer_to(&self, pointer: &Type, target: &Type) -> bool {
        matches!(self.types.resolve(pointer), Type::Pointer(own) if same(&self.types, own, target))
    }

    /// An expression whose value is all that matters, with its text.
    pub(crate) fn known(&mut self, cursor: Cursor<'u>, what: &str) -> Expression {
        match self.constant(cursor) {
            Some(value) => {
                let (spelling, ty) = (self.spelled(cursor), self.value_type(cursor));
                self.make(cursor, ExpressionKind::Known { spelling, value }, ty)
            }
            None => self.verbatim(cursor, &format!("a value of `{what}` that is not constant")),
        }
    }

    /// `__builtin_choose_expr(constant, a, b)` is the one that is chosen.
    fn choice(&mut self, cursor: Cursor<'u>, expressions: &[Cursor<'u>]) -> Expression {
        match expressions {
            [condition, then, otherwise] => match self.constant(*condition) {
                Some(0) => self.expression(*otherwise),
                Some(_) => self.expression(*then),
                None => self.verbatim(cursor, "`__builtin_choose_expr`"),
            },
            _ => self.verbatim(cursor, "`__builtin_choose_expr`"),
        }
    }

    /// An operator that looks like a call; clang keeps its operands in an order of its own.
    fn operator_call(&mut self, cursor: Cursor<'u>, name: &str) -> Expression {
        let mut operands = cursor.expressions();
        operands.sort_by_key(|operand| operand.range().start);
        let arguments = operands.into_iter().map(|operand| self.expression(operand)).collect();
        let function = Expression {
            kind: ExpressionKind::Name(name.to_owned()),
            ty: Type::Void,
            span: Some(self.text.span(&cursor.range())),
        };
        let ty = self.value_type(cursor);
        self.make(cursor, ExpressionKind::Call(Box::new(function), arguments), ty)
    }

    /// `sizeof` and `_Alignof`. The operand is an expression, or a type that libclang does not give.
    pub(crate) fn size_of(&mut self, cursor: Cursor<'u>) -> Expression {
        let index = self.text.index_at(cursor.range().start);
        let keyword = self.text.at(index).to_owned();
        let start = self.text.tokens.get(index + 1).map_or(0, |token| token.start);
        let operand = cursor.expressions().into_iter().next_back().filter(|operand| operand.range().start == start);
        match operand {
            Some(operand) if keyword == "sizeof" => {
                let (operand, ty) = (self.expression(operand), self.value_type(cursor));
                self.make(cursor, ExpressionKind::SizeofValue(Box::new(operand)), ty)
            }
            _ => self.known(cursor, &keyword),
        }
    }
}
