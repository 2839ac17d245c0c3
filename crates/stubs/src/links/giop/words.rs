//! Expressions that both sides' stubs are made of.

use cast::build::{conditional, equal, name, null, sizeof_value};
use cast::{Expression, Type};

/// `at == NULL ? NULL : otherwise`.
pub(super) fn unless_null(at: Expression, otherwise: Expression) -> Expression {
    conditional(equal(at, null()), null(), otherwise)
}

/// `sizeof "text"`.
pub(super) fn size_of_text(text: &str) -> Expression {
    sizeof_value(cast::build::text(text))
}

pub(super) fn environment() -> Type {
    Type::named("CORBA_Environment")
}

/// `ev`.
pub(super) fn ev() -> Expression {
    name("ev", environment().pointer())
}

/// A pointer to `const char`.
pub(super) fn bytes() -> Type {
    Type::CHAR.constant().pointer()
}
