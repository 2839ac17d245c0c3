//! What units of a program share by name: every external function and object has one type and at most one definition
//! (C11 sections 6.2.7 and 6.9). Tentative definitions of several units are one object, as linkers long had it.

use std::collections::BTreeMap;

use cast::{
    Declaration, Function, FunctionType, Linkage, Program, Qualifiers, Scalar, TagKind, Type, TypeTable, Variable,
};
use cast::{array_length, print_type};
use source::{Diagnostic, Span};

use crate::errors;

/// A declaration of an external name.
struct Symbol {
    ty: Type,
    span: Option<Span>,
    /// Where it is defined, for good.
    definition: Option<Span>,
    is_shared: bool,
}

/// Declarations of one name that do not fit together.
pub(crate) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut known: BTreeMap<&str, Symbol> = BTreeMap::new();
    for declaration in program.units.iter().flat_map(|unit| &unit.file.declarations) {
        let (name, symbol) = match declaration {
            Declaration::Function(function) => (&function.name, of_function(function, function.span)),
            Declaration::Prototype(function) => (&function.name, of_function(function, None)),
            Declaration::Variable(variable) => (&variable.name, of_variable(variable)),
            _ => continue,
        };
        if name.contains('@') {
            continue;
        }
        let Some(first) = known.get_mut(name.as_str()) else {
            known.insert(name, symbol);
            continue;
        };
        if !are_compatible(&program.types, &first.ty, &symbol.ty) {
            let types = [&first.ty, &symbol.ty].map(print_type);
            findings.push(errors::other_type(name, &types, symbol.span, first.span));
            continue;
        }
        match (first.definition, symbol.definition) {
            (Some(one), Some(other)) if !first.is_shared && !symbol.is_shared => {
                findings.push(errors::defined_twice(name, other, one));
            }
            (None, Some(_)) => first.definition = symbol.definition,
            _ => {}
        }
        first.is_shared |= symbol.is_shared;
    }
    findings
}

fn of_function(function: &Function, definition: Option<Span>) -> Symbol {
    let Function { result, parameters, variadic, span, linkage, .. } = function;
    let is_unprototyped = parameters.is_empty() && !variadic;
    let ty = FunctionType {
        result: result.clone(),
        parameters: parameters.clone(),
        variadic: *variadic,
        // `f()` and `f(void)` look alike here; the benefit of the doubt.
        unprototyped: is_unprototyped,
    };
    let words = function.spelling.as_deref().unwrap_or("");
    let is_shared = *linkage == Linkage::StaticInline || ["inline", "weak"].iter().any(|word| words.contains(word));
    Symbol { ty: Type::Function(Box::new(ty)), span: *span, definition, is_shared }
}

fn of_variable(variable: &Variable) -> Symbol {
    let definition = variable.initial.as_ref().and(variable.span);
    let is_shared = variable.spelling.as_deref().is_some_and(|words| words.contains("weak"));
    Symbol { ty: variable.ty.clone(), span: variable.span, definition, is_shared }
}

/// Whether two declarations may be of one thing.
fn are_compatible(types: &TypeTable, one: &Type, other: &Type) -> bool {
    let ((one_qualifiers, one), (other_qualifiers, other)) = (taken_apart(types, one), taken_apart(types, other));
    if one_qualifiers != other_qualifiers {
        return false;
    }
    match (one, other) {
        (Type::Pointer(one), Type::Pointer(other)) => are_compatible(types, one, other),
        (Type::Array(one, one_length), Type::Array(other, other_length)) => {
            let lengths = [one_length, other_length].map(|length| length.as_deref().and_then(array_length));
            let do_lengths_fit = lengths.iter().any(Option::is_none) || lengths[0] == lengths[1];
            do_lengths_fit && are_compatible(types, one, other)
        }
        (Type::Function(one), Type::Function(other)) => {
            are_compatible(types, &one.result, &other.result)
                && (one.unprototyped || other.unprototyped || do_parameters_fit(types, one, other))
        }
        (Type::Tagged(TagKind::Enum, tag), Type::Scalar(scalar))
        | (Type::Scalar(scalar), Type::Tagged(TagKind::Enum, tag)) => {
            types.enumerations.get(tag).is_none_or(|layout| layout.scalar == *scalar || *scalar == Scalar::Int)
        }
        (one, other) => one == other,
    }
}

fn do_parameters_fit(types: &TypeTable, one: &FunctionType, other: &FunctionType) -> bool {
    one.variadic == other.variadic
        && one.parameters.len() == other.parameters.len()
        // A parameter's own qualifiers are its function's business.
        && one.parameters.iter().zip(&other.parameters).all(|(one, other)| {
            are_compatible(types, taken_apart(types, &one.ty).1, taken_apart(types, &other.ty).1)
        })
}

/// All qualifiers of a type, also those that typedefs hide, and what they qualify.
fn taken_apart<'t>(types: &'t TypeTable, ty: &'t Type) -> (Qualifiers, &'t Type) {
    match ty {
        Type::Qualified(own, inner) => {
            let (deeper, inner) = taken_apart(types, inner);
            let both = Qualifiers {
                constant: own.constant || deeper.constant,
                volatile: own.volatile || deeper.volatile,
                restrict: own.restrict || deeper.restrict,
                atomic: own.atomic || deeper.atomic,
            };
            (both, inner)
        }
        Type::Named(name) => match types.typedefs.get(name) {
            Some(typedef) if typedef.ty != *ty => taken_apart(types, &typedef.ty),
            _ => (Qualifiers::default(), ty),
        },
        other => (Qualifiers::default(), other),
    }
}
