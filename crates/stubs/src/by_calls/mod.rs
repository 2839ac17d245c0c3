//! Routines that call the library for each part of a value, as rpcgen's do. In: PRES_C. Out: by type, its routine.
//!
//! Recipes may put a library of their own in place of `<rpc/rpc.h>` (libnfs's edit each `xdr` into `zdr`). Where that lacks the
//! operations of streams, these routines stand in place of those that whittle makes: they need nothing but the library's
//! `xdr_` routines, so that its own rules of memory hold.

mod marked;
mod numbers;
mod place;

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{
    address, and, arrow, call, cast as cast_to, member, name, not, or, parameter, returns, sizeof_type, when,
};
use cast::{CaseLabel, Declaration, Expression, Function, Linkage, Statement, SwitchArm, Type};
use pres::{Arm, DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind};

use crate::emit::declarations_first;
use crate::emit::names::variable;
use crate::reserved::clear_of;
use numbers::scalar;

/// So many calls are one condition.
const TOGETHER: usize = 8;

/// The routines of a file in that form, and what is to be done with the usual ones.
#[derive(Clone, Debug, Default)]
pub struct ByCalls {
    /// By name, `xdr_T`: with those of its items before it.
    routines: BTreeMap<String, Vec<Declaration>>,
    /// Routines of types behind a line `%BEGIN`.
    marked: BTreeSet<String>,
}

/// The routines of all types that the file has; none where enumerations are strict, which no library is.
pub(crate) fn routines(pres: &PresC, reserved: &BTreeSet<String>) -> ByCalls {
    let (mut routines, mut marked) = (BTreeMap::new(), BTreeSet::new());
    for (_, stub) in pres.types.iter().filter(|(_, stub)| !stub.imported) {
        let mut writer = Writer { pres, reserved, routine: &stub.routine, items: Vec::new(), unnamed: 0 };
        let given = if stub.is_array { stub.ty.clone() } else { stub.ty.clone().pointer() };
        let function = writer.function(Linkage::Plain, stub.routine.clone(), given, stub.node, &Object::Given);
        let mut declarations = writer.items;
        declarations.extend([Declaration::Blank, function]);
        declarations.iter_mut().for_each(declarations_first);
        if !pres.strict_enumerations {
            routines.insert(stub.routine.clone(), declarations);
        }
        if pres.lines.before.get(&stub.name).is_some_and(|lines| marked::is_so(lines)) {
            marked.insert(stub.routine.clone());
        }
    }
    ByCalls { routines, marked }
}

/// Writes one type's routine, and those of its items that have no name.
struct Writer<'a> {
    pres: &'a PresC,
    reserved: &'a BTreeSet<String>,
    routine: &'a str,
    items: Vec<Declaration>,
    /// How many items without a name there were.
    unnamed: usize,
}

/// Where a value is.
#[derive(Clone)]
enum Object {
    /// `objp`, which points to it, or to the first item of an array.
    Given,
    At(Expression),
}

impl Writer<'_> {
    fn variable(&self, name_: &str, ty: Type) -> Expression {
        name(variable(name_, self.reserved), ty)
    }

    fn xdrs(&self) -> Expression {
        self.variable("xdrs", Type::named("XDR").pointer())
    }

    fn objp(&self) -> Expression {
        self.variable("objp", Type::Void.pointer())
    }

    fn function(&mut self, linkage: Linkage, name: String, given: Type, node: NodeId, object: &Object) -> Declaration {
        let mut body = Vec::new();
        let mut calls = Vec::new();
        self.node(node, object, &mut calls, &mut body);
        // What is left decides.
        body.push(returns(calls.into_iter().reduce(and).unwrap_or_else(|| truth(true))));
        let parameters = [(self.xdrs(), Type::named("XDR").pointer()), (self.objp(), given)];
        let parameters = parameters.map(|(value, ty)| parameter(cast::print_expression(&value), ty)).to_vec();
        Declaration::Function(Function {
            linkage,
            name,
            result: Type::named("bool_t"),
            parameters,
            body,
            ..Function::default()
        })
    }

    fn part(&self, object: &Object, part: &str) -> Object {
        Object::At(match object {
            Object::Given => arrow(self.objp(), part, Type::Void),
            Object::At(value) => member(value.clone(), part, Type::Void),
        })
    }

    /// Its address; an array's is that of its first item.
    fn pointer(&self, object: &Object, is_array: bool) -> Expression {
        match object {
            Object::Given => self.objp(),
            Object::At(value) if is_array => value.clone(),
            Object::At(value) => address(value.clone()),
        }
    }

    /// The calls of a value's parts; `body` gets what is no call.
    fn node(&mut self, node: NodeId, object: &Object, calls: &mut Vec<Expression>, body: &mut Vec<Statement>) {
        let ty = self.pres.nodes[node].ty.clone();
        match self.pres.nodes[node].pres.clone() {
            Pres::Void => {}
            Pres::Direct(kind) => {
                let pointer = self.pointer(object, false);
                let is_enum = matches!(kind, ScalarKind::Enumeration { .. });
                let given = if is_enum { cast_to(Type::named("enum_t").pointer(), pointer) } else { pointer };
                calls.push(self.call(&scalar(kind, &ty), vec![given]));
            }
            Pres::Structure(members) => {
                for member in members {
                    let part = self.part(object, &member.name);
                    self.node(member.node, &part, calls, body);
                    // Expressions stay shallow, whatever a structure has.
                    if calls.len() >= TOGETHER {
                        flush(calls, body);
                    }
                }
            }
            Pres::Union { discriminant, body: union, arms, default, .. } => {
                let decision = self.part(object, &discriminant.name);
                self.node(discriminant.node, &decision, calls, body);
                flush(calls, body);
                let Object::At(value) = decision else { return };
                let inside = self.part(object, &union);
                let arms = self.arms(&inside, &arms, &default);
                body.push(Statement::Switch { value, arms });
            }
            Pres::Named(id) => {
                let stub = &self.pres.types[id];
                let pointer = self.pointer(object, stub.is_array);
                calls.push(self.call(&stub.routine, vec![pointer]));
            }
            Pres::External { routine, .. } => {
                let pointer = self.pointer(object, false);
                calls.push(self.call(&routine, vec![pointer]));
            }
            other => calls.extend(self.several(&other, object)),
        }
    }

    /// The call for bytes, items and pointers.
    fn several(&mut self, pres: &Pres, object: &Object) -> Option<Expression> {
        let text = |value| cast_to(Type::CHAR.pointer().pointer(), value);
        Some(match pres {
            Pres::FixedBytes { length } => {
                let first = self.pointer(object, true);
                self.call("xdr_opaque", vec![cast_to(Type::CHAR.pointer(), first), length.c.clone()])
            }
            Pres::TerminatedText { bound, .. } => {
                self.call("xdr_string", vec![self.pointer(object, false), limit(bound.as_ref())])
            }
            Pres::CountedBytes { length, data, bound, .. } => {
                let [data, length] = [data, length].map(|part| self.pointer(&self.part(object, part), false));
                let length = cast_to(Type::named("u_int").pointer(), length);
                self.call("xdr_bytes", vec![text(data), length, limit(bound.as_ref())])
            }
            Pres::CountedArray { length, data, element, bound, .. } => {
                let [data, length] = [data, length].map(|part| self.pointer(&self.part(object, part), false));
                let length = cast_to(Type::named("u_int").pointer(), length);
                let [size, routine] = self.item(*element);
                self.call("xdr_array", vec![text(data), length, limit(bound.as_ref()), size, routine])
            }
            Pres::FixedArray { element, length } => {
                let first = cast_to(Type::CHAR.pointer(), self.pointer(object, true));
                let [size, routine] = self.item(*element);
                self.call("xdr_vector", vec![first, length.c.clone(), size, routine])
            }
            Pres::OptionalPointer { target, .. } => {
                let [size, routine] = self.item(*target);
                self.call("xdr_pointer", vec![text(self.pointer(object, false)), size, routine])
            }
            Pres::Reference { target, .. } => {
                let [size, routine] = self.item(*target);
                self.call("xdr_reference", vec![text(self.pointer(object, false)), size, routine])
            }
            // Other styles' alone.
            _ => return None,
        })
    }

    fn arms(&mut self, union: &Object, arms: &[Arm], default: &DefaultArm) -> Vec<SwitchArm> {
        let mut result = Vec::new();
        for arm in arms {
            let labels = arm.labels.iter().map(|label| CaseLabel::Value(label.c.clone())).collect();
            result.push(SwitchArm { labels, body: self.arm(union, arm.member.as_ref()) });
        }
        let body = match default {
            DefaultArm::Error => vec![returns(truth(false))],
            DefaultArm::Body(member) => self.arm(union, member.as_ref()),
        };
        result.push(SwitchArm { labels: vec![CaseLabel::Default], body });
        result
    }

    fn arm(&mut self, union: &Object, member: Option<&Member>) -> Vec<Statement> {
        let (mut calls, mut body) = (Vec::new(), Vec::new());
        if let Some(member) = member {
            let part = self.part(union, &member.name);
            self.node(member.node, &part, &mut calls, &mut body);
        }
        flush(&mut calls, &mut body);
        body.push(Statement::Break);
        body
    }

    /// The size and the routine of items, as arguments of the library's routines.
    fn item(&mut self, node: NodeId) -> [Expression; 2] {
        let ty = self.pres.nodes[node].ty.clone();
        let routine = match &self.pres.nodes[node].pres {
            Pres::Direct(kind) if !matches!(kind, ScalarKind::Enumeration { .. }) => scalar(*kind, &ty),
            Pres::Named(id) => self.pres.types[*id].routine.clone(),
            Pres::External { routine, .. } => routine.clone(),
            Pres::TerminatedText { bound: None, .. } => "xdr_wrapstring".to_string(),
            _ => {
                self.unnamed += 1;
                let usual = format!("{}__{}", self.routine, self.unnamed);
                let own = clear_of(&usual, |name| self.reserved.contains(name));
                let at = Object::At(cast::build::dereference(self.objp()));
                let function = self.function(Linkage::Static, own.clone(), ty.clone().pointer(), node, &at);
                self.items.extend([Declaration::Blank, function]);
                own
            }
        };
        [sizeof_type(ty), cast_to(Type::named("xdrproc_t"), name(routine, Type::Void))]
    }

    fn call(&self, routine: &str, mut arguments: Vec<Expression>) -> Expression {
        arguments.insert(0, self.xdrs());
        call(routine, arguments, Type::INT)
    }
}

/// `if (!first || !second) return FALSE;`
fn flush(calls: &mut Vec<Expression>, body: &mut Vec<Statement>) {
    let failed = std::mem::take(calls).into_iter().map(not).reduce(or);
    body.extend(failed.map(|failed| when(failed, vec![returns(truth(false))])));
}

fn truth(is_so: bool) -> Expression {
    name(if is_so { "TRUE" } else { "FALSE" }, Type::INT)
}

fn limit(bound: Option<&Extent>) -> Expression {
    bound.map_or(cast::build::unsigned(u64::from(u32::MAX)), |bound| bound.c.clone())
}
