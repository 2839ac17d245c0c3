//! What pointers to functions point to in a harness: functions that say that they were called, and with what, and give numbers
//! in an order that is the same for the original and the residual code.

use cast::{
    Declaration, Expression, Function, FunctionType, Linkage, Scalar, Statement, TagKind, Type, TypeTable, build,
};

use super::table;

/// Functions of one type.
const OF_A_TYPE: usize = 2;

/// The types of functions that there are stubs for, in order.
#[derive(Debug, Default)]
pub(super) struct Stubs {
    types: Vec<FunctionType>,
}

impl Stubs {
    /// The number of a type's stubs; why there are none otherwise.
    pub(super) fn number(&mut self, types: &TypeTable, ty: &FunctionType) -> Result<usize, &'static str> {
        if let Some(number) = self.types.iter().position(|known| known == ty) {
            return Ok(number);
        }
        if ty.variadic || ty.unprototyped {
            return Err("takes arguments that its type does not say");
        }
        let is_plain = |ty: &Type| !matches!(kind(types, ty), Kind::Other);
        if !ty.parameters.iter().all(|parameter| is_plain(&parameter.ty)) || !is_plain(&ty.result) {
            return Err("takes or gives a structure");
        }
        self.types.push(ty.clone());
        Ok(self.types.len() - 1)
    }

    /// The functions, and a table of them.
    pub(super) fn declarations(&self, types: &TypeTable) -> Vec<Declaration> {
        let mut out = Vec::new();
        let mut pointers = Vec::new();
        let any = Type::Function(Box::new(FunctionType { result: Type::Void, ..FunctionType::default() })).pointer();
        for (number, ty) in self.types.iter().enumerate() {
            for copy in 0..OF_A_TYPE {
                let name = format!("whittle_harness_stub_{number}_{copy}");
                out.extend([Declaration::Function(stub(types, &name, copy, ty)), Declaration::Blank]);
                pointers.push(build::cast(any.clone(), build::name(name, Type::Void)));
            }
        }
        if pointers.is_empty() {
            pointers.push(build::integer(0));
        }
        out.push(table("whittle_harness_stubs", any.constant(), pointers));
        out
    }
}

/// What is done with a value.
enum Kind {
    Nothing,
    Number,
    Real,
    Pointer,
    Other,
}

fn kind(types: &TypeTable, ty: &Type) -> Kind {
    match types.resolve(ty) {
        Type::Void => Kind::Nothing,
        Type::Scalar(Scalar::Float | Scalar::Double) => Kind::Real,
        Type::Scalar(Scalar::LongDouble | Scalar::Float128 | Scalar::Int128 | Scalar::UnsignedInt128) => Kind::Other,
        Type::Scalar(_) | Type::Tagged(TagKind::Enum, _) => Kind::Number,
        Type::Pointer(to) if !matches!(types.resolve(to), Type::Function(_)) => Kind::Pointer,
        _ => Kind::Other,
    }
}

fn stub(types: &TypeTable, name: &str, copy: usize, ty: &FunctionType) -> Function {
    let said = |what: &str, value: Expression| Statement::Expression(build::call(what, vec![value], Type::Void));
    let mut body = vec![said("whittle_harness_called", build::text(format!("function {copy}")))];
    let mut parameters = Vec::new();
    for (at, parameter) in ty.parameters.iter().enumerate() {
        let given = format!("given_{at}");
        let value = build::name(&given, parameter.ty.clone());
        match kind(types, &parameter.ty) {
            Kind::Number => {
                body.push(said("whittle_harness_given_number", build::cast(Type::Scalar(Scalar::LongLong), value)));
            }
            Kind::Real => body.push(said("whittle_harness_given_real", value)),
            _ => body.push(said("whittle_harness_given_pointer", build::cast(Type::Void.constant().pointer(), value))),
        }
        parameters.push(build::parameter(given, parameter.ty.clone()));
    }
    let answer = || build::call("whittle_harness_answer", Vec::new(), Type::Scalar(Scalar::LongLong));
    match kind(types, &ty.result) {
        Kind::Nothing => {}
        Kind::Pointer => body.push(build::returns(build::integer(0))),
        _ => body.push(build::returns(build::cast(ty.result.clone(), answer()))),
    }
    let result = ty.result.clone();
    Function { linkage: Linkage::Static, name: name.to_owned(), result, parameters, body, ..Function::default() }
}
