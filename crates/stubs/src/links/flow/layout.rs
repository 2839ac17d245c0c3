//! What C must say of structures that travel as they lie: the offset of each member and the size of the whole, asserted, so
//! that a machine with another ABI does not compile what would send other bytes; and, for types with booleans, a function
//! that looks at them.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{address, call, count_loop, equal, index, name, not, parameter, returns, unsigned, when};
use cast::{Declaration, Expression, ExpressionKind, Function, Linkage, Statement, Type};
use pres::{Member, NodeId, Pres, PresC, TypeStubId};

use super::in_place::{Counted, Element, InPlace, root, type_name};
use crate::lower::images::Images;
use crate::reserved::clear_of;

/// The assertions and functions of all types so far.
pub(super) struct Layouts<'a> {
    pub(super) images: &'a Images<'a>,
    pub(super) reserved: &'a BTreeSet<String>,
    asserted: BTreeSet<String>,
    assertions: Vec<Declaration>,
    /// The functions that look at booleans, by type.
    valid: BTreeMap<TypeStubId, String>,
    functions: Vec<Declaration>,
}

impl<'a> Layouts<'a> {
    pub(super) fn new(images: &'a Images<'a>, reserved: &'a BTreeSet<String>) -> Self {
        let (asserted, assertions) = (BTreeSet::new(), Vec::new());
        Layouts { images, reserved, asserted, assertions, valid: BTreeMap::new(), functions: Vec::new() }
    }

    pub(super) fn declarations(self) -> Vec<Declaration> {
        let blank = (!self.assertions.is_empty()).then_some(Declaration::Blank);
        self.assertions.into_iter().chain(blank).chain(self.functions).collect()
    }

    /// Asserts the layout of a packet and of all that it holds.
    pub(super) fn assert(&mut self, pres: &PresC, packet: TypeStubId, in_place: &InPlace) {
        let ty = &pres.types[packet].ty;
        match &in_place.counted {
            None => self.node(pres, root(pres, pres.types[packet].node), Some(ty)),
            Some(Counted { array, fixed, element, .. }) => {
                let Pres::Structure(members) = &pres.nodes[root(pres, pres.types[packet].node)].pres else { return };
                self.members(pres, members, ty);
                self.offset(ty, &array.name, *fixed);
                if let Element::Node(element, _) = element {
                    self.node(pres, *element, None);
                }
            }
        }
    }

    fn node(&mut self, pres: &PresC, node: NodeId, named: Option<&Type>) {
        let value = &pres.nodes[node];
        let ty = named.unwrap_or(&value.ty);
        match &value.pres {
            Pres::Named(stub) => self.node(pres, root(pres, pres.types[*stub].node), Some(&pres.types[*stub].ty)),
            Pres::FixedArray { element, .. } => self.node(pres, *element, None),
            Pres::Structure(members) => {
                let Some(image) = self.images.get(node) else { return };
                if self.members(pres, members, ty) {
                    let size = cast::build::sizeof_type(ty.clone());
                    self.assertion(equal(size, unsigned(image.size)), format!("{} has no padding", type_name(ty)));
                }
            }
            _ => {}
        }
    }

    /// Whether the type is new.
    fn members(&mut self, pres: &PresC, members: &[Member], ty: &Type) -> bool {
        if !self.asserted.insert(type_name(ty)) {
            return false;
        }
        let images = self.images;
        let (parts, _) = images.leading(members);
        let offsets: Vec<(NodeId, &str, u64)> =
            parts.iter().map(|part| (part.member.node, part.member.name.as_str(), part.offset)).collect();
        for (node, name, offset) in offsets {
            self.node(pres, node, None);
            self.offset(ty, name, offset);
        }
        true
    }

    fn offset(&mut self, ty: &Type, member: &str, offset: u64) {
        let message = format!("{}.{member} follows what is before it", type_name(ty));
        self.assertion(equal(offset_of(ty, member, offset), unsigned(offset)), message);
    }

    fn assertion(&mut self, condition: Expression, message: String) {
        self.assertions.push(Declaration::StaticAssert(condition, message));
    }

    /// Statements that return false where a boolean of a value is neither 0 nor 1.
    pub(super) fn truths(&mut self, pres: &PresC, node: NodeId, value: &Expression, depth: usize) -> Vec<Statement> {
        let Some(image) = self.images.get(node).filter(|image| image.has_booleans) else { return Vec::new() };
        match &pres.nodes[node].pres {
            Pres::Direct(_) => vec![unless_truths(address(value.clone()), unsigned(image.size))],
            Pres::Structure(members) => {
                let each = |member: &Member| {
                    let ty = pres.nodes[member.node].ty.clone();
                    (member.node, cast::build::member(value.clone(), member.name.as_str(), ty))
                };
                members.iter().map(each).flat_map(|(node, value)| self.truths(pres, node, &value, depth)).collect()
            }
            Pres::FixedArray { element, length } => {
                let count = unsigned(length.value.unwrap_or(0));
                self.items(pres, *element, value, count, depth)
            }
            Pres::Named(stub) => {
                let function = self.valid(pres, *stub);
                let valid = call(function, vec![address(value.clone())], Type::named("bool"));
                vec![when(not(valid), vec![returns(truth(false))])]
            }
            _ => Vec::new(),
        }
    }

    /// The same for so many elements of an array.
    pub(super) fn items(
        &mut self,
        pres: &PresC,
        element: NodeId,
        array: &Expression,
        count: Expression,
        depth: usize,
    ) -> Vec<Statement> {
        if matches!(pres.nodes[element].pres, Pres::Direct(_)) {
            return vec![unless_truths(array.clone(), count)];
        }
        let counter = self.clear(&"i".repeat(depth + 1));
        let size = Type::named("size_t");
        let mut item = index(array.clone(), name(counter.as_str(), size.clone()));
        item.ty = pres.nodes[element].ty.clone();
        let body = self.truths(pres, element, &item, depth + 1);
        vec![count_loop(&counter, size, count, body)]
    }

    /// The function that looks at a value of a named type.
    fn valid(&mut self, pres: &PresC, stub: TypeStubId) -> String {
        if let Some(known) = self.valid.get(&stub) {
            return known.clone();
        }
        let function = self.clear(&format!("valid_{}", pres.types[stub].name));
        self.valid.insert(stub, function.clone());
        let pointer = pres.types[stub].ty.clone().constant().pointer();
        let v = self.clear("v");
        let value = cast::build::dereference(name(v.as_str(), pointer.clone()));
        let mut body = self.truths(pres, pres.types[stub].node, &value, 0);
        body.push(returns(truth(true)));
        let function_node = Function {
            linkage: Linkage::Static,
            name: function.clone(),
            result: Type::named("bool"),
            parameters: vec![parameter(v, pointer)],
            body,
            ..Function::default()
        };
        self.functions.extend([Declaration::Function(function_node), Declaration::Blank]);
        function
    }

    /// A name that the header gives no other meaning.
    pub(super) fn clear(&self, usual: &str) -> String {
        clear_of(usual, |name| self.reserved.contains(name))
    }
}

/// `true` or `false`.
pub(super) fn truth(value: bool) -> Expression {
    name(if value { "true" } else { "false" }, Type::named("bool"))
}

/// `offsetof(T, member)`.
pub(super) fn offset_of(ty: &Type, member: &str, offset: u64) -> Expression {
    let spelling = format!("offsetof({}, {member})", type_name(ty));
    let kind = ExpressionKind::Known { spelling, value: i128::from(offset) };
    Expression { kind, ty: Type::named("size_t"), span: None }
}

fn unless_truths(values: Expression, count: Expression) -> Statement {
    let valid = call("whittle_are_truths", vec![values, count], Type::named("bool"));
    when(not(valid), vec![returns(truth(false))])
}
