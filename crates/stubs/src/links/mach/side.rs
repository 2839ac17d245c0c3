//! Which side the stubs are for, and what that says about C: names of functions, types, and whether the kernel runs them.

use cast::{Expression, Type, build};
use mig::{Subsystem, Word};

use super::Options;

/// The user's or the server's side of a subsystem.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) subsystem: &'a Subsystem,
    pub(super) options: &'a Options,
    pub(super) is_server: bool,
}

impl<'a> Side<'a> {
    pub(super) fn user(subsystem: &'a Subsystem, options: &'a Options) -> Side<'a> {
        Side { subsystem, options, is_server: false }
    }

    pub(super) fn server(subsystem: &'a Subsystem, options: &'a Options) -> Side<'a> {
        Side { subsystem, options, is_server: true }
    }

    pub(super) fn is_kernel(&self) -> bool {
        if self.is_server { self.subsystem.server_is_kernel } else { self.subsystem.user_is_kernel }
    }

    pub(super) fn word(&self) -> Word {
        self.options.word
    }

    /// The function that a routine is on this side.
    pub(super) fn function(&self, routine: &str) -> String {
        let prefix = if self.is_server { &self.subsystem.server_prefix } else { &self.subsystem.user_prefix };
        format!("{prefix}{routine}")
    }

    /// A function of the run time.
    pub(super) fn run_time(&self, function: &str) -> String {
        format!("{}{function}", self.options.run_time_prefix)
    }

    /// A type of C; the kernel's ports are pointers.
    pub(super) fn c_type(&self, name: &str) -> Type {
        match name {
            "mach_port_t" if self.is_kernel() => Type::named("ipc_port_t"),
            name => Type::named(name),
        }
    }

    /// The type in the message.
    pub(super) fn message_type(&self, ty: &mig::Type) -> Type {
        self.c_type(if self.is_server { &ty.c.server } else { &ty.c.user })
    }

    /// The type in the function's parameters.
    pub(super) fn function_type(&self, ty: &mig::Type) -> Type {
        self.c_type(self.function_type_name(ty))
    }

    pub(super) fn function_type_name<'b>(&self, ty: &'b mig::Type) -> &'b str {
        if self.is_server { &ty.c.translated } else { &ty.c.user }
    }

    /// The type of an element of an array.
    pub(super) fn element_type(&self, ty: &mig::Type) -> Type {
        self.c_type(if self.is_server { &ty.element.server } else { &ty.element.user })
    }

    /// The same, or a right's own, where the array has a type and its element has none.
    pub(super) fn element_type_or_port(&self, ty: &mig::Type) -> Type {
        if ty.element.server.is_empty() { self.c_type("mach_port_t") } else { self.element_type(ty) }
    }

    /// The name under which a value leaves this side.
    pub(super) fn leaves_as(&self, ty: &mig::Type) -> mig::TypeName {
        ty.leaves_as(self.is_server && self.is_kernel())
    }

    /// Whether a right takes more room in the message than its name in a program: a kernel's pointer would fit.
    pub(super) fn is_widened(&self, ty: &mig::Type) -> bool {
        ty.is_right() && ty.is_inline && !self.is_kernel() && self.word() == Word::Bits64
    }

    /// Bits of a unit as the descriptor says them, in the message or beside it.
    pub(super) fn bits(&self, ty: &mig::Type, is_inline: bool) -> u32 {
        if ty.is_right() && !is_inline && !self.is_kernel() { 32 } else { ty.bits }
    }

    /// The member of a request's header that holds the port it went to, and the one for the answer.
    pub(super) fn ports(&self) -> (&'static str, &'static str) {
        if self.is_server && !self.is_kernel() {
            ("msgh_local_port", "msgh_remote_port")
        } else {
            ("msgh_remote_port", "msgh_local_port")
        }
    }
}

/// The type of what a header of Mach's declares; nothing here depends on it.
pub(super) fn untyped() -> Type {
    Type::named("mach_value")
}

/// A variable, or a macro.
pub(super) fn var(name: impl Into<String>) -> Expression {
    build::name(name, untyped())
}

/// `pointer->member`
pub(super) fn at(pointer: &str, member: &str) -> Expression {
    build::arrow(var(pointer), member, untyped())
}

/// `pointer->mig_head.member`
pub(super) fn head(pointer: &str, member: &str) -> Expression {
    build::member(at(pointer, "mig_head"), member, untyped())
}

/// A number in the code.
pub(super) fn number(value: u64) -> Expression {
    build::integer(i128::from(value))
}

/// `name(arguments)`, whose value nobody looks at.
pub(super) fn call(function: impl Into<String>, arguments: Vec<Expression>) -> Expression {
    build::call(function, arguments, untyped())
}

/// A condition that hardly ever holds.
pub(super) fn unlikely(condition: Expression) -> Expression {
    call("__builtin_expect", vec![condition, number(0)])
}

/// The same, unless the checks are switched off.
pub(super) fn checked(condition: Expression) -> Expression {
    build::and(var("TypeCheck"), unlikely(condition))
}

/// `first || second || …`
pub(super) fn any(conditions: Vec<Expression>) -> Option<Expression> {
    conditions.into_iter().reduce(build::or)
}
