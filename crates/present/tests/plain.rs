//! What the plain style refuses, and where it says so.

use source::Diagnostic;

fn presented(aoi: &aoi::Aoi, program: Option<u32>) -> Vec<Diagnostic> {
    let options = present::plain::Options {
        base: "b".into(),
        program,
        strict_enumerations: false,
        presentations: Vec::new(),
        link: pres::LinkKind::Onc,
    };
    let (pres, findings) = present::plain::present(aoi, &options);
    let is_refused = findings.iter().any(Diagnostic::is_error);
    assert!(is_refused || (!pres.header.is_empty() && pres::verify(&pres).is_empty()), "{:?}", pres::verify(&pres));
    findings
}

fn of_onc(text: &str) -> Vec<&'static str> {
    let mut map = source::SourceMap::new();
    let file = map.add("b.x", text);
    let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
    assert!(!findings.iter().any(Diagnostic::is_error), "{findings:?}");
    presented(&aoi, None).iter().map(|finding| finding.code).collect()
}

fn parsed(text: &str) -> (aoi::Aoi, Vec<Diagnostic>) {
    let mut map = source::SourceMap::new();
    let file = map.add("b.idl", text);
    front_corba::parse(&map, file, &front_corba::Options::default())
}

fn of_idl(text: &str, program: Option<u32>) -> Vec<&'static str> {
    let (aoi, findings) = parsed(text);
    assert!(findings.is_empty(), "{findings:?}");
    presented(&aoi, program).iter().map(|finding| finding.code).collect()
}

#[test]
fn two_names_may_be_one_in_c() {
    assert_eq!(of_idl("module A { struct B { long x; }; }; struct A_B { long y; };", None), ["plain-001"]);
    assert_eq!(of_onc("struct s { int class; int class_; };"), ["plain-001"]);
    assert_eq!(of_onc("struct s { string a<>; }; typedef int s_free;"), ["plain-001"]);
}

#[test]
fn what_belongs_to_objects_has_no_form() {
    for ty in ["any", "Object", "wstring", "wchar", "fixed<5, 2>"] {
        assert_eq!(of_idl(&format!("struct s {{ {ty} of; }};"), None), ["plain-002"], "{ty}");
    }
    assert_eq!(of_onc("struct s { quadruple wide; };"), ["plain-002"]);
}

/// Over IIOP references are texts.
#[test]
fn objects_are_called_by_their_references() {
    let present = |text: &str| {
        let options = present::plain::Options {
            base: "b".into(),
            program: None,
            strict_enumerations: false,
            presentations: Vec::new(),
            link: pres::LinkKind::Iiop,
        };
        let (pres, findings) = present::plain::present(&parsed(text).0, &options);
        let header = cast::print_file(&cast::File { declarations: pres.header });
        (findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), header)
    };
    let (codes, header) = present("interface I { I next(in Object from, out sequence<I> all); };");
    assert!(codes.is_empty() && header.contains("int I_next(struct whittle_iiop_client *client, const char *from,"));
    assert!(header.contains("#define I_ID \"IDL:I:1.0\"") && header.contains("char **items;"), "{header}");
    // No numbers are wanted, and who is only inherited is an object, too.
    assert!(present("interface A { void f(); }; interface B : A {};").1.contains("int A_f("));
    assert_eq!(present("interface I { void f(in any of); };").0, ["plain-002"]);
    assert_eq!(present("enum E { I_ID }; interface I {};").0, ["plain-001"]);
}

#[test]
fn types_of_headers_are_unknown_but_for_the_usual_numbers() {
    assert_eq!(of_onc("struct s { foreign of; };"), ["plain-003"]);
    assert!(of_onc("struct s { uint32_t of; u_quad_t large; int16_t small[3]; rpcprog_t *maybe; };").is_empty());
    assert!(of_onc("struct s { netobj cookie; des_block keys[2]; netobj more<>; }; typedef netobj handle;").is_empty());
    assert_eq!(of_onc("%#include <rpc/xdr.h>\nstruct s { netobj cookie; };"), ["plain-009", "plain-003"]);
}

/// What is written would not compile by itself.
#[test]
fn headers_of_libraries_are_reported() {
    assert_eq!(of_onc("%#include <rpc/rpc.h>\nstruct s { int x; };"), ["plain-009"]);
    assert_eq!(of_onc("%#include \"rpcsvc/mount.h\"\nstruct s { string name<MAXNETNAMELEN>; };"), ["plain-009"]);
    assert!(of_onc("%#include \"limits.h\"\nstruct s { int x; };").is_empty());
}

#[test]
fn structures_end() {
    let (aoi, problems) = aoi::text::parse("(struct a (b b))\n(struct b (a a))");
    assert!(problems.is_empty());
    assert!(presented(&aoi, None).iter().all(|finding| finding.code == "plain-004"));
    assert!(!presented(&aoi, None).is_empty());
}

#[test]
fn servers_are_known_by_numbers() {
    assert_eq!(of_idl("interface I { void f(); };", None), ["plain-005"]);
    assert!(of_idl("interface I { void f(); };", Some(7)).is_empty());
    assert_eq!(of_onc("program P { version V { void F(void) = ELSEWHERE; } = 1; } = 7;"), ["plain-006"]);
    // Each further one has the next number, which nobody else may have.
    let three = "interface I { void f(); }; @onc(program = 8) interface J {}; module M { interface K {}; };";
    assert_eq!(of_idl(three, Some(7)), ["plain-008"]);
    assert!(of_idl(three, Some(8 - 2)).is_empty());
    assert_eq!(of_idl("interface I {}; interface J {};", Some(u32::MAX)), ["plain-005"]);
}

/// Who is only inherited is no server.
#[test]
fn what_is_inherited_needs_no_number() {
    let bases = "interface A { void f(); }; interface B : A { void g(); };";
    assert!(of_idl(&format!("{bases} @onc(program = 7) interface C : B {{ void h(); }};"), None).is_empty());
    assert_eq!(of_idl(&format!("{bases} interface C : B {{ void h(); }};"), None), ["plain-005"]);
    assert!(of_idl(&format!("{bases} interface C : B {{ void h(); }};"), Some(7)).is_empty());
}

#[test]
fn what_nests_in_arrays_has_a_name_of_its_own() {
    let nested = "struct { int x; }";
    for ty in ["many<3>", "many[3]", "*many"] {
        assert!(of_onc(&format!("struct s {{ {nested} {ty}; }};")).is_empty(), "{ty}");
        assert!(of_onc(&format!("typedef {nested} {ty};")).is_empty(), "typedef {ty}");
    }
    assert!(
        of_idl("typedef sequence<sequence<long>> lists; struct s { sequence<sequence<string>> texts; };", None)
            .is_empty()
    );
    // Beside a name that the file has for something else.
    assert_eq!(of_onc("struct s { struct { int x; } many<3>; }; typedef int s_many_item;"), ["plain-001"]);
}

/// Front ends find it before; a tree that is read back may hold it.
#[test]
fn procedures_are_known_by_numbers() {
    let (aoi, findings) = parsed("interface A { @onc(procedure = 2) void f(); void g(); };");
    assert_eq!(findings.len(), 1);
    assert_eq!(presented(&aoi, Some(7))[0].code, "plain-007");
}

/// Twice as many parts at each step, and no more work.
#[test]
fn parts_that_are_shared_are_looked_at_once() {
    let steps = (1..64).map(|at| format!("struct s{at} {{ s{} a; s{} b; }};\n", at - 1, at - 1));
    let text: String = std::iter::once("struct s0 { int a; };\n".to_string()).chain(steps).collect();
    assert!(of_onc(&text).is_empty());
}
