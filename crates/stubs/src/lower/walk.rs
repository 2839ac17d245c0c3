//! The walk itself: one case for each kind of PRES node.

use cast::Type;
use pres::{Arm as PresArm, DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind};

use super::facts::Facts;
use crate::encodings::Encoding;
use crate::plan::{Access, Arm, Clear, Count, Direction, Item, Op, Otherwise, Part, Place, Step, Storage, item_name};

/// Inline bytes up to this size are parts of chunks; more are copied by themselves.
const LARGEST_COPY_IN_A_CHUNK: u64 = 1024;

pub(super) struct Walk<'a> {
    pub(super) pres: &'a PresC,
    encoding: &'a dyn Encoding,
    pub(super) facts: &'a Facts<'a>,
    pub(super) direction: Direction,
    strict: bool,
    locals: Vec<String>,
    indices: usize,
    /// The innermost object that has a type with a name: what a release routine can be written for.
    object: Place,
    /// The members of the innermost structure.
    pub(super) siblings: &'a [Member],
    /// Routines that release one pointer of an object, met on the way.
    pub(super) parts: Vec<ReleasePart>,
}

/// A routine that lets go of what hangs on one pointer of an object.
pub(super) struct ReleasePart {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) node: NodeId,
    /// Where the node's value is, from the object.
    pub(super) place: Place,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        pres: &'a PresC,
        encoding: &'a dyn Encoding,
        facts: &'a Facts<'a>,
        direction: Direction,
        strict: bool,
        root: Place,
    ) -> Self {
        let (locals, parts) = (Vec::new(), Vec::new());
        Walk { pres, encoding, facts, direction, strict, locals, indices: 0, object: root, siblings: &[], parts }
    }

    /// A name for a local variable about `place`: `name_length`.
    fn local(&mut self, place: &Place, what: &str) -> String {
        let member = place.steps.iter().rev().find_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            _ => None,
        });
        let base = member.map_or_else(|| what.to_string(), |member| format!("{member}_{what}"));
        let taken = |name: &String| self.locals.contains(name);
        let name = (1..)
            .map(|n| if n == 1 { base.clone() } else { format!("{base}{n}") })
            .find(|name| !taken(name))
            .unwrap_or(base.clone());
        self.locals.push(name.clone());
        name
    }

    pub(super) fn index(&mut self) -> String {
        self.indices += 1;
        if self.indices == 1 { "i".to_string() } else { format!("i{}", self.indices) }
    }

    /// What marshals, or releases, the value at `place`.
    pub(super) fn node(&mut self, node: NodeId, place: &Place) -> Vec<Op> {
        if self.direction == Direction::Release && !self.facts.owns_storage(node) {
            return Vec::new();
        }
        match &self.pres.nodes[node].pres {
            Pres::Void => Vec::new(),
            Pres::Direct(kind) => self.scalar(node, *kind, place),
            Pres::Structure(members) => {
                let outer = std::mem::replace(&mut self.siblings, members);
                let body = members.iter().flat_map(|member| self.member(member, place)).collect();
                self.siblings = outer;
                vec![Op::Aggregate { place: place.clone(), layout: self.facts.layout(node), body }]
            }
            Pres::Union { discriminant, body, body_type, arms, default } => {
                self.union((discriminant, body, body_type), arms, default, place)
            }
            Pres::FixedArray { element, length } => self.fixed_array(*element, length, place),
            Pres::FixedBytes { length } => self.fixed_bytes(length, place),
            Pres::CountedArray { length, data, element, bound, .. } => {
                self.counted_array(node, (length, data), *element, bound.as_ref(), place)
            }
            Pres::CountedBytes { length, data, bound, .. } => self.counted_bytes((length, data), bound.as_ref(), place),
            Pres::InlineArray { count, element, bound } => self.inline_array(count, *element, bound.as_ref(), place),
            Pres::InlineBytes { count, bound } => self.inline_bytes(count, bound.as_ref(), place),
            Pres::InlineText { bound } => self.text(Some(bound), place),
            Pres::TerminatedText { bound, .. } => self.text(bound.as_ref(), place),
            Pres::OptionalPointer { target, .. } => self.optional(node, *target, place),
            Pres::Named(id) => vec![Op::Call { routine: self.pres.types[*id].name.clone(), place: place.clone() }],
            Pres::External { routine } => {
                let storage = self.storage(node, node, place);
                vec![Op::External { routine: routine.clone(), place: place.clone(), storage }]
            }
        }
    }

    fn member(&mut self, member: &Member, place: &Place) -> Vec<Op> {
        let ty = self.pres.nodes[member.node].ty.clone();
        self.node(member.node, &place.member(&member.name, ty))
    }

    /// A checked chunk of one access.
    fn access(&self, size: u64, access: Access) -> Vec<Op> {
        vec![Op::Ensure(size), Op::Chunk { size, parts: vec![Part { offset: 0, access }] }]
    }

    fn scalar(&mut self, node: NodeId, kind: ScalarKind, place: &Place) -> Vec<Op> {
        let size = self.encoding.scalar_size(kind);
        let mut ops = self.access(size, Access::Scalar { kind, place: place.clone() });
        if self.strict && kind == ScalarKind::Enumeration {
            let members = match &self.pres.mint.nodes[self.pres.nodes[node].mint].node {
                mint::Node::Enumeration { members } => members.clone(),
                _ => Vec::new(),
            };
            let mut members: Vec<i128> = members;
            members.sort_unstable();
            members.dedup();
            let members: Vec<_> =
                members.into_iter().map(|value| pres::Label { value: Some(value), c: number(value) }).collect();
            if !members.is_empty() {
                let at = if self.direction == Direction::Encode { 0 } else { ops.len() };
                ops.insert(at, Op::Member { value: place.clone(), members });
            }
        }
        ops
    }

    /// Encode: a count or a flag. Decode: a word into a local, whose name is returned.
    fn word(&mut self, place: &Place, what: &str, encoded: Access) -> (Vec<Op>, String) {
        let size = self.encoding.count_size();
        if self.direction == Direction::Encode {
            (self.access(size, encoded), String::new())
        } else {
            let local = self.local(place, what);
            (self.access(size, Access::Local(local.clone())), local)
        }
    }

    fn union(
        &mut self,
        (discriminant, body, body_type): (&Member, &str, &Type),
        arms: &[PresArm],
        default: &DefaultArm,
        place: &Place,
    ) -> Vec<Op> {
        let value = place.member(&discriminant.name, self.pres.nodes[discriminant.node].ty.clone());
        let mut ops = self.node(discriminant.node, &value);
        let inside = place.member(body, body_type.clone());
        let mut arm_of =
            |member: &Option<Member>| member.as_ref().map(|member| self.member(member, &inside)).unwrap_or_default();
        let arms =
            arms.iter().map(|arm| Arm { labels: arm.labels.clone(), body: arm_of(&arm.member) }).collect::<Vec<_>>();
        let otherwise = match default {
            DefaultArm::Body(member) => Otherwise::Body(arm_of(member)),
            // There is nothing to release in a value that cannot be.
            DefaultArm::Error if self.direction == Direction::Release => Otherwise::Body(Vec::new()),
            DefaultArm::Error => Otherwise::Fail,
        };
        ops.push(Op::Switch { value, arms, otherwise });
        ops
    }

    /// The body of an element or a target: an object of its own.
    pub(super) fn inner(&mut self, node: NodeId, place: &Place) -> Vec<Op> {
        let outer = std::mem::replace(&mut self.object, place.clone());
        let body = self.node(node, place);
        self.object = outer;
        body
    }

    /// What is to be known of the storage that hangs on `place`, a value of `node`, each piece of it an `element`.
    fn storage(&mut self, node: NodeId, element: NodeId, place: &Place) -> Storage {
        let clear = self.facts.clear(element);
        if self.direction != Direction::Decode || clear == Clear::Nothing {
            return Storage { clear, owner: None };
        }
        let members = &place.steps[self.object.steps.len()..];
        let path: Vec<&str> = members
            .iter()
            .filter_map(|step| match step {
                Step::Member(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let is_external = matches!(self.pres.nodes[node].pres, Pres::External { .. });
        if path.is_empty() && !is_external {
            // The value is all of a named type, which has a release routine.
            return Storage { clear, owner: Some((self.object.clone(), type_word(&self.object.ty))) };
        }
        let mut from_object = Place::root(self.object.ty.clone());
        from_object.steps.extend(members.iter().cloned());
        from_object.ty = place.ty.clone();
        let path = if path.is_empty() { "itself".to_string() } else { path.join(".") };
        let name = format!("{}.{path}", type_word(&self.object.ty));
        let part = ReleasePart { name: name.clone(), ty: self.object.ty.clone(), node, place: from_object };
        self.parts.push(part);
        Storage { clear, owner: Some((self.object.clone(), name)) }
    }

    fn fixed_array(&mut self, element: NodeId, length: &Extent, place: &Place) -> Vec<Op> {
        let index = self.index();
        let item = place.element(&index, self.pres.nodes[element].ty.clone());
        let body = self.inner(element, &item);
        let layout = self.facts.layout(element);
        // A loop over nothing would be an unsigned comparison with 0.
        if length.value == Some(0) {
            return Vec::new();
        }
        let over = Item { data: place.clone(), ty: item.ty };
        vec![Op::Loop { index, count: count_of(length), over, bind: false, layout, strip: None, body }]
    }

    fn fixed_bytes(&mut self, length: &Extent, place: &Place) -> Vec<Op> {
        match length.value {
            Some(0) => Vec::new(),
            Some(bytes) if bytes <= LARGEST_COPY_IN_A_CHUNK => {
                let size = self.encoding.padded(bytes);
                let mut parts = vec![Part { offset: 0, access: Access::Copy { place: place.clone(), length: bytes } }];
                if size > bytes {
                    parts.push(Part { offset: bytes, access: Access::Zero { length: size - bytes } });
                }
                vec![Op::Ensure(size), Op::Chunk { size, parts }]
            }
            _ => vec![Op::Bytes { place: place.clone(), length: count_of(length) }],
        }
    }

    /// The members of a counted structure.
    fn counted(&self, (length, data): (&str, &str), item: &Type, place: &Place) -> (Place, Place) {
        (place.member(length, Type::named("u_int")), place.member(data, item.clone().pointer()))
    }

    fn counted_array(
        &mut self,
        node: NodeId,
        names: (&str, &str),
        element: NodeId,
        bound: Option<&Extent>,
        place: &Place,
    ) -> Vec<Op> {
        let item = self.pres.nodes[element].ty.clone();
        let (length, data) = self.counted(names, &item, place);
        let count = Count::Value(length.clone());
        let (mut ops, local) = match self.direction {
            Direction::Release => (Vec::new(), String::new()),
            _ => self.word(place, "count", Access::Count(count.clone())),
        };
        let index = self.index();
        let each = Place { variable: item_name(&index), steps: vec![Step::Target], ty: item.clone() };
        let body = self.inner(element, &each);
        let layout = self.facts.layout(element);
        let bound = bound.cloned();
        let over = Item { data: data.clone(), ty: item.clone() };
        match self.direction {
            Direction::Encode => {
                ops.insert(0, Op::Check { count: count.clone(), bound, data: Some(data) });
                ops.push(Op::Loop { index, count, over, bind: true, layout, strip: None, body });
            }
            Direction::Decode => {
                ops.push(Op::Check { count: Count::Local(local.clone()), bound, data: None });
                let least = self.facts.least_size(element).min(u64::from(u32::MAX));
                let storage = self.storage(node, element, place);
                let count = local;
                ops.push(Op::Items { index, count, data, length, item, layout, least, strip: None, storage, body });
            }
            Direction::Release => {
                if !body.is_empty() {
                    ops.push(Op::Loop { index, count, over, bind: true, layout: None, strip: None, body });
                }
                ops.push(Op::Free { pointer: data });
            }
        }
        ops
    }

    fn counted_bytes(&mut self, names: (&str, &str), bound: Option<&Extent>, place: &Place) -> Vec<Op> {
        let (length, data) = self.counted(names, &Type::CHAR, place);
        let count = Count::Value(length.clone());
        if self.direction == Direction::Release {
            return vec![Op::Free { pointer: data }];
        }
        let (mut ops, local) = self.word(place, "count", Access::Count(count.clone()));
        if self.direction == Direction::Encode {
            ops.insert(0, Op::Check { count: count.clone(), bound: bound.cloned(), data: None });
            ops.push(Op::Bytes { place: data, length: count });
        } else {
            ops.push(Op::Check { count: Count::Local(local.clone()), bound: bound.cloned(), data: None });
            ops.push(Op::CountedBytes { data, length, count: local });
        }
        ops
    }

    fn text(&mut self, bound: Option<&Extent>, place: &Place) -> Vec<Op> {
        let bound = bound.cloned();
        match self.direction {
            Direction::Encode => vec![Op::Text { place: place.clone(), length: None, bound, more: 0 }],
            Direction::Decode => {
                let local = self.local(place, "length");
                let mut ops = self.access(self.encoding.count_size(), Access::Local(local.clone()));
                ops.push(Op::Text { place: place.clone(), length: Some(local), bound, more: 0 });
                ops
            }
            Direction::Release => vec![Op::Free { pointer: place.clone() }],
        }
    }

    fn optional(&mut self, node: NodeId, target: NodeId, place: &Place) -> Vec<Op> {
        let ty = self.pres.nodes[target].ty.clone();
        let (mut ops, local) = match self.direction {
            Direction::Release => (Vec::new(), String::new()),
            _ => self.word(place, "present", Access::Flag(place.clone())),
        };
        let flag = (self.direction == Direction::Decode).then_some(local);
        let body = self.inner(target, &place.target(ty.clone()));
        let storage = self.storage(node, target, place);
        ops.push(Op::Optional { pointer: place.clone(), target: ty, flag, storage, body });
        ops
    }
}

pub(super) fn count_of(extent: &Extent) -> Count {
    match extent.value {
        Some(value) => Count::Known(value),
        None => Count::Symbol(cast::print_expression(&extent.c)),
    }
}

fn number(value: i128) -> cast::Expression {
    cast::build::integer(value)
}

/// A word for a type, for the names of routines.
fn type_word(ty: &Type) -> String {
    cast::print_type(ty).replace(' ', "_")
}
