//! The walk: a row for each kind of PRES node. In: nodes. Out: rows; what a row refers to is described once it has its place, so that no
//! chain of types is too long.

use std::collections::{BTreeMap, VecDeque};

use cast::build::{cast as cast_to, sizeof_type, subtract, unsigned, verbatim};
use cast::{Declaration, Expression, Type};
use pres::{Arm, DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind, TypeStub, TypeStubId};

use super::{Chosen, Label, Part, Row, Values, Within, resolved};
use crate::encodings::Encoding;

pub(super) struct Builder<'a> {
    pres: &'a PresC,
    encoding: &'a dyn Encoding,
    values: Values,
    places: BTreeMap<NodeId, usize>,
    /// Numbers of one kind have one row.
    numbers: BTreeMap<String, usize>,
    open: VecDeque<(usize, NodeId, Option<Within>)>,
    /// Where the names of an enumeration are, and how many.
    enumerations: BTreeMap<String, (usize, usize)>,
    /// Arrays that stand in their structure, and the type of what counts them.
    counts: BTreeMap<usize, usize>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(pres: &'a PresC, encoding: &'a dyn Encoding) -> Builder<'a> {
        let (types, parts, labels, names, roots) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
        let mut builder = Builder {
            pres,
            encoding,
            values: Values { types, parts, labels, names, roots, named: BTreeMap::new(), places: BTreeMap::new() },
            places: BTreeMap::new(),
            numbers: BTreeMap::new(),
            open: VecDeque::new(),
            enumerations: BTreeMap::new(),
            counts: BTreeMap::new(),
        };
        builder.enumerators(&pres.header);
        builder
    }

    pub(super) fn finish(mut self, roots: BTreeMap<TypeStubId, usize>) -> Values {
        while let Some((place, node, within)) = self.open.pop_front() {
            let row = self.row(node, within);
            self.values.types[place] = row;
        }
        for (array, count) in std::mem::take(&mut self.counts) {
            self.values.types[array].wire = self.values.types[count].wire;
        }
        self.values.roots = roots;
        let named = |(_, stub): (_, &TypeStub)| Some((*self.places.get(&stub.node)?, stub.name.clone()));
        self.values.named = self.pres.types.iter().filter_map(named).collect();
        self.values.places = self.places;
        self.values
    }

    /// The names of all enumerations of the header.
    fn enumerators(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Enumeration(enumeration) => {
                    let Some(tag) = &enumeration.tag else { continue };
                    let names = enumeration.members.iter().map(|(name, _)| name.clone());
                    let first = self.values.names.len();
                    self.values.names.extend(names);
                    self.enumerations.insert(tag.clone(), (first, self.values.names.len() - first));
                }
                Declaration::ExternC(inner) => self.enumerators(inner),
                Declaration::Conditional(conditional) => {
                    self.enumerators(&conditional.then);
                    self.enumerators(&conditional.otherwise);
                }
                _ => {}
            }
        }
    }

    /// The place of a node's type; what has no name of its own lies `within` another.
    pub(super) fn place(&mut self, node: NodeId, within: Option<Within>) -> usize {
        let node = resolved(self.pres, node);
        if let Some(place) = self.places.get(&node) {
            return *place;
        }
        let place = self.values.types.len();
        if let Pres::Direct(kind) = self.pres.nodes[node].pres {
            let key = format!("{kind:?} {}", cast::print_type(&self.pres.nodes[node].ty));
            let row = self.number(node, kind);
            let place = *self.numbers.entry(key).or_insert(place);
            if place == self.values.types.len() {
                self.values.types.push(row);
            }
            self.places.insert(node, place);
            return place;
        }
        self.values.types.push(Row::of("NOTHING"));
        self.places.insert(node, place);
        self.open.push_back((place, node, within));
        place
    }

    fn number(&self, node: NodeId, kind: ScalarKind) -> Row {
        let ty = &self.pres.nodes[node].ty;
        let of_kind = match kind {
            ScalarKind::Integer { signed: true, .. } | ScalarKind::Long { signed: true } => "SIGNED",
            ScalarKind::Integer { .. } | ScalarKind::Long { .. } => "UNSIGNED",
            ScalarKind::Float { .. } => "FLOAT",
            ScalarKind::Quadruple => "RAW",
            ScalarKind::Boolean => "BOOLEAN",
            ScalarKind::Enumeration { .. } => "ENUMERATION",
        };
        let tag = match ty {
            Type::Tagged(_, tag) | Type::Named(tag) => tag.as_str(),
            _ => "",
        };
        let (first, count) = match kind {
            ScalarKind::Enumeration { .. } => self.enumerations.get(tag).copied().unwrap_or_default(),
            _ => (0, 0),
        };
        let (wire, align) = (self.encoding.scalar_size(kind), self.encoding.alignment(kind));
        let is_strict = matches!(kind, ScalarKind::Enumeration { strict } if strict || self.pres.strict_enumerations);
        let labels = usize::from(is_strict);
        Row { wire, align, size: Some(sizeof_type(ty.clone())), first, count, labels, ..Row::of(of_kind) }
    }

    fn row(&mut self, node: NodeId, within: Option<Within>) -> Row {
        let value = &self.pres.nodes[node];
        let size = (!matches!(value.ty, Type::Anonymous(_) | Type::Void)).then(|| sizeof_type(value.ty.clone()));
        let here = Within::of(&value.ty).or(within);
        let row = match &value.pres {
            Pres::Void | Pres::Named(_) | Pres::External { .. } => Row::of("NOTHING"),
            Pres::Direct(kind) => self.number(node, *kind),
            Pres::Structure(members) => {
                let mut parts: Vec<Part> = members.iter().map(|member| self.part(member, here.as_ref(), "")).collect();
                for (at, member) in members.iter().enumerate() {
                    if let Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. } =
                        &self.pres.nodes[resolved(self.pres, member.node)].pres
                        && let Some(counts) = parts.iter().position(|part| part.name == *count)
                    {
                        parts[counts].is_count = true;
                        self.counts.insert(parts[at].ty, parts[counts].ty);
                    }
                }
                let (first, count) = self.parts(parts);
                Row { first, count, ..Row::of("STRUCTURE") }
            }
            Pres::Union { discriminant, body, arms, default, .. } => {
                self.union((discriminant, body), arms, default, here.as_ref())
            }
            Pres::FixedArray { element, length } => {
                Row { of: self.item(*element), most: Some(length.clone()), ..Row::of("ARRAY") }
            }
            Pres::FixedBytes { length } => Row { most: Some(length.clone()), ..Row::of("BYTES") },
            Pres::CountedArray { length, data, element, bound, sequence, .. } => {
                let (of, count) = (self.item(*element), usize::from(sequence.is_some()));
                Row { of, count, ..Row::counted("COUNTED_ARRAY", here.as_ref(), (length, data), bound.as_ref()) }
            }
            Pres::CountedBytes { length, data, bound, sequence, .. } => {
                let kind = if self.is_text(value.mint) { "COUNTED_TEXT" } else { "COUNTED_BYTES" };
                let count = usize::from(sequence.is_some());
                Row { count, ..Row::counted(kind, here.as_ref(), (length, data), bound.as_ref()) }
            }
            // Their count stands beside them.
            Pres::InlineArray { count, element, bound } => {
                let (of, count_at) = (self.item(*element), here.as_ref().map(|here| here.beside(count)));
                Row { of, most: self.most(bound.as_ref(), value.mint), count_at, ..Row::of("INLINE_ARRAY") }
            }
            Pres::InlineBytes { count, bound } => {
                let count_at = here.as_ref().map(|here| here.beside(count));
                Row { most: self.most(bound.as_ref(), value.mint), count_at, ..Row::of("INLINE_BYTES") }
            }
            Pres::InlineText { bound } => Row { most: Some(bound.clone()), ..Row::of("INLINE_TEXT") },
            Pres::TerminatedText { bound, .. } => Row { most: bound.clone(), ..Row::of("TEXT") },
            Pres::OptionalPointer { target, .. } => {
                let (count, has_bases) = self.named_by(value.mint);
                Row { of: self.item(*target), count, labels: usize::from(has_bases), ..Row::of("OPTIONAL") }
            }
            Pres::Reference { target, .. } => Row { of: self.item(*target), ..Row::of("REFERENCE") },
        };
        Row { size: row.size.clone().or(size), ..row }
    }

    /// What stands in an array, or behind a pointer: its type has a name.
    fn item(&mut self, node: NodeId) -> usize {
        self.place(node, None)
    }

    /// The bound of an array that stands in its structure; where its count can say no more, only its message has it.
    fn most(&self, bound: Option<&Extent>, message: mint::NodeId) -> Option<Extent> {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Array { most: mint::Bound::Number(most), .. } => {
                let value = u64::try_from(*most).ok()?;
                Some(Extent { value: Some(value), c: unsigned(value) })
            }
            _ => bound.cloned(),
        }
    }

    /// Bytes of the encoding that say which value type this is of: a text, whose length comes first; or a count and several, since it
    /// may be taken for others.
    fn named_by(&self, message: mint::NodeId) -> (usize, bool) {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Value { ids, .. } if self.encoding.has_values() => {
                let has_bases = ids.len() > 1;
                let before = if has_bases { 4 } else { 0 };
                (ids.iter().fold(before, |at: usize, id| at.next_multiple_of(4) + 4 + id.len() + 1), has_bases)
            }
            _ => (0, false),
        }
    }

    fn is_text(&self, message: mint::NodeId) -> bool {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Array { element, .. } => {
                matches!(self.pres.mint.nodes[*element].node, mint::Node::Character)
            }
            _ => false,
        }
    }

    /// A member, which may lie in a union's body.
    fn part(&mut self, member: &Member, within: Option<&Within>, body: &str) -> Part {
        let path = if body.is_empty() { member.name.clone() } else { format!("{body}.{}", member.name) };
        let at = within.map_or_else(|| unsigned(0), |within| within.member(&path));
        let ty = self.place(member.node, within.map(|within| within.inside(&path)));
        Part { name: member.name.clone(), at, ty, is_count: false }
    }

    fn parts(&mut self, parts: Vec<Part>) -> (usize, usize) {
        let (first, count) = (self.values.parts.len(), parts.len());
        self.values.parts.extend(parts);
        (first, count)
    }

    /// A label as the discriminant is read: of a `char` beyond 127 the compiler decides whether it is below zero, the table does not.
    fn as_read(&self, discriminant: &Member, label: &pres::Label) -> Expression {
        let kind = &self.pres.nodes[resolved(self.pres, discriminant.node)].pres;
        match kind {
            Pres::Direct(ScalarKind::Integer { bits: 8, signed }) if label.value.is_some_and(|value| value > 127) => {
                cast_to(Type::named(if *signed { "int8_t" } else { "uint8_t" }), label.c.clone())
            }
            _ => label.c.clone(),
        }
    }

    fn union(
        &mut self,
        (discriminant, body): (&Member, &str),
        arms: &[Arm],
        default: &DefaultArm,
        within: Option<&Within>,
    ) -> Row {
        let mut parts = vec![self.part(discriminant, within, "")];
        let first = self.values.parts.len();
        let mut chosen = |builder: &mut Self, member: Option<&Member>| match member {
            Some(member) => {
                let part = builder.part(member, within, body);
                parts.push(part);
                Chosen::Part(first + parts.len() - 1)
            }
            None => Chosen::Nothing,
        };
        let mut labels = Vec::new();
        for arm in arms {
            let chosen = chosen(self, arm.member.as_ref());
            labels.extend(arm.labels.iter().map(|label| Label { value: self.as_read(discriminant, label), chosen }));
        }
        let otherwise = match default {
            DefaultArm::Error => Chosen::NoValue,
            DefaultArm::Body(member) => chosen(self, member.as_ref()),
        };
        let (at, count) = (self.values.labels.len(), labels.len());
        self.values.labels.extend(labels);
        let (first, _) = self.parts(parts);
        Row { first, count, labels: at, otherwise, ..Row::of("UNION") }
    }
}

impl Row {
    fn of(kind: &'static str) -> Row {
        Row {
            kind,
            wire: 0,
            align: 1,
            size: None,
            of: 0,
            most: None,
            first: 0,
            count: 0,
            labels: 0,
            otherwise: Chosen::Nothing,
            count_at: None,
            data_at: None,
        }
    }

    /// A count and a pointer.
    fn counted(kind: &'static str, here: Option<&Within>, members: (&str, &str), bound: Option<&Extent>) -> Row {
        let at = |member: &str| here.map(|here| here.member(member));
        Row { most: bound.cloned(), count_at: at(members.0), data_at: at(members.1), ..Row::of(kind) }
    }
}

impl Within {
    /// A type that has a name.
    fn of(ty: &Type) -> Option<Within> {
        let has_name = matches!(ty, Type::Named(_) | Type::Tagged(..));
        has_name.then(|| Within { ty: cast::print_type(ty), path: String::new() })
    }

    fn inside(&self, member: &str) -> Within {
        let path = if self.path.is_empty() { member.to_string() } else { format!("{}.{member}", self.path) };
        Within { ty: self.ty.clone(), path }
    }

    /// How far this is from the beginning of the type with a name.
    fn offset(&self) -> Expression {
        verbatim(format!("offsetof({}, {})", self.ty, self.path), Type::named("size_t"))
    }

    /// How far a member is from where this begins.
    fn member(&self, member: &str) -> Expression {
        let at = self.inside(member).offset();
        if self.path.is_empty() { at } else { subtract(at, self.offset()) }
    }

    /// How far a member of the structure around this is from where that begins.
    fn beside(&self, member: &str) -> Expression {
        let around = self.path.rsplit_once('.').map_or("", |(around, _)| around);
        Within { ty: self.ty.clone(), path: around.to_string() }.member(member)
    }
}
