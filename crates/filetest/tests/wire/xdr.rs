//! The same types under XDR in memory: routines as links without a library get them, with every pass, without each, without
//! all, and the calls that hold a case's value against its bytes.

use std::fmt::Write;

use aoi::Aoi;
use cast::{Declaration, File};
use stubs::plan::Direction;
use stubs::routines::{Options, Wanted, routines};

use crate::cases::Case;
use crate::{cdr, messages};

/// Names, and the passes that are off.
fn variants() -> Vec<(String, Vec<String>)> {
    let all: Vec<String> = driver::optional_passes().into_iter().map(str::to_owned).collect();
    let whole = [("xdr".to_owned(), Vec::new()), ("xdr_without_all".to_owned(), all.clone())];
    let each = all.into_iter().map(|pass| (format!("xdr_without_{}", pass.replace('-', "_")), vec![pass]));
    whole.into_iter().chain(each).collect()
}

/// The C file of each variant.
pub(crate) fn sources(name: &str, text: &str) -> Result<Vec<(String, String)>, String> {
    let pres = cdr::presented(name, text)?;
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    let of = |name: &String| directions.map(|direction| Wanted { name: name.clone(), direction, phase: 1 });
    let wanted: Vec<Wanted> = pres.types.iter().flat_map(|(_, stub)| of(&stub.name)).collect();
    let mut sources = Vec::new();
    for (variant, no_opt) in variants() {
        let options = Options { no_opt, prefix: format!("{variant}_"), exported: true, ..Options::default() };
        let routines = routines(&pres, &wanted, &options, &mut |_, _, _| {});
        let mut declarations = vec![Declaration::Verbatim(stubs::runtime::xdr_sections(&routines.used))];
        declarations.push(Declaration::Verbatim("#include \"r.h\"\n".to_owned()));
        declarations.extend(routines.declarations());
        sources.push((variant, cast::print_file(&File { declarations })));
    }
    Ok(sources)
}

/// Tables of the variants' routines, by type.
pub(crate) fn tables(aoi: &Aoi) -> String {
    let mut text = String::new();
    for (_, definition) in messages::types(aoi) {
        let name = &definition.name;
        let mut rows = String::new();
        for (variant, _) in variants() {
            let _ = writeln!(
                text,
                "char *{variant}_encode_{name}(struct whittle_xdr_out *, char *, const void *);\n\
                 const char *{variant}_decode_{name}(struct whittle_xdr_in *, const char *, void *);\n\
                 __attribute__((weak)) void {variant}_release_{name}(void *);"
            );
            let functions = ["encode", "decode", "release"].map(|verb| format!("{variant}_{verb}_{name}")).join(", ");
            let _ = writeln!(rows, "    {{\"{variant}\", {functions}}},");
        }
        let _ = writeln!(text, "__attribute__((unused)) static const struct xdr_routines xdr_of_{name}[] = {{");
        let _ = writeln!(text, "{rows}    {{NULL, NULL, NULL, NULL}},\n}};");
    }
    text
}

/// The call that holds the case's `value` against bytes of an array, to which it is encoded if they are `written`.
pub(crate) fn check(case: &Case, same: &str, bytes: &str, size: usize, written: bool) -> String {
    format!("    xdr_holds(xdr_of_{}, &value, sizeof value, {same}, {bytes}, {size}, {written});\n", case.ty)
}

pub(crate) fn refusal(case: &Case, bytes: &str, size: usize) -> String {
    let ty = &case.ty;
    format!("    xdr_refused(xdr_of_{ty}, sizeof({ty}), {bytes}, {size});\n")
}
