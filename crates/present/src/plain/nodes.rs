//! MINT and PRES of types: what travels, and how it lies in C. In: lifted AOI. Out: a stub for each definition, whose
//! trees refer to each other by name. What decoding allocates is the heap's, so that values may be taken apart.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Type, Union};
use cast::Type as C;
use pres::{DefaultArm, LinkKind, Member, NodeId, Pres, Storage, TypeStubId};

use super::c_types::{self, BODY, ITEMS, LENGTH, c_type};
use super::shape::{Form, marks};
use super::values::VALUES;
use super::{capabilities, names};
use crate::tree::{Case, Tree};

/// What the run time calls references to objects that are texts.
const REFERENCE: &str = "reference";

/// Builds the nodes of one PRES_C.
pub(super) struct Nodes<'a> {
    pub(super) tree: Tree<'a>,
    /// Of all definitions, as C has them.
    pub(super) names: BTreeSet<String>,
    pub(super) link: LinkKind,
    stubs: BTreeMap<DefinitionId, TypeStubId>,
    messages: BTreeMap<DefinitionId, mint::NodeId>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(aoi: &'a Aoi, link: LinkKind) -> Self {
        let (names, tree) = (names::of_all(aoi), Tree::new(aoi, &VALUES, Storage::Heap));
        Nodes { tree, names, link, stubs: BTreeMap::new(), messages: BTreeMap::new() }
    }

    /// The stub of a definition that was declared.
    pub(super) fn stub(&self, id: DefinitionId) -> Option<TypeStubId> {
        self.stubs.get(&id).copied()
    }

    /// Gives a type its stub and its place among the messages; [`Nodes::define`] fills both in.
    pub(super) fn declare(&mut self, id: DefinitionId, imported: bool) {
        use DefinitionKind::{Alias, Enumeration, Exception, Structure, Union};
        let definition = &self.tree.aoi.definitions[id];
        // Arrays of characters are marshalled where they lie.
        if let (Type::Text { .. }, Some(Form::Inline)) = marks::resolve(self.tree.aoi, &Type::Named(id)) {
            return;
        }
        let is_array = match &definition.kind {
            Alias(_) if marks::is_inline_array(definition) => false,
            Alias(ty) => matches!(self.tree.aoi.resolve(ty), Type::Array { .. } | Type::FixedOpaque { .. }),
            Structure(_) | Union(_) | Exception(_) | Enumeration(_) => false,
            _ => return,
        };
        let name = names::of_definition(self.tree.aoi, id);
        // A name for a name has its message.
        if c_types::last_name(self.tree.aoi, id) == id {
            let message = self.tree.pres.mint.add_named(&name, mint::Node::Void);
            self.messages.insert(id, message);
        }
        let ty = c_types::of_definition(self.tree.aoi, id);
        crate::fields::said(self.tree.aoi, &self.tree.aoi.definitions[id], &name, &mut self.tree.pres);
        let stub = self.tree.new_stub(name, ty, is_array, imported);
        self.stubs.insert(id, stub);
    }

    /// Builds the tree of a declared type.
    pub(super) fn define(&mut self, id: DefinitionId) {
        let Some(stub) = self.stub(id) else { return };
        let definition = &self.tree.aoi.definitions[id];
        let ty = self.tree.pres.types[stub].ty.clone();
        let node = match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                let members = structure.fields.iter().map(|field| self.member(field)).collect();
                self.tree.structure(members, ty.clone())
            }
            DefinitionKind::Union(union) => self.union(union, definition.repository_id.is_some()),
            DefinitionKind::Enumeration(enumeration) => {
                self.tree.enumeration(enumeration, marks::form(definition) == Some(Form::Strict))
            }
            DefinitionKind::Alias(Type::Sequence { element, bound }) => {
                let element = self.ty(element);
                let message = self.tree.sequence(self.tree.message(element), bound.as_ref());
                let bound = bound.as_ref().map(|bound| VALUES.extent(self.tree.aoi, bound));
                let (length, data, storage) = (LENGTH.to_string(), ITEMS.to_string(), Storage::Heap);
                let pres = Pres::CountedArray { length, data, element, bound, storage, sequence: None };
                self.tree.add(pres, ty.clone(), message)
            }
            DefinitionKind::Alias(Type::Opaque { bound }) => {
                let octet = self.tree.pres.mint.add(mint::Node::Octet);
                let message = self.tree.sequence(octet, bound.as_ref());
                let bound = bound.as_ref().map(|bound| VALUES.extent(self.tree.aoi, bound));
                let (length, data, storage) = (LENGTH.to_string(), ITEMS.to_string(), Storage::Heap);
                self.tree.add(Pres::CountedBytes { length, data, bound, storage, sequence: None }, ty.clone(), message)
            }
            DefinitionKind::Alias(array) if marks::is_inline_array(definition) => self.inline_array(array, &ty),
            DefinitionKind::Alias(target) => {
                self.text(target, marks::form(definition), &ty).unwrap_or_else(|| self.ty(target))
            }
            _ => return,
        };
        // The message has the definition's name: cycles are written with it.
        if let Some(&into) = self.messages.get(&id) {
            let message = self.tree.message(node);
            self.tree.pres.mint.nodes[into].node = self.tree.pres.mint.nodes[message].node.clone();
            self.tree.pres.nodes[node].mint = into;
        }
        self.tree.pres.nodes[node].ty = ty;
        self.tree.pres.types[stub].node = node;
    }

    /// The node of a type's values.
    pub(super) fn ty(&mut self, ty: &Type) -> NodeId {
        let c = c_type(self.tree.aoi, ty);
        if c_types::is_reference(self.tree.aoi, marks::resolve(self.tree.aoi, ty).0) {
            let external = Pres::External { routine: REFERENCE.to_string(), arguments: Vec::new() };
            return self.tree.add(external, c, mint::Node::External(REFERENCE.to_string()));
        }
        if capabilities::is_capability(marks::resolve(self.tree.aoi, ty).0) {
            let routine = capabilities::ROUTINE.to_string();
            let message = mint::Node::External(routine.clone());
            return self.tree.add(Pres::External { routine, arguments: Vec::new() }, c, message);
        }
        if let Some(node) = self.shaped_text(ty, &c).or_else(|| self.tree.common(ty, c.clone())) {
            return node;
        }
        match ty {
            Type::Character { .. } => self.tree.integer(8, true, c),
            Type::Array { element, length } => {
                let element = self.ty(element);
                self.tree.array(element, length, c)
            }
            Type::Optional(target) => {
                let target = self.ty(target);
                let message = mint::Node::Optional(self.tree.message(target));
                self.tree.add(Pres::OptionalPointer { target, storage: Storage::Heap }, c, message)
            }
            Type::Recursive(target) => {
                let target = self.ty(target);
                self.tree.reference(target, Storage::Heap, false)
            }
            Type::Named(id) => match (self.stub(*id), self.messages.get(&c_types::last_name(self.tree.aoi, *id))) {
                (Some(stub), Some(&mint)) => self.tree.named(stub, c, mint),
                _ => self.tree.add(Pres::Void, c, mint::Node::Void),
            },
            // What nests has a name by now, and what has no form was refused.
            _ => self.tree.add(Pres::Void, c, mint::Node::Void),
        }
    }

    /// A text whose type has no stub: it has a form of its own, and no name; or it lies where it is.
    fn shaped_text(&mut self, ty: &Type, c: &C) -> Option<NodeId> {
        let Type::Named(id) = ty else { return None };
        if self.stub(*id).is_some() {
            return None;
        }
        let (target, form) = marks::resolve(self.tree.aoi, ty);
        self.text(target, form, c).or_else(|| self.tree.common(target, c.clone()))
    }

    /// A text that does not end with zero, or lies in what holds it.
    fn text(&mut self, ty: &Type, form: Option<Form>, c: &C) -> Option<NodeId> {
        let Type::Text { bound } = ty else { return None };
        let aoi = self.tree.aoi;
        let (pres, c) = match (form?, bound) {
            (Form::Counted, bound) => {
                let bound = bound.as_ref().map(|bound| VALUES.extent(aoi, bound));
                let (length, data, storage) = (LENGTH.to_string(), ITEMS.to_string(), Storage::Heap);
                (Pres::CountedBytes { length, data, bound, storage, sequence: None }, c.clone())
            }
            (Form::Inline, Some(bound)) => {
                (Pres::InlineText { bound: VALUES.extent(aoi, bound) }, c_types::inline_text(aoi, bound))
            }
            _ => return None,
        };
        let character = self.tree.pres.mint.add(mint::Node::Character);
        let message = self.tree.sequence(character, bound.as_ref());
        Some(self.tree.add(pres, c, message))
    }

    /// A structure of a count and of room for as many items as there may be: on the wire what a sequence is.
    fn inline_array(&mut self, array: &Type, c: &C) -> NodeId {
        let aoi = self.tree.aoi;
        let count = LENGTH.to_string();
        let least = mint::Bound::Part(0);
        let (pres, message) = match array {
            Type::Array { element, length } => {
                let element = self.ty(element);
                let most = VALUES.bound(aoi, length);
                let bound = Some(VALUES.extent(aoi, length));
                let message = mint::Node::Array { element: self.tree.message(element), least, most };
                (Pres::InlineArray { count, element, bound }, message)
            }
            Type::FixedOpaque { length } => {
                let element = self.tree.pres.mint.add(mint::Node::Octet);
                let bound = Some(VALUES.extent(aoi, length));
                let message = mint::Node::Array { element, least, most: VALUES.bound(aoi, length) };
                (Pres::InlineBytes { count, bound }, message)
            }
            _ => return self.tree.add(Pres::Void, c.clone(), mint::Node::Void),
        };
        let length = self.tree.integer(32, false, C::named("uint32_t"));
        let items = self.tree.add(pres, c_type(aoi, array), message);
        let members =
            vec![Member { name: LENGTH.to_string(), node: length }, Member { name: ITEMS.to_string(), node: items }];
        self.tree.structure(members, c.clone())
    }

    fn member(&mut self, field: &Field) -> Member {
        Member { name: names::inner(&field.name), node: self.ty(&field.ty) }
    }

    /// In OMG IDL a value that no label names has no body (CORBA 3.3 part 1, section 7.11.3.2); in the RPC language it is
    /// at fault (RFC 4506, section 4.15).
    fn union(&mut self, union: &Union, is_open: bool) -> NodeId {
        let discriminant =
            Member { name: names::discriminant(&union.discriminant.name), ..self.member(&union.discriminant) };
        let cases: Vec<Case> =
            union.cases.iter().map(|case| (&*case.labels, case.body.as_ref().map(|body| self.member(body)))).collect();
        let default = match &union.default {
            Some(case) => DefaultArm::Body(case.body.as_ref().map(|body| self.member(body))),
            None if is_open => DefaultArm::Body(None),
            None => DefaultArm::Error,
        };
        let body = (BODY, c_types::union_body(self.tree.aoi, union));
        self.tree.union(discriminant, body, cases, default, C::Void)
    }
}
