//! What the C mapping cannot present, found before anything is built. In: lifted AOI. Out: findings: types that have no
//! form in C, and names that C takes for one.

use aoi::{Aoi, DefinitionId, DefinitionKind, Interface, Type};
use pres::{CodecFunction, LinkKind};
use source::{Diagnostic, Span};

use super::names::{self, Taken};
use super::operations::listed;
use super::reserved::RESERVED;
use super::value_types::Reasons;
use super::{c_types, errors, kinds};
use crate::order::is_imported;
use crate::programs::{Procedures, Programs};

/// Checks what is to be declared.
pub(super) struct Checks<'a> {
    aoi: &'a Aoi,
    link: LinkKind,
    programs: Programs,
    /// Value types that nothing can be made of, and why.
    without_form: &'a Reasons,
    pub(super) taken: Taken,
}

impl<'a> Checks<'a> {
    pub(super) fn new(aoi: &'a Aoi, link: LinkKind, without_form: &'a Reasons) -> Self {
        Checks { aoi, link, programs: Programs::default(), without_form, taken: Taken::default() }
    }

    pub(super) fn definition(&mut self, id: DefinitionId) {
        let definition = &self.aoi.definitions[id];
        let (name, span) = (names::of_definition(self.aoi, id), definition.span);
        match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                structure.fields.iter().for_each(|field| self.ty(&field.ty, field.span));
            }
            DefinitionKind::Union(union) => {
                self.ty(&union.discriminant.ty, union.discriminant.span);
                kinds::bodies(union).for_each(|ty| self.ty(ty, span));
            }
            DefinitionKind::Enumeration(enumeration) => {
                for member in &enumeration.members {
                    self.taken.take(names::of_member(definition, &member.name), member.span);
                }
            }
            DefinitionKind::Alias(ty) => self.ty(ty, span),
            DefinitionKind::Constant(_) => {}
            DefinitionKind::Reference(_) if self.link == LinkKind::None => return,
            DefinitionKind::Reference(_) => {}
            // They are at fault where something is made of them.
            DefinitionKind::Value(_) if self.link.is_onc() => return,
            DefinitionKind::Value(value) => {
                value.state.iter().for_each(|field| self.ty(&field.ty, field.span));
            }
            DefinitionKind::ValueBox(_) | DefinitionKind::Native => return,
        }
        if !is_imported(&definition.origin, false) {
            self.members(id);
            if !names::is_of_orb(definition) {
                let finding = RESERVED.definition(&name, c_types::is_record(&definition.kind), span);
                self.taken.findings.extend(finding);
            }
        }
        // Whose own name is another's has been reported.
        if self.taken.take(name.clone(), span) {
            self.helpers(&definition.kind, &name, span);
        }
    }

    /// What the header declares beside a type.
    fn helpers(&mut self, kind: &DefinitionKind, name: &str, span: Span) {
        if matches!(kind, DefinitionKind::Constant(_)) {
            return;
        }
        if self.link == LinkKind::None {
            let state = matches!(kind, DefinitionKind::Value(_)).then(|| names::of_state(name));
            let functions = CodecFunction::ALL.iter().map(|function| function.name(name));
            functions.chain(state).for_each(|name| _ = self.taken.take(name, span));
            return;
        }
        let mut helpers = vec![format!("TC_{name}")];
        match kind {
            DefinitionKind::Value(_) => helpers.push(names::of_state(name)),
            DefinitionKind::Exception(_) => helpers.push(format!("ex_{name}")),
            DefinitionKind::Alias(ty) => match self.aoi.resolve(ty) {
                Type::Array { .. } | Type::FixedOpaque { .. } => helpers.push(format!("{name}_slice")),
                Type::Sequence { .. } | Type::Opaque { .. } | Type::Optional(_) => {
                    helpers.push(format!("{name}_allocbuf"));
                }
                _ => {}
            },
            _ => {}
        }
        if !matches!(kind, DefinitionKind::Reference(_)) {
            helpers.push(format!("{name}__alloc"));
        }
        for helper in helpers {
            self.taken.take(helper, span);
        }
    }

    /// The names inside a type that C knows as they are.
    fn members(&mut self, id: DefinitionId) {
        let definition = &self.aoi.definitions[id];
        let mut say = |finding: Option<Diagnostic>| self.taken.findings.extend(finding);
        match &definition.kind {
            DefinitionKind::Structure(aoi::Structure { fields })
            | DefinitionKind::Exception(aoi::Structure { fields })
            | DefinitionKind::Value(aoi::ValueType { state: fields, .. }) => {
                let fields = fields.iter();
                fields.for_each(|field| say(RESERVED.member(&names::inner(&field.name), field.span)));
            }
            DefinitionKind::Union(union) => {
                let cases = union.cases.iter().chain(union.default.as_deref());
                let bodies = cases.filter_map(|case| case.body.as_ref());
                bodies.for_each(|body| say(RESERVED.member(&names::inner(&body.name), body.span)));
            }
            DefinitionKind::Enumeration(enumeration) => {
                for member in &enumeration.members {
                    let name = names::of_member(definition, &member.name);
                    say(RESERVED.definition(&name, false, member.span));
                }
            }
            _ => {}
        }
    }

    pub(super) fn interface(&mut self, interface: &Interface) {
        let name = names::of_interface(interface);
        // There are no stubs of what stays in its process, nor of what the ORB has itself.
        if super::has_no_stubs(self.aoi, interface) {
            return;
        }
        let is_onc = self.link.is_onc();
        let serves = is_onc || self.link == LinkKind::Mach;
        let endings = ["", "__epv", "__vepv", "__init", "__fini"].into_iter().chain(serves.then_some("__serve"));
        endings.for_each(|ending| _ = self.taken.take(format!("POA_{name}{ending}"), interface.span));
        let is_served = is_onc && !super::is_only_for_heirs(self.aoi, interface, self.link);
        let is_numbered = is_served || self.link == LinkKind::Mach;
        self.taken.findings.extend(is_served.then(|| self.programs.take(self.aoi, interface)).flatten());
        let mut procedures = Procedures::default();
        for (at, (_, operation)) in listed(self.aoi, interface, self.link).into_iter().enumerate() {
            let number = is_numbered.then(|| procedures.take(self.aoi, interface, (at, operation), self.link));
            self.taken.findings.extend(number.flatten());
            let function = format!("{name}_{}", operation.name);
            let own = RESERVED.operation(&names::inner(&operation.name), operation.span);
            let finding = own.or_else(|| RESERVED.function(&function, operation.span));
            self.taken.findings.extend(finding);
            self.taken.take(function, operation.span);
            if !operation.contexts.is_empty() {
                self.taken.findings.push(errors::no_contexts(&operation.name, operation.span));
            }
            if operation.result != Type::Void {
                self.ty(&operation.result, operation.span);
            }
            let parameters = operation.parameters.iter().filter(|parameter| parameter.ty != Type::Void);
            parameters.for_each(|parameter| self.ty(&parameter.ty, parameter.span));
        }
    }

    fn ty(&mut self, ty: &Type, span: Span) {
        let is_refused = match self.link {
            LinkKind::Iiop => false,
            LinkKind::Mach => matches!(ty, Type::Any | Type::TypeCode),
            _ => true,
        };
        if is_refused && let Some(what) = of_orb(self.aoi, ty, self.link) {
            return self.taken.findings.push(errors::no_orb(what, self.link, span));
        }
        let finding = match ty {
            Type::Array { element, length } => {
                self.ty(element, span);
                self.aoi.number(length).is_none().then(|| errors::unknown_length(span))
            }
            Type::FixedOpaque { length } => self.aoi.number(length).is_none().then(|| errors::unknown_length(span)),
            Type::Sequence { element, .. } | Type::Optional(element) | Type::Recursive(element) => {
                return self.ty(element, span);
            }
            Type::External(name) => Some(errors::foreign(name, span)),
            Type::Named(id) => {
                let definition = &self.aoi.definitions[*id];
                if let Some(why) = self.without_form.get(id) {
                    return self.taken.findings.push(errors::no_value(&definition.name, why, span));
                }
                let what = match &definition.kind {
                    DefinitionKind::Native => "a native type",
                    // A message has an object or a value for it (CORBA 3.3 part 2, section 9.3.7).
                    DefinitionKind::Reference(reference) if reference.is_abstract => "an abstract interface",
                    _ => return,
                };
                Some(errors::no_mapping(what, &definition.name, span))
            }
            _ => None,
        };
        self.taken.findings.extend(finding);
    }
}

/// What only the ORB encodes.
fn of_orb(aoi: &Aoi, ty: &Type, link: LinkKind) -> Option<&'static str> {
    Some(match ty {
        Type::Any => "a value of any type",
        Type::TypeCode => "a type code",
        Type::Object => "an object reference",
        Type::Character { is_wide: true } | Type::WideText { .. } => "a wide character or string",
        Type::Fixed { .. } => "a fixed-point number",
        Type::Float { bits: 128 } => "a `long double`",
        Type::Named(id) => match aoi.definitions[*id].kind {
            DefinitionKind::Reference(_) => "an object reference",
            DefinitionKind::Value(_) if link.is_onc() => "a value of a value type",
            _ => return None,
        },
        _ => return None,
    })
}
