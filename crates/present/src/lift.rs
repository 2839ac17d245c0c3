//! Gives a name to every type that has none. In: AOI, perhaps of a language that lets types nest without names (`.x`).
//! Out: AOI in which structures, unions, enumerations and arrays stand only in definitions of their own; what was nested
//! in `pair` under the member `left` is `pair_left`. The C mapping declares each of them by name.

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Field, Item, Structure, Type, Union, Value};

/// Names what has no name, but for sequences: their names say what they hold.
pub(crate) fn lift(aoi: Aoi) -> Aoi {
    lifted(aoi, Sequences::None)
}

/// Names sequences, too.
pub(crate) fn lift_all(aoi: Aoi) -> Aoi {
    lifted(aoi, Sequences::All)
}

/// Names sequences that are items of others: C knows pointers to them by their names alone. What else the library's headers have
/// a name for is theirs.
pub(crate) fn lift_items(aoi: Aoi) -> Aoi {
    lifted(aoi, Sequences::Items)
}

fn lifted(mut aoi: Aoi, sequences: Sequences) -> Aoi {
    let items = std::mem::take(&mut aoi.items);
    let has_library = sequences == Sequences::Items || items.iter().any(includes_library);
    let mut lifter = Lifter { aoi, found: Vec::new(), sequences, has_library };
    let items = lifter.items(items);
    let mut aoi = lifter.aoi;
    aoi.items = items;
    aoi
}

/// Which sequences are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequences {
    None,
    Items,
    All,
}

/// Numbers by a name that the headers of every RPC library give to them, so that `.x` files use it undefined.
fn usual_number(name: &str) -> Option<Type> {
    let (bits, signed) = match name {
        "int8_t" => (8, true),
        "uint8_t" | "u_int8_t" => (8, false),
        "int16_t" => (16, true),
        "uint16_t" | "u_int16_t" => (16, false),
        "int32_t" | "rpcport_t" => (32, true),
        "uint32_t" | "u_int32_t" | "rpcprog_t" | "rpcvers_t" | "rpcproc_t" | "rpcprot_t" => (32, false),
        "int64_t" | "quad_t" | "longlong_t" => (64, true),
        "uint64_t" | "u_int64_t" | "u_quad_t" | "u_longlong_t" => (64, false),
        _ => return None,
    };
    Some(Type::Integer { bits, signed, spelling: name.to_string() })
}

/// Bytes by a name that the headers of every RPC library declare, so that `.x` files use it undefined (`key_prot.x`, `nlm_prot.x`).
fn usual_bytes(name: &str) -> Option<Type> {
    let number = |value: i128| Value::Integer { value, spelling: value.to_string() };
    match name {
        "netobj" => Some(Type::Opaque { bound: Some(number(1024)) }),
        "des_block" => Some(Type::FixedOpaque { length: number(8) }),
        _ => None,
    }
}

/// The library's headers are there, with their own names.
fn includes_library(item: &Item) -> bool {
    let Item::Verbatim(verbatim) = item else { return false };
    verbatim.text.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("include <rpc"))
}

struct Lifter {
    aoi: Aoi,
    /// Definitions made for what stands in the current item, in the order in which C needs them.
    found: Vec<DefinitionId>,
    sequences: Sequences,
    /// The library's headers declare what they have a name for.
    has_library: bool,
}

/// Where a type stands: what its name begins with, and the definition that has it.
struct Place<'a> {
    path: String,
    around: &'a Definition,
}

impl Place<'_> {
    /// Inside an array or a sequence that has the name itself.
    fn item(&self) -> Place<'_> {
        Place { path: format!("{}_item", self.path), around: self.around }
    }
}

impl Lifter {
    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut result = Vec::with_capacity(items.len());
        for item in items {
            let item = match item {
                Item::Definition(id) => {
                    self.definition(id);
                    Item::Definition(id)
                }
                Item::Interface(mut interface) => {
                    let mut around =
                        Definition::new("", DefinitionKind::Native, interface.span, interface.origin.clone());
                    around.scope = interface.scope.iter().chain([&interface.name]).cloned().collect();
                    for operation in &mut interface.operations {
                        let mut place = Place { path: format!("{}_result", operation.name), around: &around };
                        self.argument(&mut operation.result, &place);
                        for (at, parameter) in operation.parameters.iter_mut().enumerate() {
                            let name = parameter.name.clone().unwrap_or_else(|| format!("arg{}", at + 1));
                            place.path = format!("{}_{name}", operation.name);
                            self.argument(&mut parameter.ty, &place);
                        }
                    }
                    Item::Interface(interface)
                }
                Item::Module(mut module) => {
                    module.items = self.items(module.items);
                    Item::Module(module)
                }
                verbatim @ Item::Verbatim(_) => verbatim,
            };
            result.extend(self.found.drain(..).map(Item::Definition));
            result.push(item);
        }
        result
    }

    fn definition(&mut self, id: DefinitionId) {
        let around = self.aoi.definitions[id].clone();
        let mut kind = around.kind.clone();
        let place = Place { path: around.name.clone(), around: &around };
        match &mut kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                self.structure(structure, &place);
            }
            DefinitionKind::Union(union) => self.union(union, &place),
            DefinitionKind::Value(value) => value.state.iter_mut().for_each(|field| self.field(field, &place)),
            // The alias itself is the name of an array; elements need one of their own.
            DefinitionKind::Alias(Type::Array { element, .. }) => self.element(element, &place.item()),
            DefinitionKind::Alias(ty @ (Type::Structure(_) | Type::Union(_) | Type::Enumeration(_))) => {
                kind = self.kind_of(std::mem::replace(ty, Type::Void), &place);
            }
            DefinitionKind::Alias(ty) => self.ty(ty, &place.item()),
            _ => {}
        }
        self.aoi.definitions[id].kind = kind;
    }

    fn structure(&mut self, structure: &mut Structure, place: &Place) {
        structure.fields.iter_mut().for_each(|field| self.field(field, place));
    }

    fn union(&mut self, union: &mut Union, place: &Place) {
        self.field(&mut union.discriminant, place);
        for case in union.cases.iter_mut().chain(union.default.as_deref_mut()) {
            case.body.iter_mut().for_each(|body| self.field(body, place));
        }
    }

    fn field(&mut self, field: &mut Field, place: &Place) {
        let inner = Place { path: format!("{}_{}", place.path, field.name), around: place.around };
        match &mut field.ty {
            // A C array is a member like any other.
            Type::Array { element, .. } => self.element(element, &inner),
            ty if self.sequences == Sequences::Items => self.ty(ty, &inner),
            ty => self.member(ty, &inner),
        }
    }

    /// What is not the whole of a definition.
    fn member(&mut self, ty: &mut Type, place: &Place) {
        match ty {
            Type::Sequence { .. } | Type::Opaque { .. } if self.sequences != Sequences::None => self.name(ty, place),
            ty => self.ty(ty, place),
        }
    }

    /// The element of an array: further dimensions are C's.
    fn element(&mut self, ty: &mut Type, place: &Place) {
        match ty {
            Type::Array { element, .. } => self.element(element, place),
            ty => self.member(ty, place),
        }
    }

    /// A parameter or result; arrays are passed by the names of their types.
    fn argument(&mut self, ty: &mut Type, place: &Place) {
        match ty {
            Type::Array { .. } | Type::FixedOpaque { .. } => self.name(ty, place),
            ty => self.member(ty, place),
        }
    }

    fn ty(&mut self, ty: &mut Type, place: &Place) {
        match ty {
            Type::Sequence { element, .. } => self.argument(element, place),
            Type::Optional(target) => self.argument(target, place),
            Type::Structure(_) | Type::Union(_) | Type::Enumeration(_) if self.sequences == Sequences::Items => {}
            Type::Structure(_) | Type::Union(_) | Type::Enumeration(_) => self.name(ty, place),
            Type::External(name) if self.sequences != Sequences::Items => {
                if let Some(number) = usual_number(name) {
                    *ty = number;
                } else if let Some(bytes) = usual_bytes(name).filter(|_| !self.has_library) {
                    *ty = Type::Named(self.usual(name, bytes, place));
                }
            }
            _ => {}
        }
    }

    /// The definition of a type that the file leaves to the library's headers.
    fn usual(&mut self, name: &str, ty: Type, place: &Place) -> DefinitionId {
        let is_it = |definition: &Definition| definition.name == name && definition.scope.is_empty();
        if let Some((id, _)) = self.aoi.definitions.iter().find(|(_, definition)| is_it(definition)) {
            return id;
        }
        let kind = DefinitionKind::Alias(ty);
        let id =
            self.aoi.definitions.alloc(Definition::new(name, kind, place.around.span, place.around.origin.clone()));
        self.found.push(id);
        id
    }

    fn name(&mut self, ty: &mut Type, place: &Place) {
        let kind = self.kind_of(std::mem::replace(ty, Type::Void), place);
        let mut definition = Definition::new(&place.path, kind, place.around.span, place.around.origin.clone());
        definition.scope.clone_from(&place.around.scope);
        let id = self.aoi.definitions.alloc(definition);
        self.found.push(id);
        *ty = Type::Named(id);
    }

    fn kind_of(&mut self, ty: Type, place: &Place) -> DefinitionKind {
        match ty {
            Type::Structure(mut structure) => {
                self.structure(&mut structure, place);
                DefinitionKind::Structure(structure)
            }
            Type::Union(mut union) => {
                self.union(&mut union, place);
                DefinitionKind::Union(union)
            }
            Type::Enumeration(enumeration) => DefinitionKind::Enumeration(enumeration),
            Type::Array { mut element, length } => {
                self.element(&mut element, &place.item());
                DefinitionKind::Alias(Type::Array { element, length })
            }
            mut other => {
                self.ty(&mut other, &place.item());
                DefinitionKind::Alias(other)
            }
        }
    }
}
