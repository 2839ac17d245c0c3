//! What a description says of the members of a type for encodings whose fields have numbers, and where it says so. In: a definition of AOI,
//! and the name that C has for it. Out: entries of PRES_C, from which those encodings take it.

use aoi::{Aoi, Definition, DefinitionKind, Field};
use pres::{NumberForm, Place, PresC};

pub(crate) fn said(aoi: &Aoi, definition: &Definition, name: &str, pres: &mut PresC) {
    let numbers = aoi.field_numbers(definition);
    pres.field_numbers.extend(numbers.map(|numbers| (name.to_string(), numbers)));
    let of_form = |form: Option<String>| form.and_then(|word| NumberForm::named(&word));
    let forms = aoi.number_forms(definition).map(|forms| forms.into_iter().map(of_form).collect());
    pres.number_forms.extend(forms.map(|forms| (name.to_string(), forms)));
    pres.places.insert(name.to_string(), place(definition));
}

fn place(definition: &Definition) -> Place {
    let fields: Vec<&Field> = match &definition.kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter().collect()
        }
        DefinitionKind::Union(union) => {
            union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref()).collect()
        }
        _ => Vec::new(),
    };
    Place { of: definition.span, members: fields.iter().map(|field| (field.name.clone(), field.span)).collect() }
}
