//! The same types under CDR: routines as links get them, with storage of each kind, and the calls that hold a case's value
//! against its bytes in either byte order.

use std::fmt::Write;

use aoi::Aoi;
use cast::{Declaration, File};
use pres::{Pres, PresC, Storage};
use stubs::plan::Direction;
use stubs::routines::{Messages, Options, Orders, Wanted, routines};

use crate::cases::Case;
use crate::{messages, octets};

/// A name, whether passes are off, and whose storage is: the heap's, or an allocator's that frees deep.
const VARIANTS: [(&str, bool, bool); 3] =
    [("cdr", false, false), ("cdr_without_all", true, false), ("cdr_managed", false, true)];

pub(crate) fn presented(name: &str, text: &str) -> Result<PresC, String> {
    let aoi = messages::read(name, text)?;
    let (pres, findings) = present::rpcgen::present(&aoi, &present::rpcgen::Options::new("r"));
    match findings.iter().find(|finding| finding.is_error()) {
        Some(finding) => Err(format!("{name}: {finding:?}")),
        None => Ok(pres),
    }
}

/// All storage is freed by its allocator, deep.
fn managed(pres: &mut PresC) {
    pres.managed_release = "CORBA_free".to_owned();
    for (_, node) in pres.nodes.iter_mut() {
        match &mut node.pres {
            Pres::CountedArray { storage, .. }
            | Pres::CountedBytes { storage, .. }
            | Pres::TerminatedText { storage, .. }
            | Pres::OptionalPointer { storage, .. } => *storage = Storage::Managed,
            _ => {}
        }
    }
}

/// The C file of each variant.
pub(crate) fn sources(name: &str, text: &str) -> Result<Vec<(&'static str, String)>, String> {
    let mut sources = Vec::new();
    for (variant, is_plain, is_managed) in VARIANTS {
        let mut pres = presented(name, text)?;
        if is_managed {
            managed(&mut pres);
        }
        let no_opt = if is_plain { driver::optional_passes() } else { Vec::new() };
        let options = Options {
            no_opt: no_opt.into_iter().map(str::to_owned).collect(),
            prefix: format!("{variant}_"),
            exported: true,
            messages: Messages::Cdr(Orders::Both),
            ..Options::default()
        };
        let wanted: Vec<Wanted> = pres.types.iter().flat_map(|(_, stub)| wanted(&stub.name)).collect();
        let routines = routines(&pres, &wanted, &options, &mut |_, _, _| {});
        let mut declarations = vec![Declaration::Verbatim(stubs::runtime::cdr_sections(&routines.used))];
        declarations.push(Declaration::Verbatim("#include \"r.h\"\nvoid CORBA_free(void *);\n".to_owned()));
        declarations.extend(routines.declarations());
        sources.push((variant, cast::print_file(&File { declarations })));
    }
    Ok(sources)
}

fn wanted(name: &str) -> [Wanted; 3] {
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    // Cases begin at position 0.
    directions.map(|direction| Wanted { name: name.to_owned(), direction, phase: 8 })
}

/// Tables of the variants' routines, by type.
pub(crate) fn tables(aoi: &Aoi) -> String {
    let mut text = String::new();
    for (_, definition) in messages::types(aoi) {
        let name = &definition.name;
        let mut rows = String::new();
        for (variant, _, is_managed) in VARIANTS {
            for ending in ["", "_swapped"] {
                let head = format!("char *{variant}_encode_{name}{ending}");
                let _ = writeln!(text, "{head}(struct whittle_cdr_out *, char *, const void *);");
                let head = format!("const char *{variant}_decode_{name}{ending}");
                let _ = writeln!(text, "{head}(struct whittle_cdr_in *, const char *, void *);");
            }
            let release = format!("{variant}_release_{name}");
            // Absent where values hold nothing.
            let _ = writeln!(text, "__attribute__((weak)) void {release}(void *);");
            let _ = writeln!(
                rows,
                "    {{\"{variant}\", {variant}_encode_{name}, {variant}_encode_{name}_swapped, {variant}_decode_{name}, \
                 {variant}_decode_{name}_swapped, {release}, {is_managed}}},"
            );
        }
        let _ = writeln!(text, "__attribute__((unused)) static const struct cdr_routines cdr_of_{name}[] = {{");
        let _ = writeln!(text, "{rows}    {{NULL, NULL, NULL, NULL, NULL, NULL, false}},\n}};");
    }
    text
}

/// Calls that hold the case's `value` against its bytes.
pub(crate) fn checks(case: &Case, same: &str) -> String {
    let mut text = String::new();
    for (index, bytes) in case.cdr.iter().enumerate() {
        let (size, is_big_endian, is_written) = (bytes.bytes.len(), bytes.is_big_endian, bytes.is_written);
        let _ = writeln!(text, "    static const char cdr{index}[] = {{{}0}};", octets(&bytes.bytes));
        let of = format!("cdr_of_{}, &value, sizeof value, {same}", case.ty);
        let _ = writeln!(text, "    cdr_holds({of}, {is_big_endian}, cdr{index}, {size}, {is_written});");
    }
    text
}

pub(crate) fn refusals(case: &Case) -> String {
    let mut text = String::new();
    for (index, bytes) in case.cdr.iter().enumerate() {
        let (size, is_big_endian, ty) = (bytes.bytes.len(), bytes.is_big_endian, &case.ty);
        let _ = writeln!(text, "    static const char cdr{index}[] = {{{}0}};", octets(&bytes.bytes));
        let _ = writeln!(text, "    cdr_refused(cdr_of_{ty}, sizeof({ty}), {is_big_endian}, cdr{index}, {size});");
    }
    text
}
