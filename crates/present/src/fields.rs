//! What a description says of the members of a type for encodings whose fields have numbers. In: a definition of AOI, and the name that C has
//! for it. Out: entries of PRES_C, from which those encodings take it.

use aoi::{Aoi, Definition};
use pres::{NumberForm, PresC};

pub(crate) fn said(aoi: &Aoi, definition: &Definition, name: &str, pres: &mut PresC) {
    let numbers = aoi.field_numbers(definition);
    pres.field_numbers.extend(numbers.map(|numbers| (name.to_string(), numbers)));
    let of_form = |form: Option<String>| form.and_then(|word| NumberForm::named(&word));
    let forms = aoi.number_forms(definition).map(|forms| forms.into_iter().map(of_form).collect());
    pres.number_forms.extend(forms.map(|forms| (name.to_string(), forms)));
}
