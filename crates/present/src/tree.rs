//! The trees of values, for styles that name each definition's routine. In: types of AOI, one at a time; how the style names
//! numbers, and who owns what decoding allocates. Out: MINT and PRES, a node at a time, that fit each other.

use aoi::{Aoi, Enumeration, Type, Value};
use cast::Type as C;
use mint::Bound;
use pres::{Arm, DefaultArm, Member, Node, NodeId, Pres, PresC, ScalarKind, Storage, TypeStub, TypeStubId};

use crate::values::Naming;

/// One PRES_C while it grows.
pub(crate) struct Tree<'a> {
    pub(crate) aoi: &'a Aoi,
    pub(crate) pres: PresC,
    values: &'static Naming,
    storage: Storage,
}

/// A body of a union and the values that select it.
pub(crate) type Case<'a> = (&'a [Value], Option<Member>);

impl<'a> Tree<'a> {
    pub(crate) fn new(aoi: &'a Aoi, values: &'static Naming, storage: Storage) -> Self {
        Tree { aoi, pres: PresC::default(), values, storage }
    }

    pub(crate) fn new_stub(&mut self, name: String, ty: C, is_array: bool, imported: bool) -> TypeStubId {
        let node = NodeId::from_raw(la_arena::RawIdx::from_u32(0));
        self.pres.types.alloc(TypeStub { routine: name.clone(), name, ty, is_array, node, imported })
    }

    /// The stub of a structure that only stubs know.
    pub(crate) fn stub_of(&mut self, name: String, ty: C, node: NodeId) -> TypeStubId {
        let stub = self.new_stub(name, ty, false, true);
        self.pres.types[stub].node = node;
        stub
    }

    pub(crate) fn add(&mut self, pres: Pres, ty: C, message: mint::Node) -> NodeId {
        let mint = self.pres.mint.add(message);
        self.pres.nodes.alloc(Node { pres, ty, mint })
    }

    pub(crate) fn message(&self, node: NodeId) -> mint::NodeId {
        self.pres.nodes[node].mint
    }

    /// The value of a type that has a stub; its message is `mint`.
    pub(crate) fn named(&mut self, stub: TypeStubId, ty: C, mint: mint::NodeId) -> NodeId {
        self.pres.nodes.alloc(Node { pres: Pres::Named(stub), ty, mint })
    }

    /// A pointer, constant if the stubs only read through it, to a value.
    pub(crate) fn reference(&mut self, target: NodeId, storage: Storage, is_constant: bool) -> NodeId {
        let Node { ty, mint, .. } = self.pres.nodes[target].clone();
        let ty = if is_constant { ty.constant() } else { ty };
        self.pres.nodes.alloc(Node { pres: Pres::Reference { target, storage }, ty: ty.pointer(), mint })
    }

    pub(crate) fn integer(&mut self, bits: u8, signed: bool, c: C) -> NodeId {
        self.add(Pres::Direct(ScalarKind::Integer { bits, signed }), c, mint::Node::Integer { bits, signed })
    }

    /// What all styles with a routine for each definition present alike: numbers, text, and arrays in their parents,
    /// whose elements `of` presents. `None` for all others.
    pub(crate) fn common(&mut self, ty: &Type, c: C) -> Option<NodeId> {
        Some(match ty {
            Type::Integer { bits, signed, .. } => self.integer(*bits, *signed, c),
            Type::Float { bits: bits @ (32 | 64) } => {
                self.add(Pres::Direct(ScalarKind::Float { bits: *bits }), c, mint::Node::Float { bits: *bits })
            }
            Type::Boolean => self.add(Pres::Direct(ScalarKind::Boolean), c, mint::Node::Boolean),
            Type::Text { bound } => {
                let character = self.pres.mint.add(mint::Node::Character);
                let message = self.sequence(character, bound.as_ref());
                let bound = bound.as_ref().map(|bound| self.values.extent(self.aoi, bound));
                self.add(Pres::TerminatedText { bound, storage: self.storage }, c, message)
            }
            Type::FixedOpaque { length } => {
                let octet = self.pres.mint.add(mint::Node::Octet);
                let message = self.exactly(octet, length);
                self.add(Pres::FixedBytes { length: self.values.extent(self.aoi, length) }, c, message)
            }
            _ => return None,
        })
    }

    /// An array in its parent, of elements that are there.
    pub(crate) fn array(&mut self, element: NodeId, length: &Value, c: C) -> NodeId {
        let message = self.exactly(self.message(element), length);
        self.add(Pres::FixedArray { element, length: self.values.extent(self.aoi, length) }, c, message)
    }

    fn exactly(&self, element: mint::NodeId, length: &Value) -> mint::Node {
        let bound = self.values.bound(self.aoi, length);
        mint::Node::Array { element, least: bound.clone(), most: bound }
    }

    /// The message of at most so many elements.
    pub(crate) fn sequence(&self, element: mint::NodeId, most: Option<&Value>) -> mint::Node {
        let most = most.map_or(Bound::Unlimited, |most| self.values.bound(self.aoi, most));
        mint::Node::Array { element, least: Bound::Number(0), most }
    }

    pub(crate) fn enumeration(&mut self, enumeration: &Enumeration, strict: bool) -> NodeId {
        let members = enumeration.members.iter().map(|member| member.value).collect::<Option<Vec<_>>>();
        let message = mint::Node::Enumeration { members: members.unwrap_or_default() };
        self.add(Pres::Direct(ScalarKind::Enumeration { strict }), C::INT, message)
    }

    /// A structure of members that are there.
    pub(crate) fn structure(&mut self, members: Vec<Member>, ty: C) -> NodeId {
        let message = mint::Node::Structure(members.iter().map(|member| self.message(member.node)).collect());
        self.add(Pres::Structure(members), ty, message)
    }

    /// A union; `body` names the member that has its bodies, and the type of that.
    pub(crate) fn union(
        &mut self,
        discriminant: Member,
        (body, body_type): (&str, C),
        cases: Vec<Case>,
        default: DefaultArm,
        ty: C,
    ) -> NodeId {
        let (mut arms, mut messages) = (Vec::new(), Vec::new());
        for (labels, member) in cases {
            let bounds = labels.iter().map(|label| self.values.bound(self.aoi, label)).collect();
            messages.push(mint::Case { labels: bounds, body: self.body(member.as_ref()) });
            let labels = labels.iter().map(|label| self.values.label(self.aoi, label)).collect();
            arms.push(Arm { labels, member });
        }
        let otherwise = match &default {
            DefaultArm::Body(member) => Some(self.body(member.as_ref())),
            DefaultArm::Error => None,
        };
        let discriminant_message = self.message(discriminant.node);
        let message = mint::Node::Union { discriminant: discriminant_message, cases: messages, default: otherwise };
        self.add(Pres::Union { discriminant, body: body.to_string(), body_type, arms, default }, ty, message)
    }

    fn body(&mut self, member: Option<&Member>) -> mint::NodeId {
        match member {
            Some(member) => self.message(member.node),
            None => self.pres.mint.add(mint::Node::Void),
        }
    }
}
