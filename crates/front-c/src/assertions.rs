//! What the type table says of layouts, as declarations that a C compiler checks: a program that was printed, or made
//! from the table, proves with them that it means the same types.

use cast::{Declaration, Layout, RecordKind, TagKind, Type, TypeTable, build};

/// A `_Static_assert` of each record's size and alignment, and of each member's place. Records that no name of file level
/// leads to are left out, and so are bit-fields, of which C gives no place.
pub fn layout_assertions(types: &TypeTable) -> Vec<Declaration> {
    let mut all: Vec<(u32, Vec<Declaration>)> = Vec::new();
    for (tag, layout) in &types.records {
        let kind = if layout.kind == RecordKind::Union { TagKind::Union } else { TagKind::Struct };
        if let Some(name) = spelled(types, &Type::Tagged(kind, tag.clone()), layout) {
            all.push((layout.declaration.order, of_record(&name, layout, !tag.contains('@'))));
        }
    }
    all.sort_by_key(|(order, _)| *order);
    all.into_iter().flat_map(|(_, assertions)| assertions).collect()
}

/// How C at file level names a record.
fn spelled(types: &TypeTable, record: &Type, layout: &Layout) -> Option<String> {
    let Type::Tagged(_, tag) = record else { return None };
    if layout.declaration.function.is_some() {
        return None;
    }
    if !tag.contains('@') {
        return Some(cast::print_type(record));
    }
    let naming = types.typedefs.iter().find(|(name, typedef)| typedef.ty == *record && !name.contains('@'));
    naming.filter(|_| tag.starts_with('@')).map(|(name, _)| name.clone())
}

fn of_record(name: &str, layout: &Layout, has_tag: bool) -> Vec<Declaration> {
    let Some(size) = layout.size else { return Vec::new() };
    let equals = |text: String, value: u64| {
        let condition = build::verbatim(format!("{text} == {value}"), Type::INT);
        Declaration::StaticAssert(condition, text)
    };
    let mut assertions = vec![equals(format!("sizeof({name})"), size)];
    // A typedef may be aligned by more than the record it names.
    if has_tag {
        assertions.push(equals(format!("_Alignof({name})"), layout.alignment));
    }
    for field in layout.fields.iter().filter(|field| field.bits.is_none() && field.offset % 8 == 0) {
        if let Some(member) = &field.name {
            assertions.push(equals(format!("__builtin_offsetof({name}, {member})"), field.offset / 8));
        }
    }
    assertions
}
