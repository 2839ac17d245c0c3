//! The header: constants, types, exceptions and their helpers, in C's order. In: lifted AOI, definition by definition.
//! Out: declarations. Source: OMG, C Language Mapping (formal/99-07-35), sections 1.5 to 1.19; what it leaves open is as
//! ORBit2 has it.

use std::collections::BTreeSet;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Type};
use cast::build::{cast as cast_to, name, null, parameter, returns, sizeof_type, unnamed};
use cast::{
    Condition, Conditional, Declaration, Expression, Field, Function, Linkage, Record, RecordKind, Storage, TagKind,
    Type as C, Variable,
};

use crate::enumerations;

use super::c_types::{self, BODY, DISCRIMINATOR, c_type, word};
use super::kinds::Kinds;
use super::reserved::RESERVED;
use super::values::VALUES;
use super::{kinds, names};

/// Writes the declarations of types.
pub(super) struct Header<'a> {
    aoi: &'a Aoi,
    kinds: &'a Kinds<'a>,
    /// Values alone: nothing of the ORB's.
    codec: bool,
    /// Sequences that are declared.
    sequences: BTreeSet<String>,
    /// What allocates sequences: their elements are complete behind all types.
    pub(super) allocators: Vec<Declaration>,
    pub(super) body: Vec<Declaration>,
}

impl<'a> Header<'a> {
    pub(super) fn new(aoi: &'a Aoi, kinds: &'a Kinds<'a>, codec: bool) -> Self {
        Header { aoi, kinds, codec, sequences: BTreeSet::new(), allocators: Vec::new(), body: Vec::new() }
    }

    /// Structures may be spoken of before they are declared.
    pub(super) fn announce(&mut self, id: DefinitionId) {
        let definition = &self.aoi.definitions[id];
        if c_types::is_record(&definition.kind) && !names::is_of_orb(definition) {
            let name = names::of_definition(self.aoi, id);
            self.body.push(Declaration::Typedef { ty: C::structure(&name), name });
        } else if matches!(definition.kind, DefinitionKind::Value(_)) {
            let name = names::of_definition(self.aoi, id);
            let state = names::of_state(&name);
            self.typedef(&state, C::structure(&state));
            self.typedef(&name, C::named(state).pointer());
        }
    }

    pub(super) fn definition(&mut self, id: DefinitionId) {
        let aoi = self.aoi;
        let definition = &aoi.definitions[id];
        let name = names::of_definition(aoi, id);
        self.sequences_of(definition);
        match &definition.kind {
            _ if names::is_of_orb(definition) => {}
            DefinitionKind::Constant(constant) => self.define(&name, VALUES.constant(aoi, constant)),
            DefinitionKind::Enumeration(enumeration) => {
                let members = enumeration.members.iter().map(|member| {
                    let value = member.explicit.as_ref().and(member.value).map(cast::build::integer);
                    (names::of_member(definition, &member.name), value)
                });
                let members = members.collect();
                self.body.push(Declaration::Blank);
                self.body.push(enumerations::declaration(name.clone(), members, enumeration));
                self.typedef(&name, C::Tagged(TagKind::Enum, name.clone()));
            }
            DefinitionKind::Structure(structure) => self.structure(&name, c_types::fields(aoi, &structure.fields)),
            DefinitionKind::Exception(structure) => {
                let mut fields = c_types::fields(aoi, &structure.fields);
                if fields.is_empty() {
                    fields.push(Field { name: "_dummy".to_string(), ty: C::named("CORBA_octet") });
                }
                self.structure(&name, fields);
                let id = definition.repository_id.clone().unwrap_or_else(|| format!("IDL:{name}:1.0"));
                self.define(&format!("ex_{name}"), cast::build::text(id));
            }
            DefinitionKind::Union(union) => {
                let discriminant = c_type(aoi, &union.discriminant.ty);
                let fields = vec![
                    Field { name: DISCRIMINATOR.to_string(), ty: discriminant },
                    Field { name: BODY.to_string(), ty: c_types::union_body(aoi, union) },
                ];
                self.structure(&name, fields);
            }
            DefinitionKind::Alias(ty) => self.alias(&name, ty),
            DefinitionKind::Reference(_) if self.codec => return,
            DefinitionKind::Reference(_) => self.reference(&name),
            DefinitionKind::Value(value) => {
                self.structure(&names::of_state(&name), c_types::fields(aoi, &value.state));
            }
            DefinitionKind::ValueBox(_) | DefinitionKind::Native => return,
        }
        if !self.codec && !matches!(definition.kind, DefinitionKind::Constant(_)) {
            self.helpers(id, &name);
        }
    }

    /// The sequences that a definition speaks of, innermost first.
    fn sequences_of(&mut self, definition: &Definition) {
        match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                structure.fields.iter().for_each(|field| self.sequence(&field.ty));
            }
            DefinitionKind::Union(union) => kinds::bodies(union).for_each(|ty| self.sequence(ty)),
            DefinitionKind::Alias(ty) => self.sequence(ty),
            DefinitionKind::Value(value) => value.state.iter().for_each(|field| self.sequence(&field.ty)),
            _ => {}
        }
    }

    /// `CORBA_sequence_T`, once for all headers of a program.
    pub(super) fn sequence(&mut self, ty: &Type) {
        let element = match ty {
            Type::Sequence { element, .. } | Type::Optional(element) => element,
            Type::Array { element, .. } => return self.sequence(element),
            Type::Fixed { digits, .. } => return self.fixed(ty, *digits),
            _ => return,
        };
        self.sequence(element);
        let name = word(self.aoi, ty);
        if c_types::is_common_sequence(element) || !self.sequences.insert(name.clone()) {
            return;
        }
        let counter = C::named("CORBA_unsigned_long");
        let item = c_type(self.aoi, element);
        let field = |name: &str, ty| Field { name: name.to_string(), ty };
        let fields = vec![
            field("_maximum", counter.clone()),
            field("_length", counter.clone()),
            field("_buffer", item.clone().pointer()),
            field("_release", C::named("CORBA_boolean")),
        ];
        let record = Record { kind: RecordKind::Struct, tag: Some(name.clone()), fields };
        let release = self.kinds.release(element);
        let declared = once(&name, "defined", vec![Declaration::Record(record), typedef(&name, C::structure(&name))]);
        self.body.extend(declared);
        if self.codec {
            return;
        }
        let allocators = vec![
            allocator(&name, C::named(&name), Some("whittle_release_sequence")),
            buffer_allocator(&format!("{name}_allocbuf"), item, release.as_deref()),
        ];
        self.allocators.extend(once(&name, "allocators", allocators));
    }

    /// `CORBA_fixed_5_2`: the number's digits in `_value`, two in an octet.
    fn fixed(&mut self, ty: &Type, digits: u16) {
        let name = word(self.aoi, ty);
        if !self.sequences.insert(name.clone()) {
            return;
        }
        let octets = cast::build::integer(i128::from(digits / 2 + 1));
        let fields = vec![
            Field { name: "_digits".to_string(), ty: C::named("CORBA_unsigned_short") },
            Field { name: "_scale".to_string(), ty: C::named("CORBA_short") },
            Field { name: "_value".to_string(), ty: C::named("CORBA_octet").array(octets) },
        ];
        let record = Record { kind: RecordKind::Struct, tag: Some(name.clone()), fields };
        self.body.extend(once(
            &name,
            "defined",
            vec![Declaration::Record(record), typedef(&name, C::structure(&name))],
        ));
    }

    fn define(&mut self, name: &str, value: Expression) {
        let name = name.to_string();
        self.body.push(Declaration::Define(cast::Definition { name, value: Some(value) }));
    }

    fn typedef(&mut self, name: &str, ty: C) {
        self.body.push(typedef(name, ty));
    }

    fn structure(&mut self, name: &str, mut fields: Vec<Field>) {
        // A structure of nothing would have one size in C and another in C++.
        if fields.is_empty() {
            fields.push(Field { name: "_dummy".to_string(), ty: C::named("CORBA_octet") });
        }
        self.body.push(Declaration::Blank);
        let record = Record { kind: RecordKind::Struct, tag: Some(name.to_string()), fields };
        self.body.push(Declaration::Record(record));
    }

    fn alias(&mut self, name: &str, ty: &Type) {
        self.body.push(Declaration::Blank);
        self.typedef(name, c_type(self.aoi, ty));
        if matches!(self.aoi.resolve(ty), Type::Array { .. } | Type::FixedOpaque { .. }) {
            self.typedef(&format!("{name}_slice"), c_types::slice(self.aoi, ty));
        }
        if !self.codec
            && let Type::Sequence { .. } | Type::Opaque { .. } | Type::Optional(_) = ty
        {
            let function = format!("{}_allocbuf", word(self.aoi, ty));
            self.define(&format!("{name}_allocbuf"), self::name(function, C::Void));
        }
    }

    /// The references to objects of an interface, which some languages do not declare.
    pub(super) fn reference(&mut self, name: &str) {
        self.body.push(Declaration::Blank);
        self.typedef(name, C::named("CORBA_Object"));
    }

    /// What allocates and releases values, and their type code.
    fn helpers(&mut self, id: DefinitionId, name: &str) {
        let aoi = self.aoi;
        let ty = Type::Named(id);
        let is_own = c_types::is_record(&aoi.definitions[id].kind) || is_array_alias(aoi, id);
        let release = if is_own { own_release(aoi, self.kinds, id) } else { self.kinds.release(&ty) };
        if let Some(release) = release.as_ref().filter(|_| is_own) {
            self.body.push(release_of(release));
        }
        match aoi.resolve(&ty) {
            Type::Array { element, length } => {
                let (item, length) = (self.kinds.release(element), VALUES.expression(aoi, length));
                self.body.push(array_allocator(name, c_type(aoi, element), length, item.as_deref()));
            }
            Type::FixedOpaque { length } => {
                let length = VALUES.expression(aoi, length);
                self.body.push(array_allocator(name, C::named("CORBA_octet"), length, None));
            }
            _ if RESERVED.has(&format!("{name}__alloc")) => {}
            Type::Named(of) if matches!(aoi.definitions[*of].kind, DefinitionKind::Reference(_)) => {}
            Type::Named(of) if matches!(aoi.definitions[*of].kind, DefinitionKind::Value(_)) => {
                self.new_value(*of, &format!("{name}__alloc"), *of == id);
            }
            _ => self.body.push(allocator(name, C::named(name), release.as_deref())),
        }
        let code = format!("whittle_tc_{name}");
        let ty = C::structure("CORBA_TypeCode_struct").constant();
        let variable = Variable { storage: Storage::Extern, name: code.clone(), ty, ..Default::default() };
        self.body.push(Declaration::Variable(variable));
        let address = cast::build::verbatim(format!("((CORBA_TypeCode)&{code})"), C::named("CORBA_TypeCode"));
        // A name of the ORB's stays the ORB's.
        let own = format!("TC_{name}");
        if !RESERVED.is_of_orb(&own) {
            self.define(&own, address);
        }
    }
}

impl Header<'_> {
    /// `T *T__alloc(void)` of a value type: an empty state.
    fn new_value(&mut self, id: DefinitionId, function: &str, declares: bool) {
        let DefinitionKind::Value(value) = &self.aoi.definitions[id].kind else { return };
        let state = names::of_state(&names::of_definition(self.aoi, id));
        let holds = value.state.iter().any(|field| self.kinds.is_variable(&field.ty));
        let release = holds.then(|| format!("whittle_release_{state}"));
        self.body.extend(release.as_deref().filter(|_| declares).map(release_of));
        self.body.push(new(function, C::named(state), release.as_deref()));
    }
}

/// What several headers of one program may declare.
fn once(name: &str, what: &str, inside: Vec<Declaration>) -> [Declaration; 2] {
    let guard = format!("_{name}_{what}");
    let flag = Declaration::Define(cast::Definition { name: guard.clone(), value: None });
    let then = std::iter::once(flag).chain(inside).collect();
    let condition = Condition::undefined(guard);
    [Declaration::Blank, Declaration::Conditional(Conditional { condition, then, otherwise: Vec::new() })]
}

/// What releases the members of a structure, union, exception or array that is declared here.
pub(super) fn own_release(aoi: &Aoi, kinds: &Kinds, id: DefinitionId) -> Option<String> {
    let is_variable = match &aoi.definitions[id].kind {
        DefinitionKind::Alias(ty) => kinds.is_variable(ty),
        _ => kinds.is_variable_definition(id),
    };
    is_variable.then(|| format!("whittle_release_{}", names::of_definition(aoi, id)))
}

/// An alias that is the first name of an array.
pub(super) fn is_array_alias(aoi: &Aoi, id: DefinitionId) -> bool {
    matches!(&aoi.definitions[id].kind, DefinitionKind::Alias(Type::Array { .. } | Type::FixedOpaque { .. }))
}

fn typedef(name: &str, ty: C) -> Declaration {
    Declaration::Typedef { name: name.to_string(), ty }
}

/// `void whittle_release_T(void *value);`
fn release_of(name: &str) -> Declaration {
    let value = parameter("value", C::Void.pointer());
    Declaration::Prototype(Function { name: name.to_string(), parameters: vec![value], ..Function::default() })
}

/// `T *T__alloc(void)`: an empty value.
fn allocator(name: &str, ty: C, release: Option<&str>) -> Declaration {
    new(&format!("{name}__alloc"), ty, release)
}

fn new(function: &str, ty: C, release: Option<&str>) -> Declaration {
    let one = cast::build::integer(1);
    inline(function.to_string(), ty.clone(), sizeof_type(ty), one, (Vec::new(), release))
}

/// `T *CORBA_sequence_T_allocbuf(CORBA_unsigned_long length)`: empty elements.
fn buffer_allocator(function: &str, item: C, release: Option<&str>) -> Declaration {
    let counter = C::named("CORBA_unsigned_long");
    let parameters = vec![parameter("length", counter.clone())];
    inline(function.to_string(), item.clone(), sizeof_type(item), name("length", counter), (parameters, release))
}

/// `T_slice *T__alloc(void)`: an array of empty elements.
fn array_allocator(array: &str, item: C, length: Expression, release: Option<&str>) -> Declaration {
    let slice = C::named(format!("{array}_slice"));
    inline(format!("{array}__alloc"), slice, sizeof_type(item), length, (Vec::new(), release))
}

fn inline(
    function: String,
    item: C,
    size: Expression,
    count: Expression,
    (parameters, release): (Vec<cast::Parameter>, Option<&str>),
) -> Declaration {
    let release = release.map_or_else(null, |release| name(release, C::Void));
    let storage = cast::build::call("whittle_corba_new", vec![size, count, release], C::Void.pointer());
    let result = item.pointer();
    let parameters = if parameters.is_empty() { vec![unnamed(C::Void)] } else { parameters };
    let body = vec![returns(cast_to(result.clone(), storage))];
    Declaration::Function(Function {
        linkage: Linkage::StaticInline,
        name: function,
        result,
        parameters,
        body,
        ..Function::default()
    })
}
