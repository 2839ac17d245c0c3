//! What the C side needs to know of an interface file's types, as C.

use std::collections::BTreeSet;
use std::fmt::Write;

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Type, Union};

use crate::messages::{least, least_definition, types};

/// The name under which a variant's routine for a type is linked. Variant 0 is whittle's with all passes.
pub(crate) fn symbol(variant: &str, type_name: &str) -> String {
    format!("{variant}_xdr_{type_name}")
}

/// Definitions that give a variant's routines names of their own; for `-include`.
pub(crate) fn renames(aoi: &Aoi, variant: &str) -> String {
    let mut text = String::new();
    for (_, definition) in types(aoi) {
        let name = &definition.name;
        let _ = writeln!(text, "#define xdr_{name} {}", symbol(variant, name));
    }
    text
}

/// The table (`struct type types[]`) of a file whose header is `header`; variants are symbols' first parts.
pub(crate) fn table(aoi: &Aoi, header: &str, variants: &[String], arenas: &BTreeSet<String>) -> String {
    let mut text = format!("#include \"{header}\"\n#include \"safety.h\"\n\n");
    for (id, definition) in types(aoi) {
        let name = &definition.name;
        for variant in variants.iter().map(String::as_str).chain(["reference"]) {
            let _ = writeln!(text, "extern void {}(void);", symbol(variant, name));
        }
        let ratios: Vec<String> =
            elements(aoi, id).iter().map(|(c, least)| format!("{{sizeof({c}), {least}}}")).collect();
        let _ = writeln!(text, "static const struct ratio ratios_{name}[] = {{{}{{0, 0}}}};", comma(&ratios));
        let routines: Vec<String> =
            variants.iter().map(|variant| format!("ROUTINE({})", symbol(variant, name))).collect();
        let _ = writeln!(text, "static const routine routines_{name}[] = {{{}NULL}};", comma(&routines));
    }
    let _ = writeln!(text, "\nconst struct type types[] = {{");
    for (id, definition) in types(aoi) {
        let name = &definition.name;
        let arena = if arenas.contains(name) {
            let structure = format!("struct {name}_in_arena");
            format!("ROUTINE(xdr_{name}_in_arena), sizeof({structure}), offsetof({structure}, first)")
        } else {
            "NULL, 0, 0".to_owned()
        };
        let reference = symbol("reference", name);
        let _ = writeln!(
            text,
            "    {{\"{name}\", sizeof({name}), ROUTINE({reference}), routines_{name}, {arena}, ratios_{name}, {}}},",
            is_recursive(aoi, id),
        );
    }
    let names: Vec<String> = variants.iter().map(|variant| format!("\"{variant}\"")).collect();
    let _ = writeln!(text, "    {{NULL, 0, NULL, NULL, NULL, 0, 0, NULL, 0}}}};");
    let _ = writeln!(text, "const unsigned variant_count = {};", variants.len());
    let _ = writeln!(text, "const char *const variants[] = {{{}NULL}};", comma(&names));
    text
}

/// Sizes and offsets of everything, so that two headers can be compared: an array by the name of the macro `LAYOUT`.
pub(crate) fn layout(aoi: &Aoi, header: &str) -> String {
    let mut values = Vec::new();
    for (_, definition) in types(aoi) {
        let name = &definition.name;
        values.push(format!("sizeof({name})"));
        let mut member = |path: String| values.push(format!("offsetof({name}, {path})"));
        match &definition.kind {
            DefinitionKind::Structure(structure) => {
                structure.fields.iter().for_each(|field| member(field.name.clone()))
            }
            DefinitionKind::Union(union) => {
                member(union.discriminant.name.clone());
                bodies(union).iter().for_each(|body| member(format!("{name}_u.{}", body.name)));
            }
            _ => {}
        }
    }
    let values = values.join(",\n    ");
    format!(
        "#include <stddef.h>\n#include \"{header}\"\nconst size_t LAYOUT[] = {{\n    {values}}};\nconst size_t LAYOUT_COUNT = sizeof LAYOUT / sizeof *LAYOUT;\n"
    )
}

/// The program that compares them.
pub(crate) const COMPARE_LAYOUTS: &str = "\
#include <stddef.h>
extern const size_t ours[], theirs[], ours_count, theirs_count;
int main(void)
{
    if (ours_count != theirs_count)
        return 1;
    for (size_t i = 0; i < ours_count; i++)
        if (ours[i] != theirs[i])
            return 1;
    return 0;
}
";

fn comma(parts: &[String]) -> String {
    parts.iter().map(|part| format!("{part}, ")).collect()
}

fn bodies(union: &Union) -> Vec<&Field> {
    union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref()).collect()
}

/// The C type of what storage is allocated for, as rpcgen names it.
fn c_name(aoi: &Aoi, ty: &Type) -> String {
    match ty {
        Type::Named(id) => aoi.definitions[*id].name.clone(),
        Type::Integer { bits: 8, .. } => "char".into(),
        Type::Integer { bits: 16, .. } => "short".into(),
        Type::Integer { bits: 64, .. } => "quad_t".into(),
        Type::Integer { spelling, .. } if spelling.contains("long") => "long".into(),
        Type::Float { bits: 64 } => "double".into(),
        _ => "int".into(),
    }
}

/// The types embedded in, or hanging from, a definition, each with its C name and least size where it is allocated.
fn elements(aoi: &Aoi, id: DefinitionId) -> BTreeSet<(String, u64)> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        if seen.insert(id.into_raw().into_u32()) {
            for ty in parts(aoi, id) {
                visit(aoi, ty, &mut found, &mut pending);
            }
        }
    }
    found
}

fn parts(aoi: &Aoi, id: DefinitionId) -> Vec<&Type> {
    match &aoi.definitions[id].kind {
        DefinitionKind::Alias(ty) => vec![ty],
        DefinitionKind::Structure(structure) => structure.fields.iter().map(|field| &field.ty).collect(),
        DefinitionKind::Union(union) => bodies(union).into_iter().map(|body| &body.ty).collect(),
        _ => Vec::new(),
    }
}

fn visit(aoi: &Aoi, ty: &Type, found: &mut BTreeSet<(String, u64)>, pending: &mut Vec<DefinitionId>) {
    match ty {
        Type::Sequence { element, .. } | Type::Optional(element) => {
            let least = match element.as_ref() {
                Type::Named(id) => least_definition(aoi, *id),
                other => least(aoi, other),
            };
            found.insert((c_name(aoi, element), least.max(1)));
            visit(aoi, element, found, pending);
        }
        Type::Array { element, .. } => visit(aoi, element, found, pending),
        Type::Named(id) => pending.push(*id),
        _ => {}
    }
}

/// A value may hold, at any depth, another of its type.
fn is_recursive(aoi: &Aoi, root: DefinitionId) -> bool {
    let below = |id: DefinitionId| {
        let mut next = Vec::new();
        parts(aoi, id).into_iter().for_each(|ty| visit(aoi, ty, &mut BTreeSet::new(), &mut next));
        next
    };
    let mut reachable = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        if reachable.insert(id.into_raw().into_u32()) {
            pending.extend(below(id));
        }
    }
    // Some type that can be reached reaches itself.
    reachable.iter().any(|raw| {
        let start = DefinitionId::from_raw((*raw).into());
        let mut seen = BTreeSet::new();
        let mut pending = below(start);
        while let Some(id) = pending.pop() {
            if id == start {
                return true;
            }
            if seen.insert(id.into_raw().into_u32()) {
                pending.extend(below(id));
            }
        }
        false
    })
}
