//! MINT and PRES of types: what travels, and how it lies in C.
//!
//! Every named type is a stub whose tree is inlined; other named types are referred to by name, so that trees end.
//! Whatever decoding fills belongs to the heap, as rpcgen's users expect.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Enumeration, Field, Structure, Type, Union, UnionCase, Value};
use mint::Bound;
use pres::{
    Arm, DefaultArm, Extent, Label, Member, Node, NodeId, Pres, PresC, ScalarKind, Storage, TypeStub, TypeStubId,
};

use super::c_types::{self, Place, Scope, c_type};
use super::lines::Branches;
use super::{scalars, values};

/// Where a type stands, and the message that is reserved for it.
type Reserved<'p> = (Place<'p>, Option<mint::NodeId>);

/// Builds the nodes of one PRES_C.
pub(super) struct Nodes<'a> {
    pub(super) aoi: &'a Aoi,
    pub(super) pres: PresC,
    stubs: BTreeMap<DefinitionId, TypeStubId>,
    messages: BTreeMap<DefinitionId, mint::NodeId>,
    branches: Branches,
    /// Constants that generated files know by their numbers alone.
    unnamed: &'a [String],
    /// Where the type stands whose tree is being built.
    branch: usize,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(aoi: &'a Aoi, branches: Branches, unnamed: &'a [String]) -> Self {
        Nodes { branches, unnamed, ..Nodes::beside(aoi, PresC::default()) }
    }

    /// Beside the nodes that are there.
    pub(super) fn beside(aoi: &'a Aoi, pres: PresC) -> Self {
        let (branches, branch) = (Branches::default(), 0);
        Nodes { aoi, pres, stubs: BTreeMap::new(), messages: BTreeMap::new(), branches, unnamed: &[], branch }
    }

    pub(super) fn scope(&self) -> Scope<'a> {
        Scope { aoi: self.aoi, declared: None, unnamed: self.unnamed }
    }

    /// The stub of a definition, which [`Nodes::declare`] has seen.
    pub(super) fn stub(&self, id: DefinitionId) -> Option<TypeStubId> {
        self.stubs.get(&id).copied()
    }

    /// Gives a type its stub and, unless it is another's alias, its place among the messages; [`Nodes::define`]
    /// fills both in.
    pub(super) fn declare(&mut self, id: DefinitionId, imported: bool) {
        let definition = &self.aoi.definitions[id];
        if matches!(definition.kind, DefinitionKind::Constant(_)) {
            return;
        }
        let is_array = match &definition.kind {
            DefinitionKind::Alias(ty) => self.is_array(ty),
            _ => false,
        };
        crate::fields::said(self.aoi, definition, &definition.name, &mut self.pres);
        let stub = self.pres.types.alloc(TypeStub {
            name: definition.name.clone(),
            routine: format!("xdr_{}", definition.name),
            ty: c_types::of_definition(self.scope(), definition),
            is_array,
            node: unset(),
            imported,
        });
        self.stubs.insert(id, stub);
        if !matches!(definition.kind, DefinitionKind::Alias(Type::Named(_))) {
            let message = self.pres.mint.add_named(&definition.name, mint::Node::Void);
            self.messages.insert(id, message);
        }
    }

    /// Builds the tree of a declared type.
    pub(super) fn define(&mut self, id: DefinitionId) {
        let Some(stub) = self.stub(id) else { return };
        let definition = &self.aoi.definitions[id];
        let place = Place::of("", &definition.name);
        self.branch = self.branches.of(id);
        let into = self.messages.get(&id).copied();
        let node = match &definition.kind {
            DefinitionKind::Structure(structure) => self.structure(structure, place, None, into),
            DefinitionKind::Union(union) => self.union(union, place, None, into),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(enumeration, None, into),
            DefinitionKind::Alias(ty) => self.ty_into(ty, place, into),
            _ => return,
        };
        self.pres.nodes[node].ty = self.pres.types[stub].ty.clone();
        self.pres.types[stub].node = node;
        self.branch = 0;
    }

    /// Adds a message, or fills in the one that was reserved for a name.
    fn put(&mut self, into: Option<mint::NodeId>, node: mint::Node) -> mint::NodeId {
        match into {
            Some(reserved) => {
                self.pres.mint.nodes[reserved].node = node;
                reserved
            }
            None => self.pres.mint.add(node),
        }
    }

    /// True where the C type of `ty` is an array.
    pub(super) fn is_array(&self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Some(ty) => matches!(ty, Type::Array { .. } | Type::FixedOpaque { .. }),
            None => false,
        }
    }

    /// Looks through names; `None` for named structures, unions and enumerations.
    pub(super) fn resolve<'t>(&self, ty: &'t Type) -> Option<&'t Type>
    where
        'a: 't,
    {
        Some(self.aoi.resolve(ty)).filter(|ty| !matches!(ty, Type::Named(_)))
    }

    fn add(&mut self, pres: Pres, ty: cast::Type, mint: mint::NodeId) -> NodeId {
        self.pres.nodes.alloc(Node { pres, ty, mint })
    }

    fn message(&self, node: NodeId) -> mint::NodeId {
        self.pres.nodes[node].mint
    }

    /// The node of `ty` at `place`.
    pub(super) fn ty(&mut self, ty: &Type, place: Place) -> NodeId {
        self.ty_into(ty, place, None)
    }

    fn ty_into(&mut self, ty: &Type, place: Place, into: Option<mint::NodeId>) -> NodeId {
        if let Some(scalar) = scalars::of_type(ty) {
            let mint = self.put(into, scalar_message(&scalar));
            return self.add(Pres::Direct(scalar.kind), scalar.ty, mint);
        }
        let c = c_type(self.scope(), ty, place);
        match ty {
            Type::Text { bound } => {
                let mint = self.array_message(mint::Node::Character, Bound::Number(0), bound.as_ref(), into);
                let bound = bound.as_ref().map(|bound| self.extent(bound));
                self.add(Pres::TerminatedText { bound, storage: Storage::Heap }, c, mint)
            }
            Type::FixedOpaque { length } => {
                let mint = self.array_message(mint::Node::Octet, self.bound(length), Some(length), into);
                let length = self.extent(length);
                self.add(Pres::FixedBytes { length }, c, mint)
            }
            Type::Opaque { bound } => {
                let mint = self.array_message(mint::Node::Octet, Bound::Number(0), bound.as_ref(), into);
                let bound = bound.as_ref().map(|bound| self.extent(bound));
                let (length, data) = counted_names(place);
                self.add(Pres::CountedBytes { length, data, bound, storage: Storage::Heap, sequence: None }, c, mint)
            }
            Type::Array { element, length } => self.fixed_array(element, length, (place, into), c),
            Type::Sequence { element, bound } => self.counted_array(element, bound.as_ref(), (place, into), c),
            Type::Optional(target) => {
                let target = self.ty(target, place.item());
                let mint = mint::Node::Optional(self.message(target));
                let mint = self.put(into, mint);
                self.add(Pres::OptionalPointer { target, storage: Storage::Heap }, c, mint)
            }
            Type::Recursive(target) => {
                let target = self.ty(target, place.item());
                let mint = self.message(target);
                self.add(Pres::Reference { target, storage: Storage::Heap }, c, mint)
            }
            Type::Structure(structure) => self.structure(structure, place, Some(c), into),
            Type::Union(union) => self.union(union, place, Some(c), into),
            Type::Enumeration(enumeration) => self.enumeration(enumeration, Some(c), into),
            Type::Named(id) => self.named(*id, c),
            Type::External(name) => self.external(name, c, into),
            _ => {
                let mint = self.put(into, mint::Node::Void);
                self.add(Pres::Void, c, mint)
            }
        }
    }

    fn fixed_array(&mut self, element: &Type, length: &Value, at: Reserved, c: cast::Type) -> NodeId {
        let (place, into) = at;
        let element = self.ty(element, place.item());
        let bound = self.bound(length);
        let mint = mint::Node::Array { element: self.message(element), least: bound.clone(), most: bound };
        let mint = self.put(into, mint);
        let length = self.extent(length);
        self.add(Pres::FixedArray { element, length }, c, mint)
    }

    fn counted_array(&mut self, element: &Type, bound: Option<&Value>, at: Reserved, c: cast::Type) -> NodeId {
        let (place, into) = at;
        let element = self.ty(element, place.item());
        let most = bound.map_or(Bound::Unlimited, |bound| self.bound(bound));
        let mint = mint::Node::Array { element: self.message(element), least: Bound::Number(0), most };
        let mint = self.put(into, mint);
        let bound = bound.map(|bound| self.extent(bound));
        let (length, data) = counted_names(place);
        self.add(Pres::CountedArray { length, data, element, bound, storage: Storage::Heap, sequence: None }, c, mint)
    }

    fn named(&mut self, id: DefinitionId, c: cast::Type) -> NodeId {
        let Some(stub) = self.stub(id) else {
            // Constants are no types; the front end has said so.
            let mint = self.pres.mint.add(mint::Node::Void);
            return self.add(Pres::Void, c, mint);
        };
        let mint = self.named_message(id);
        if self.branches.reaches(self.branch, id) {
            return self.add(Pres::Named(stub), c, mint);
        }
        // Whoever has the routine takes an array as it is, as all routines of arrays do.
        let c = match &self.aoi.definitions[id].kind {
            DefinitionKind::Alias(ty) if self.pres.types[stub].is_array => {
                c_type(self.scope(), self.aoi.resolve(ty), Place::of("", &self.aoi.definitions[id].name))
            }
            _ => c,
        };
        let routine = self.pres.types[stub].routine.clone();
        self.add(Pres::External { routine, arguments: Vec::new() }, c, mint)
    }

    /// The message of a named type; an alias of a named type has that type's.
    fn named_message(&mut self, id: DefinitionId) -> mint::NodeId {
        match self.messages.get(&self.aoi.definitions.last_name(id)) {
            Some(message) => *message,
            None => self.pres.mint.add(mint::Node::Void),
        }
    }

    fn external(&mut self, name: &str, c: cast::Type, into: Option<mint::NodeId>) -> NodeId {
        let mint = self.put(into, mint::Node::External(name.to_string()));
        self.add(Pres::External { routine: external_routine(name), arguments: Vec::new() }, c, mint)
    }

    fn enumeration(&mut self, enumeration: &Enumeration, c: Option<cast::Type>, into: Option<mint::NodeId>) -> NodeId {
        // Where only a C header knows a number, the list would be wrong; an empty one says that nothing is known.
        let known: Option<Vec<i128>> = enumeration.members.iter().map(|member| member.value).collect();
        let members = known.unwrap_or_default();
        let mint = self.put(into, mint::Node::Enumeration { members });
        self.add(Pres::Direct(ScalarKind::Enumeration { strict: false }), c.unwrap_or(cast::Type::INT), mint)
    }

    fn member(&mut self, field: &Field, path: &str) -> Member {
        let node = self.ty(&field.ty, Place::of(path, &field.name));
        Member { name: field.name.clone(), node }
    }

    fn structure(
        &mut self,
        structure: &Structure,
        place: Place,
        c: Option<cast::Type>,
        into: Option<mint::NodeId>,
    ) -> NodeId {
        let path = place.path();
        let members: Vec<Member> = structure.fields.iter().map(|field| self.member(field, &path)).collect();
        self.structure_of(members, c.unwrap_or(cast::Type::Void), into)
    }

    /// The node of a structure whose members are there.
    pub(super) fn structure_of(&mut self, members: Vec<Member>, c: cast::Type, into: Option<mint::NodeId>) -> NodeId {
        let mint = mint::Node::Structure(members.iter().map(|member| self.message(member.node)).collect());
        let mint = self.put(into, mint);
        self.add(Pres::Structure(members), c, mint)
    }

    fn union(&mut self, union: &Union, place: Place, c: Option<cast::Type>, into: Option<mint::NodeId>) -> NodeId {
        let path = place.path();
        let discriminant = self.member(&union.discriminant, &path);
        let mut arms = Vec::new();
        let mut cases = Vec::new();
        for case in &union.cases {
            let member = case.body.as_ref().map(|body| self.member(body, &path));
            let body = self.body_message(member.as_ref());
            cases.push(mint::Case { labels: case.labels.iter().map(|label| self.bound(label)).collect(), body });
            arms.push(Arm { labels: self.labels(case), member });
        }
        let (default, default_message) = match &union.default {
            None => (DefaultArm::Error, None),
            Some(case) => {
                let member = case.body.as_ref().map(|body| self.member(body, &path));
                let message = self.body_message(member.as_ref());
                (DefaultArm::Body(member), Some(message))
            }
        };
        let node = mint::Node::Union { discriminant: self.message(discriminant.node), cases, default: default_message };
        let mint = self.put(into, node);
        let body_type = cast::Type::Anonymous(Box::new(c_types::union_body(self.scope(), union, &path)));
        let body = c_types::union_body_name(place.name);
        self.add(Pres::Union { discriminant, body, body_type, arms, default }, c.unwrap_or(cast::Type::Void), mint)
    }

    fn body_message(&mut self, member: Option<&Member>) -> mint::NodeId {
        match member {
            Some(member) => self.message(member.node),
            None => self.pres.mint.add(mint::Node::Void),
        }
    }

    fn labels(&self, case: &UnionCase) -> Vec<Label> {
        let label = |value| Label { value: self.aoi.number(value), c: self.operand(value) };
        case.labels.iter().map(label).collect()
    }

    fn extent(&self, value: &Value) -> Extent {
        let number = self.aoi.number(value).and_then(|number| u64::try_from(number).ok());
        Extent { value: number, c: self.operand(value) }
    }

    /// A value as part of an expression: a macro of the user's may be one itself.
    pub(super) fn operand(&self, value: &Value) -> cast::Expression {
        let c = self.scope().expression(value);
        match value {
            Value::External(_) => cast::build::verbatim(format!("({})", cast::print_expression(&c)), cast::Type::INT),
            _ => c,
        }
    }

    fn bound(&self, value: &Value) -> Bound {
        match self.aoi.number(value) {
            Some(number) => Bound::Number(number),
            None => Bound::Symbol(values::suffix(self.aoi, value)),
        }
    }

    fn array_message(
        &mut self,
        element: mint::Node,
        least: Bound,
        most: Option<&Value>,
        into: Option<mint::NodeId>,
    ) -> mint::NodeId {
        let element = self.pres.mint.add(element);
        let most = most.map_or(Bound::Unlimited, |most| self.bound(most));
        self.put(into, mint::Node::Array { element, least, most })
    }
}

/// Stands in until the tree is built.
pub(super) fn unset() -> NodeId {
    NodeId::from_raw(la_arena::RawIdx::from_u32(0))
}

fn counted_names(place: Place) -> (String, String) {
    (format!("{}_len", place.name), format!("{}_val", place.name))
}

/// `xdr_T`, the tag's word left out.
pub(super) fn external_routine(name: &str) -> String {
    format!("xdr_{}", name.rsplit(' ').next().unwrap_or(name))
}

fn scalar_message(scalar: &scalars::Scalar) -> mint::Node {
    match scalar.kind {
        ScalarKind::Integer { bits, signed } => mint::Node::Integer { bits, signed },
        ScalarKind::Long { signed } => mint::Node::Integer { bits: scalar.bits, signed },
        ScalarKind::Float { bits } => mint::Node::Float { bits },
        ScalarKind::Quadruple => mint::Node::Float { bits: 128 },
        ScalarKind::Boolean => mint::Node::Boolean,
        ScalarKind::Enumeration { .. } => mint::Node::Enumeration { members: Vec::new() },
    }
}
