//! Definitions in the order in which the items list them.
//!
//! In: an AOI whose definitions were made in some other order: a type may be known before it is defined. Out: the
//! same with the definitions renumbered, those that no item lists last, so that the text form reads back equal.

use crate::{
    Annotation, Aoi, DefinitionId, DefinitionKind, Enumeration, Field, Interface, Item, Structure, Type, Union, Value,
};
use la_arena::{Arena, ArenaMap};

impl Aoi {
    /// The same, with definitions numbered in the order of the items.
    #[must_use]
    pub fn in_order_of_items(mut self) -> Aoi {
        let mut order = Vec::new();
        listed(&self.items, &mut order);
        let mut numbers: ArenaMap<DefinitionId, DefinitionId> = ArenaMap::default();
        let mut definitions = Arena::default();
        for id in order.into_iter().chain(self.definitions.iter().map(|(id, _)| id)) {
            if numbers.get(id).is_none() {
                numbers.insert(id, definitions.alloc(self.definitions[id].clone()));
            }
        }
        self.definitions = definitions.into();
        let renumber = Renumber { numbers };
        for (_, definition) in self.definitions.iter_mut() {
            renumber.kind(&mut definition.kind);
            renumber.annotations(&mut definition.annotations);
        }
        self.items.iter_mut().for_each(|item| renumber.item(item));
        self
    }
}

fn listed(items: &[Item], order: &mut Vec<DefinitionId>) {
    for item in items {
        match item {
            Item::Definition(id) => order.push(*id),
            Item::Module(module) => listed(&module.items, order),
            Item::Interface(_) | Item::Verbatim(_) => {}
        }
    }
}

struct Renumber {
    numbers: ArenaMap<DefinitionId, DefinitionId>,
}

impl Renumber {
    fn id(&self, id: &mut DefinitionId) {
        *id = self.numbers.get(*id).copied().unwrap_or(*id);
    }

    fn item(&self, item: &mut Item) {
        match item {
            Item::Definition(id) => self.id(id),
            Item::Module(module) => module.items.iter_mut().for_each(|item| self.item(item)),
            Item::Interface(interface) => self.interface(interface),
            Item::Verbatim(_) => {}
        }
    }

    fn interface(&self, interface: &mut Interface) {
        interface.reference.iter_mut().chain(&mut interface.bases).for_each(|id| self.id(id));
        self.annotations(&mut interface.annotations);
        if let Some(onc) = &mut interface.identity.onc {
            self.value(&mut onc.program);
            self.value(&mut onc.version);
        }
        for operation in &mut interface.operations {
            self.value(&mut operation.code);
            self.ty(&mut operation.result);
            operation.parameters.iter_mut().for_each(|parameter| self.ty(&mut parameter.ty));
            operation.raises.iter_mut().for_each(|id| self.id(id));
            self.annotations(&mut operation.annotations);
        }
    }

    fn annotations(&self, annotations: &mut [Annotation]) {
        let values = annotations.iter_mut().flat_map(|annotation| &mut annotation.parameters);
        values.for_each(|(_, value)| self.value(value));
    }

    fn kind(&self, kind: &mut DefinitionKind) {
        match kind {
            DefinitionKind::Constant(constant) => {
                self.value(&mut constant.value);
                constant.ty.iter_mut().for_each(|ty| self.ty(ty));
            }
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => self.structure(structure),
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(enumeration),
            DefinitionKind::Alias(ty) | DefinitionKind::ValueBox(ty) => self.ty(ty),
            DefinitionKind::Value(value) => {
                value.bases.iter_mut().chain(&mut value.supports).for_each(|id| self.id(id));
                value.state.iter_mut().for_each(|field| self.field(field));
            }
            DefinitionKind::Reference(_) | DefinitionKind::Native => {}
        }
    }

    fn ty(&self, ty: &mut Type) {
        match ty {
            Type::Named(id) => self.id(id),
            Type::Text { bound } | Type::WideText { bound } | Type::Opaque { bound } => {
                bound.iter_mut().for_each(|bound| self.value(bound));
            }
            Type::FixedOpaque { length } => self.value(length),
            Type::Array { element, length } => {
                self.ty(element);
                self.value(length);
            }
            Type::Sequence { element, bound } => {
                self.ty(element);
                bound.iter_mut().for_each(|bound| self.value(bound));
            }
            Type::Optional(element) | Type::Recursive(element) => self.ty(element),
            Type::Structure(structure) => self.structure(structure),
            Type::Union(union) => self.union(union),
            Type::Enumeration(enumeration) => self.enumeration(enumeration),
            Type::Void
            | Type::Integer { .. }
            | Type::Float { .. }
            | Type::Boolean
            | Type::Character { .. }
            | Type::Fixed { .. }
            | Type::Any
            | Type::TypeCode
            | Type::Object
            | Type::External(_) => {}
        }
    }

    fn structure(&self, structure: &mut Structure) {
        structure.fields.iter_mut().for_each(|field| self.field(field));
    }

    fn field(&self, field: &mut Field) {
        self.ty(&mut field.ty);
    }

    fn union(&self, union: &mut Union) {
        self.field(&mut union.discriminant);
        for case in union.cases.iter_mut().chain(union.default.as_deref_mut()) {
            case.labels.iter_mut().for_each(|label| self.value(label));
            case.body.iter_mut().for_each(|body| self.field(body));
        }
    }

    fn enumeration(&self, enumeration: &mut Enumeration) {
        let values = enumeration.members.iter_mut().filter_map(|member| member.explicit.as_mut());
        values.for_each(|value| self.value(value));
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Constant(id) | Value::Member { enumeration: id, .. } => self.id(id),
            Value::Integer { .. }
            | Value::Text(_)
            | Value::WideText(_)
            | Value::NestedMember { .. }
            | Value::Boolean(_)
            | Value::Float(_)
            | Value::Fixed(_)
            | Value::Character { .. }
            | Value::External(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Item, text};

    #[test]
    fn definitions_follow_their_items() {
        let form =
            "(struct list (next (sequence list)) (kind color))\n(enum color red)\n(const best red (type color))\n";
        let (mut aoi, errors) = text::parse(form);
        assert_eq!(errors, []);
        aoi.items.reverse();
        let ordered = aoi.in_order_of_items();
        let printed = text::print(&ordered);
        assert_eq!(text::parse(&printed), (ordered.clone(), Vec::new()));
        let names = ordered.items.iter().map(|item| match item {
            Item::Definition(id) => ordered.definitions[*id].name.as_str(),
            _ => "",
        });
        assert_eq!(names.collect::<Vec<_>>(), ["best", "color", "list"]);
        assert!(printed.contains("(sequence list)"), "{printed}");
    }
}
