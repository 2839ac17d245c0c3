//! References to objects as capabilities: what a kernel passes beside the words of a message. In: AOI of any front end. Out: the same
//! with a type of the run time's in place of all references that a message can carry.

use aoi::{Aoi, DefinitionKind, Item, Structure, Type, Union};

/// The type of a capability, among those that no description declares. No language has such a name.
const TYPE: &str = "object reference";

/// What C calls it.
pub(super) const C_NAME: &str = "whittle_fluke_object";

/// What the run time's functions that marshal it are called.
pub(super) const ROUTINE: &str = "capability";

pub(super) fn is_capability(ty: &Type) -> bool {
    matches!(ty, Type::External(name) if name == TYPE)
}

/// Puts them in place of references; those to local objects and to abstract interfaces stay, to be refused.
pub(super) fn of_references(aoi: &Aoi) -> Aoi {
    let is_carried =
        |kind: &DefinitionKind| matches!(kind, DefinitionKind::Reference(of) if !of.is_local && !of.is_abstract);
    let carried = |ty: &Type| match ty {
        Type::Object => true,
        Type::Named(id) => is_carried(&aoi.definitions[*id].kind),
        _ => false,
    };
    let mut replaced = aoi.clone();
    for (_, definition) in replaced.definitions.iter_mut() {
        match &mut definition.kind {
            DefinitionKind::Alias(ty) => in_type(ty, &carried),
            DefinitionKind::Structure(of) | DefinitionKind::Exception(of) => in_structure(of, &carried),
            DefinitionKind::Union(of) => in_union(of, &carried),
            _ => {}
        }
    }
    in_items(&mut replaced.items, &carried);
    replaced
}

fn in_items(items: &mut [Item], carried: &impl Fn(&Type) -> bool) {
    for item in items {
        match item {
            Item::Module(module) => in_items(&mut module.items, carried),
            Item::Interface(interface) => {
                for operation in &mut interface.operations {
                    operation.parameters.iter_mut().for_each(|parameter| in_type(&mut parameter.ty, carried));
                    in_type(&mut operation.result, carried);
                }
            }
            _ => {}
        }
    }
}

fn in_type(ty: &mut Type, carried: &impl Fn(&Type) -> bool) {
    if carried(ty) {
        *ty = Type::External(TYPE.to_owned());
        return;
    }
    match ty {
        Type::Array { element, .. }
        | Type::Sequence { element, .. }
        | Type::Optional(element)
        | Type::Recursive(element) => in_type(element, carried),
        Type::Structure(of) => in_structure(of, carried),
        Type::Union(of) => in_union(of, carried),
        _ => {}
    }
}

fn in_structure(of: &mut Structure, carried: &impl Fn(&Type) -> bool) {
    of.fields.iter_mut().for_each(|field| in_type(&mut field.ty, carried));
}

fn in_union(of: &mut Union, carried: &impl Fn(&Type) -> bool) {
    let cases = of.cases.iter_mut().chain(of.default.as_deref_mut());
    cases.filter_map(|case| case.body.as_mut()).for_each(|body| in_type(&mut body.ty, carried));
}
