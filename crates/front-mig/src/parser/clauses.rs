//! What a type's definition says of C: its types on either side, and the functions that translate and release values.

use super::Parser;
use crate::{errors, keywords};
use mig::{CTypes, Deallocate, Translation, Type};
use source::Span;

/// The clauses behind a type.
#[derive(Default)]
pub(super) struct Clauses {
    user: Option<String>,
    server: Option<String>,
    intran: Option<Translation>,
    outtran: Option<Translation>,
    payload: Option<Translation>,
    destructor: Option<Translation>,
}

impl Parser<'_> {
    pub(super) fn clauses(&mut self) -> Option<Clauses> {
        let mut clauses = Clauses::default();
        while let Some(clause) = self.word_of(&keywords::CLAUSES) {
            let at = self.cursor.bump().span;
            self.expect(":")?;
            let is_second = match clause {
                "ctype" => {
                    let name = self.c_type()?;
                    let is_second = clauses.user.is_some() && clauses.server.is_some();
                    clauses.user.get_or_insert_with(|| name.clone());
                    clauses.server.get_or_insert(name);
                    is_second
                }
                "cusertype" => clauses.user.replace(self.c_type()?).is_some(),
                "cservertype" => clauses.server.replace(self.c_type()?).is_some(),
                "intran" => clauses.intran.replace(self.translation()?).is_some(),
                "intranpayload" => clauses.payload.replace(self.translation()?).is_some(),
                "outtran" => clauses.outtran.replace(self.translation()?).is_some(),
                _ => clauses.destructor.replace(self.destructor()?).is_some(),
            };
            if is_second {
                self.judge(errors::clause_twice(at, clause));
            }
        }
        Some(clauses)
    }

    /// `task_t convert_port_to_task(mach_port_t)`; what stands in parentheses may be left out.
    fn translation(&mut self) -> Option<Translation> {
        let result = self.c_type()?;
        let (function, _) = self.c_name("a function")?;
        let argument = self.in_parentheses()?;
        Some(Translation { result, function, argument })
    }

    /// `task_deallocate(task_t)`
    fn destructor(&mut self) -> Option<Translation> {
        let (function, _) = self.c_name("a function")?;
        let argument = self.in_parentheses()?;
        Some(Translation { result: String::new(), function, argument })
    }

    fn in_parentheses(&mut self) -> Option<Option<String>> {
        if !self.cursor.eat("(") {
            return Some(None);
        }
        let argument = self.c_type()?;
        self.expect(")")?;
        Some(Some(argument))
    }

    /// The name of a type in C: `vm_offset_t`, `struct point`.
    fn c_type(&mut self) -> Option<String> {
        let mut text = self.name("a type of C")?.0;
        if matches!(text.as_str(), "struct" | "union" | "enum" | "unsigned" | "signed") && self.is_word(0) {
            text = format!("{text} {}", self.name("a type of C")?.0);
        }
        Some(text)
    }

    /// A name that C is to have.
    pub(super) fn c_name(&mut self, what: &str) -> Option<(String, Span)> {
        let (name, at) = self.name(what)?;
        if escape::keywords::is_of_c(&name) {
            self.judge(errors::reserved_name(at, &name, "it is a keyword of C"));
        }
        Some((name, at))
    }
}

/// The type as its definition presents it to C.
pub(super) fn with_clauses(mut ty: Type, name: &str, clauses: Clauses) -> Type {
    let argument = clauses.intran.iter().chain(&clauses.outtran).next();
    // The message holds what the functions translate from and to.
    let translated = match (&clauses.intran, &clauses.outtran) {
        (Some(intran), _) => intran.argument.clone(),
        (None, Some(outtran)) => Some(outtran.result.clone()),
        (None, None) => None,
    };
    let user = clauses.user.unwrap_or_else(|| name.to_owned());
    let server = clauses.server.or(translated).unwrap_or_else(|| name.to_owned());
    let translated = match argument {
        Some(_) => match (&clauses.intran, &clauses.outtran) {
            (Some(intran), _) => intran.result.clone(),
            (_, Some(outtran)) => outtran.argument.clone().unwrap_or_else(|| server.clone()),
            _ => server.clone(),
        },
        None => server.clone(),
    };
    ty.c = CTypes { user, server, translated };
    ty.intran = clauses.intran;
    ty.outtran = clauses.outtran;
    ty.payload = clauses.payload;
    ty.destructor = clauses.destructor;
    if ty.is_inline && ty.deallocate == Deallocate::Asked && !ty.is_variable() {
        ty.deallocate = Deallocate::No;
    }
    ty
}
