//! The numbers of members (`@id`, IDL 4.2 section 8.3.1.1): an annotation of their type has them by name. In: a definition. Out: a number
//! or none for each member, in order; those of a union are its bodies, the default's last.

use crate::{Annotation, Aoi, Definition, DefinitionKind, Field, Value};

/// The annotation's name.
pub const MEMBER_IDS: &str = "ids";

/// Members and their numbers.
pub fn member_ids(annotations: &[Annotation]) -> &[(String, Value)] {
    let ids = annotations.iter().find(|annotation| annotation.name == MEMBER_IDS);
    ids.map_or(&[], |ids| &ids.parameters)
}

impl Aoi {
    /// The number of each member; `None` where no member has one. What is no number of 32 bits is 0.
    pub fn field_numbers(&self, definition: &Definition) -> Option<Vec<Option<u32>>> {
        let ids = member_ids(&definition.annotations);
        if ids.is_empty() {
            return None;
        }
        let fields: Vec<&Field> = match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                structure.fields.iter().collect()
            }
            DefinitionKind::Union(union) => {
                let default = union.default.iter().map(|case| &**case);
                union.cases.iter().chain(default).filter_map(|case| case.body.as_ref()).collect()
            }
            _ => return None,
        };
        let number = |value: &Value| self.number(value).and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        let of_field = |field: &Field| ids.iter().find(|(name, _)| *name == field.name).map(|(_, value)| number(value));
        Some(fields.into_iter().map(of_field).collect())
    }
}
