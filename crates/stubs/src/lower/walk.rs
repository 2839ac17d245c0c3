//! The walk itself: one case for each kind of PRES node.

use cast::{Scalar, Type};
use pres::{
    Arm as PresArm, DefaultArm, Extent, Member, Node, NodeId, Pres, PresC, ScalarKind, SequenceMembers,
    Storage as Owning,
};

use super::facts::Facts;
use crate::encodings::Encoding;
use crate::plan::{
    Access, Arm, Clear, Count, Direction, Item, Op, Otherwise, Owner, Part, Place, State, Step, Storage, item_name,
};

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
    /// The name of the object's type, which C may spell otherwise.
    object_type: String,
    /// The members of the innermost structure.
    pub(super) siblings: &'a [Member],
    /// Routines that release one pointer of an object, met on the way.
    pub(super) parts: Vec<ReleasePart>,
    /// The type whose routine this is.
    type_name: String,
}

/// A routine that releases what hangs on one pointer of an object.
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
        (type_name, direction): (&str, Direction),
        strict: bool,
        root: Place,
    ) -> Self {
        let (locals, parts, type_name) = (Vec::new(), Vec::new(), type_name.to_string());
        let (indices, siblings) = (0, [].as_slice());
        let (object, object_type) = (root, String::clone(&type_name));
        Walk {
            pres,
            encoding,
            facts,
            direction,
            strict,
            locals,
            indices,
            object,
            object_type,
            siblings,
            parts,
            type_name,
        }
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
                let smallest = self.encoding.smallest_run();
                let layout = self.facts.layout(node);
                let layout = layout.filter(|of| of.words.saturating_mul(of.word.bytes()) >= smallest);
                let aggregate = Op::Aggregate { place: place.clone(), layout, body };
                self.align(self.facts.first_alignment(node), None).into_iter().chain([aggregate]).collect()
            }
            Pres::Union { discriminant, body, body_type, arms, default } => {
                self.union((discriminant, body, body_type), arms, default, place)
            }
            Pres::FixedArray { element, length } => self.fixed_array(*element, length, place),
            Pres::FixedBytes { length } => self.fixed_bytes(length, place),
            Pres::CountedArray { length, data, element, bound, storage, sequence } => {
                let held = Held { storage: *storage, sequence: sequence.as_ref() };
                self.counted_array(node, (length, data), *element, bound.as_ref(), &held, place)
            }
            Pres::CountedBytes { length, data, bound, .. }
                if self.direction != Direction::Release && self.ends_with_zero(node) =>
            {
                let (length, data) = self.counted((length, data), &Type::CHAR, place);
                self.text(bound.as_ref(), (&data, Some(length)))
            }
            Pres::CountedBytes { length, data, bound, storage, sequence } => {
                let held = Held { storage: *storage, sequence: sequence.as_ref() };
                self.counted_bytes((length, data), bound.as_ref(), &held, place)
            }
            Pres::InlineArray { count, element, bound } => self.inline_array(count, *element, bound.as_ref(), place),
            Pres::InlineBytes { count, bound } => self.inline_bytes(count, bound.as_ref(), place),
            Pres::InlineText { .. } if self.direction == Direction::Release => Vec::new(),
            Pres::InlineText { bound } => self.text(Some(bound), (place, None)),
            Pres::TerminatedText { storage, .. } if self.direction == Direction::Release => {
                vec![Op::Free { pointer: place.clone(), owner: owner_of(*storage), when: None }]
            }
            Pres::TerminatedText { bound, .. } => self.text(bound.as_ref(), (place, None)),
            Pres::OptionalPointer { target, storage } => self.optional(node, *target, *storage, place),
            Pres::Reference { target, storage } => self.reference(node, *target, *storage, place),
            Pres::Named(id) => vec![Op::Call { routine: self.pres.types[*id].name.clone(), place: place.clone() }],
            Pres::External { routine, arguments } => {
                let storage = self.storage(node, node, Owning::Heap, place);
                let (routine, arguments) = (routine.clone(), arguments.clone());
                vec![Op::External { routine, arguments, place: place.clone(), storage, state: None }]
            }
        }
    }

    fn member(&mut self, member: &Member, place: &Place) -> Vec<Op> {
        let ty = self.pres.nodes[member.node].ty.clone();
        self.node(member.node, &place.member(&member.name, ty))
    }

    /// On to a multiple of `to`, where that is anything, and where the count, if one is given, is not 0.
    pub(super) fn align(&self, to: u64, when: Option<Count>) -> Option<Op> {
        let moves = self.direction != Direction::Release && to > 1;
        let when = when.filter(|count| !matches!(count, Count::Known(known) if *known > 0));
        moves.then_some(Op::Align { to, when, more: 0 })
    }

    /// A checked chunk of one access, where the encoding has it begin.
    fn access(&self, align: u64, size: u64, access: Access) -> Vec<Op> {
        let chunk = Op::Chunk { size, parts: vec![Part { offset: 0, access }] };
        self.align(align, None).into_iter().chain([Op::Ensure(size), chunk]).collect()
    }

    fn scalar(&mut self, node: NodeId, kind: ScalarKind, place: &Place) -> Vec<Op> {
        let size = self.encoding.scalar_size(kind);
        let mut ops = self.access(self.encoding.alignment(kind), size, Access::Scalar { kind, place: place.clone() });
        if matches!(kind, ScalarKind::Enumeration { strict } if strict || self.strict) {
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
    pub(super) fn word(&mut self, place: &Place, what: &str, encoded: Access) -> (Vec<Op>, String) {
        let (align, size) = (self.encoding.count_alignment(), self.encoding.count_size());
        if self.direction == Direction::Encode {
            (self.access(align, size, encoded), String::new())
        } else {
            let local = self.local(place, what);
            (self.access(align, size, Access::Local(local.clone())), local)
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
        let is_int = |label: &pres::Label| label.value.is_none_or(|value| i32::try_from(value).is_ok());
        let fits = arms.iter().flat_map(|arm| &arm.labels).all(is_int);
        let ty = match self.scalar_of(discriminant.node) {
            _ if self.is_c_bool(discriminant.node) => Type::Scalar(Scalar::Bool),
            // What an `int` does not hold.
            Some(ScalarKind::Integer { bits: 64, signed: true }) => Type::Scalar(Scalar::LongLong),
            Some(ScalarKind::Integer { bits: 64, signed: false }) => Type::Scalar(Scalar::UnsignedLongLong),
            Some(ScalarKind::Integer { bits: 32, signed: false }) if !fits => Type::Scalar(Scalar::UnsignedInt),
            _ => value.ty.clone(),
        };
        ops.push(Op::Switch { value: Place { ty, ..value }, arms, otherwise });
        ops
    }

    fn scalar_of(&self, node: NodeId) -> Option<ScalarKind> {
        match self.pres.nodes[node].pres {
            Pres::Named(stub) => self.scalar_of(self.pres.types[stub].node),
            Pres::Direct(kind) => Some(kind),
            _ => None,
        }
    }

    /// C's own truth, or what may be that by another name: compilers warn of a switch on it.
    fn is_c_bool(&self, node: NodeId) -> bool {
        let Node { pres, ty, .. } = &self.pres.nodes[node];
        match pres {
            Pres::Named(stub) => {
                let named = self.pres.types[*stub].node;
                matches!(self.pres.nodes[named].pres, Pres::Direct(ScalarKind::Boolean)) || self.is_c_bool(named)
            }
            Pres::Direct(ScalarKind::Boolean) => *ty == Type::named("bool"),
            _ => false,
        }
    }

    /// The body of an element or a target: an object of its own.
    pub(super) fn inner(&mut self, node: NodeId, place: &Place) -> Vec<Op> {
        let name = match &self.pres.nodes[node].pres {
            Pres::Named(id) => self.pres.types[*id].name.clone(),
            _ => self.object_type.clone(),
        };
        let outer = std::mem::replace(&mut self.object, place.clone());
        let outer_type = std::mem::replace(&mut self.object_type, name);
        let body = self.node(node, place);
        (self.object, self.object_type) = (outer, outer_type);
        body
    }

    /// What is to be known of the storage that hangs on `place`, a value of `node`, each piece of it an `element`.
    pub(super) fn storage(&mut self, node: NodeId, element: NodeId, owning: Owning, place: &Place) -> Storage {
        let clear = self.facts.clear(element);
        let of = owner_of(owning);
        if of == Owner::Managed {
            let item =
                (self.direction == Direction::Decode && clear != Clear::Nothing).then(|| self.item(element, place));
            return Storage { of, item, ..Storage::default() };
        }
        if self.direction != Direction::Decode || clear == Clear::Nothing {
            return Storage { of, clear, ..Storage::default() };
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
            let owner = Some((self.object.clone(), self.object_word()));
            return Storage { of, clear, owner, item: None };
        }
        let mut from_object = Place::root(self.object.ty.clone());
        from_object.steps.extend(members.iter().cloned());
        from_object.ty = place.ty.clone();
        let of_object = self.object_word();
        // Whoever has the routine of a type may have no others of ours: this one is the type's that the object is part of.
        let name = match path.is_empty() {
            true => format!("{}.{of_object}_itself", self.type_name),
            false => format!("{of_object}.{}", path.join(".")),
        };
        let part = ReleasePart { name: name.clone(), ty: self.object.ty.clone(), node, place: from_object };
        self.parts.push(part);
        Storage { of, clear, owner: Some((self.object.clone(), name)), item: None }
    }

    /// A word for the object's type, for the names of routines: as C spells it, or its name where that is no word.
    fn object_word(&self) -> String {
        let spelt = cast::print_type(&self.object.ty).replace(' ', "_");
        let is_word = spelt.chars().all(crate::reserved::is_part_of_word);
        if is_word { spelt } else { self.object_type.clone() }
    }

    /// The routine that releases what one item of an array at `place` holds, or the target of a pointer there.
    fn item(&mut self, element: NodeId, place: &Place) -> String {
        if let Pres::Named(id) = &self.pres.nodes[element].pres {
            return self.pres.types[*id].name.clone();
        }
        let members = place.steps.iter().filter_map(|step| match step {
            Step::Member(name) => Some(name.as_str()),
            Step::Element(_) => Some("item"),
            Step::Target => None,
        });
        // Items of items are reached through a variable that says how deep they are.
        let path: Vec<&str> = members.chain([place.variable.as_str(), "item"]).collect();
        let name = format!("{}.{}", self.type_name, path.join("."));
        let ty = self.pres.nodes[element].ty.clone();
        self.parts.push(ReleasePart { name: name.clone(), place: Place::root(ty.clone()), ty, node: element });
        name
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
        let over = Item { data: place.clone(), ty: item.ty, is_array: self.facts.is_array(element) };
        let count = count_of(length);
        let align = self.align(self.facts.first_alignment(element), Some(count.clone()));
        align.into_iter().chain([Op::Loop { index, count, over, bind: false, layout, strip: None, body }]).collect()
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
    pub(super) fn counted(&self, (length, data): (&str, &str), item: &Type, place: &Place) -> (Place, Place) {
        (place.member(length, Type::named("u_int")), place.member(data, item.clone().pointer()))
    }

    fn counted_array(
        &mut self,
        node: NodeId,
        names: (&str, &str),
        element: NodeId,
        bound: Option<&Extent>,
        held: &Held,
        place: &Place,
    ) -> Vec<Op> {
        let item = self.pres.nodes[element].ty.clone();
        if self.direction == Direction::Release && held.storage == Owning::Managed {
            return vec![held.free(self.counted(names, &item, place).1, place)];
        }
        if self.facts.is_at_most_one(node) {
            return self.at_most_one(node, names, element, bound, held, place);
        }
        let first = self.facts.first_alignment(element);
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
        let over = Item { data: data.clone(), ty: item.clone(), is_array: self.facts.is_array(element) };
        match self.direction {
            Direction::Encode => {
                ops.insert(0, Op::Check { count: count.clone(), bound, data: Some(data) });
                ops.extend(self.align(first, Some(count.clone())));
                ops.push(Op::Loop { index, count, over, bind: true, layout, strip: None, body });
            }
            Direction::Decode => {
                ops.push(Op::Check { count: Count::Local(local.clone()), bound, data: None });
                let least = self.facts.least_size(element).min(u64::from(u32::MAX));
                let storage = self.storage(node, element, held.storage, place);
                let count = local;
                ops.extend(held.capacity(&count, place));
                ops.extend(self.align(first, Some(Count::Local(count.clone()))));
                ops.push(Op::Items { index, count, data, length, item, layout, least, strip: None, storage, body });
            }
            Direction::Release => {
                if !body.is_empty() {
                    ops.push(Op::Loop { index, count, over, bind: true, layout: None, strip: None, body });
                }
                ops.push(held.free(data, place));
            }
        }
        ops
    }

    fn counted_bytes(&mut self, names: (&str, &str), bound: Option<&Extent>, held: &Held, place: &Place) -> Vec<Op> {
        let (length, data) = self.counted(names, &Type::CHAR, place);
        let count = Count::Value(length.clone());
        if self.direction == Direction::Release {
            return vec![held.free(data, place)];
        }
        let (mut ops, local) = self.word(place, "count", Access::Count(count.clone()));
        if self.direction == Direction::Encode {
            ops.insert(0, Op::Check { count: count.clone(), bound: bound.cloned(), data: None });
            ops.push(Op::Bytes { place: data, length: count });
        } else {
            ops.push(Op::Check { count: Count::Local(local.clone()), bound: bound.cloned(), data: None });
            ops.extend(held.capacity(&local, place));
            ops.push(Op::CountedBytes { data, length, count: local });
        }
        ops
    }

    /// Counted bytes that are a text, which ends with a NUL in the message.
    fn ends_with_zero(&self, node: NodeId) -> bool {
        let message = &self.pres.mint.nodes[self.pres.nodes[node].mint].node;
        let mint::Node::Array { element, .. } = message else { return false };
        let is_text = matches!(self.pres.mint.nodes[*element].node, mint::Node::Character);
        is_text && self.encoding.text_size(0) > self.encoding.padded(0)
    }

    fn text(&mut self, bound: Option<&Extent>, (place, counted): (&Place, Option<Place>)) -> Vec<Op> {
        let (place, bound) = (place.clone(), bound.cloned());
        let align = self.encoding.count_alignment();
        if self.direction == Direction::Encode {
            let text = Op::Text { place, counted, length: None, bound, align: 1, more: 0 };
            return self.align(align, None).into_iter().chain([text]).collect();
        }
        let local = self.local(&place, "length");
        let mut ops = self.access(align, self.encoding.count_size(), Access::Local(local.clone()));
        ops.push(Op::Text { place, counted, length: Some(local), bound, align: 1, more: 0 });
        ops
    }

    fn optional(&mut self, node: NodeId, target: NodeId, owning: Owning, place: &Place) -> Vec<Op> {
        let ty = self.pres.nodes[target].ty.clone();
        if self.direction == Direction::Release && owning == Owning::Managed {
            return vec![Op::Free { pointer: place.clone(), owner: Owner::Managed, when: None }];
        }
        if let Some(state) = self.state(node, target).filter(|_| self.direction != Direction::Release) {
            let (routine, arguments) = ("value".to_string(), Vec::new());
            let storage = self.storage(node, target, owning, place);
            let marshal = Op::External { routine, arguments, place: place.clone(), storage, state: Some(state) };
            return self.align(self.encoding.count_alignment(), None).into_iter().chain([marshal]).collect();
        }
        let (mut ops, local) = match self.direction {
            Direction::Release => (Vec::new(), String::new()),
            _ => self.word(place, "present", Access::Flag(place.clone())),
        };
        let flag = (self.direction == Direction::Decode).then_some(local);
        let body = self.inner(target, &place.target(ty.clone()));
        let storage = self.storage(node, target, owning, place);
        ops.push(Op::Optional { pointer: place.clone(), target: ty, counted: None, flag, storage, body });
        ops
    }

    /// Where the encoding has a form for value types: what a pointer to one of their values leads to.
    fn state(&self, node: NodeId, target: NodeId) -> Option<State> {
        let message = &self.pres.mint.nodes[self.pres.nodes[node].mint].node;
        let (mint::Node::Value { ids, .. }, Pres::Named(stub)) = (message, &self.pres.nodes[target].pres) else {
            return None;
        };
        let stub = &self.pres.types[*stub];
        let state = State { routine: stub.name.clone(), ty: stub.ty.clone(), ids: ids.clone() };
        self.encoding.has_values().then_some(state)
    }

    /// A pointer to what is always in the message.
    fn reference(&mut self, node: NodeId, target: NodeId, owning: Owning, place: &Place) -> Vec<Op> {
        let ty = self.pres.nodes[target].ty.clone();
        let (pointer, is_callers) = (place.clone(), owning == Owning::Caller);
        if self.direction == Direction::Release && owning == Owning::Managed {
            return vec![Op::Free { pointer, owner: Owner::Managed, when: None }];
        }
        let body = self.inner(target, &place.target(ty.clone()));
        let storage = self.storage(node, target, owning, place);
        let first = match self.direction {
            Direction::Release => {
                return vec![Op::Optional { pointer, target: ty, counted: None, flag: None, storage, body }];
            }
            Direction::Decode if !is_callers => Op::Allocate { pointer, target: ty, storage },
            _ => Op::Check { count: Count::Known(1), bound: None, data: Some(pointer) },
        };
        std::iter::once(first).chain(body).collect()
    }
}

/// Who holds the buffer of a counted array, and what says so.
pub(super) struct Held<'a> {
    pub(super) storage: Owning,
    sequence: Option<&'a SequenceMembers>,
}

impl Held<'_> {
    fn free(&self, pointer: Place, place: &Place) -> Op {
        let when = self.sequence.map(|sequence| place.member(&sequence.release, Type::Scalar(cast::Scalar::Bool)));
        Op::Free { pointer, owner: owner_of(self.storage), when }
    }

    fn capacity(&self, count: &str, place: &Place) -> Option<Op> {
        let sequence = self.sequence?;
        let maximum = place.member(&sequence.maximum, Type::named("uint32_t"));
        let release = place.member(&sequence.release, Type::Scalar(cast::Scalar::Bool));
        Some(Op::Capacity { maximum, release, count: count.to_string() })
    }
}

fn owner_of(storage: Owning) -> Owner {
    match storage {
        Owning::Managed => Owner::Managed,
        Owning::Caller => Owner::Caller,
        Owning::Heap | Owning::Arena | Owning::Buffer => Owner::Heap,
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
