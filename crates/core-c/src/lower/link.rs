//! Joins the units: which object or function each file-level name stands for (C11 section 6.2.2).

use std::collections::BTreeSet;

use cast::{Declaration, FunctionType, Linkage as Written, Parameter, Storage, Type, Variable};
use la_arena::Arena;
use source::Diagnostic;

use super::{Context, Meaning, ctype};
use crate::{Function, FunctionId, Global, GlobalId, Linkage, Shape};

impl<'a> Context<'a> {
    /// Notes all that the units declare at file level.
    pub(super) fn link(&mut self, source: &'a cast::Program) {
        for (unit, found) in source.units.iter().enumerate() {
            self.declarations(unit, &found.file.declarations);
        }
    }

    fn declarations(&mut self, unit: usize, declarations: &'a [Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Variable(variable) if self.is_function(&variable.ty) => {
                    self.function_variable(unit, variable);
                }
                Declaration::Variable(variable) => self.variable(unit, variable),
                Declaration::Prototype(function) => {
                    self.function(unit, function);
                }
                Declaration::Function(function) => self.definition(unit, function),
                Declaration::ExternC(inner) => self.declarations(unit, inner),
                _ => {}
            }
        }
    }

    pub(super) fn is_function(&self, ty: &Type) -> bool {
        matches!(ctype::resolve(&self.program.types.table, ty), Type::Function(_))
    }

    /// A name that no object or function of the program has yet.
    pub(super) fn unique(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let base = name.split('@').next().unwrap_or(name);
        let numbered = (2_u32..).map(|number| format!("{base}@{number}"));
        numbered.into_iter().find(|name| self.names.insert(name.clone())).unwrap_or_default()
    }

    /// A function declared in the way of a variable, at file level or in a block.
    pub(super) fn function_variable(&mut self, unit: usize, variable: &Variable) -> FunctionId {
        let linkage = if variable.storage == Storage::Static { Linkage::Internal } else { Linkage::External };
        self.function_named(unit, &variable.name, &variable.ty, linkage)
    }

    fn function(&mut self, unit: usize, function: &cast::Function) -> FunctionId {
        let linkage = match function.linkage {
            Written::Static | Written::StaticInline => Linkage::Internal,
            Written::Plain | Written::Extern => Linkage::External,
        };
        let id = self.function_named(unit, &function.name, &function_type(function), linkage);
        let known = &mut self.program.functions[id];
        known.span = known.span.or(function.span);
        known.inline |= is_inline(function);
        id
    }

    /// The function of that name, made on first sight.
    pub(super) fn function_named(&mut self, unit: usize, name: &str, ty: &Type, linkage: Linkage) -> FunctionId {
        let ty = self.program.types.intern(ty);
        let known = self.units[unit].get(name).or_else(|| match linkage {
            Linkage::External => self.external.get(name),
            Linkage::Internal => None,
        });
        if let Some(Meaning::Function(id)) = known.copied() {
            self.units[unit].insert(name.to_owned(), Meaning::Function(id));
            self.better_type(id, ty);
            return id;
        }
        let name_in_program = self.unique(name);
        let id = self.program.functions.alloc(Function {
            name: name_in_program,
            ty,
            linkage,
            inline: false,
            cold: false,
            parameters: Vec::new(),
            locals: Arena::default(),
            blocks: Arena::default(),
            unit: None,
            refused: None,
            names: BTreeSet::new(),
            span: None,
        });
        self.units[unit].insert(name.to_owned(), Meaning::Function(id));
        if linkage == Linkage::External {
            self.external.insert(name.to_owned(), Meaning::Function(id));
        }
        id
    }

    /// A declaration that says what the parameters are is better than one that does not.
    fn better_type(&mut self, id: FunctionId, ty: crate::TypeId) {
        let types = &self.program.types;
        let unprototyped = |ty| matches!(types.shape_of(ty), Shape::Function(found) if found.unprototyped);
        let function = &mut self.program.functions[id];
        if function.unit.is_none() && unprototyped(function.ty) {
            function.ty = ty;
        }
    }

    fn definition(&mut self, unit: usize, function: &'a cast::Function) {
        let id = self.function(unit, function);
        let earlier = self.definitions.iter().position(|(known, _, _)| *known == id);
        if let Some(at) = earlier {
            // Of an inline definition and another one, the other one is the function (C11 section 6.7.4).
            if is_inline(self.definitions[at].2) {
                self.definitions.remove(at);
            } else {
                if !is_inline(function) {
                    self.defined_twice(&function.name, function.span, self.definitions[at].2.span);
                }
                return;
            }
        }
        let ty = self.program.types.intern(&function_type(function));
        let known = &mut self.program.functions[id];
        known.ty = ty;
        known.unit = Some(unit);
        known.span = function.span;
        self.definitions.push((id, unit, function));
    }

    fn variable(&mut self, unit: usize, variable: &'a Variable) {
        let linkage = if variable.storage == Storage::Static { Linkage::Internal } else { Linkage::External };
        let id = self.global_named(unit, variable, linkage);
        let is_defined = self.initials.iter().any(|(known, _, _)| *known == id);
        if let Some(initial) = &variable.initial {
            if is_defined {
                let earlier = self.program.globals[id].span;
                self.defined_twice(&variable.name, variable.span, earlier);
                return;
            }
            self.initials.push((id, unit, initial));
        }
        let defines = variable.initial.is_some() || variable.storage != Storage::Extern;
        let global = &mut self.program.globals[id];
        if defines && !is_defined {
            global.initial = Some(Vec::new());
            global.span = variable.span.or(global.span);
        }
    }

    /// The object of that name, made on first sight.
    pub(super) fn global_named(&mut self, unit: usize, variable: &Variable, linkage: Linkage) -> GlobalId {
        let ty = self.program.types.intern(&variable.ty);
        let known = self.units[unit].get(&variable.name).or_else(|| match linkage {
            Linkage::External => self.external.get(&variable.name),
            Linkage::Internal => None,
        });
        if let Some(Meaning::Global(id)) = known.copied() {
            self.units[unit].insert(variable.name.clone(), Meaning::Global(id));
            if self.program.types.size_of(self.program.globals[id].ty).is_none() {
                self.program.globals[id].ty = ty;
            }
            return id;
        }
        let id = self.new_global(variable, linkage);
        self.units[unit].insert(variable.name.clone(), Meaning::Global(id));
        if linkage == Linkage::External {
            self.external.insert(variable.name.clone(), Meaning::Global(id));
        }
        id
    }

    /// An object that no name leads to yet, without a value.
    pub(super) fn new_global(&mut self, variable: &Variable, linkage: Linkage) -> GlobalId {
        let global = Global {
            name: self.unique(&variable.name),
            ty: self.program.types.intern(&variable.ty),
            linkage,
            initial: None,
            constant: ctype::qualifiers(&self.program.types.table, &variable.ty).constant,
            thread_local: variable.thread_local,
            alignment: alignment(variable),
            literal: None,
            scope: None,
            span: variable.span,
        };
        self.program.globals.alloc(global)
    }

    /// `core-001`: two units of one program define the same function, or object with an initial value. Compile them
    /// as two programs, or give one definition internal linkage (`static`).
    fn defined_twice(&mut self, name: &str, span: Option<source::Span>, earlier: Option<source::Span>) {
        let mut finding = Diagnostic::error("core-001", format!("`{name}` is defined twice"))
            .help("leave one of the two files out, or make one definition `static`");
        if let Some(span) = span {
            finding = finding.at(span, "defined again here");
        }
        if let Some(earlier) = earlier {
            finding = finding.also(earlier, "first defined here");
        }
        self.findings.push(finding);
    }
}

/// What a declaration asks for beyond the type.
fn alignment(variable: &Variable) -> u64 {
    variable.spelling.as_deref().and_then(super::statement::alignment).unwrap_or(variable.alignment)
}

fn is_inline(function: &cast::Function) -> bool {
    let says = |text: &String| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| matches!(word, "inline" | "__inline" | "__inline__"))
    };
    function.linkage == Written::StaticInline
        || function.attributes.iter().any(says)
        || function.spelling.as_ref().is_some_and(says)
}

/// The type of a function that is declared on its own.
pub(super) fn function_type(function: &cast::Function) -> Type {
    let parameters: Vec<Parameter> = function.parameters.clone();
    Type::Function(Box::new(FunctionType {
        result: function.result.clone(),
        parameters,
        variadic: function.variadic,
        unprototyped: false,
    }))
}
