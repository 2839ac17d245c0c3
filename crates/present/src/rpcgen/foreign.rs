//! Interfaces of other languages in this style: scopes become parts of names, attributes and inherited operations become
//! procedures, and results with out-parameters become a structure. In: AOI of OMG IDL. Out: AOI as the RPC language could
//! have said it, and a finding for each construct that it could not.

mod forms;

use aoi::{
    Annotation, Aoi, Definition, DefinitionId, DefinitionKind, Direction, Field, Identity, Interface, Item,
    OncIdentity, Operation, Structure, Type, Union, Value,
};
use source::{Diagnostic, Span};

use super::errors;
use super::options::Options;
use crate::inheritance::{Known, known, with_inherited};
use crate::lift::lift_items;
use crate::objects::is_local;
use crate::order::is_imported;
use crate::programs;
pub(crate) use forms::formless;

/// True where the description comes from a language with objects.
pub(super) fn is_foreign(aoi: &Aoi) -> bool {
    fn any(items: &[Item]) -> bool {
        items.iter().any(|item| match item {
            Item::Interface(interface) => interface.identity.corba.is_some(),
            Item::Module(module) => any(&module.items),
            _ => false,
        })
    }
    any(&aoi.items) || aoi.definitions.iter().any(|(_, definition)| definition.repository_id.is_some())
}

/// Says it as the RPC language would. Who is only inherited, or of another file (where they are not [`Options::included`]), needs no number.
pub(super) fn adapt(aoi: &Aoi, options: &Options) -> (Aoi, Vec<Diagnostic>) {
    let mut adapter = Adapter { all_files: options.included, ..Adapter::of_definitions(aoi, options.codec) };
    adapter.walk(&aoi.items, Some(&known(aoi)));
    (lift_items(Aoi { items: adapter.items, ..adapter.aoi }), adapter.findings)
}

/// The types as the RPC language would say them, and no interfaces. Those without a form keep what they are; they have names,
/// and no place among the items.
pub(super) fn types_alone(aoi: &Aoi) -> Aoi {
    let mut adapter = Adapter::of_definitions(aoi, false);
    adapter.walk(&aoi.items, None);
    let without = formless(aoi);
    let has_form = |item: &Item| !matches!(item, Item::Definition(id) if without.contains_key(id));
    lift_items(Aoi { items: adapter.items.into_iter().filter(has_form).collect(), ..adapter.aoi })
}

struct Adapter {
    aoi: Aoi,
    /// Values alone, in any encoding.
    codec: bool,
    all_files: bool,
    findings: Vec<Diagnostic>,
    items: Vec<Item>,
}

fn flat(scope: &[String], name: &str) -> String {
    scope.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("_")
}

impl Adapter {
    fn of_definitions(aoi: &Aoi, codec: bool) -> Adapter {
        let mut adapter =
            Adapter { aoi: aoi.clone(), codec, all_files: false, findings: Vec::new(), items: Vec::new() };
        aoi.definitions.iter().for_each(|(id, _)| adapter.definition(id));
        adapter
    }

    /// Without what is known of interfaces they are left out.
    fn walk(&mut self, items: &[Item], known: Option<&Known>) {
        for item in items {
            match item {
                Item::Module(module) => self.walk(&module.items, known),
                Item::Interface(interface) => known.into_iter().for_each(|known| self.interface(interface, known)),
                Item::Definition(id) if self.is_declared(*id) => self.items.push(item.clone()),
                Item::Definition(_) => {}
                Item::Verbatim(_) => self.items.push(item.clone()),
            }
        }
    }

    /// What has no form is at fault where it is used.
    fn is_declared(&self, id: DefinitionId) -> bool {
        use DefinitionKind::{Alias, Constant, Enumeration, Structure, Union};
        matches!(self.aoi.definitions[id].kind, Constant(_) | Structure(_) | Union(_) | Enumeration(_) | Alias(_))
    }

    fn definition(&mut self, id: DefinitionId) {
        let Definition { scope, name, mut kind, span, .. } = self.aoi.definitions[id].clone();
        match &mut kind {
            DefinitionKind::Structure(structure) => self.fields(&mut structure.fields),
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Alias(ty) => self.ty(ty, span),
            DefinitionKind::Enumeration(enumeration) => {
                enumeration.members.iter_mut().for_each(|member| member.name = flat(&scope, &member.name));
            }
            DefinitionKind::Constant(constant) => {
                self.findings.extend(forms::of_constant(&constant.value).map(|what| errors::no_form(what, span)));
            }
            _ => {}
        }
        let definition = &mut self.aoi.definitions[id];
        definition.name = flat(&scope, &name);
        definition.kind = kind;
    }

    fn fields(&mut self, fields: &mut [Field]) {
        fields.iter_mut().for_each(|field| self.ty(&mut field.ty, field.span));
    }

    fn union(&mut self, union: &mut Union) {
        let discriminant = &mut union.discriminant;
        self.ty(&mut discriminant.ty, discriminant.span);
        // XDR has no smaller words; other encodings do.
        if !self.codec
            && let Type::Integer { bits: 8, .. } = discriminant.ty
        {
            discriminant.ty = integer(32, true, "int");
        }
        for case in union.cases.iter_mut().chain(union.default.as_deref_mut()) {
            case.body.iter_mut().for_each(|body| self.ty(&mut body.ty, body.span));
        }
    }

    /// A type in the RPC language's words.
    fn ty(&mut self, ty: &mut Type, span: Span) {
        match ty {
            Type::Integer { bits, signed, .. } => {
                *ty = match (*bits, *signed) {
                    (8, true) => integer(8, true, "char"),
                    (8, false) => integer(8, false, "unsigned char"),
                    (16, true) => integer(16, true, "short"),
                    (16, false) => integer(16, false, "unsigned short"),
                    (64, true) => integer(64, true, "hyper"),
                    (64, false) => integer(64, false, "unsigned hyper"),
                    (_, true) => integer(32, true, "int"),
                    (_, false) => integer(32, false, "unsigned int"),
                }
            }
            Type::Character { is_wide: false } => *ty = integer(8, true, "char"),
            Type::Array { element, .. }
            | Type::Sequence { element, .. }
            | Type::Optional(element)
            | Type::Recursive(element) => {
                self.ty(element, span);
            }
            Type::Structure(structure) => self.fields(&mut structure.fields),
            Type::Union(union) => self.union(union),
            other => {
                let what = forms::of_type(&self.aoi, other);
                self.findings.extend(what.map(|what| errors::no_form(what, span)));
            }
        }
    }

    /// An interface is the first version of a program, unless it says otherwise.
    fn interface(&mut self, interface: &Interface, known: &Known) {
        let has_number = interface.identity.onc.is_some();
        let is_imported = is_imported(&interface.origin, self.all_files);
        if is_local(&self.aoi, interface) {
            return;
        }
        if !has_number && (is_imported || programs::is_only_inherited(&self.aoi, interface)) {
            return;
        }
        if !has_number {
            self.findings.push(errors::no_program(&interface.name, interface.span));
        }
        let name = flat(&interface.scope, &interface.name);
        let operations: Vec<Operation> = with_inherited(known, interface)
            .iter()
            .enumerate()
            .map(|(at, (_, operation))| self.operation(&name, operation, at + 1))
            .collect();
        let onc = interface.identity.onc.clone().map(|onc| OncIdentity { program_name: name.clone(), ..onc });
        let version = onc.as_ref().and_then(|onc| self.aoi.number(&onc.version)).unwrap_or(1);
        let identity = Identity { onc, ..Identity::default() };
        let version_name = format!("{name}_V{version}");
        let adapted = Interface::new(version_name, identity, operations, interface.span, interface.origin.clone());
        self.items.push(Item::Interface(adapted));
    }

    fn operation(&mut self, interface: &str, operation: &Operation, position: usize) -> Operation {
        let span = operation.span;
        if !operation.raises.is_empty() {
            self.findings.push(errors::no_form("an exception", span));
        }
        let name = format!("{interface}_{}", operation.name.trim_start_matches('_'));
        let mut parameters = operation.parameters.clone();
        parameters.iter_mut().for_each(|parameter| self.ty(&mut parameter.ty, parameter.span));
        let mut result = operation.result.clone();
        self.ty(&mut result, span);
        let answers = parameters.iter().filter(|parameter| parameter.direction != Direction::In);
        let mut fields: Vec<Field> = answers
            .map(|parameter| {
                let name = parameter.name.clone().unwrap_or_default();
                Field { name, ty: parameter.ty.clone(), span: parameter.span }
            })
            .collect();
        if !fields.is_empty() {
            if result != Type::Void {
                fields.insert(0, Field { name: "result".to_string(), ty: result, span });
            }
            let kind = DefinitionKind::Structure(Structure { fields });
            let origin = aoi::Origin::Main;
            let id = self.aoi.definitions.alloc(Definition::new(format!("{name}_results"), kind, span, origin));
            self.items.push(Item::Definition(id));
            result = Type::Named(id);
        }
        parameters.retain(|parameter| parameter.direction != Direction::Out);
        parameters.iter_mut().for_each(|parameter| parameter.direction = Direction::In);
        let stated = procedure_of(operation);
        let code = stated.unwrap_or_else(|| {
            let position = i128::try_from(position).unwrap_or_default();
            number(position, position.to_string())
        });
        Operation::new(name, code, parameters, result, span)
    }
}

/// The number that an operation states.
pub(crate) fn procedure_of(operation: &Operation) -> Option<Value> {
    operation.annotations.iter().find_map(procedure)
}

/// `@onc(procedure = 7)`.
fn procedure(annotation: &Annotation) -> Option<Value> {
    let named = annotation.parameters.iter().find(|(name, _)| name == "procedure");
    named.filter(|_| annotation.name == "onc").map(|(_, value)| value.clone())
}

fn integer(bits: u8, signed: bool, spelling: &str) -> Type {
    Type::Integer { bits, signed, spelling: spelling.to_string() }
}

fn number(value: i128, spelling: String) -> Value {
    Value::Integer { value, spelling }
}
