//! MINT and PRES of types: what travels, and how it lies in C. In: lifted AOI. Out: a stub for each definition and each
//! sequence, whose trees refer to each other by name. All that decoding allocates is the ORB's, so that `CORBA_free`
//! of a whole value releases all of it.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Type, Union, Value};
use cast::Type as C;
use pres::{DefaultArm, LinkKind, Member, NodeId, Pres, SequenceMembers, Storage, TypeStubId};

use super::c_types::{self, BODY, DISCRIMINATOR, c_type, word};
use super::kinds::Kinds;
use super::names;
use super::value_types;
use super::values::VALUES;
use crate::tree::{Case, Tree};

/// Builds the nodes of one PRES_C.
pub(super) struct Nodes<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) kinds: &'a Kinds<'a>,
    stubs: BTreeMap<DefinitionId, TypeStubId>,
    /// What values of value types point to.
    states: BTreeMap<DefinitionId, TypeStubId>,
    messages: BTreeMap<DefinitionId, mint::NodeId>,
    /// By name and bound.
    sequences: BTreeMap<String, TypeStubId>,
    /// Of values alone the storage is the C library's.
    pub(super) link: LinkKind,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(aoi: &'a Aoi, kinds: &'a Kinds<'a>, link: LinkKind) -> Self {
        let (stubs, states, messages) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (tree, sequences) = (Tree::new(aoi, &VALUES, storage(link)), BTreeMap::new());
        Nodes { tree, kinds, stubs, states, messages, sequences, link }
    }

    /// Values alone, which no link carries.
    pub(super) fn is_codec(&self) -> bool {
        self.link == LinkKind::None
    }

    /// The stub of a definition that was declared.
    pub(super) fn stub(&self, id: DefinitionId) -> Option<TypeStubId> {
        self.stubs.get(&id).copied()
    }

    /// Gives a type its stub and its place among the messages; [`Nodes::define`] fills both in.
    pub(super) fn declare(&mut self, id: DefinitionId, imported: bool) {
        let definition = &self.tree.aoi.definitions[id];
        let is_array = match &definition.kind {
            DefinitionKind::Constant(_) | DefinitionKind::Native | DefinitionKind::ValueBox(_) => return,
            DefinitionKind::Reference(_) if self.reference().is_none() => return,
            DefinitionKind::Alias(ty) => {
                matches!(self.tree.aoi.resolve(ty), Type::Array { .. } | Type::FixedOpaque { .. })
            }
            _ => false,
        };
        let name = names::of_definition(self.tree.aoi, id);
        if !matches!(&definition.kind, DefinitionKind::Alias(ty) if has_own_stub(ty)) {
            let message = self.tree.pres.mint.add_named(&name, mint::Node::Void);
            self.messages.insert(id, message);
        }
        crate::fields::said(self.tree.aoi, definition, &name, &mut self.tree.pres);
        if let DefinitionKind::Value(_) = definition.kind {
            let state = names::of_state(&name);
            // Of values alone there are functions for the pointer.
            let is_apart = imported || self.is_codec();
            let stub = self.tree.new_stub(state.clone(), C::named(state), false, is_apart);
            self.states.insert(id, stub);
        }
        let stub = self.tree.new_stub(name.clone(), C::named(name), is_array, imported);
        self.stubs.insert(id, stub);
    }

    /// Builds the tree of a declared type.
    pub(super) fn define(&mut self, id: DefinitionId) {
        let Some(stub) = self.stub(id) else { return };
        let definition = &self.tree.aoi.definitions[id];
        let node = match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                self.structure(&structure.fields)
            }
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Enumeration(enumeration) => self.tree.enumeration(enumeration, false),
            DefinitionKind::Alias(ty) => self.ty(ty),
            DefinitionKind::Reference(_) => match self.reference() {
                Some(routine) => self.external(routine, Vec::new(), C::named("CORBA_Object")),
                None => return,
            },
            DefinitionKind::Value(value) => self.value(id, &value.state),
            _ => return,
        };
        // The message has the definition's name: cycles are written with it.
        if let Some(&into) = self.messages.get(&id) {
            let message = self.tree.pres.nodes[node].mint;
            self.tree.pres.mint.nodes[into].node = self.tree.pres.mint.nodes[message].node.clone();
            self.tree.pres.nodes[node].mint = into;
        }
        self.tree.pres.nodes[node].ty = self.tree.pres.types[stub].ty.clone();
        self.tree.pres.types[stub].node = node;
    }

    /// The node of a type's values.
    pub(super) fn ty(&mut self, ty: &Type) -> NodeId {
        let c = c_type(self.tree.aoi, ty);
        if let Some(node) = self.tree.common(ty, c.clone()) {
            return node;
        }
        match ty {
            Type::Character { is_wide: false } => self.tree.integer(8, false, c),
            Type::Enumeration(enumeration) => self.tree.enumeration(enumeration, false),
            Type::Array { element, length } => {
                let element = self.ty(element);
                self.tree.array(element, length, c)
            }
            Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) => {
                let stub = self.sequence(ty);
                let mint = self.tree.message(self.tree.pres.types[stub].node);
                self.tree.named(stub, c, mint)
            }
            Type::Named(id) => self.named(*id),
            Type::Recursive(target) => {
                let target = self.ty(target);
                self.tree.reference(target, storage(self.link), false)
            }
            Type::Character { .. } => self.external("wchar", Vec::new(), c),
            Type::WideText { bound } => {
                let most = bound.as_ref().and_then(|bound| self.tree.aoi.number(bound));
                let most = most.and_then(|most| u64::try_from(most).ok()).unwrap_or(0);
                self.external("wstring", vec![most], c)
            }
            Type::Float { .. } => self.external("long_double", Vec::new(), c),
            Type::Fixed { digits, scale } => {
                // The scale is a C `short`.
                self.external("fixed", vec![u64::from(*digits), u64::from(u16::from_ne_bytes(scale.to_ne_bytes()))], c)
            }
            Type::Any => self.external("any", Vec::new(), c),
            Type::TypeCode => self.external("typecode", Vec::new(), c),
            // What has no form here was refused.
            Type::Object if self.reference().is_some() => {
                self.external(self.reference().unwrap_or_default(), Vec::new(), c)
            }
            _ => self.tree.add(Pres::Void, c, mint::Node::Void),
        }
    }

    /// A definition by its name; an alias of what has a stub of its own has that one's message.
    pub(super) fn named(&mut self, id: DefinitionId) -> NodeId {
        let c = C::named(names::of_definition(self.tree.aoi, id));
        let last = self.last_alias(id);
        let message = match &self.tree.aoi.definitions[last].kind {
            DefinitionKind::Alias(ty) if has_own_stub(ty) => {
                let sequence = self.sequence(ty);
                Some(self.tree.message(self.tree.pres.types[sequence].node))
            }
            _ => self.messages.get(&last).copied(),
        };
        match (self.stub(id), message) {
            (Some(stub), Some(mint)) => self.tree.named(stub, c, mint),
            _ => self.tree.add(Pres::Void, c, mint::Node::Void),
        }
    }

    /// The alias, or what it names, at the end of a chain of names.
    fn last_alias(&self, id: DefinitionId) -> DefinitionId {
        let mut id = id;
        while let DefinitionKind::Alias(Type::Named(next)) = &self.tree.aoi.definitions[id].kind {
            id = *next;
        }
        id
    }

    /// What marshals references to objects, where messages can have any.
    fn reference(&self) -> Option<&'static str> {
        match self.link {
            LinkKind::Iiop => Some("object"),
            LinkKind::Mach => Some("port"),
            _ => None,
        }
    }

    /// What a routine of the ORB's marshals.
    fn external(&mut self, routine: &str, arguments: Vec<u64>, c: C) -> NodeId {
        let message = mint::Node::External(routine.to_string());
        self.tree.add(Pres::External { routine: routine.to_string(), arguments }, c, message)
    }

    fn structure(&mut self, fields: &[Field]) -> NodeId {
        let members = fields.iter().map(|field| self.member(&names::inner(&field.name), &field.ty)).collect();
        self.tree.structure(members, C::Void)
    }

    /// A pointer to a value type's state, which has a stub of its own.
    fn value(&mut self, id: DefinitionId, fields: &[Field]) -> NodeId {
        let node = self.structure(fields);
        let Some(&stub) = self.states.get(&id) else { return node };
        let ty = self.tree.pres.types[stub].ty.clone();
        self.tree.pres.nodes[node].ty = ty.clone();
        self.tree.pres.types[stub].node = node;
        let state = self.tree.message(node);
        let target = self.tree.named(stub, ty.clone(), state);
        let aoi = self.tree.aoi;
        let repository_id =
            |id: &DefinitionId| crate::objects::repository_id(&aoi.definitions[*id], &names::of_definition(aoi, *id));
        let ids = value_types::takeable(aoi, id).iter().map(repository_id).collect();
        let pointer = Pres::OptionalPointer { target, storage: storage(self.link) };
        self.tree.add(pointer, ty.pointer(), mint::Node::Value { state, ids })
    }

    fn member(&mut self, name: &str, ty: &Type) -> Member {
        Member { name: name.to_string(), node: self.ty(ty) }
    }

    fn union(&mut self, union: &Union) -> NodeId {
        let discriminant = self.member(DISCRIMINATOR, &union.discriminant.ty);
        let body_of = |nodes: &mut Self, case: &aoi::UnionCase| {
            case.body.as_ref().map(|body| nodes.member(&names::inner(&body.name), &body.ty))
        };
        let cases: Vec<Case> = union.cases.iter().map(|case| (&*case.labels, body_of(self, case))).collect();
        // A value that no label names has no body (CORBA 3.3 part 1, section 7.11.3.2).
        let default = DefaultArm::Body(union.default.as_ref().and_then(|case| body_of(self, case)));
        let body = (BODY, c_types::union_body(self.tree.aoi, union));
        self.tree.union(discriminant, body, cases, default, C::Void)
    }

    /// The stub of a sequence; sequences of one element type and bound share it.
    pub(super) fn sequence(&mut self, ty: &Type) -> TypeStubId {
        let one = Value::Integer { value: 1, spelling: "1".to_string() };
        let bound = match ty {
            Type::Opaque { bound } | Type::Sequence { bound, .. } => bound.clone(),
            _ => Some(one),
        };
        let c_name = word(self.tree.aoi, ty);
        let name = match bound.as_ref().map(|bound| cast::print_expression(&VALUES.expression(self.tree.aoi, bound))) {
            Some(bound) => format!("{c_name}_of_{}", bound.trim_end_matches('u')),
            None => c_name.clone(),
        };
        if let Some(stub) = self.sequences.get(&name) {
            return *stub;
        }
        // Of values alone each file has those functions that it defines types for.
        let stub = self.tree.new_stub(name.clone(), C::named(c_name.as_str()), false, self.is_codec());
        let (length, data) = ("_length".to_string(), "_buffer".to_string());
        let sequence = Some(SequenceMembers { maximum: "_maximum".to_string(), release: "_release".to_string() });
        let extent = bound.as_ref().map(|bound| VALUES.extent(self.tree.aoi, bound));
        let storage = storage(self.link);
        let (pres, message) = match ty {
            Type::Sequence { element, .. } | Type::Optional(element) => {
                let element = self.ty(element);
                let message = self.tree.sequence(self.tree.message(element), bound.as_ref());
                (Pres::CountedArray { length, data, element, bound: extent, storage, sequence }, message)
            }
            _ => {
                let octet = self.tree.pres.mint.add(mint::Node::Octet);
                let message = self.tree.sequence(octet, bound.as_ref());
                (Pres::CountedBytes { length, data, bound: extent, storage, sequence }, message)
            }
        };
        let node = self.tree.add(pres, C::named(c_name), message);
        self.tree.pres.types[stub].node = node;
        self.sequences.insert(name, stub);
        stub
    }
}

/// The type is known by the name of its stub: another definition, or a sequence.
fn has_own_stub(ty: &Type) -> bool {
    matches!(ty, Type::Named(_) | Type::Sequence { .. } | Type::Opaque { .. } | Type::Optional(_))
}

/// Whose decoded storage is.
fn storage(link: LinkKind) -> Storage {
    if link == LinkKind::None { Storage::Heap } else { Storage::Managed }
}
