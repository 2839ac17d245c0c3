//! Functions that look at the numbers of a packet whose description says what they may be (`range`).
//!
//! In: PRES_C. Out: CAST, a function for each type that has such numbers, and for each packet; what of a type's numbers its C type cannot hold is
//! not looked at, since a compiler would say that it never comes.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{
    address, arrow, call, count_loop, greater, index, less, member, name, not, parameter, returns, spelled, unsigned,
    when,
};
use cast::{Declaration, Expression, Linkage, Statement, Type};
use pres::{Member, NodeId, Packet, Pres, PresC, ScalarKind, TypeStubId};

use super::functions::name_of;
use super::layout::truth;
use crate::reserved::clear_of;

/// The functions of all types so far.
pub(super) struct Ranges<'a> {
    pres: &'a PresC,
    reserved: &'a BTreeSet<String>,
    /// By the number's node.
    of: BTreeMap<NodeId, (i128, i128)>,
    /// The function of a type; none where it has no such numbers.
    known: BTreeMap<TypeStubId, Option<String>>,
    packets: BTreeMap<TypeStubId, Option<String>>,
    functions: Vec<Declaration>,
}

impl<'a> Ranges<'a> {
    pub(super) fn new(pres: &'a PresC, reserved: &'a BTreeSet<String>) -> Self {
        let mut of = BTreeMap::new();
        for (_, stub) in pres.types.iter() {
            let (Some(ranges), Pres::Structure(members)) = (pres.ranges.get(&stub.name), &pres.nodes[stub.node].pres)
            else {
                continue;
            };
            let ranged = members.iter().zip(ranges).filter_map(|(member, range)| Some((member.node, (*range)?)));
            of.extend(ranged.map(|(node, range)| (element(pres, node), range)));
        }
        Ranges { pres, reserved, of, known: BTreeMap::new(), packets: BTreeMap::new(), functions: Vec::new() }
    }

    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        std::mem::take(&mut self.functions)
    }

    /// The function that looks at a packet in memory; none where all its numbers may be any.
    pub(super) fn of_packet(&mut self, packet: &Packet) -> Option<String> {
        if let Some(known) = self.packets.get(&packet.stub) {
            return known.clone();
        }
        let of = self.written(packet);
        self.packets.insert(packet.stub, of.clone());
        of
    }

    fn written(&mut self, packet: &Packet) -> Option<String> {
        // Packets nest as deep as a file is long: those that a packet holds come before it.
        for stub in self.held_by(packet.stub) {
            self.function(stub);
        }
        let valid = self.function(packet.stub)?;
        let of = name_of("in_range_packet", packet, self.reserved);
        let pointer = self.pres.types[packet.stub].ty.clone().constant().pointer();
        let given = self.clear("packet");
        let value = cast::build::cast(pointer, name(given.as_str(), Type::Void.constant().pointer()));
        let body = vec![returns(call(valid, vec![value], Type::named("bool")))];
        let given = parameter(given, Type::Void.constant().pointer());
        self.functions.extend([
            cast::build::function(Linkage::Static, Type::named("bool"), of.clone(), vec![given], body),
            Declaration::Blank,
        ]);
        Some(of)
    }

    /// The types of a type's values and itself, in the order of the header; none where no number has a range.
    fn held_by(&self, stub: TypeStubId) -> BTreeSet<TypeStubId> {
        let pres = self.pres;
        let (mut reached, mut open) = (BTreeSet::new(), Vec::new());
        open.extend((!self.of.is_empty()).then_some(pres.types[stub].node));
        while let Some(node) = open.pop() {
            match &pres.nodes[node].pres {
                Pres::Structure(members) => open.extend(members.iter().map(|member| member.node)),
                Pres::FixedArray { element, .. } | Pres::InlineArray { element, .. } => open.push(*element),
                Pres::Named(held) if reached.insert(*held) => open.push(pres.types[*held].node),
                _ => {}
            }
        }
        reached
    }

    /// The function that looks at a value of a type.
    fn function(&mut self, stub: TypeStubId) -> Option<String> {
        if let Some(known) = self.known.get(&stub) {
            return known.clone();
        }
        self.known.insert(stub, None);
        let pres = self.pres;
        let pointer = pres.types[stub].ty.clone().constant().pointer();
        let v = name(self.clear("v"), pointer.clone());
        let mut body = match &pres.nodes[pres.types[stub].node].pres {
            Pres::Structure(members) => self.members(members, &|name, ty| arrow(v.clone(), name, ty), 0),
            _ => self.value(pres.types[stub].node, &cast::build::dereference(v.clone()), 0),
        };
        if body.is_empty() {
            return None;
        }
        body.push(returns(truth(true)));
        let of = self.clear(&format!("in_range_{}", pres.types[stub].name));
        let given = parameter(self.clear("v"), pointer);
        self.functions.extend([
            cast::build::function(Linkage::Static, Type::named("bool"), of.clone(), vec![given], body),
            Declaration::Blank,
        ]);
        self.known.insert(stub, Some(of.clone()));
        Some(of)
    }

    fn members(&mut self, members: &[Member], part: &dyn Fn(&str, Type) -> Expression, depth: usize) -> Vec<Statement> {
        let pres = self.pres;
        let mut statements = Vec::new();
        for Member { name, node } in members {
            let value = part(name, pres.nodes[*node].ty.clone());
            statements.extend(match &pres.nodes[*node].pres {
                Pres::InlineArray { count, element, .. } => {
                    let count = part(count, Type::named("uint32_t"));
                    self.items(*element, &value, count, depth)
                }
                _ => self.value(*node, &value, depth),
            });
        }
        statements
    }

    /// Statements that return false where a number of the value is out of its range.
    fn value(&mut self, node: NodeId, value: &Expression, depth: usize) -> Vec<Statement> {
        let pres = self.pres;
        match &pres.nodes[node].pres {
            Pres::Direct(kind) => self.of.get(&node).map_or_else(Vec::new, |range| outside(kind, *range, value)),
            Pres::Structure(members) => self.members(members, &|name, ty| member(value.clone(), name, ty), depth),
            Pres::FixedArray { element, length } => {
                self.items(*element, value, unsigned(length.value.unwrap_or(0)), depth)
            }
            Pres::Named(stub) => self.function(*stub).map_or_else(Vec::new, |function| {
                let valid = call(function, vec![address(value.clone())], Type::named("bool"));
                vec![when(not(valid), vec![returns(truth(false))])]
            }),
            _ => Vec::new(),
        }
    }

    /// The same for so many elements of an array.
    fn items(&mut self, element: NodeId, array: &Expression, count: Expression, depth: usize) -> Vec<Statement> {
        let (counter, size) = (self.clear(&"i".repeat(depth + 1)), Type::named("size_t"));
        let mut item = index(array.clone(), name(counter.as_str(), size.clone()));
        item.ty = self.pres.nodes[element].ty.clone();
        let body = self.value(element, &item, depth + 1);
        if body.is_empty() { Vec::new() } else { vec![count_loop(&counter, size, count, body)] }
    }

    /// A name that the header gives no other meaning.
    fn clear(&self, usual: &str) -> String {
        clear_of(usual, |name| self.reserved.contains(name))
    }
}

/// Of an array its elements, else the value itself.
fn element(pres: &PresC, node: NodeId) -> NodeId {
    match &pres.nodes[node].pres {
        Pres::FixedArray { element, .. } | Pres::InlineArray { element, .. } => *element,
        _ => node,
    }
}

/// `if (value < least) return false;` and the like, where the type holds such numbers.
fn outside(kind: &ScalarKind, (least, most): (i128, i128), value: &Expression) -> Vec<Statement> {
    let ScalarKind::Integer { bits, signed } = *kind else { return Vec::new() };
    let lowest = if signed { -(1_i128 << (bits - 1)) } else { 0 };
    let highest = (1_i128 << (u32::from(bits) - u32::from(signed))) - 1;
    let suffix = |number: i128| if number > i128::from(i64::MAX) { "u" } else { "" };
    let number = |number: i128| spelled(format!("{number}{}", suffix(number)), Type::INT);
    let below = (least > lowest).then(|| less(value.clone(), number(least)));
    let above = (most < highest).then(|| greater(value.clone(), number(most)));
    below.into_iter().chain(above).map(|is_outside| when(is_outside, vec![returns(truth(false))])).collect()
}
