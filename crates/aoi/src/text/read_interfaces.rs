//! From text to AOI: interfaces, and what every declaration may say beside what it declares.

use super::names::unqualified;
use super::read::Reader;
use crate::{
    Annotation, DefinitionId, Direction, Identity, Interface, OncIdentity, Operation, Origin, Parameter, Role,
};
use sexpr::{Cursor, Sexpr};
use source::Span;

/// What stands at the end of a declaration.
pub(super) struct Described {
    pub(super) repository_id: Option<String>,
    pub(super) annotations: Vec<Annotation>,
    pub(super) origin: Origin,
}

impl Reader {
    /// `(interface PROGRAM.VERSION (id (onc N N)) (operation …) …)`
    pub(super) fn interface(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Interface> {
        let described = self.described(&mut parts);
        let Some(name) = parts.atom() else { return self.wrong(form, "expected a name for the interface") };
        let (mut name, mut identity) = (name, Identity::default());
        if let Some(mut onc) = parts.list("id").and_then(|mut id| id.list("onc")) {
            let Some((program_name, version_name)) = name.split_once('.') else {
                return self.wrong(form, "expected `PROGRAM.VERSION` for the name");
            };
            let program_name = program_name.to_owned();
            name = version_name;
            let program = self.value(onc.form().unwrap_or(form))?;
            let version = self.value(onc.form().unwrap_or(form))?;
            identity.onc = Some(OncIdentity { program_name, program, version });
        }
        let reference = match parts.list("reference") {
            Some(mut reference) => Some(self.reference(reference.form().unwrap_or(form))?),
            None => None,
        };
        let bases = self.references(form, &mut parts, "inherits")?;
        let mut operations = Vec::new();
        while let Some(operation) = parts.list("operation") {
            operations.extend(self.operation(form, operation));
        }
        if let Some(rest) = parts.form() {
            return self.wrong(rest, "expected `(operation …)`");
        }
        let (scope, name) = unqualified(name);
        identity.corba = described.repository_id;
        let annotations = described.annotations;
        let interface = Interface::new(name, identity, operations, Span::default(), described.origin);
        Some(Interface { scope, reference, bases, annotations, ..interface })
    }

    /// `(operation NAME (code N) (in (arg TYPE)) … (result TYPE) (raises NAME…) (contexts "text"…))`
    fn operation(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Operation> {
        let described = self.described(&mut parts);
        let name = parts.atom().unwrap_or_default().to_owned();
        let Some(mut code) = parts.list("code") else { return self.wrong(form, "expected `(code N)`") };
        let code = self.value(code.form().unwrap_or(form))?;
        let role = match (parts.list("getter"), parts.list("setter")) {
            (Some(_), _) => Role::Getter,
            (None, Some(_)) => Role::Setter,
            (None, None) => Role::Plain,
        };
        let is_oneway = parts.list("oneway").is_some();
        let mut parameters = Vec::new();
        let directions = [("in", Direction::In), ("out", Direction::Out), ("inout", Direction::InOut)];
        while let Some((direction, mut parameter)) =
            directions.iter().find_map(|(word, direction)| Some((*direction, parts.list(word)?)))
        {
            let Some(mut argument) = parameter.list("arg") else { return self.wrong(form, "expected `(arg TYPE)`") };
            let ty = self.ty(argument.form().unwrap_or(form))?;
            let name = argument.atom().map(str::to_owned);
            parameters.push(Parameter { name, direction, ty, span: Span::default() });
        }
        let Some(mut result) = parts.list("result") else { return self.wrong(form, "expected `(result TYPE)`") };
        let result = self.ty(result.form().unwrap_or(form))?;
        let raises = self.references(form, &mut parts, "raises")?;
        let contexts = parts.list("contexts").map(|mut contexts| std::iter::from_fn(move || contexts.text()));
        let contexts = contexts.into_iter().flatten().map(str::to_owned).collect();
        let operation = Operation::new(name, code, parameters, result, Span::default());
        Some(Operation { role, is_oneway, raises, contexts, annotations: described.annotations, ..operation })
    }

    /// Takes `(repository-id "…")`, `(@name …)` and `(included-from "…")` off the end of a declaration.
    pub(super) fn described(&mut self, parts: &mut Cursor<'_>) -> Described {
        let forms = parts.rest();
        let is_said = |form: &Sexpr| is_description(form) || included(form).is_some();
        let first = forms.iter().rposition(|form| !is_said(form)).map_or(0, |last| last + 1);
        *parts = Cursor::new(&forms[..first]);
        let mut said = Described { repository_id: None, annotations: Vec::new(), origin: Origin::Main };
        for form in &forms[first..] {
            if let Some(file) = included(form) {
                said.origin = Origin::Included(file);
            } else if let Some(mut id) = Cursor::of(form, "repository-id") {
                said.repository_id = id.text().map(str::to_owned);
            } else {
                said.annotations.extend(self.annotation(form));
            }
        }
        said
    }

    /// `(@NAME (PARAMETER VALUE)…)`
    fn annotation(&mut self, form: &Sexpr) -> Option<Annotation> {
        let (head, rest) = form.as_list()?.split_first()?;
        let name = head.as_atom()?.strip_prefix('@')?.to_owned();
        let mut parameters = Vec::new();
        for parameter in rest {
            match parameter.as_list() {
                Some([Sexpr::Atom(name), value]) => parameters.push((name.clone(), self.value(value)?)),
                _ => return self.wrong(parameter, "expected `(PARAMETER VALUE)`"),
            }
        }
        Some(Annotation { name, parameters, span: Span::default() })
    }

    /// `(HEAD NAME…)`, or nothing; the outer option is for failure.
    pub(super) fn references(&mut self, form: &Sexpr, parts: &mut Cursor<'_>, head: &str) -> Option<Vec<DefinitionId>> {
        let Some(list) = parts.list(head) else { return Some(Vec::new()) };
        let ids: Option<Vec<DefinitionId>> = list.rest().iter().map(|name| self.reference(name)).collect();
        if ids.is_none() { self.wrong(form, "expected names of definitions") } else { ids }
    }

    fn reference(&mut self, form: &Sexpr) -> Option<DefinitionId> {
        match form.as_atom().and_then(|name| self.names.definition(name)) {
            Some(id) => Some(id),
            None => self.wrong(form, "unknown definition"),
        }
    }
}

/// True for what a declaration says at its end beside the file that it comes from.
pub(super) fn is_description(form: &Sexpr) -> bool {
    form.head().is_some_and(|head| head == "repository-id" || head.starts_with('@'))
}

/// The file of `(included-from "file")`.
pub(super) fn included(form: &Sexpr) -> Option<String> {
    Cursor::of(form, "included-from")?.text().map(str::to_owned)
}

pub(super) fn origin(parts: &mut Cursor<'_>) -> Origin {
    match parts.peek().and_then(included) {
        Some(file) => {
            parts.form();
            Origin::Included(file)
        }
        None => Origin::Main,
    }
}
