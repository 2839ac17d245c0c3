//! Type codes: constants that say what each type is, for `any` and for programs that ask. In: the definitions that a
//! header declares. Out: C objects for its `-common.c`; types without a name of their own (sequences, bounded strings,
//! arrays) are objects of that file alone. Source: CORBA 3.3 part 1, section 8.11; OMG, C Language Mapping, section 1.17.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Enumeration, Structure, Type, Union};
use cast::build::{address, integer, name, null, text, verbatim};
use cast::{Declaration, Expression, Storage, Type as C, Variable};

use super::c_types::{BODY, DISCRIMINATOR, c_type, word};
use super::kinds::Kinds;
use super::values::VALUES;
use super::{header, names, value_types};

/// The type codes of the definitions.
pub(super) fn declarations(aoi: &Aoi, kinds: &Kinds, own: &[DefinitionId]) -> Vec<Declaration> {
    let mut codes = Codes { aoi, kinds, done: BTreeMap::new(), result: Vec::new() };
    own.iter().for_each(|id| codes.definition(*id));
    if !codes.result.is_empty() {
        let (of_codes, of_members) = (listed(&PARTS), listed(&MEMBER_PARTS));
        let text = format!("Type codes: {of_codes}.\nTheir members: {of_members}.");
        codes.result.splice(0..0, [Declaration::comment(text), Declaration::Blank]);
    }
    codes.result
}

struct Codes<'a> {
    aoi: &'a Aoi,
    kinds: &'a Kinds<'a>,
    /// The codes of types without a name.
    done: BTreeMap<String, String>,
    result: Vec<Declaration>,
}

/// What is said of a type, member by member of the structure.
struct Code {
    kind: &'static str,
    parts: Vec<(&'static str, Expression)>,
}

/// The members of `struct CORBA_TypeCode_struct` in its order, and whether each is a pointer. C++17 knows no names in initializers, and
/// C warns of members that are left out where there are none.
const PARTS: [(&str, bool); 12] = [
    ("kind", false),
    ("name", true),
    ("repository_id", true),
    ("count", false),
    ("scale", false),
    ("content", true),
    ("members", true),
    ("default_index", false),
    ("size", false),
    ("alignment", false),
    ("release", true),
    ("graph", true),
];

/// The same of `struct whittle_member`.
const MEMBER_PARTS: [(&str, bool); 4] = [("name", true), ("type", true), ("label", false), ("offset", false)];

impl Code {
    fn new(kind: &'static str) -> Code {
        Code { kind, parts: Vec::new() }
    }

    fn with(mut self, part: &'static str, value: Expression) -> Code {
        self.parts.push((part, value));
        self
    }
}

impl Codes<'_> {
    fn definition(&mut self, id: DefinitionId) {
        let aoi = self.aoi;
        let definition = &aoi.definitions[id];
        let c_name = names::of_definition(aoi, id);
        let code = match &definition.kind {
            DefinitionKind::Structure(structure) => self.structure("CORBA_tk_struct", &c_name, structure),
            DefinitionKind::Exception(structure) => self.structure("CORBA_tk_except", &c_name, structure),
            DefinitionKind::Union(union) => self.union(&c_name, union),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(&c_name, enumeration),
            DefinitionKind::Alias(ty) => {
                let content = self.code_of(ty);
                Code::new("CORBA_tk_alias").with("content", content)
            }
            DefinitionKind::Value(value) => self.value(&names::of_state(&c_name), value),
            DefinitionKind::Reference(reference) => Code::new(match (reference.is_local, reference.is_abstract) {
                (true, _) => "CORBA_tk_local_interface",
                (_, true) => "CORBA_tk_abstract_interface",
                _ => "CORBA_tk_objref",
            }),
            _ => return,
        };
        let fallback = || {
            format!(
                "IDL:{}:1.0",
                definition.scope.iter().chain([&definition.name]).cloned().collect::<Vec<_>>().join("/")
            )
        };
        let repository_id = definition.repository_id.clone().unwrap_or_else(fallback);
        let is_own = !matches!(definition.kind, DefinitionKind::Alias(_)) || header::is_array_alias(aoi, id);
        let release = match &definition.kind {
            DefinitionKind::Reference(_) | DefinitionKind::Value(_) => self.kinds.release(&Type::Named(id)),
            _ if is_own => header::own_release(aoi, self.kinds, id),
            _ => self.kinds.release(&Type::Named(id)),
        };
        let code = code.with("name", text(definition.name.clone())).with("repository_id", text(repository_id));
        self.object(format!("whittle_tc_{c_name}"), Storage::Automatic, code, &C::named(c_name), release);
    }

    /// A constant of type `struct CORBA_TypeCode_struct`.
    fn object(&mut self, of: String, storage: Storage, code: Code, ty: &C, release: Option<String>) {
        let spelled = cast::print_type(ty);
        let is_sized = code.parts.iter().any(|(part, _)| *part == "size");
        let code = if is_sized { code } else { code.with("size", cast::build::sizeof_type(ty.clone())) };
        let mut code = code.with("alignment", verbatim(format!("WHITTLE_ALIGNMENT({spelled})"), C::named("size_t")));
        if let Some(release) = release {
            code = code.with("release", name(release, C::Void));
        }
        let kind = ("kind", name(code.kind, C::INT));
        let parts: Vec<(&str, Expression)> = std::iter::once(kind).chain(code.parts).collect();
        self.constant(of, storage, structure_type(), in_order(&PARTS, &parts));
    }

    fn constant(&mut self, name: String, storage: Storage, ty: C, initial: Expression) {
        let variable = Variable { storage, name, ty: ty.constant(), initial: Some(initial), ..Variable::default() };
        self.result.extend([Declaration::Variable(variable), Declaration::Blank]);
    }

    /// An array of members beside the code; `NULL` where there are none.
    fn members(&mut self, c_name: &str, members: Vec<Expression>) -> (Expression, Expression) {
        let count = integer(i128::try_from(members.len()).unwrap_or_default());
        if members.is_empty() {
            return (count, null());
        }
        let array = format!("members_of_{c_name}");
        let ty = C::Array(Box::new(C::structure("whittle_member").constant()), None);
        let variable = Variable {
            storage: Storage::Static,
            name: array.clone(),
            ty,
            initial: Some(cast::build::braces(members)),
            ..Variable::default()
        };
        self.result.push(Declaration::Variable(variable));
        (count, name(array, C::structure("whittle_member").pointer()))
    }

    fn structure(&mut self, kind: &'static str, c_name: &str, structure: &Structure) -> Code {
        let members = structure.fields.iter().map(|field| member(&self.field(c_name, field)));
        let members = members.collect();
        let (count, members) = self.members(c_name, members);
        Code::new(kind).with("count", count).with("members", members)
    }

    fn field(&mut self, c_name: &str, field: &aoi::Field) -> [(&'static str, Expression); 3] {
        let ty = self.code_of(&field.ty);
        let at = offset(c_name, &names::inner(&field.name));
        [("name", text(field.name.clone())), ("type", ty), ("offset", at)]
    }

    /// Of a value type: no walk along type codes knows how its values lie in messages, so that an `any` cannot hold them.
    fn value(&mut self, state: &str, value: &aoi::ValueType) -> Code {
        if let Some(ty) = value_types::in_box(value) {
            let content = self.code_of(ty);
            return Code::new("CORBA_tk_value_box").with("content", content).with("size", integer(0));
        }
        let base = value_types::base(self.aoi, value);
        let inherited = match base.map(|id| &self.aoi.definitions[id].kind) {
            Some(DefinitionKind::Value(base)) => base.state.len(),
            _ => 0,
        };
        let members = value.state.iter().skip(inherited).map(|field| {
            let [name, ty, at] = self.field(state, field);
            // `PUBLIC_MEMBER`: all of it is, in C.
            member(&[name, ty, ("label", integer(1)), at])
        });
        let members = members.collect();
        let (count, members) = self.members(state, members);
        let code = Code::new("CORBA_tk_value").with("count", count).with("members", members).with("size", integer(0));
        // `VM_TRUNCATABLE`
        let code = if value.is_truncatable { code.with("scale", integer(3)) } else { code };
        match base {
            Some(base) => code.with("content", code_named(&names::of_definition(self.aoi, base))),
            None => code,
        }
    }

    fn enumeration(&mut self, c_name: &str, enumeration: &Enumeration) -> Code {
        let members = enumeration.members.iter().map(|of| member(&[("name", text(of.name.clone()))]));
        let (count, members) = self.members(c_name, members.collect());
        Code::new("CORBA_tk_enum").with("count", count).with("members", members)
    }

    fn union(&mut self, c_name: &str, union: &Union) -> Code {
        let mut members = Vec::new();
        let mut default_index = None;
        let cases = union.cases.iter().map(|case| (case, false));
        for (case, is_default) in cases.chain(union.default.as_deref().map(|case| (case, true))) {
            let Some(body) = &case.body else { continue };
            let ty = self.code_of(&body.ty);
            let at = offset(c_name, &format!("{BODY}.{}", names::inner(&body.name)));
            let mut chosen_by = |label: Expression| {
                let name = ("name", text(body.name.clone()));
                members.push(member(&[name, ("type", ty.clone()), ("label", label), ("offset", at.clone())]));
            };
            case.labels.iter().for_each(|label| chosen_by(in_64_bits(self.aoi, label)));
            if is_default {
                chosen_by(integer(0));
                default_index = Some(members.len() - 1);
            }
        }
        let discriminator = self.code_of(&union.discriminant.ty);
        let (count, members) = self.members(c_name, members);
        let default_index = match default_index {
            Some(index) => integer(i128::try_from(index).unwrap_or_default()),
            None => name("WHITTLE_NO_DEFAULT", C::INT),
        };
        let code = Code::new("CORBA_tk_union").with("count", count).with("members", members);
        debug_assert_eq!(DISCRIMINATOR, "_d");
        code.with("content", discriminator).with("default_index", default_index)
    }

    /// The address of a type's code.
    fn code_of(&mut self, ty: &Type) -> Expression {
        let aoi = self.aoi;
        let number = |value: Option<&aoi::Value>| integer(value.and_then(|value| aoi.number(value)).unwrap_or(0));
        let code = match ty {
            Type::Named(id) => return code_named(&names::of_definition(aoi, *id)),
            Type::Text { bound: bound @ Some(_) } => Code::new("CORBA_tk_string").with("count", number(bound.as_ref())),
            Type::WideText { bound: bound @ Some(_) } => {
                Code::new("CORBA_tk_wstring").with("count", number(bound.as_ref()))
            }
            Type::Fixed { digits, scale } => Code::new("CORBA_tk_fixed")
                .with("count", integer(i128::from(*digits)))
                .with("scale", integer(i128::from(*scale))),
            Type::Opaque { bound } => sequence(code_named("CORBA_octet"), number(bound.as_ref())),
            Type::Sequence { element, bound } => sequence(self.code_of(element), number(bound.as_ref())),
            Type::Optional(target) => sequence(self.code_of(target), integer(1)),
            // No type code says that a type is part of itself: values that have such an arm cannot be in an `any`.
            Type::Recursive(target) => native(&word(aoi, target)),
            Type::FixedOpaque { length } => array(code_named("CORBA_octet"), number(Some(length))),
            Type::Array { element, length } => array(self.code_of(element), number(Some(length))),
            // The mapping's own names for widths that IDL spells otherwise.
            Type::Integer { bits: 8, .. } => return code_named("CORBA_octet"),
            basic => return code_named(&word(aoi, basic)),
        };
        let key = format!("{ty:?}");
        if let Some(known) = self.done.get(&key) {
            return address(name(known.as_str(), structure_type()));
        }
        let object = format!("type_{}", self.done.len() + 1);
        self.done.insert(key, object.clone());
        self.object(object.clone(), Storage::Static, code, &c_type(aoi, ty), self.kinds.release(ty));
        address(name(object, structure_type()))
    }
}

fn sequence(content: Expression, bound: Expression) -> Code {
    Code::new("CORBA_tk_sequence").with("content", content).with("count", bound)
}

fn array(content: Expression, length: Expression) -> Code {
    Code::new("CORBA_tk_array").with("content", content).with("count", length)
}

/// Of what no walk along type codes can marshal.
fn native(c_name: &str) -> Code {
    let code = Code::new("CORBA_tk_native").with("name", text(c_name)).with("size", integer(0));
    code.with("repository_id", text(format!("IDL:{c_name}:1.0")))
}

fn structure_type() -> C {
    C::structure("CORBA_TypeCode_struct")
}

/// `&whittle_tc_T`.
fn code_named(of: &str) -> Expression {
    address(name(format!("whittle_tc_{of}"), structure_type()))
}

fn offset(c_name: &str, path: &str) -> Expression {
    verbatim(format!("offsetof({c_name}, {path})"), C::named("size_t"))
}

/// A label as `CORBA_long_long` has it: of more than 63 bits, the same bits as a number below zero.
fn in_64_bits(aoi: &Aoi, label: &aoi::Value) -> Expression {
    match aoi.number(label) {
        Some(value) if value > i128::from(i64::MAX) => crate::values::number(value - (1 << 64)),
        _ => VALUES.expression(aoi, label),
    }
}

/// A row of an array of members.
fn member(parts: &[(&str, Expression)]) -> Expression {
    in_order(&MEMBER_PARTS, parts)
}

/// `{ value, … }` in the structure's order; what is not given is zero.
fn in_order(all: &[(&str, bool)], given: &[(&str, Expression)]) -> Expression {
    let value = |(part, is_pointer): &(&str, bool)| match given.iter().find(|(name, _)| name == part) {
        Some((_, value)) => value.clone(),
        None if *is_pointer => null(),
        None => integer(0),
    };
    cast::build::braces(all.iter().map(value).collect())
}

fn listed(parts: &[(&str, bool)]) -> String {
    parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
