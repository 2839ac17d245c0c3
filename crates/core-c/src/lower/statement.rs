//! Statements (C11 section 6.8), and declarations in blocks.

use cast::{Expression as Source, Statement, Storage, Variable};

use super::body::Body;
use super::value::first_words;
use super::{Lowered, Meaning, ctype, refuse};
use crate::holes;
use crate::{Argument, Linkage, Local, LocalId, LocalKind, Place, Shape, StatementKind, Terminator, TypeId};

impl Body<'_, '_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Lowered<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// Statements with a scope of their own.
    pub(super) fn scope(&mut self, statements: &[Statement]) -> Lowered<()> {
        self.scopes.push(std::collections::BTreeMap::new());
        let done = self.statements(statements);
        self.scopes.pop();
        done
    }

    /// The statements of `({ … })`; `last` takes the expression at their end.
    pub(super) fn inner_block(
        &mut self,
        statements: &[Statement],
        last: &mut dyn FnMut(&mut Self, &Source) -> Lowered<()>,
    ) -> Lowered<()> {
        let is_silent =
            |statement: &&Statement| matches!(statement, Statement::At(_) | Statement::Comment(_) | Statement::Blank);
        let count = statements.len() - statements.iter().rev().take_while(is_silent).count();
        self.scopes.push(std::collections::BTreeMap::new());
        let done = match statements[..count].split_last() {
            Some((Statement::Expression(value), before)) => self.statements(before).and_then(|()| last(self, value)),
            _ => self.statements(statements),
        };
        self.scopes.pop();
        done
    }

    fn statement(&mut self, statement: &Statement) -> Lowered<()> {
        match statement {
            Statement::At(span) => {
                self.span = Some(*span);
                Ok(())
            }
            Statement::Comment(_) | Statement::Blank => Ok(()),
            Statement::Expression(value) => {
                self.span = value.span.or(self.span);
                self.effect(value)
            }
            Statement::Declare(variable) => self.variable(variable),
            Statement::Block(body) => self.scope(body),
            Statement::If { condition, then, otherwise } => self.choice(condition, then, otherwise),
            Statement::While { condition, body } => self.repeat(Some(condition), None, body),
            Statement::DoWhile { body, condition } => self.do_while(body, condition),
            Statement::For { initial, condition, step, body } => {
                self.scopes.push(std::collections::BTreeMap::new());
                let done = initial
                    .as_ref()
                    .map_or(Ok(()), |initial| self.statement(initial))
                    .and_then(|()| self.repeat(condition.as_ref(), step.as_ref(), body));
                self.scopes.pop();
                done
            }
            Statement::Switch { value, arms } => self.switch_arms(value, arms),
            Statement::SwitchBody { value, body } => self.switch(value, &mut |inner| inner.scope(body)),
            Statement::Case(label) => self.case(label),
            Statement::Break => self.leave(|exits| exits.end),
            Statement::Continue => self.leave(|exits| exits.next),
            Statement::Return(value) => self.give_back(value.as_ref()),
            Statement::Goto(label) => {
                let target = self.label(label);
                self.end(Terminator::Goto(target))
            }
            Statement::GotoAddress(address) => self.goto_address(address),
            Statement::Label(label) => self.place_label(label),
            Statement::Assembly { text, outputs, inputs, labels } => self.assembly(text, outputs, inputs, labels),
            Statement::Conditional { condition, .. } => refuse(format!("`{condition}` inside of a function")),
            Statement::Verbatim(text) if declares(text) => Ok(()),
            Statement::Verbatim(text) => refuse(format!("`{}` is not modelled", first_words(text))),
        }
    }

    /// A declaration in a block.
    fn variable(&mut self, variable: &Variable) -> Lowered<()> {
        self.span = variable.span.or(self.span);
        if self.context.is_function(&variable.ty) {
            let id = self.context.function_variable(self.unit, variable);
            self.declare(&variable.name, Meaning::Function(id));
            return Ok(());
        }
        match variable.storage {
            Storage::Extern => {
                let id = self.context.global_named(self.unit, variable, Linkage::External);
                self.declare(&variable.name, Meaning::Global(id));
                Ok(())
            }
            Storage::Static => self.static_variable(variable),
            Storage::Automatic | Storage::Register => self.local_variable(variable),
        }
    }

    fn static_variable(&mut self, variable: &Variable) -> Lowered<()> {
        let id = self.context.new_global(variable, Linkage::Internal);
        self.declare(&variable.name, Meaning::Global(id));
        let initial = match &variable.initial {
            Some(value) => self.constants(value, &variable.ty)?,
            None => Vec::new(),
        };
        let global = &mut self.context.program.globals[id];
        global.scope = self.function;
        global.initial = Some(initial);
        Ok(())
    }

    fn local_variable(&mut self, variable: &Variable) -> Lowered<()> {
        self.lengths(&variable.ty)?;
        let local = self.local(&variable.name, &variable.ty, variable.spelling.as_deref())?;
        let ty = self.locals[local].ty;
        self.declare(&variable.name, Meaning::Local(local));
        if self.locals[local].kind == LocalKind::Register {
            return match &variable.initial {
                Some(value) => self.value_into(local, value),
                None => Ok(()),
            };
        }
        let size = if self.has_computed_size(&variable.ty) {
            Some(self.size_value(&variable.ty)?)
        } else if self.types().size_of(ty).is_none() {
            return refuse(format!("`{}`, whose size is not known", variable.name));
        } else {
            None
        };
        self.emit(StatementKind::Begin { local, size })?;
        match &variable.initial {
            Some(value) => self.initialize(&self.local_place(local, variable), value, &variable.ty),
            None => Ok(()),
        }
    }

    fn local_place(&self, local: LocalId, variable: &Variable) -> Place {
        let volatile = ctype::qualifiers(&self.context.program.types.table, &variable.ty).volatile;
        Place { volatile, ..Place::local(local, self.locals[local].ty) }
    }

    /// A variable or parameter of the function.
    pub(super) fn local(&mut self, name: &str, ty: &cast::Type, spelling: Option<&str>) -> Lowered<LocalId> {
        let alignment = spelling.and_then(alignment).unwrap_or(0);
        if let Some(text) = spelling.filter(|text| alignment == 0 && says_more(text)) {
            return refuse(format!("`{}` says more of a variable than its type", first_words(text)));
        }
        let qualifiers = ctype::qualifiers(&self.context.program.types.table, ty);
        if qualifiers.atomic {
            return refuse(format!("`{name}`, an atomic object"));
        }
        let id = self.ty(ty);
        let in_memory =
            qualifiers.volatile || alignment > 0 || self.addressed.contains(name) || !self.types().is_scalar(id);
        let kind = if in_memory { LocalKind::Memory } else { LocalKind::Register };
        let span = self.span;
        Ok(self.locals.alloc(Local { name: name.to_owned(), ty: id, kind, alignment, span }))
    }

    fn give_back(&mut self, value: Option<&Source>) -> Lowered<()> {
        let Some(value) = value else { return self.end(Terminator::Return(None)) };
        self.span = value.span.or(self.span);
        let Some(result) = self.result() else { return refuse("a `return` outside of functions") };
        let argument = match self.types().shape_of(result) {
            Shape::Void => {
                self.effect(value)?;
                None
            }
            Shape::Record(_) | Shape::Opaque => Some(Argument::Object(self.object(value)?)),
            _ => {
                let value = self.value(value)?;
                Some(Argument::Value(self.convert(value, result)?))
            }
        };
        self.end(Terminator::Return(argument))
    }

    /// The type that the function gives back.
    pub(super) fn result(&mut self) -> Option<TypeId> {
        let ty = self.context.program.functions[self.function?].ty;
        match self.types().shape_of(ty) {
            Shape::Function(signature) => Some(signature.result),
            _ => None,
        }
    }

    fn assembly(&mut self, text: &str, outputs: &[Source], inputs: &[Source], labels: &[String]) -> Lowered<()> {
        if !labels.is_empty() {
            return refuse("assembly that jumps");
        }
        let (text, holes) = holes::in_assembly(text);
        if holes != outputs.len() + inputs.len() {
            return refuse(format!("assembly whose operands are not understood: `{}`", first_words(&text)));
        }
        let mut places = Vec::new();
        for output in outputs {
            places.push(self.place(output)?);
        }
        let mut values = Vec::new();
        for input in inputs {
            values.push(self.value(input)?);
        }
        self.emit(StatementKind::Assembly { text, outputs: places, inputs: values })
    }
}

/// True for the text of a declaration that makes no object: of types, labels, functions. What it says of types stands in
/// the table of types, and functions are known by their use.
fn declares(text: &str) -> bool {
    let first = words(text).next().unwrap_or_default();
    if ["typedef", "struct", "union", "enum", "__label__", "_Static_assert"].contains(&first) {
        return true;
    }
    let jumps = ["if", "for", "while", "do", "switch", "return", "goto", "asm", "__asm__", "__asm", "case"];
    !first.is_empty() && !text.contains(['{', '#']) && !words(text).any(|word| jumps.contains(&word))
}

/// The alignment that a declaration asks for by a number, where it says nothing else.
pub(crate) fn alignment(text: &str) -> Option<u64> {
    let words: Vec<&str> = words(text).collect();
    let is_alignment = |word: &&str| ["aligned", "alignas", "Alignas"].contains(&word.trim_matches('_'));
    let at = words.iter().position(is_alignment)?;
    let number: u64 = words.get(at + 1)?.parse().ok().filter(|number: &u64| number.is_power_of_two())?;
    let rest = words.iter().filter(|word| !is_alignment(word)).filter(|word| word.trim_matches('_') != "attribute");
    let is_asked_once = words.iter().filter(|word| is_alignment(word)).count() == 1;
    let says_only = !says_more(&rest.copied().collect::<Vec<_>>().join(" "));
    (is_asked_once && says_only).then_some(number)
}

/// True where the text of a declaration says something of the object that Core C does not: a register, an alignment, a
/// function to be called at its end.
fn says_more(text: &str) -> bool {
    let harmless = ["unused", "maybe_unused", "used", "deprecated", "nonstring", "may_alias", "warn_unused_result"];
    let is_harmless = |word: &str| harmless.contains(&word.trim_matches('_'));
    let mut words = words(text).peekable();
    while let Some(word) = words.next() {
        match word {
            "asm" | "__asm" | "__asm__" | "_Alignas" | "alignas" | "__thread" => return true,
            "__attribute__" | "__attribute" if !words.peek().is_some_and(|word| is_harmless(word)) => return true,
            _ => {}
        }
    }
    false
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
