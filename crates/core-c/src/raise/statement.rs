//! Statements of Core C as statements of C.

use cast::{Expression, Statement, Type, Variable, build};

use super::{Raiser, types};
use crate::{Argument, Callee, LocalId, Place, Receiver, StatementKind, traps};

impl Raiser<'_> {
    pub(super) fn statement(&self, statement: &StatementKind) -> Option<Statement> {
        Some(match statement {
            trap if traps::is_trap(trap) => {
                Statement::Expression(build::call("__builtin_trap", Vec::new(), Type::Void))
            }
            StatementKind::Set { local, value } => {
                let target = self.local(*local);
                let value = self.assigned(value, &target.ty);
                build::assign(target, value)
            }
            StatementKind::Store { place, value } => {
                let value = self.assigned(&self.fitted(value, place), self.c_type(place.ty));
                build::assign(self.target(place), value)
            }
            StatementKind::LoadVolatile { local, place } => {
                let value = self.load(place);
                match self.is_read(*local) {
                    true => build::assign(self.local(*local), value),
                    false => Statement::Expression(build::cast(Type::Void, value)),
                }
            }
            StatementKind::Copy { to, from } => self.copy(to, from),
            StatementKind::Zero { place } => self.zero(place),
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments),
            StatementKind::Begin { local, size } => self.begin(*local, size.as_ref()),
            // Its holes are filled when all names are final.
            StatementKind::Assembly { text, outputs, inputs } => Statement::Assembly {
                text: text.clone(),
                outputs: outputs.iter().map(|place| self.place(place)).collect(),
                inputs: inputs.iter().map(|value| self.value(value)).collect(),
                labels: Vec::new(),
            },
        })
    }

    /// A constant for a bit-field without the bits that it cannot hold, of which compilers warn.
    fn fitted(&self, value: &crate::Expression, place: &Place) -> crate::Expression {
        let (Some(bits), crate::ExpressionKind::Integer(number)) = (place.bits(), &value.kind) else {
            return value.clone();
        };
        let unused = 128 - bits.width.clamp(1, 128);
        let kept = match self.program.types.shape_of(place.ty) {
            crate::Shape::Integer { boolean: true, .. } => *number,
            crate::Shape::Integer { signed: true, .. } => number << unused >> unused,
            _ => ((number << unused) as u128 >> unused) as i128,
        };
        crate::Expression { kind: crate::ExpressionKind::Integer(kept), ..value.clone() }
    }

    /// Marks where a local's lifetime begins; declared there, or further up, in the end.
    fn begin(&self, local: LocalId, size: Option<&crate::Expression>) -> Statement {
        let name = self.local(local);
        let Expression { kind: cast::ExpressionKind::Name(name), mut ty, .. } = name else { return Statement::Blank };
        if let (Some(size), Type::Array(element, _)) = (size, types::resolve(self.table(), &ty)) {
            let count = build::binary(
                self.value(size),
                cast::BinaryOperator::Divide,
                build::sizeof_type(element.as_ref().clone()),
            );
            ty = element.as_ref().clone().array(count);
        }
        Statement::Declare(Variable { name, ty, ..Variable::default() })
    }

    fn copy(&self, to: &Place, from: &Place) -> Statement {
        let (target, source) = (self.target(to), self.place(from));
        let is_array = matches!(types::resolve(self.table(), &target.ty), Type::Array(..));
        if is_array || types::has_constant_parts(self.table(), &target.ty) {
            let size = build::sizeof_value(target.clone());
            let start = |lvalue| if is_array { lvalue } else { build::address(lvalue) };
            let is_volatile = types::qualifiers(self.table(), &source.ty).volatile;
            let (to, from) = (start(target), start(source));
            let from = if is_volatile { build::cast(Type::Void.constant().pointer(), from) } else { from };
            let arguments = vec![to, from, size];
            return Statement::Expression(build::call("memcpy", arguments, Type::Void.pointer()));
        }
        match types::resolve(self.table(), &target.ty) {
            // Where it is an array, a parameter is a pointer, and a local that stands for one a copy, which C allows: whoever has
            // passed such a list on does not look into it again (C11 section 7.16).
            Type::Opaque(opaque) if opaque.spelling == "__builtin_va_list" => {
                Statement::Expression(build::call("__builtin_va_copy", vec![target, source], Type::Void))
            }
            _ => build::assign(target, source),
        }
    }

    fn zero(&self, place: &Place) -> Statement {
        let target = self.place(place);
        if self.program.types.is_scalar(place.ty) {
            let zero = if self.scalar(&target.ty).is_some() { build::integer(0) } else { build::null() };
            return build::assign(target, zero);
        }
        let size = build::sizeof_value(target.clone());
        let is_array = matches!(types::resolve(self.table(), &target.ty), Type::Array(..));
        let start = if is_array { target } else { build::address(target) };
        Statement::Expression(build::call("memset", vec![start, build::integer(0), size], Type::Void.pointer()))
    }

    fn call(&self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) -> Statement {
        if let Callee::Function(function) = callee
            && let Some(what) = self.program.functions[*function].name.strip_prefix("__builtin_va_")
        {
            return self.list_call(what, receiver, arguments);
        }
        let (function, ty) = match callee {
            Callee::Function(function) => {
                (self.function_name(*function), self.c_type(self.program.functions[*function].ty))
            }
            Callee::Pointer(pointer) => {
                let ty = types::pointee(self.table(), self.c_type(pointer.ty)).unwrap_or(&Type::Void);
                (self.value(pointer), ty)
            }
        };
        let Type::Function(ty) = types::resolve(self.table(), ty) else {
            return Statement::Expression(build::call_through(function, self.arguments(arguments, &[]), Type::INT));
        };
        let parameters: &[cast::Parameter] = if ty.unprototyped { &[] } else { &ty.parameters };
        let call = build::call_through(function, self.arguments(arguments, parameters), ty.result.clone());
        match receiver {
            Some(Receiver::Register(local)) if !self.is_read(*local) => Statement::Expression(call),
            Some(Receiver::Object(place)) if self.is_unread(place) => Statement::Expression(call),
            Some(receiver) => {
                let target = self.receiver(receiver);
                let call = self.converted(call, &target.ty);
                build::assign(target, call)
            }
            None => Statement::Expression(call),
        }
    }

    /// True for a whole object of the function that nothing reads.
    fn is_unread(&self, place: &Place) -> bool {
        let is_whole = place.steps.is_empty() && !place.volatile;
        is_whole && place.local_base().is_some_and(|local| !self.is_read(local))
    }

    fn receiver(&self, receiver: &Receiver) -> Expression {
        match receiver {
            Receiver::Register(local) => self.local(*local),
            Receiver::Object(place) => self.target(place),
        }
    }

    /// `va_start`, `va_arg` and their like take lists themselves, not their addresses.
    fn list_call(&self, what: &str, receiver: Option<&Receiver>, arguments: &[Argument]) -> Statement {
        let mut lists: Vec<Expression> = arguments.iter().map(|argument| self.list(argument)).collect();
        if what == "arg"
            && let Some(receiver) = receiver
            && let Some(list) = lists.pop()
        {
            let target = self.receiver(receiver);
            let kind = cast::ExpressionKind::VariableArgument(Box::new(list));
            let value = Expression { kind, ty: target.ty.unqualified().clone(), span: None };
            return match receiver {
                Receiver::Register(local) if !self.is_read(*local) => {
                    Statement::Expression(build::cast(Type::Void, value))
                }
                _ => build::assign(target, value),
            };
        }
        if what == "start" {
            lists.extend(self.function.parameters.last().map(|last| self.local(*last)));
        }
        Statement::Expression(build::call(format!("__builtin_va_{what}"), lists, Type::Void))
    }

    fn list(&self, argument: &Argument) -> Expression {
        match argument {
            Argument::Value(crate::Expression { kind: crate::ExpressionKind::Address(place), .. }) => self.place(place),
            Argument::Value(value) => build::dereference(self.value(value)),
            Argument::Object(place) => self.place(place),
        }
    }

    fn converted(&self, value: Expression, target: &Type) -> Expression {
        if types::assignable(self.table(), target, &value.ty) { value } else { build::cast(target.clone(), value) }
    }

    fn arguments(&self, arguments: &[Argument], parameters: &[cast::Parameter]) -> Vec<Expression> {
        let types = parameters.iter().map(|parameter| Some(&parameter.ty)).chain(std::iter::repeat(None));
        let pass = |(argument, ty): (&Argument, Option<&Type>)| match (argument, ty) {
            (Argument::Value(value), Some(ty)) => self.assigned(value, &parameter_type(ty)),
            (Argument::Value(value), None) => self.exact(value),
            (Argument::Object(place), _) => self.place(place),
        };
        arguments.iter().zip(types).map(pass).collect()
    }

    /// True where some expression reads a register.
    fn is_read(&self, local: LocalId) -> bool {
        self.read.contains(local)
    }
}

/// Arrays and functions are passed as pointers.
fn parameter_type(ty: &Type) -> Type {
    match ty.unqualified() {
        Type::Array(element, _) => element.as_ref().clone().pointer(),
        Type::Function(_) => ty.clone().pointer(),
        other => other.clone(),
    }
}
