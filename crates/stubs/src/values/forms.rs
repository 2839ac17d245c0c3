//! Whole numbers that have another form in the encoding than the usual one. In: tables, and what the description says of members. Out: such
//! a member has a row of its own, which has the form; and so have lists and pointers that lead to the number at once.

use std::collections::BTreeMap;

use pres::NumberForm;

use super::{Row, Values};

/// What descriptions say, by type and in the order of members.
pub(crate) type Forms = BTreeMap<String, Vec<Option<NumberForm>>>;

/// What is said of a part.
pub(crate) struct Said {
    /// The type that has the part.
    pub(crate) of: String,
    pub(crate) part: usize,
    pub(crate) form: NumberForm,
    is_arm: bool,
}

impl Values {
    pub(super) fn give_forms(&mut self, forms: &Forms) {
        let mut made = BTreeMap::new();
        for Said { part, form, is_arm, .. } in self.said(forms) {
            self.parts[part].ty = self.formed(self.parts[part].ty, form, is_arm, &mut made);
        }
    }

    /// The parts of which something is said.
    pub(crate) fn said(&self, forms: &Forms) -> Vec<Said> {
        let mut said = Vec::new();
        for (row, name) in self.types() {
            let Some((of, of_members)) = name.and_then(|name| forms.get_key_value(name)) else { continue };
            // A discriminant is no member, and nor is what counts another.
            let is_arm = row.kind == "UNION";
            let members = self.parts_of(row).skip(usize::from(is_arm)).filter(|part| !self.parts[*part].is_count);
            let each = members.zip(of_members);
            said.extend(each.filter_map(|(part, form)| Some(Said { of: of.clone(), part, form: (*form)?, is_arm })));
        }
        said
    }

    /// The place of the same type in this form; its own where it has no such form.
    fn formed(
        &mut self,
        place: usize,
        form: NumberForm,
        is_arm: bool,
        made: &mut BTreeMap<(usize, NumberForm), usize>,
    ) -> usize {
        let row = &self.types[place];
        let holds = has_form(row, form) || !is_arm && leads_on(row) && has_form(&self.types[row.of], form);
        if !holds {
            return place;
        }
        if let Some(known) = made.get(&(place, form)) {
            return *known;
        }
        let mut row = row.clone();
        if leads_on(&row) {
            row.of = self.formed(row.of, form, is_arm, made);
        } else {
            row.count = number_of(form);
        }
        self.types.push(row);
        let new = self.types.len() - 1;
        made.insert((place, form), new);
        new
    }

    /// The form of a number, or of what a list or a pointer leads to, where it is not the usual one.
    pub(crate) fn form(&self, place: usize) -> Option<NumberForm> {
        let row = &self.types[place];
        if leads_on(row) { self.types[row.of].form() } else { row.form() }
    }
}

impl Row {
    /// The form of a whole number, where that is not the usual one.
    pub(crate) fn form(&self) -> Option<NumberForm> {
        NumberForm::ALL.into_iter().find(|form| has_form(self, *form) && self.count == number_of(*form))
    }
}

/// `enum whittle_protobuf_form`.
fn number_of(form: NumberForm) -> usize {
    match form {
        NumberForm::Zigzag { .. } => 1,
        NumberForm::Fixed { .. } => 2,
    }
}

/// Whether numbers of a type may have a form: they have its sign, and are of 64 bits where it is.
fn has_form(row: &Row, form: NumberForm) -> bool {
    let (bits, kind) = match form {
        NumberForm::Zigzag { bits } | NumberForm::Fixed { bits, signed: true } => (bits, "SIGNED"),
        NumberForm::Fixed { bits, signed: false } => (bits, "UNSIGNED"),
    };
    row.kind == kind && (row.wire > 4) == (bits == 64)
}

fn leads_on(row: &Row) -> bool {
    matches!(row.kind, "ARRAY" | "COUNTED_ARRAY" | "INLINE_ARRAY" | "OPTIONAL" | "REFERENCE")
}
