//! Declarations at file level, and variables.

use escape::c::Comment;

use super::declarator::{anonymous_base, around_base, declare, parameters, record_head, spelled};
use super::expression::{item_text, text};
use super::statement::statements;
use super::writer::Writer;
use crate::{
    Conditional, Declaration, Enumeration, ExpressionKind, Function, Initializer, Linkage, Record, Storage, Type,
    Variable,
};

/// Declarations in order.
pub(super) fn declarations(writer: &mut Writer, list: &[Declaration]) {
    for declaration in list {
        print(writer, declaration);
    }
}

fn print(writer: &mut Writer, declaration: &Declaration) {
    match declaration {
        Declaration::Include(include) if include.system => writer.raw(&format!("#include <{}>", include.path.as_str())),
        Declaration::Include(include) => writer.raw(&format!("#include \"{}\"", include.path.as_str())),
        Declaration::Define(definition) => match &definition.value {
            Some(value) => writer.raw(&format!("#define {} {}", definition.name, text(value))),
            None => writer.raw(&format!("#define {}", definition.name)),
        },
        Declaration::Typedef { name, ty } => declared(writer, "typedef ", ty, name, ";"),
        Declaration::Record(record) => {
            record_body(writer, "", record);
            writer.line("};");
        }
        Declaration::Enumeration(enumeration) => print_enumeration(writer, enumeration),
        Declaration::Variable(value) => variable(writer, value),
        Declaration::Prototype(Function { spelling: Some(spelling), .. }) => writer.line(&format!("{spelling};")),
        Declaration::Prototype(function) => {
            attributes(writer, function);
            writer.line(&format!("{}{};", linkage(function.linkage), signature(function)));
        }
        Declaration::Function(function) => print_function(writer, function),
        Declaration::Conditional(conditional) => print_conditional(writer, conditional),
        Declaration::ExternC(inner) => {
            writer.raw("#ifdef __cplusplus\nextern \"C\" {\n#endif");
            writer.blank();
            declarations(writer, inner);
            writer.blank();
            writer.raw("#ifdef __cplusplus\n}\n#endif");
        }
        Declaration::StaticAssert(condition, message) => {
            let message = crate::build::text(message.as_str());
            writer.line(&format!("_Static_assert({}, {});", text(condition), text(&message)));
        }
        Declaration::Require(requirement) => {
            writer.raw(&format!("#if {} != {}", requirement.name, requirement.value));
            writer.raw(&format!("#error {}", text(&crate::build::text(requirement.otherwise.as_str()))));
            writer.raw("#endif");
        }
        Declaration::Comment(comment) => print_comment(writer, comment),
        Declaration::Undefine(name) => writer.line(&format!("#undef {name}")),
        Declaration::Verbatim(lines) => writer.raw(lines.trim_end_matches('\n')),
        Declaration::Blank => writer.blank(),
    }
}

fn print_comment(writer: &mut Writer, comment: &Comment) {
    let comment = comment.as_str();
    if comment.contains('\n') {
        writer.line("/*");
        for line in comment.lines() {
            writer.line(format!(" * {line}").trim_end());
        }
        writer.line(" */");
    } else {
        writer.line(&format!("/* {comment} */"));
    }
}

fn print_conditional(writer: &mut Writer, conditional: &Conditional) {
    writer.raw(&conditional.condition.to_string());
    declarations(writer, &conditional.then);
    if !conditional.otherwise.is_empty() {
        writer.raw("#else");
        declarations(writer, &conditional.otherwise);
    }
    writer.raw("#endif");
}

fn print_enumeration(writer: &mut Writer, enumeration: &Enumeration) {
    let tag = enumeration.tag.as_ref().map(|tag| format!(" {tag}")).unwrap_or_default();
    let base = enumeration.base.as_ref().map(|base| format!(" {base}")).unwrap_or_default();
    writer.line(&format!("enum{tag}{base} {{"));
    writer.indent();
    let last = enumeration.members.len().saturating_sub(1);
    for (at, (name, value)) in enumeration.members.iter().enumerate() {
        let value = value.as_ref().map(|value| format!(" = {}", text(value))).unwrap_or_default();
        writer.line(&format!("{name}{value}{}", if at == last { "" } else { "," }));
    }
    writer.outdent();
    writer.line("};");
}

/// The head and the members of a record, without what closes it.
fn record_body(writer: &mut Writer, before: &str, record: &Record) {
    writer.line(&format!("{before}{} {{", record_head(record)));
    writer.indent();
    for field in &record.fields {
        declared(writer, "", &field.ty, &field.name, ";");
    }
    writer.outdent();
}

/// `before ty name after`, a record without a tag laid out over several lines.
fn declared(writer: &mut Writer, before: &str, ty: &Type, name: &str, after: &str) {
    match anonymous_base(ty) {
        Some(record) => {
            record_body(writer, before, record);
            let declarator = around_base(ty, name.to_string());
            let space = if declarator.is_empty() { "" } else { " " };
            writer.line(&format!("}}{space}{declarator}{after}"));
        }
        None => writer.line(&format!("{before}{}{after}", declare(ty, name))),
    }
}

/// The rows of a table that takes more than a line: each has one of its own.
fn rows(variable: &Variable) -> Option<&[Initializer]> {
    let ExpressionKind::Braces(rows) = &variable.initial.as_ref()?.kind else { return None };
    let is_row = |row: &Initializer| row.designators.is_empty() && matches!(row.value.kind, ExpressionKind::Braces(_));
    let is_table = matches!(variable.ty, Type::Array(..)) && rows.len() > 4 && rows.iter().all(is_row);
    is_table.then_some(rows)
}

/// A variable with its storage class and initial value.
pub(super) fn variable(writer: &mut Writer, variable: &Variable) {
    let initial = variable.initial.as_ref().map(|value| format!(" = {}", item_text(value))).unwrap_or_default();
    if let Some(spelling) = &variable.spelling {
        return writer.line(&format!("{spelling}{initial};"));
    }
    let storage = match variable.storage {
        Storage::Automatic => "",
        Storage::Static => "static ",
        Storage::Extern => "extern ",
        Storage::Register => "register ",
    };
    let alignment = match variable.alignment {
        0 => String::new(),
        bytes => format!("__attribute__((aligned({bytes}))) "),
    };
    let storage = format!("{storage}{}{alignment}", if variable.thread_local { "_Thread_local " } else { "" });
    if let Some(rows) = rows(variable) {
        declared(writer, &storage, &variable.ty, spelled(&variable.name), " = {");
        writer.indent();
        rows.iter().for_each(|row| writer.line(&format!("{},", item_text(&row.value))));
        writer.outdent();
        return writer.line("};");
    }
    declared(writer, &storage, &variable.ty, spelled(&variable.name), &format!("{initial};"));
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::Plain => "",
        Linkage::Extern => "extern ",
        Linkage::Static => "static ",
        Linkage::StaticInline => "static inline ",
    }
}

/// The signature with its name, as one declarator around the result's type.
fn signature(function: &Function) -> String {
    let parameters = parameters(&function.parameters, function.variadic);
    declare(&function.result, &format!("{}({parameters})", spelled(&function.name)))
}

fn attributes(writer: &mut Writer, function: &Function) {
    for attribute in &function.attributes {
        writer.line(attribute);
    }
}

fn head(writer: &mut Writer, function: &Function) {
    let linkage = linkage(function.linkage);
    let is_plain = !linkage.contains("inline")
        && !matches!(&function.result, Type::Pointer(to) if matches!(**to, Type::Function(_)));
    if !writer.heads_as_rpcgen || !is_plain {
        return writer.line(&format!("{linkage}{}", signature(function)));
    }
    let name = spelled(&function.name);
    let has_space =
        name.starts_with("xdr_") || name.starts_with('_') || name.ends_with("_freeresult") || name == "main";
    let space = if has_space { " " } else { "" };
    writer.line(format!("{linkage}{}", declare(&function.result, "")).trim_end());
    writer.line(&format!("{name}{space}({})", parameters(&function.parameters, function.variadic)));
}

fn print_function(writer: &mut Writer, function: &Function) {
    if let Some(spelling) = &function.spelling {
        writer.line(spelling);
    } else {
        attributes(writer, function);
        head(writer, function);
    }
    writer.line("{");
    writer.indent();
    statements(writer, &function.body);
    writer.outdent();
    writer.line("}");
}
