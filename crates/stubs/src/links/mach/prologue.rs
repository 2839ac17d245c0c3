//! What stands before the stubs: headers, macros that programs may set otherwise, and the functions that stubs share.

use cast::{
    Declaration, File, Function, Linkage, Record, RecordKind, Statement, Type, UnaryOperator, build, print_file,
};
use mig::ImportSide;

use super::records::descriptor_word;
use super::side::{Side, number, untyped, var};

/// The beginning of the user's stubs.
pub(super) fn user(side: &Side<'_>) -> Vec<Declaration> {
    let mut declarations = vec![Declaration::defined_once("_GNU_SOURCE", Some(number(1)))];
    declarations.extend(side.options.user_header.iter().cloned().map(Declaration::include));
    declarations.extend(
        [
            "mach/boolean.h",
            "mach/kern_return.h",
            "mach/message.h",
            "mach/notify.h",
            "mach/mach_types.h",
            "mach/mig_errors.h",
            "mach/mig_support.h",
        ]
        .map(Declaration::system_include),
    );
    if side.is_kernel() {
        declarations.push(Declaration::system_include("kern/ipc_mig.h"));
    }
    declarations.push(Declaration::system_include("stdint.h"));
    declarations.extend(imports(side, ImportSide::User));
    declarations.push(Declaration::Blank);
    declarations.extend(macros());
    declarations.extend(differ(side));
    declarations
}

/// The beginning of the server's stubs.
pub(super) fn server(side: &Side<'_>) -> Vec<Declaration> {
    let mut declarations = vec![Declaration::defined_once("_GNU_SOURCE", Some(number(1)))];
    declarations.extend(
        ["mach/boolean.h", "mach/kern_return.h", "mach/message.h", "mach/mig_errors.h", "mach/mig_support.h"]
            .map(Declaration::system_include),
    );
    if side.is_kernel() {
        declarations.push(Declaration::system_include("ipc/ipc_port.h"));
    }
    declarations.push(Declaration::system_include("stdint.h"));
    declarations.extend(imports(side, ImportSide::Server));
    declarations.extend(side.options.internal_header.iter().cloned().map(Declaration::include));
    declarations.push(Declaration::Blank);
    declarations.extend(macros());
    declarations.extend(differ(side));
    declarations
}

/// The headers that the description imports for a side.
pub(super) fn imports(side: &Side<'_>, own: ImportSide) -> Vec<Declaration> {
    let is_wanted = |import: &&mig::Import| import.side == ImportSide::Both || import.side == own;
    let include = |import: &mig::Import| {
        Declaration::Include(cast::Include { path: import.path.clone(), system: import.is_system })
    };
    let mut includes: Vec<Declaration> = Vec::new();
    for import in side.subsystem.imports.iter().filter(is_wanted).map(include) {
        if !includes.contains(&import) {
            includes.push(import);
        }
    }
    includes
}

fn macros() -> Vec<Declaration> {
    vec![
        Declaration::defined_once("mig_external", None),
        Declaration::defined_once("TypeCheck", Some(number(1))),
        Declaration::Blank,
    ]
}

/// Whether two descriptors differ in any bit.
fn differ(side: &Side<'_>) -> Vec<Declaration> {
    let descriptor = Type::named("mach_msg_type_t");
    let field = |name: &str, ty: Type| cast::Field { name: name.to_owned(), ty };
    let fields = vec![field("type", descriptor.clone()), field("word", descriptor_word(side.word()))];
    let both = Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }));
    let word = |name: &str| build::member(var(name), "word", untyped());
    let body = vec![
        build::local("one", both.clone(), Some(build::braces(vec![var("found")]))),
        build::local("other", both, Some(build::braces(vec![var("expected")]))),
        build::returns(build::not_equal(word("one"), word("other"))),
    ];
    let function = Function {
        linkage: Linkage::StaticInline,
        name: "mig_differ".to_owned(),
        result: Type::named("boolean_t"),
        parameters: vec![build::parameter("found", descriptor.clone()), build::parameter("expected", descriptor)],
        body,
        ..Function::default()
    };
    vec![Declaration::Function(function), Declaration::Blank]
}

/// The helpers for arrays of rights that the stubs use.
pub(super) fn helpers(stubs: &[Declaration]) -> Vec<Declaration> {
    let text = print_file(&File { declarations: stubs.to_vec() });
    let all = [("mig_widen(", widen()), ("mig_narrow(", narrow())];
    all.into_iter().filter(|(name, _)| text.contains(name)).flat_map(|(_, helper)| helper).collect()
}

/// Rights as wide as the kernel's pointers, from the last one on, so that they may stand where their names do.
fn widen() -> Vec<Declaration> {
    let to = || build::index(build::name("to", wide().pointer()), var("count"));
    let from = build::index(build::name("from", names().constant().pointer()), var("count"));
    let body = vec![
        build::assign(build::member(to(), "kernel_port_do_not_use", untyped()), number(0)),
        build::assign(build::member(to(), "name", untyped()), var("name")),
    ];
    let mut inner = vec![build::local("name", names(), Some(from))];
    inner.extend(body);
    let left = build::greater(build::unary(UnaryOperator::DecrementAfter, var("count")), number(0));
    copying("mig_widen", wide(), names(), vec![Statement::While { condition: left, body: inner }])
}

/// Names of rights, from the first one on, so that they may stand where the wider ones do.
fn narrow() -> Vec<Declaration> {
    let to = build::index(build::name("to", names().pointer()), var("i"));
    let from = build::index(build::name("from", wide().constant().pointer()), var("i"));
    let step = build::assign(to, build::member(from, "name", names()));
    let each = build::count_loop("i", Type::named("mach_msg_type_number_t"), var("count"), vec![step]);
    copying("mig_narrow", names(), wide(), vec![each])
}

fn wide() -> Type {
    Type::named("mach_port_name_inlined_t")
}

fn names() -> Type {
    Type::named("mach_port_t")
}

fn copying(name: &str, to: Type, from: Type, body: Vec<Statement>) -> Vec<Declaration> {
    let function = Function {
        linkage: Linkage::StaticInline,
        name: name.to_owned(),
        parameters: vec![
            build::parameter("to", to.pointer()),
            build::parameter("from", from.constant().pointer()),
            build::parameter("count", Type::named("mach_msg_type_number_t")),
        ],
        body,
        ..Function::default()
    };
    vec![Declaration::Function(function), Declaration::Blank]
}
