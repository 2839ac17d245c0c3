//! What the description says of members for encodings whose fields have numbers: the numbers (`@id`, IDL 4.2 section 8.3.1.1), and the form
//! of whole numbers (`@protobuf`). An annotation of their type has each by name. In: a definition. Out: a number, a form or none for each
//! member, in order; those of a union are its bodies, the default's last.

use crate::{Annotation, Aoi, Definition, DefinitionKind, Field, Value};

/// The annotation's name.
pub const MEMBER_IDS: &str = "ids";

/// The annotation's name that has forms.
pub const MEMBER_FORMS: &str = "forms";

/// Members and their numbers.
pub fn member_ids(annotations: &[Annotation]) -> &[(String, Value)] {
    by_member(annotations, MEMBER_IDS)
}

/// Members and their forms.
pub fn member_forms(annotations: &[Annotation]) -> &[(String, Value)] {
    by_member(annotations, MEMBER_FORMS)
}

fn by_member<'a>(annotations: &'a [Annotation], name: &str) -> &'a [(String, Value)] {
    let found = annotations.iter().find(|annotation| annotation.name == name);
    found.map_or(&[], |found| &found.parameters)
}

impl Aoi {
    /// The number of each member; `None` where no member has one. What is no number of 32 bits is 0.
    pub fn field_numbers(&self, definition: &Definition) -> Option<Vec<Option<u32>>> {
        let number = |value: &Value| self.number(value).and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
        of_each(definition, member_ids(&definition.annotations), number)
    }

    /// The form of each member, as the description has it; `None` where no member has one.
    pub fn number_forms(&self, definition: &Definition) -> Option<Vec<Option<String>>> {
        of_each(definition, member_forms(&definition.annotations), |value| match value {
            Value::External(form) => form.clone(),
            _ => String::new(),
        })
    }
}

/// What is said of each member of a type, in order.
fn of_each<T>(definition: &Definition, said: &[(String, Value)], of: impl Fn(&Value) -> T) -> Option<Vec<Option<T>>> {
    if said.is_empty() {
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
    let of_field = |field: &Field| said.iter().find(|(name, _)| *name == field.name).map(|(_, value)| of(value));
    Some(fields.into_iter().map(of_field).collect())
}
