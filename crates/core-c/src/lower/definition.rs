//! A function's body as a whole.

use cast::Type;
use la_arena::Arena;
use source::Diagnostic;

use super::body::{Body, OpenBlock, index};
use super::{Context, Lowered, Meaning, Refusal, graph, memory, refuse};
use crate::{Argument, Block, FunctionId, Local, LocalId, Shape, Statement, StatementKind, Terminator};

/// What lowering a body gives.
struct Lowering {
    parameters: Vec<LocalId>,
    locals: Arena<Local>,
    blocks: Arena<Block>,
}

impl Context<'_> {
    pub(super) fn lower_definitions(&mut self) {
        for (id, unit, function) in std::mem::take(&mut self.definitions) {
            let mut body = Body::new(self, unit, Some(id));
            match body.definition(function) {
                Ok(lowering) => {
                    let known = &mut self.program.functions[id];
                    known.parameters = lowering.parameters;
                    known.locals = lowering.locals;
                    known.blocks = lowering.blocks;
                }
                Err(refusal) => {
                    let span = refusal.span.or(body.span);
                    self.program.functions[id].names = memory::names(&function.body);
                    self.refused(id, Refusal { span, ..refusal }, function.header.is_some());
                }
            }
        }
    }

    /// `core-003`: a function has a construct that is not modelled. It stays as it is written, and nothing in it is
    /// specialized; calls of it are calls of an unknown function. Of system headers' functions nothing is said before they are used.
    fn refused(&mut self, id: FunctionId, refusal: Refusal, is_of_system: bool) {
        let function = &mut self.program.functions[id];
        let message = format!("`{}` stays as it is: {}", function.name, refusal.reason);
        let mut finding = Diagnostic::warning("core-003", message);
        if let Some(span) = refusal.span.or(function.span) {
            finding = finding.at(span, "not modelled");
        }
        function.refused = Some(refusal.reason);
        self.findings.extend(Some(finding).filter(|_| !is_of_system));
    }
}

impl Body<'_, '_> {
    fn definition(&mut self, function: &cast::Function) -> Lowered<Lowering> {
        self.span = function.span;
        self.addressed = memory::addressed(&function.body);
        if function.spelling.as_deref().is_some_and(has_effects_in_brackets) {
            return refuse("a parameter whose array bounds have effects");
        }
        let parameters = self.parameters(function)?;
        self.scope(&function.body)?;
        self.finish(function)?;
        let roots = self.roots()?;
        let (blocks, renamed) = graph::simplify(std::mem::take(&mut self.blocks), &roots);
        self.rename_labels(&renamed);
        Ok(Lowering { parameters, locals: std::mem::take(&mut self.locals), blocks })
    }

    fn parameters(&mut self, function: &cast::Function) -> Lowered<Vec<LocalId>> {
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let name = parameter.name.as_deref().unwrap_or_default();
            let local = self.local(name, &parameter.ty, None)?;
            if matches!(self.types().shape_of(self.locals[local].ty), Shape::Array(..) | Shape::Function(_)) {
                return refuse(format!("the parameter `{name}`, which is no object"));
            }
            self.declare(name, Meaning::Local(local));
            parameters.push(local);
        }
        for parameter in &function.parameters {
            self.lengths(&parameter.ty)?;
        }
        Ok(parameters)
    }

    /// What happens where control reaches the closing brace.
    fn finish(&mut self, function: &cast::Function) -> Lowered<()> {
        let gives = match self.result() {
            Some(result) if function.name == "main" && self.types().is_scalar(result) => {
                Some(Argument::Value(self.number(0, result)?))
            }
            _ => None,
        };
        self.end(Terminator::Return(gives))
    }

    /// The blocks that computed jumps can go to.
    fn roots(&mut self) -> Lowered<Vec<crate::BlockId>> {
        if let Some(missing) = self.labels.keys().find(|label| !self.placed.contains(*label)) {
            return refuse(format!("a jump to the label `{missing}`, which is nowhere"));
        }
        self.join_computed_jumps()?;
        let roots: Vec<crate::BlockId> =
            self.targets.iter().filter_map(|label| self.labels.get(label)).copied().collect();
        for block in &mut self.blocks {
            if let Some(Terminator::GotoAddress { targets, .. }) = &mut block.end {
                targets.clone_from(&roots);
            }
        }
        Ok(roots)
    }

    /// Several computed jumps go through one block, as the loop of an interpreter does that has a `switch` in their place; compilers
    /// part them again.
    fn join_computed_jumps(&mut self) -> Lowered<()> {
        let is_jump = |block: &OpenBlock| matches!(block.end, Some(Terminator::GotoAddress { .. }));
        let jumps: Vec<usize> = (0..self.blocks.len()).filter(|at| is_jump(&self.blocks[*at])).collect();
        if jumps.len() < 2 {
            return Ok(());
        }
        let void = self.ty(&Type::Void);
        let address = self.types_mut().pointer_to(void);
        let (target, shared) = (self.temporary(address), self.block());
        for at in jumps {
            self.span = self.blocks[at].span;
            let end = self.blocks[at].end.replace(Terminator::Goto(shared));
            let Some(Terminator::GotoAddress { address: to, .. }) = end else { continue };
            let value = self.convert(to, address)?;
            let span = self.span;
            self.blocks[at].statements.push(Statement { kind: StatementKind::Set { local: target, value }, span });
        }
        let address = self.register(target);
        let jump = &mut self.blocks[index(shared)];
        (jump.end, jump.span) = (Some(Terminator::GotoAddress { address, targets: Vec::new() }), self.span);
        Ok(())
    }

    /// Labels in initial values of local statics follow the blocks' new numbers.
    fn rename_labels(&mut self, renamed: &graph::Renamed) {
        for (_, global) in self.context.program.globals.iter_mut() {
            if global.scope == self.function {
                for part in global.initial.iter_mut().flatten() {
                    graph::rename_expression(&mut part.value, renamed);
                }
            }
        }
    }
}

/// True where a function's head has an effect in the bounds of an array, which the parameter's type does not keep.
fn has_effects_in_brackets(head: &str) -> bool {
    let bounds = head.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    bounds.into_iter().any(|bound| bound.contains("++") || bound.contains("--") || bound.contains('='))
}
