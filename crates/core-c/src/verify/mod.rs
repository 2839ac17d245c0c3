//! Finds wrong Core C: operands whose types do not fit, registers used as memory, jumps to nowhere.
//!
//! In: a program. Out: findings, none where all is well. Run after every pass in tests.

mod expression;
mod statement;

use source::{Diagnostic, Span};

use crate::{BlockId, Function, FunctionId, LocalId, LocalKind, Program, Shape, Signature, Terminator, TypeId};

/// What is wrong with a program.
pub fn verify(program: &Program) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (_, global) in program.globals.iter() {
        let mut verifier = Verifier::new(program, None, format!("object `{}`", global.name));
        for part in global.initial.iter().flatten() {
            verifier.span = part.value.span;
            verifier.value(&part.value);
        }
        findings.append(&mut verifier.findings);
    }
    for (id, _) in program.functions.iter() {
        findings.append(&mut verify_function(program, id));
    }
    findings
}

/// What is wrong with one function.
pub fn verify_function(program: &Program, id: FunctionId) -> Vec<Diagnostic> {
    let function = &program.functions[id];
    let mut verifier = Verifier::new(program, Some(function), format!("function `{}`", function.name));
    verifier.function(function);
    verifier.findings
}

struct Verifier<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
    /// What is looked at, for messages.
    whose: String,
    span: Option<Span>,
    findings: Vec<Diagnostic>,
}

impl<'a> Verifier<'a> {
    fn new(program: &'a Program, function: Option<&'a Function>, whose: String) -> Verifier<'a> {
        Verifier { program, function, whose, span: None, findings: Vec::new() }
    }

    /// `core-004`: Core C that cannot be. A fault of whittle's own, found before it becomes C; please report it.
    fn finding(&mut self, message: &str) {
        let mut finding = Diagnostic::error("core-004", format!("{}: {message}", self.whose));
        if let Some(span) = self.span {
            finding = finding.at(span, "");
        }
        self.findings.push(finding);
    }

    fn function(&mut self, function: &Function) {
        if function.refused.is_some() && !function.blocks.is_empty() {
            self.finding("refused, and has blocks");
        }
        let Some(signature) = self.signature(function.ty) else {
            return self.finding("its type is no function type");
        };
        if !function.blocks.is_empty() {
            self.parameters(function, &signature);
        }
        for (_, local) in function.locals.iter() {
            if local.kind == LocalKind::Register && !self.program.types.is_scalar(local.ty) {
                self.finding(&format!("the register `{}` is no scalar", local.name));
            }
        }
        for (id, block) in function.blocks.iter() {
            for statement in &block.statements {
                self.span = statement.span;
                self.statement(&statement.kind);
            }
            self.span = block.span;
            self.end(id, &block.end, &signature);
        }
    }

    fn parameters(&mut self, function: &Function, signature: &Signature) {
        if function.parameters.len() != signature.parameters.len() {
            self.finding("its parameters are not those of its type");
        }
        for (local, ty) in function.parameters.iter().zip(&signature.parameters) {
            match function.locals.iter().find(|(id, _)| id == local) {
                Some((_, known)) if self.agree(known.ty, *ty) => {}
                _ => self.finding("a parameter is not as its type says"),
            }
        }
    }

    fn end(&mut self, _: BlockId, end: &Terminator, signature: &Signature) {
        match end {
            Terminator::Goto(to) => self.target(*to),
            Terminator::Branch { condition, then, otherwise } => {
                self.value(condition);
                self.target(*then);
                self.target(*otherwise);
            }
            Terminator::Switch { value, cases, default } => {
                self.value(value);
                self.target(*default);
                if !matches!(self.program.types.shape_of(value.ty), Shape::Integer { .. }) {
                    self.finding("a switch on something that is no integer");
                }
                let mut ranges: Vec<(i128, i128)> = cases.iter().map(|case| (case.first, case.last)).collect();
                ranges.sort_unstable();
                if ranges.iter().any(|(first, last)| first > last) || ranges.windows(2).any(|two| two[0].1 >= two[1].0)
                {
                    self.finding("cases that overlap");
                }
                cases.iter().for_each(|case| self.target(case.target));
            }
            Terminator::Return(None) | Terminator::Unreachable => {}
            Terminator::Return(Some(argument)) => {
                let ty = self.argument(argument);
                if !self.agree(ty, signature.result) {
                    self.finding("a returned value of another type than the function's");
                }
            }
            Terminator::GotoAddress { address, targets } => {
                self.value(address);
                targets.iter().for_each(|target| self.target(*target));
            }
        }
    }

    fn target(&mut self, block: BlockId) {
        let count = self.function.map_or(0, |function| function.blocks.len());
        if block.into_raw().into_u32() as usize >= count {
            self.finding("a jump to a block that is not there");
        }
    }

    /// A local's type and kind.
    fn local(&mut self, id: LocalId) -> Option<(TypeId, LocalKind)> {
        let locals = self.function.map(|function| &function.locals);
        let found = locals.filter(|locals| (id.into_raw().into_u32() as usize) < locals.len());
        if found.is_none() {
            self.finding("a local that is not there");
        }
        found.map(|locals| (locals[id].ty, locals[id].kind))
    }

    fn signature(&self, ty: TypeId) -> Option<Signature> {
        match self.program.types.shape_of(ty) {
            Shape::Function(signature) => Some((**signature).clone()),
            _ => None,
        }
    }

    /// True where a value of one type is as it stands one of the other. All pointers are alike here: C spells one type
    /// in several ways, and what a pointer points to is checked where it is followed.
    fn agree(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.program.types;
        match (types.shape_of(a), types.shape_of(b)) {
            (Shape::Pointer(_), Shape::Pointer(_)) | (Shape::Function(_), Shape::Function(_)) => true,
            (Shape::Array(a, first), Shape::Array(b, second)) => {
                self.agree(*a, *b) && (first == second || first.is_none() || second.is_none())
            }
            (Shape::Opaque, Shape::Opaque) => types.size_of(a) == types.size_of(b),
            (a, b) => a == b,
        }
    }

    fn is_object(&self, ty: TypeId) -> bool {
        matches!(self.program.types.shape_of(ty), Shape::Record(_) | Shape::Opaque | Shape::Array(..))
    }
}
