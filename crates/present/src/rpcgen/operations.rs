//! Versions and procedures: the names and types of their stubs.

use std::collections::BTreeSet;

use aoi::{Direction, Interface, OncIdentity, Operation, Parameter, Type};
use cast::build;
use pres::{
    ArenaArgument, ArenaMembers, Argument, DefaultArm, Label, Member, Message, NodeId, OncNumbers, Passing, Pres,
    PresC, TypeStub, Value, Way,
};
use source::{Diagnostic, Span};

use super::c_types::{Place, c_type};
use super::names::Checked;
use super::nodes::{Nodes, external_routine};
use super::options::Options;
use super::{errors, scalars, values};
use crate::inheritance::repository_id;

/// What one interface adds to PRES_C.
pub(super) struct Built {
    pub(super) stubs: pres::Interface,
    /// The structures that newstyle procedures pack their arguments in: tag and members.
    pub(super) packs: Vec<(String, Vec<cast::Field>)>,
}

/// Builds the stubs of one interface. Macros that `names` found ambiguous are not used.
pub(super) fn build(
    nodes: &mut Nodes,
    options: &Options,
    names: &Checked,
    interface: &Interface,
    findings: &mut Vec<Diagnostic>,
) -> Option<Built> {
    let Some(onc) = &interface.identity.onc else {
        findings.push(errors::no_program(&interface.name, interface.span));
        return None;
    };
    let suffix = values::suffix(nodes.aoi, &onc.version);
    let mut builder = Builder { nodes, options, names, suffix, findings, packs: Vec::new() };
    let operations = interface.operations.iter().map(|operation| builder.operation(operation)).collect();
    let (suffix, packs) = (builder.suffix, builder.packs);
    Some(Built { stubs: identity(nodes, names, interface, onc, &suffix, operations), packs })
}

fn identity(
    nodes: &Nodes,
    names: &Checked,
    interface: &Interface,
    onc: &OncIdentity,
    suffix: &str,
    operations: Vec<pres::Operation>,
) -> pres::Interface {
    pres::Interface {
        name: interface.name.clone(),
        repository_id: repository_id(interface),
        onc: Some(OncNumbers {
            name: onc.program_name.clone(),
            program: number(nodes, names, &onc.program_name, &onc.program),
            version: number(nodes, names, &interface.name, &onc.version),
        }),
        dispatch: format!("{}_{suffix}", onc.program_name.to_ascii_lowercase()),
        operations,
        ..pres::Interface::default()
    }
}

/// The macro `name`, or its number where the macro has several or is not known there.
fn number(nodes: &Nodes, names: &Checked, name: &str, value: &aoi::Value) -> Label {
    let c = if names.ambiguous.iter().chain(&names.unnamed).any(|other| other == name) {
        nodes.operand(value)
    } else {
        build::name(name, cast::Type::INT)
    };
    Label { value: nodes.aoi.number(value), c }
}

/// What C calls the parts of a procedure.
pub(super) struct OperationNames {
    pub(super) client: String,
    pub(super) server: String,
    /// The structure that several arguments travel in.
    pub(super) pack: String,
}

/// The C names of a procedure of the version that names carry as `suffix`.
pub(super) fn names(operation: &Operation, suffix: &str, options: &Options) -> OperationNames {
    let client = format!("{}_{suffix}", operation.name.to_ascii_lowercase());
    let has_suffix = !options.kernighan_ritchie || options.multithread;
    let server = if has_suffix { format!("{client}_svc") } else { client.clone() };
    OperationNames { server, pack: format!("{client}_argument"), client }
}

struct Builder<'b, 'a> {
    nodes: &'b mut Nodes<'a>,
    options: &'b Options,
    names: &'b Checked,
    suffix: String,
    findings: &'b mut Vec<Diagnostic>,
    packs: Vec<(String, Vec<cast::Field>)>,
}

impl Builder<'_, '_> {
    fn operation(&mut self, operation: &Operation) -> pres::Operation {
        let OperationNames { client, server, pack } = names(operation, &self.suffix, self.options);
        let parameters: Vec<&Parameter> = operation.parameters.iter().filter(|p| p.ty != Type::Void).collect();
        if parameters.len() > 1 && !self.options.newstyle {
            self.findings.push(errors::several_arguments(&operation.name, operation.span));
        }
        if parameters.iter().any(|parameter| parameter.direction != Direction::In) {
            self.findings.push(errors::not_an_input(&operation.name, operation.span));
        }
        let numbered = parameters.iter().zip(1..);
        let arguments: Vec<(String, Value)> =
            numbered.filter_map(|(parameter, at)| self.argument(operation, parameter, at)).collect();
        let request = match arguments.as_slice() {
            [] => None,
            [(_, only)] => Some(only.clone()),
            several => Some(self.pack(pack, several)),
        };
        let result = (operation.result != Type::Void)
            .then(|| self.value(&operation.result, "result", operation, operation.span))
            .flatten();
        self.message(&operation.name, request.as_ref(), result.as_ref());
        let by_value = self.options.newstyle;
        let parameters = arguments.into_iter().map(|(name, value)| argument(name, Way::In, value, by_value)).collect();
        let arena = request.as_ref().and_then(|request| self.arena(request));
        let (returned, [request, reply]) = (result.clone(), [request, result].map(Message::from));
        pres::Operation {
            name: operation.name.clone(),
            code: Some(number(self.nodes, self.names, &operation.name, &operation.code)),
            client,
            server,
            result: returned.map(|value| argument("result".to_string(), Way::Result, value, false)),
            parameters,
            client_request: request.clone(),
            client_reply: reply.clone(),
            server_request: request,
            server_reply: reply,
            arena,
            ..pres::Operation::default()
        }
    }

    fn argument(&mut self, operation: &Operation, parameter: &Parameter, at: usize) -> Option<(String, Value)> {
        let name = parameter.name.clone().unwrap_or_else(|| format!("arg{at}"));
        let value = self.value(&parameter.ty, &name, operation, parameter.span)?;
        Some((name, value))
    }

    fn value(&mut self, ty: &Type, name: &str, operation: &Operation, span: Span) -> Option<Value> {
        let Some(routine) = self.routine(ty) else {
            let is_result = std::ptr::eq(ty, &raw const operation.result);
            let what = if is_result { "the result" } else { "an argument" };
            self.findings.push(errors::needs_a_name(&format!("{what} of `{}`", operation.name), span));
            return None;
        };
        let scope = self.nodes.scope();
        let place = Place::of("", name);
        let c = c_type(scope, ty, place);
        let pointer = match self.nodes.resolve(ty) {
            Some(Type::Array { element, .. }) => c_type(scope, element, place).pointer(),
            Some(Type::FixedOpaque { .. }) => cast::Type::CHAR.pointer(),
            _ => c.clone().pointer(),
        };
        let is_array = self.nodes.is_array(ty);
        let node = self.nodes.ty(ty, place);
        Some(Value { ty: c, is_array, pointer, routine, node })
    }

    /// The routine of an argument or a result; types without a name have none.
    fn routine(&self, ty: &Type) -> Option<String> {
        match ty {
            Type::Text { bound: None } => Some("xdr_wrapstring".to_string()),
            Type::Named(id) => Some(format!("xdr_{}", self.nodes.aoi.definitions[*id].name)),
            _ => match (scalars::of_type(ty), ty) {
                (Some(scalar), _) => scalar.routine.map(str::to_string),
                (None, Type::External(name)) => Some(external_routine(name)),
                _ => None,
            },
        }
    }

    /// The structure that several arguments travel in, with a routine of its own.
    fn pack(&mut self, name: String, arguments: &[(String, Value)]) -> Value {
        let ty = cast::Type::named(&name);
        let members = arguments.iter().map(|(name, of)| Member { name: name.clone(), node: of.node }).collect();
        let reserved = self.nodes.pres.mint.add_named(&name, mint::Node::Void);
        let node = self.nodes.structure_of(members, ty.clone(), Some(reserved));
        let routine = format!("xdr_{name}");
        self.nodes.pres.types.alloc(TypeStub {
            name: name.clone(),
            routine: routine.clone(),
            ty: ty.clone(),
            is_array: false,
            node,
            imported: false,
        });
        let fields = arguments.iter().map(|(name, of)| cast::Field { name: name.clone(), ty: of.ty.clone() }).collect();
        self.packs.push((name, fields));
        Value { pointer: ty.clone().pointer(), ty, is_array: false, routine, node }
    }

    /// The arena of a request that points to storage.
    fn arena(&mut self, value: &Value) -> Option<ArenaArgument> {
        let mut reach = Reach::default();
        reach.walk(&self.nodes.pres, value.node);
        if !self.options.server_arena || !reach.points || reach.foreign {
            return None;
        }
        let stem = match value.routine.as_str() {
            "xdr_wrapstring" => format!("{}_string", self.options.base.word()),
            routine => routine.trim_start_matches("xdr_").to_string(),
        };
        let name = self.names.clear_of_taken(&format!("{stem}_in_arena"));
        let routine = format!("xdr_{name}");
        let ArenaMembers { value: held, arena, first } = ArenaMembers::default();
        let [held, arena, first] = [held, arena, first].map(|usual| self.names.clear_of_taken(&usual));
        let members = ArenaMembers { value: held, arena, first };
        let argument = ArenaArgument { name, routine, ty: value.ty.clone(), node: value.node, members };
        if !self.nodes.pres.arenas.iter().any(|arena| arena.name == argument.name) {
            self.nodes.pres.arenas.push(argument.clone());
        }
        Some(argument)
    }

    fn message(&mut self, operation: &str, request: Option<&Value>, reply: Option<&Value>) {
        let pres = &mut self.nodes.pres;
        let mut payload = |value: Option<&Value>| match value {
            Some(value) => pres.nodes[value.node].mint,
            None => pres.mint.add(mint::Node::Void),
        };
        let (request, reply) = (payload(request), payload(reply));
        pres.mint.messages.push(mint::Message { operation: operation.to_string(), request, reply });
    }
}

/// A parameter of a procedure's functions, or what they return.
fn argument(name: String, way: Way, value: Value, by_value: bool) -> Argument {
    let passing = if value.is_array { Passing::FixedArray } else { Passing::Value };
    let passed = if by_value { value.ty.clone() } else { value.pointer };
    Argument { name, way, passing, count: None, ty: value.ty, passed, release: None }
}

/// What lies under a node.
#[derive(Default)]
struct Reach {
    seen: BTreeSet<NodeId>,
    /// Decoding allocates.
    points: bool,
    /// A routine of the user's allocates as it likes, outside any arena.
    foreign: bool,
}

impl Reach {
    fn walk(&mut self, pres: &PresC, node: NodeId) {
        if !self.seen.insert(node) {
            return;
        }
        match &pres.nodes[node].pres {
            Pres::CountedArray { element: next, .. }
            | Pres::OptionalPointer { target: next, .. }
            | Pres::Reference { target: next, .. } => {
                self.points = true;
                self.walk(pres, *next);
            }
            Pres::CountedBytes { .. } | Pres::TerminatedText { .. } => self.points = true,
            Pres::External { .. } => self.foreign = true,
            Pres::Structure(members) => members.iter().for_each(|member| self.walk(pres, member.node)),
            Pres::Union { arms, default, .. } => {
                let default = match default {
                    DefaultArm::Body(member) => member.as_ref(),
                    DefaultArm::Error => None,
                };
                let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
                bodies.chain(default).for_each(|member| self.walk(pres, member.node));
            }
            Pres::FixedArray { element, .. } | Pres::InlineArray { element, .. } => self.walk(pres, *element),
            Pres::Named(stub) => self.walk(pres, pres.types[*stub].node),
            Pres::Void
            | Pres::Direct(_)
            | Pres::FixedBytes { .. }
            | Pres::InlineBytes { .. }
            | Pres::InlineText { .. } => {}
        }
    }
}
