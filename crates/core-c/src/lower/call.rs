//! Calls (C11 section 6.5.2.2): arguments from left to right, then the call, a statement of its own.

use cast::{Expression as Source, ExpressionKind as Kind, Type, UnaryOperator};

use super::body::Body;
use super::order::effects_of;
use super::{Lowered, refuse, rotate};
use crate::{
    Argument, Callee, Expression, ExpressionKind, Receiver, Shape, Signature, StatementKind, Terminator, TypeId,
};

/// Functions that come back twice, or that only the compiler can place: what they do to variables no assignment shows.
const UNORDERLY: [&str; 13] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "savectx",
    "getcontext",
    "vfork",
    "__builtin_setjmp",
    "__builtin_longjmp",
    "__builtin_apply",
    "__builtin_apply_args",
    "__builtin_va_arg_pack",
    "__builtin_va_arg_pack_len",
];

impl Body<'_, '_> {
    /// A call whose value is wanted.
    pub(super) fn called(&mut self, source: &Source, ty: TypeId) -> Lowered<Expression> {
        if *self.types().shape_of(ty) == Shape::Void {
            return refuse("the value of a function without one");
        }
        if self.constant
            && let Kind::Call(callee, arguments) = &source.kind
        {
            return self.constant_call(callee, arguments, ty);
        }
        let result = self.temporary(ty);
        self.call(source, Some(Receiver::Register(result)))?;
        Ok(self.register(result))
    }

    /// A builtin that compilers evaluate: `__builtin_nan("")`.
    fn constant_call(&mut self, callee: &Source, arguments: &[Source], ty: TypeId) -> Lowered<Expression> {
        let Some(name) = called_name(callee).filter(|name| name.starts_with("__builtin_")) else {
            return refuse("an initializer that is no constant");
        };
        let holes: Vec<String> = (0..arguments.len()).map(|at| format!("⟨{at}⟩")).collect();
        let text = format!("{name}({})", holes.join(", "));
        let operands = arguments.iter().map(|argument| self.value(argument)).collect::<Lowered<Vec<_>>>()?;
        Ok(self.expression(ExpressionKind::Opaque { text, operands }, ty))
    }

    /// A call, its value given to who takes it.
    pub(super) fn call(&mut self, source: &Source, receiver: Option<Receiver>) -> Lowered<()> {
        let outer = self.span;
        self.span = source.span.or(outer);
        let done = match &source.kind {
            Kind::Call(callee, arguments) if is_unevaluated(callee, arguments) => self.call_without(callee, receiver),
            Kind::Call(callee, arguments) => self.call_function(callee, arguments, &source.ty, receiver),
            Kind::VariableArgument(list) => self.take_argument(list, receiver),
            _ => refuse("a call of nothing"),
        };
        if done.is_ok() {
            self.span = outer;
        }
        done
    }

    /// A builtin that looks at its argument without evaluating it: nothing is known of one with effects.
    fn call_without(&mut self, callee: &Source, receiver: Option<Receiver>) -> Lowered<()> {
        match (called_name(callee), receiver) {
            (_, None) => Ok(()),
            (Some("__builtin_constant_p"), Some(Receiver::Register(register))) => {
                let ty = self.locals[register].ty;
                let no = self.number(0, ty)?;
                self.set(register, no)
            }
            (name, _) => refuse(format!("a call of `{}` with an effect", name.unwrap_or_default())),
        }
    }

    fn call_function(
        &mut self,
        callee: &Source,
        arguments: &[Source],
        result: &Type,
        receiver: Option<Receiver>,
    ) -> Lowered<()> {
        let name = called_name(callee);
        if let Some(name) = name.filter(|name| UNORDERLY.contains(name)) {
            return refuse(format!("a call of `{name}`"));
        }
        if name == Some("__builtin_unreachable") {
            return self.end(Terminator::Unreachable);
        }
        if let Some(rotation) = name.and_then(rotate::rotation) {
            return self.rotate(rotation, arguments, receiver);
        }
        if let Some(name) = name.filter(|name| name.starts_with("__builtin_va_")) {
            return self.variable_arguments(name, callee, arguments, receiver);
        }
        let receiver = match receiver {
            None if self.is_object(result) => {
                let ty = self.ty(result);
                Some(Receiver::Object(self.temporary_object(ty)?))
            }
            receiver => receiver,
        };
        let later = effects_of(arguments);
        let callee = match self.builtin(callee, name)? {
            Some(builtin) => builtin,
            None => self.value(callee)?,
        };
        let callee = self.protect(callee, &later)?;
        let signature = self.signature(&callee);
        let arguments = self.arguments(arguments, signature.as_ref())?;
        let callee = match callee.kind {
            ExpressionKind::Function(id) => Callee::Function(id),
            _ => Callee::Pointer(callee),
        };
        self.emit(StatementKind::Call { receiver, callee, arguments })
    }

    /// A function of the compiler, which may have no type that C can spell.
    fn builtin(&mut self, callee: &Source, name: Option<&str>) -> Lowered<Option<Expression>> {
        let Some(name) = name.filter(|name| self.meaning(name).is_none() && name.starts_with("__")) else {
            return Ok(None);
        };
        let id = self.function_called(name, &callee.ty)?;
        let ty = self.context.program.functions[id].ty;
        let ty = self.types_mut().pointer_to(ty);
        Ok(Some(self.expression(ExpressionKind::Function(id), ty)))
    }

    fn is_object(&mut self, ty: &Type) -> bool {
        matches!(self.shape(ty), Shape::Record(_) | Shape::Opaque)
    }

    /// The type of what is called: of a function by name, the one that its definition or best declaration says.
    fn signature(&mut self, callee: &Expression) -> Option<Signature> {
        let ty = match &callee.kind {
            ExpressionKind::Function(id) => self.context.program.functions[*id].ty,
            _ => self.types().element(callee.ty)?,
        };
        match self.types().shape_of(ty) {
            Shape::Function(signature) => Some((**signature).clone()),
            _ => None,
        }
    }

    /// Arguments, each converted to its parameter's type, or promoted where there is none.
    fn arguments(&mut self, arguments: &[Source], signature: Option<&Signature>) -> Lowered<Vec<Argument>> {
        let mut lowered = Vec::new();
        // Only functions of before C23 can be called so (C11 section 6.5.2.2).
        let wanted =
            signature.filter(|found| !found.unprototyped).map(|found| (found.parameters.len(), found.variadic));
        if wanted.is_some_and(|(wanted, _)| arguments.len() < wanted) {
            return refuse("a call with too few arguments");
        }
        for (at, argument) in arguments.iter().enumerate() {
            if wanted.is_some_and(|(wanted, variadic)| at >= wanted && !variadic) {
                // No parameter takes it.
                self.effect(argument)?;
                continue;
            }
            let later = effects_of(&arguments[at + 1..]);
            if self.is_object(&argument.ty) {
                let place = self.object(argument)?;
                let place = self.keep_object(place, &later)?;
                lowered.push(Argument::Object(place));
                continue;
            }
            let value = self.value(argument)?;
            let parameter = signature.filter(|found| !found.unprototyped).and_then(|found| found.parameters.get(at));
            let ty = match parameter.copied() {
                Some(ty) if self.types().is_scalar(ty) => ty,
                _ => self.argument_type(value.ty),
            };
            let value = self.convert(value, ty)?;
            lowered.push(Argument::Value(self.protect(value, &later)?));
        }
        Ok(lowered)
    }

    /// `va_start`, `va_end` and `va_copy`: their lists are passed by address, and the name of the last parameter,
    /// which the function knows, is left out.
    fn variable_arguments(
        &mut self,
        name: &str,
        callee: &Source,
        arguments: &[Source],
        receiver: Option<Receiver>,
    ) -> Lowered<()> {
        let lists = if name == "__builtin_va_copy" { 2 } else { 1 };
        let mut lowered = Vec::new();
        for list in arguments.iter().take(lists) {
            lowered.push(Argument::Value(self.list_address(list)?));
        }
        let callee = Callee::Function(self.function_called(name, &callee.ty)?);
        self.emit(StatementKind::Call { receiver, callee, arguments: lowered })
    }

    /// `va_arg`: the receiver says of which type.
    fn take_argument(&mut self, list: &Source, receiver: Option<Receiver>) -> Lowered<()> {
        let address = self.list_address(list)?;
        let ty = Type::Function(Box::default());
        let callee = Callee::Function(self.function_called("__builtin_va_arg", &ty)?);
        self.emit(StatementKind::Call { receiver, callee, arguments: vec![Argument::Value(address)] })
    }

    /// The address of a list of arguments. A parameter that is one has become a pointer to it where lists are arrays.
    fn list_address(&mut self, list: &Source) -> Lowered<Expression> {
        match &list.kind {
            Kind::Implicit(inner) | Kind::Cast(inner) => self.list_address(inner),
            _ => {
                let place = self.place_or_object(list)?;
                let ty = self.types_mut().pointer_to(place.ty);
                self.address(place, ty)
            }
        }
    }
}

/// True for a call of a builtin that does not evaluate its arguments, where they have effects.
fn is_unevaluated(callee: &Source, arguments: &[Source]) -> bool {
    let names =
        ["__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size", "__builtin_classify_type"];
    called_name(callee).is_some_and(|name| names.contains(&name)) && !effects_of(arguments).is_none()
}

/// The name of what is called, where it is called by name.
fn called_name(callee: &Source) -> Option<&str> {
    match &callee.kind {
        Kind::Name(name) => Some(name),
        Kind::Implicit(inner) | Kind::Unary(UnaryOperator::Dereference | UnaryOperator::AddressOf, inner) => {
            called_name(inner)
        }
        _ => None,
    }
}
