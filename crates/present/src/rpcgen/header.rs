//! The header: everything that rpcgen's declares, in its order, under its guard.

use crate::enumerations;
use crate::library::end_macros;
use crate::order::Included;
use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Type};
use cast::build::unnamed;
use cast::{Condition, Conditional, Declaration, Field, Record, RecordKind, Variable};
use pres::{ArenaMembers, Conventions, PresC};

use super::c_types::{self, Nested, Place, Scope, c_type};
use super::options::Options;
use super::reserved::Typedef;
use super::{names, prototypes, values};

/// Collects the declarations between the head and the tail of the header.
pub(super) struct Header<'a> {
    aoi: &'a Aoi,
    options: &'a Options,
    conventions: Conventions,
    declared: BTreeSet<DefinitionId>,
    /// Macros so far, with their text.
    macros: BTreeMap<String, String>,
    program: Option<String>,
    body: Vec<Declaration>,
}

impl<'a> Header<'a> {
    pub(super) fn new(aoi: &'a Aoi, options: &'a Options, conventions: Conventions) -> Self {
        Header {
            aoi,
            options,
            conventions,
            declared: BTreeSet::new(),
            macros: BTreeMap::new(),
            program: None,
            body: Vec::new(),
        }
    }

    pub(super) fn verbatim(&mut self, line: &str) {
        self.body.push(Declaration::Verbatim(line.to_string()));
    }

    /// `#include "part.h"` for `part.x`.
    pub(super) fn included(&mut self, file: &Included) {
        self.body.push(Declaration::include(file.beside.clone()));
    }

    /// `quadruple` is no type of C's: sixteen bytes in the host's order, which those who have such a number copy out.
    pub(super) fn quadruple(&mut self) {
        let bytes =
            Field { name: "bytes".to_string(), ty: cast::Type::named("u_char").array(cast::build::integer(16)) };
        let then = vec![
            Declaration::Define(cast::Definition { name: "WHITTLE_QUADRUPLE".to_string(), value: None }),
            Declaration::Record(record(RecordKind::Struct, "quadruple", vec![bytes])),
            typedef("quadruple", cast::Type::structure("quadruple")),
        ];
        self.conditional("WHITTLE_QUADRUPLE", then);
        self.body.push(Declaration::Blank);
    }

    /// A macro that the library's header defines, too.
    fn unless_defined(&mut self, name: &str, value: cast::Expression) {
        let then = vec![Declaration::Define(cast::Definition { name: name.to_string(), value: Some(value) })];
        self.conditional(name, then);
    }

    fn conditional(&mut self, name: &str, then: Vec<Declaration>) {
        let condition = Condition::undefined(name);
        self.body.push(Declaration::Conditional(Conditional { condition, then, otherwise: Vec::new() }));
    }

    /// A definition that another header declares is known from here on.
    pub(super) fn known(&mut self, id: DefinitionId) {
        self.declared.insert(id);
    }

    /// A constant or a type, with the enumerations nested in it before it.
    pub(super) fn definition(&mut self, id: DefinitionId) {
        let definition = &self.aoi.definitions[id];
        match &definition.kind {
            DefinitionKind::Constant(constant) => {
                let value = values::expression(self.aoi, &constant.value);
                match names::truth(&definition.name) {
                    Some(_) => self.unless_defined(&definition.name, value),
                    None => self.number(&definition.name, value),
                }
            }
            DefinitionKind::Enumeration(enumeration) => {
                self.body.push(Declaration::Blank);
                self.enumeration(&definition.name, enumeration);
                self.named(&definition.name, cast::Type::Tagged(cast::TagKind::Enum, definition.name.clone()));
            }
            DefinitionKind::Structure(structure) => {
                self.body.push(Declaration::Blank);
                c_types::nested_in_structure(structure, &definition.name, &mut |place, ty| self.nested(place, ty));
                let fields = c_types::structure_fields(self.scope(), structure, &definition.name);
                self.structure(&definition.name, fields);
            }
            DefinitionKind::Union(union) => {
                self.body.push(Declaration::Blank);
                c_types::nested_in_union(union, &definition.name, &mut |place, ty| self.nested(place, ty));
                let place = Place::of("", &definition.name);
                let fields = c_types::union_fields(self.scope(), union, place);
                self.structure(&definition.name, fields);
            }
            DefinitionKind::Alias(ty) => self.alias(definition, ty),
            // What the style has no form for was refused.
            _ => return,
        }
        self.declared.insert(id);
    }

    fn scope(&self) -> Scope<'_> {
        Scope { aoi: self.aoi, declared: Some(&self.declared), unnamed: &[] }
    }

    fn alias(&mut self, definition: &'a Definition, ty: &'a Type) {
        let place = Place::of("", &definition.name);
        self.body.push(Declaration::Blank);
        c_types::nested(ty, place, &mut |place, ty| self.nested(place, ty));
        let name = definition.name.as_str();
        match c_type(self.scope(), ty, place) {
            // A tag is beside the function.
            cast::Type::Anonymous(record) if Typedef::of(name) != Typedef::Everywhere => {
                self.structure(name, record.fields);
            }
            ty => self.named(name, ty),
        }
    }

    /// A type without a name of its own.
    fn nested(&mut self, place: Place, ty: Nested) {
        let tag = place.path();
        let fields = match ty {
            Nested::Enumeration(enumeration) => return self.enumeration(&tag, enumeration),
            Nested::Structure(structure) => c_types::structure_fields(self.scope(), structure, &tag),
            Nested::Union(union) => c_types::union_fields(self.scope(), union, place),
        };
        self.body.push(Declaration::Record(record(RecordKind::Struct, &tag, fields)));
        self.body.push(Declaration::Blank);
    }

    fn enumeration(&mut self, tag: &str, enumeration: &aoi::Enumeration) {
        let members = c_types::enumeration_members(self.aoi, enumeration);
        self.body.push(enumerations::declaration(tag.to_string(), members, enumeration));
    }

    fn structure(&mut self, tag: &str, fields: Vec<Field>) {
        self.body.push(Declaration::Record(record(RecordKind::Struct, tag, fields)));
        self.named(tag, cast::Type::structure(tag));
    }

    /// The name of a type, where no function has it.
    fn named(&mut self, tag: &str, ty: cast::Type) {
        match Typedef::of(tag) {
            Typedef::Everywhere => self.body.push(typedef(tag, ty)),
            Typedef::InC => self.conditional("__cplusplus", vec![typedef(tag, ty)]),
            Typedef::Nowhere => {}
        }
    }

    /// `#define name value`, once; with another value, the later one holds, as after rpcgen.
    fn number(&mut self, name: &str, value: cast::Expression) {
        let text = cast::print_expression(&value);
        match self.macros.insert(name.to_string(), text.clone()) {
            Some(first) if first == text => return,
            Some(_) => self.body.push(Declaration::Undefine(name.to_string())),
            None => {}
        }
        self.body.push(Declaration::Define(cast::Definition { name: name.to_string(), value: Some(value) }));
    }

    /// The structures that several arguments travel in.
    pub(super) fn packs(&mut self, packs: Vec<(String, Vec<Field>)>) {
        for (tag, fields) in packs {
            self.body.push(Declaration::Blank);
            self.structure(&tag, fields);
        }
    }

    /// One version of a program: numbers and prototypes.
    pub(super) fn interface(&mut self, interface: &aoi::Interface, stubs: &pres::Interface) {
        let Some(onc) = &interface.identity.onc else { return };
        if self.program.as_ref() != Some(&onc.program_name) {
            self.body.push(Declaration::Blank);
            self.program = Some(onc.program_name.clone());
            self.number(&onc.program_name, values::expression(self.aoi, &onc.program));
        }
        self.number(&interface.name, values::expression(self.aoi, &onc.version));
        if self.options.tables {
            self.table(stubs);
        }
        self.body.push(Declaration::Blank);
        for (operation, stub) in interface.operations.iter().zip(&stubs.operations) {
            self.number(&operation.name, values::expression(self.aoi, &operation.code));
            self.body.push(prototypes::client(self.conventions, stub));
            if stub.server != stub.client {
                self.body.push(prototypes::server(self.conventions, stub));
            }
        }
        self.body.push(prototypes::free_result(self.conventions, stubs));
    }

    fn table(&mut self, stubs: &pres::Interface) {
        let mut object = |name: String, ty| {
            let storage = cast::Storage::Extern;
            self.body.push(Declaration::Variable(Variable { storage, name, ty, ..Default::default() }));
        };
        let rows = cast::Type::Array(Box::new(cast::Type::structure("rpcgen_table")), None);
        object(format!("{}_table", stubs.dispatch), rows);
        object(format!("{}_nproc", stubs.dispatch), cast::Type::INT);
    }

    /// The structure of a dispatch table's rows, before the first table and once for all headers.
    pub(super) fn table_row(&mut self) {
        let field = |name: &str, ty| Field { name: name.to_string(), ty };
        let request = unnamed(cast::Type::structure("svc_req").pointer());
        let bytes = unnamed(cast::Type::CHAR.pointer());
        let (result, parameters) = if self.conventions.caller_results {
            (cast::Type::named("bool_t"), vec![bytes, unnamed(cast::Type::Void.pointer()), request])
        } else {
            (cast::Type::CHAR.pointer(), vec![bytes, request])
        };
        let procedure = cast::FunctionType { result, parameters, ..Default::default() };
        let unsigned = cast::Type::Scalar(cast::Scalar::UnsignedInt);
        let fields = vec![
            field("proc", cast::Type::Function(Box::new(procedure)).pointer()),
            field("xdr_arg", cast::Type::named("xdrproc_t")),
            field("len_arg", unsigned.clone()),
            field("xdr_res", cast::Type::named("xdrproc_t")),
            field("len_res", unsigned),
        ];
        let then = vec![
            Declaration::Define(cast::Definition { name: "RPCGEN_TABLE_ROW".to_string(), value: None }),
            Declaration::Record(record(RecordKind::Struct, "rpcgen_table", fields)),
        ];
        self.body.push(Declaration::Blank);
        self.conditional("RPCGEN_TABLE_ROW", then);
    }

    /// What encodes, decodes and handles values alone.
    fn codec(&mut self, pres: &PresC, taken: &BTreeSet<String>) {
        self.body.extend([Declaration::Blank, crate::objects::codec_comment()]);
        for (_, stub) in pres.types.iter().filter(|(_, stub)| !stub.imported) {
            self.body.extend(crate::objects::codec(stub, &|name| taken.contains(name)));
        }
    }

    /// The marshalling routines, and the arenas of a server.
    fn routines(&mut self, pres: &PresC) {
        self.body.push(Declaration::Blank);
        self.body.push(Declaration::comment("the xdr functions"));
        for (_, stub) in pres.types.iter().filter(|(_, stub)| !stub.imported) {
            self.body.push(prototypes::marshalling(self.conventions, stub));
        }
        for arena in &pres.arenas {
            let ArenaMembers { value, arena: memory, first } = arena.members.clone();
            // What a user of the structure must know.
            let text =
                format!("Zero `{value}` and `{memory}` before decoding; `{first}` holds what small values point to.");
            self.body.push(Declaration::Blank);
            self.body.push(Declaration::comment(text));
            let value = Field { name: value, ty: arena.ty.clone() };
            let memory = Field { name: memory, ty: cast::Type::Void.pointer() };
            // Small arguments need no storage but these 4 KiB, as much as the routines have on the stack themselves.
            let words = cast::Type::Scalar(cast::Scalar::LongLong).array(cast::build::integer(512));
            let first = Field { name: first, ty: words };
            self.structure(&arena.name, vec![value, memory, first]);
            let pointer = cast::Type::named(&arena.name).pointer();
            self.body.push(prototypes::routine(self.conventions, &arena.routine, pointer));
        }
    }

    /// The whole header; `taken` are the user's names.
    pub(super) fn finish(mut self, pres: &PresC, taken: &BTreeSet<String>) -> Vec<Declaration> {
        let run_time = match self.options.codec {
            true => Declaration::own_include("whittle_codec_rpc.h"),
            false => Declaration::system_include("rpc/rpc.h"),
        };
        if self.options.codec {
            self.codec(pres, taken);
        } else {
            self.routines(pres);
        }
        let guard = format!("_{}_H_RPCGEN", self.options.base.word().to_ascii_uppercase());
        let mut inside = vec![
            Declaration::Define(cast::Definition { name: guard.clone(), value: None }),
            Declaration::Blank,
            run_time,
        ];
        if self.options.multithread {
            inside.push(Declaration::system_include("pthread.h"));
        }
        let body = end_macros(tidy(self.body));
        inside.extend(enumerations::before(&body));
        inside.push(Declaration::Blank);
        if self.conventions.prototypes {
            inside.push(Declaration::ExternC(body));
        } else {
            inside.extend(body);
        }
        inside.push(Declaration::Blank);
        let condition = Condition::undefined(guard);
        let guarded = Conditional { condition, then: inside, otherwise: Vec::new() };
        vec![super::notice(), Declaration::Blank, Declaration::Conditional(guarded)]
    }
}

/// No empty line at the beginning, nor two in a row.
fn tidy(body: Vec<Declaration>) -> Vec<Declaration> {
    let mut kept: Vec<Declaration> = Vec::with_capacity(body.len());
    for declaration in body {
        if declaration == Declaration::Blank && kept.last().is_none_or(|last| *last == Declaration::Blank) {
            continue;
        }
        kept.push(declaration);
    }
    kept
}

fn typedef(name: &str, ty: cast::Type) -> Declaration {
    Declaration::Typedef { name: name.to_string(), ty }
}

fn record(kind: RecordKind, tag: &str, fields: Vec<Field>) -> Record {
    Record { kind, tag: Some(tag.to_string()), fields }
}
