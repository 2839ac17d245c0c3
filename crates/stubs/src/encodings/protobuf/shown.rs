//! The fields of types, for who reads messages without generated code (`whittle pipe tap`). In: PRES_C, types. Out: the number of each part.

use pres::{NodeId, NumberForm, PresC, TypeStubId};

use super::Protobuf;
use super::fields::{self, Field};
use crate::values::Values;

/// The numbers of fields of a type, and of all that it holds.
pub struct Fields {
    values: Values,
    fields: Vec<Field>,
}

impl Fields {
    pub fn of(pres: &PresC, stub: TypeStubId) -> Fields {
        let values = Values::of(pres, &Protobuf, &[stub]);
        let fields = fields::of(&values, &pres.field_numbers);
        Fields { values, fields }
    }

    /// The forms of the same where they are not the usual ones.
    pub fn forms(&self, pres: &PresC, node: NodeId) -> Vec<Option<NumberForm>> {
        let Some(place) = self.values.place_of(pres, node) else { return Vec::new() };
        let parts = self.values.parts_of(self.values.at(place).0);
        self.values.parts()[parts].iter().map(|part| self.values.form(part.ty)).collect()
    }

    /// The numbers of a structure's members, or of a union's discriminant and its arms; 0 of what is no field.
    pub fn numbers(&self, pres: &PresC, node: NodeId) -> Vec<u32> {
        let Some(place) = self.values.place_of(pres, node) else { return Vec::new() };
        let parts = self.values.parts_of(self.values.at(place).0);
        self.fields[parts].iter().map(|field| field.number).collect()
    }
}
