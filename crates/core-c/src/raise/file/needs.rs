//! What a file has to hold: found from the wanted functions on, in everything that their C mentions.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Expression, ExpressionKind, NameOf, Statement, Type, Variable};

use super::super::names::plain;
use super::super::walk;
use super::{Index, Options, identifiers};
use crate::{FunctionId, GlobalId, Linkage, Program};

/// What is needed.
pub(super) struct Needs<'a> {
    pub(super) program: &'a Program,
    pub(super) source: &'a cast::Program,
    pub(super) index: &'a Index<'a>,
    units: Vec<usize>,
    kept: &'a BTreeSet<FunctionId>,
    roots: BTreeSet<FunctionId>,
    functions: BTreeMap<String, FunctionId>,
    globals: BTreeMap<String, GlobalId>,
    /// Functions whose bodies stand in the file, as C.
    pub(super) defined: BTreeMap<FunctionId, cast::Function>,
    pub(super) declared: BTreeSet<FunctionId>,
    pub(super) objects: BTreeMap<GlobalId, Object>,
    pub(super) typedefs: BTreeSet<String>,
    pub(super) tags: BTreeSet<String>,
    pub(super) headers: BTreeSet<String>,
    /// Words of the source's text that nothing here may be called, names of locals among them.
    pub(super) taken: BTreeSet<String>,
    open: Vec<Item>,
    /// The declarations of types inside the function that is being looked at.
    own_types: BTreeSet<String>,
}

/// An object that the file holds.
pub(super) struct Object {
    pub(super) variable: Variable,
    /// The objects that its initial value mentions.
    pub(super) mentions: BTreeSet<GlobalId>,
}

enum Item {
    Function(FunctionId),
    Global(GlobalId),
    Typedef(String),
    Tag(String),
}

/// The header that has a type. <stddef.h> has `wint_t` only for the library's own headers, which ask for it by a macro.
pub(super) fn header_of(declaration: &cast::TypeDeclaration) -> Option<&str> {
    let is_asked_for =
        |header: &str| header == "stddef.h" && declaration.text.trim_end_matches(';').ends_with(" wint_t");
    declaration.header.as_deref().filter(|header| !is_asked_for(header))
}

impl<'a> Needs<'a> {
    pub(super) fn new(
        program: &'a Program,
        source: &'a cast::Program,
        index: &'a Index<'a>,
        roots: &[FunctionId],
        options: &'a Options<'a>,
    ) -> Needs<'a> {
        let mut units = options.units.clone();
        if units.is_empty() {
            units = roots.iter().filter_map(|root| program.functions[*root].unit).collect();
        }
        Needs {
            program,
            source,
            index,
            units,
            kept: &options.kept,
            roots: roots.iter().copied().collect(),
            functions: program.functions.iter().map(|(id, function)| (function.name.clone(), id)).collect(),
            globals: program.globals.iter().map(|(id, global)| (global.name.clone(), id)).collect(),
            defined: BTreeMap::new(),
            declared: BTreeSet::new(),
            objects: BTreeMap::new(),
            typedefs: BTreeSet::new(),
            tags: BTreeSet::new(),
            headers: BTreeSet::new(),
            taken: BTreeSet::new(),
            open: Vec::new(),
            own_types: BTreeSet::new(),
        }
    }

    pub(super) fn find(&mut self, roots: &[FunctionId], objects: &[GlobalId]) {
        self.open.extend(objects.iter().map(|object| Item::Global(*object)));
        self.open.extend(roots.iter().map(|root| Item::Function(*root)));
        while let Some(item) = self.open.pop() {
            match item {
                Item::Function(id) => self.function(id),
                Item::Global(id) => self.global(id),
                Item::Typedef(name) => self.typedef(name),
                Item::Tag(tag) => self.tag(tag),
            }
        }
    }

    /// The functions whose bodies stand in the file, in the source's order.
    pub(super) fn definitions(&self) -> Vec<(FunctionId, &cast::Function)> {
        let mut list: Vec<_> = self.defined.iter().collect();
        list.sort_by_key(|(id, function)| (function.span.map(|span| (span.file, span.start)), **id));
        list.into_iter().map(|(id, function)| (*id, function)).collect()
    }

    fn function(&mut self, id: FunctionId) {
        if self.defined.contains_key(&id) || self.declared.contains(&id) {
            return;
        }
        let function = &self.program.functions[id];
        let source = self.index.functions.get(function.name.as_str());
        let original = source.and_then(|known| known.definition);
        let unit = function.unit.or(original.map(|(unit, _)| unit));
        let here = function.linkage == Linkage::Internal
            || self.roots.contains(&id)
            || unit.is_some_and(|unit| self.units.contains(&unit));
        // What a header defines comes with it.
        if let Some(header) = original.and_then(|(_, original)| original.header.as_ref()) {
            self.headers.insert(header.clone());
            self.declared.insert(id);
        } else if here && !function.blocks.is_empty() && !self.is_kept(id) {
            let mut raised = super::super::with_holes(self.program, id);
            raised.attributes = source.map(super::heads::attributes).unwrap_or_default();
            raised.attributes.extend(function.cold.then(|| "__attribute__((cold, noinline))".to_owned()));
            self.body(&raised);
            self.defined.insert(id, raised);
        } else if let Some((_, original)) = original.filter(|_| here) {
            self.body(original);
            self.defined.insert(id, original.clone());
        } else {
            self.declared.insert(id);
            match source.and_then(|known| known.header) {
                Some(header) => drop(self.headers.insert(header.to_owned())),
                None => self.head(&super::heads::prototype(self, id)),
            }
        }
    }

    /// True for a function to be taken as the source has it. A `static` of its own is one object: where Core C mentions it, the
    /// function must do so, too.
    fn is_kept(&self, id: FunctionId) -> bool {
        let has_own = self.program.globals.values().any(|global| global.scope == Some(id));
        self.kept.contains(&id) && (!has_own || crate::mutation::forgets("own-static"))
    }

    /// True where the program knows a function of that name.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// True where the program itself declares what `string.h` does, perhaps otherwise.
    pub(super) fn rules_out_strings(&self) -> bool {
        let own = |id: &FunctionId| {
            let name = &self.program.functions[*id].name;
            let known = self.index.functions.get(name.as_str());
            let is_string =
                ["mem", "str", "bcmp", "bcopy", "bzero", "index", "ffs"].iter().any(|s| name.starts_with(s));
            is_string && known.is_none_or(|known| known.header.is_none())
        };
        self.defined.keys().chain(&self.declared).any(own)
    }

    fn head(&mut self, function: &cast::Function) {
        if let Some(spelling) = &function.spelling {
            self.text(spelling, &BTreeSet::new());
        }
        self.ty(&function.result);
        function.parameters.iter().for_each(|parameter| self.ty(&parameter.ty));
    }

    fn body(&mut self, function: &cast::Function) {
        self.head(function);
        let locals = locals(function);
        self.taken.extend(locals.iter().map(|name| plain(name).to_owned()));
        self.own_types = verbatim(&function.body);
        self.statements(&function.body, &locals);
        self.own_types.clear();
    }

    fn statements(&mut self, body: &[Statement], locals: &BTreeSet<String>) {
        walk::everything(
            body,
            &mut |needs: &mut Self, statement| match statement {
                Statement::Declare(variable) => needs.declaration(variable, locals),
                Statement::Verbatim(text) | Statement::Assembly { text, .. } => needs.text(text, locals),
                _ => {}
            },
            &mut |needs: &mut Self, value| needs.part(value, locals),
            self,
        );
    }

    fn declaration(&mut self, variable: &Variable, locals: &BTreeSet<String>) {
        self.ty(&variable.ty);
        if let Some(spelling) = &variable.spelling {
            self.text(spelling, locals);
        }
        if variable.storage == cast::Storage::Extern {
            self.object(&variable.name);
        }
    }

    fn part(&mut self, value: &Expression, locals: &BTreeSet<String>) {
        match &value.kind {
            ExpressionKind::Name(name) if name == "NULL" || locals.contains(name) => {}
            ExpressionKind::Name(name) => self.object(name),
            ExpressionKind::Cast(_) | ExpressionKind::Compound(_) | ExpressionKind::VariableArgument(_) => {
                self.ty(&value.ty);
            }
            ExpressionKind::SizeofType(ty) => self.ty(ty),
            ExpressionKind::Known { spelling: text, .. } | ExpressionKind::Verbatim(text) => self.text(text, locals),
            _ => {}
        }
    }

    /// A function, object or enumerator.
    fn object(&mut self, name: &str) {
        if let Some(id) = self.functions.get(name) {
            self.open.push(Item::Function(*id));
        } else if let Some(id) = self.globals.get(name) {
            self.open.push(Item::Global(*id));
        } else if let Some(tag) = self.index.enumerators.get(name) {
            self.open.push(Item::Tag((*tag).to_owned()));
        }
    }

    /// Text names things as the source does; which of several of one name it means, the first one has to do for.
    fn text(&mut self, text: &str, locals: &BTreeSet<String>) {
        for word in identifiers::in_text(text) {
            self.taken.insert(word.text.to_owned());
            if word.is_tag {
                self.open.extend(
                    self.index
                        .tags
                        .get(word.text)
                        .and_then(|tags| tags.first())
                        .map(|tag| Item::Tag((*tag).to_owned())),
                );
                continue;
            }
            if word.is_member || locals.contains(word.text) {
                continue;
            }
            match self.index.typedefs.get(word.text).and_then(|names| names.first()) {
                Some(name) => self.named_type((*name).to_owned()),
                None => self.object(word.text),
            }
        }
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        let mut lengths = Vec::new();
        let mut ty = ty.clone();
        cast::rename_type(&mut ty, &mut |of, name| match of {
            NameOf::Typedef => self.named_type(name.clone()),
            NameOf::Tag => self.tagged_type(name.clone()),
            NameOf::Object => lengths.push(name.clone()),
            NameOf::Label => {}
        });
        lengths.iter().for_each(|name| self.object(name));
        if let Type::Opaque(opaque) = &ty {
            self.text(&opaque.spelling, &BTreeSet::new());
        }
    }

    fn named_type(&mut self, name: String) {
        let known = self.source.types.typedefs.get(&name);
        if known.is_some_and(|known| !self.own_types.contains(&known.declaration.text)) {
            self.open.push(Item::Typedef(name));
        }
    }

    fn tagged_type(&mut self, tag: String) {
        let table = &self.source.types;
        let record = table.records.get(&tag).map(|layout| &layout.declaration);
        let known = record.or_else(|| table.enumerations.get(&tag).map(|layout| &layout.declaration));
        if known.is_some_and(|known| !self.own_types.contains(&known.text)) {
            self.open.push(Item::Tag(tag));
        }
    }

    fn typedef(&mut self, name: String) {
        if self.typedefs.contains(&name) {
            return;
        }
        let table = &self.source.types;
        let Some(typedef) = table.typedefs.get(&name) else { return };
        self.typedefs.insert(name);
        // A structure may stand in the text.
        let mut own = BTreeSet::new();
        if let Type::Tagged(_, tag) = &typedef.ty
            && typedef.declaration.text.contains('{')
            && let Some(layout) = table.records.get(tag)
        {
            members(table, layout, &mut own);
        }
        if !self.declaration_text(&typedef.declaration, &own) {
            self.ty(&typedef.ty);
        }
    }

    fn tag(&mut self, tag: String) {
        if self.tags.contains(&tag) {
            return;
        }
        let table = &self.source.types;
        if let Some(layout) = table.records.get(&tag) {
            let mut own = BTreeSet::new();
            members(table, layout, &mut own);
            // A structure inside another one stands in the text of both.
            let text = &layout.declaration.text;
            if text.matches('{').count() > 1 {
                let around = table.records.values().filter(|other| other.declaration.text == *text);
                around.for_each(|other| members(table, other, &mut own));
            }
            self.tags.insert(tag);
            if !self.declaration_text(&layout.declaration, &own) {
                layout.fields.iter().for_each(|field| self.ty(&field.ty));
            }
        } else if let Some(layout) = table.enumerations.get(&tag) {
            self.tags.insert(tag);
            self.declaration_text(&layout.declaration, &BTreeSet::new());
        }
    }

    /// True where a system header has the declaration. What it names itself is nothing else's name.
    fn declaration_text(&mut self, declaration: &cast::TypeDeclaration, own: &BTreeSet<String>) -> bool {
        if let Some(header) = header_of(declaration) {
            self.headers.insert(header.to_owned());
            return true;
        }
        self.text(&declaration.text, own);
        false
    }

    fn global(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        if self.objects.contains_key(&id) || global.spelled().is_some() || super::super::statics::stays_inside(global) {
            return;
        }
        let source = self.index.variables.get(global.name.as_str());
        let definition = source.and_then(|known| known.definition);
        let here =
            global.linkage == Linkage::Internal || definition.is_some_and(|(unit, _)| self.units.contains(&unit));
        let (variable, is_definition) = match (definition, source) {
            (Some((_, variable)), _) if here && variable.header.is_none() => {
                (super::globals::aligned(variable.clone(), global.alignment), true)
            }
            (_, Some(known)) => {
                if let Some(header) = known.header {
                    self.headers.insert(header.to_owned());
                    return;
                }
                (super::globals::declaration(self, id, known), false)
            }
            // Another unit has it under a name that it does not say itself.
            (_, None) if global.linkage == Linkage::External => {
                let made = super::globals::made(self, id);
                (Variable { storage: cast::Storage::Extern, initial: None, ..made }, false)
            }
            (_, None) => (super::globals::made(self, id), global.initial.is_some()),
        };
        self.declaration(&variable, &BTreeSet::new());
        let before = self.open.len();
        if let Some(initial) = variable.initial.as_ref().filter(|_| is_definition) {
            walk::walk_all(initial, &mut |value| self.part(value, &BTreeSet::new()));
        }
        let mentions = self.open[before..].iter().filter_map(|item| match item {
            Item::Global(other) if *other != id => Some(*other),
            _ => None,
        });
        let mentions = mentions.collect();
        self.objects.insert(id, Object { variable, mentions });
    }
}

/// The names of a record's members, those of records inside it among them.
fn members(table: &cast::TypeTable, layout: &cast::Layout, found: &mut BTreeSet<String>) {
    for field in &layout.fields {
        found.extend(field.name.clone());
        let mut ty = table.resolve(&field.ty);
        while let Type::Array(element, _) = ty {
            ty = table.resolve(element);
        }
        if let Type::Tagged(_, tag) = ty
            && let Some(inner) = table.records.get(tag)
        {
            members(table, inner, found);
        }
    }
}

/// The text that stands in a function as it is: declarations of types.
fn verbatim(body: &[Statement]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk::everything(
        body,
        &mut |found: &mut BTreeSet<String>, statement| {
            if let Statement::Verbatim(text) = statement {
                found.insert(text.clone());
            }
        },
        &mut |_, _| {},
        &mut found,
    );
    found
}

/// The names that a function declares for itself.
pub(super) fn locals(function: &cast::Function) -> BTreeSet<String> {
    let mut found: BTreeSet<String> =
        function.parameters.iter().filter_map(|parameter| parameter.name.clone()).collect();
    walk::everything(
        &function.body,
        &mut |found: &mut BTreeSet<String>, statement| {
            if let Statement::Declare(variable) = statement
                && variable.storage != cast::Storage::Extern
                && !matches!(variable.ty, Type::Function(_))
            {
                found.insert(variable.name.clone());
            }
        },
        &mut |_, _| {},
        &mut found,
    );
    found
}
