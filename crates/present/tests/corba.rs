//! What the C mapping of CORBA, and rpcgen's style for its interfaces, refuse; and how arguments are passed.

use cast::{Declaration, File};
use source::Diagnostic;

fn aoi(text: &str) -> aoi::Aoi {
    let (aoi, problems) = aoi::text::parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    aoi
}

fn presented(idl: &str) -> (pres::PresC, Vec<Diagnostic>) {
    let mut map = source::SourceMap::new();
    let file = map.add("b.idl", idl);
    let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
    assert!(findings.is_empty(), "{findings:?}");
    present::corba::present(
        &aoi,
        &present::corba::Options {
            base: "b".into(),
            strict_enumerations: false,
            program: None,
            link: pres::LinkKind::Iiop,
        },
    )
}

fn codes(findings: &[Diagnostic]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code).collect()
}

fn refused(text: &str) -> Vec<String> {
    let options = present::corba::Options {
        base: "b".into(),
        strict_enumerations: false,
        program: None,
        link: pres::LinkKind::Iiop,
    };
    let (_, findings) = present::corba::present(&aoi(text), &options);
    codes(&findings).into_iter().map(str::to_string).collect()
}

#[test]
fn two_names_of_idl_may_be_one_in_c() {
    assert_eq!(codes(&presented("module A { struct B { long x; }; }; struct A_B { long y; };").1), ["corba-101"]);
}

#[test]
fn only_whole_value_types_have_a_form_in_c() {
    assert_eq!(refused("(value stamp (state (seconds int32)))\n(struct s (when stamp))"), [""; 0]);
    assert_eq!(refused("(value stamp (abstract) (state))\n(struct s (when stamp))"), ["corba-112"]);
    assert_eq!(refused("(native handle)\n(struct s (of handle))"), ["corba-102"]);
}

#[test]
fn types_of_headers_have_no_form_in_cdr() {
    assert_eq!(refused("(struct s (of (external foreign)))"), ["corba-103"]);
}

#[test]
fn structures_end() {
    assert_eq!(refused("(struct a (b b))\n(struct b (a a))")[0], "corba-104");
}

#[test]
fn lengths_are_known_to_type_codes() {
    assert_eq!(refused("(struct s (of (array int32 (external LENGTH))))"), ["corba-105"]);
}

#[test]
fn what_onc_cannot_say_is_refused_in_rpcgens_style() {
    let options = present::rpcgen::Options { program: Some(0x2000_0001), ..present::rpcgen::Options::new("b") };
    for ty in ["any", "wchar", "wstring", "object", "typecode", "(fixed 5 2)"] {
        let text = format!("(struct s (of {ty}) (repository-id \"IDL:s:1.0\"))");
        let (_, findings) = present::rpcgen::present(&aoi(&text), &options);
        assert_eq!(codes(&findings), ["rpcgen-016"], "{ty}");
    }
}

/// Interfaces that state no number are numbered in their order, as long as there are servers of them.
#[test]
fn interfaces_have_numbers_in_rpcgens_style() {
    let of = |idl: &str, program: Option<u32>| {
        let mut map = source::SourceMap::new();
        let file = map.add("b.idl", idl);
        let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
        assert!(findings.is_empty(), "{findings:?}");
        let options = present::rpcgen::Options { program, newstyle: true, ..present::rpcgen::Options::new("b") };
        let (pres, findings) = present::rpcgen::present(&aoi, &options);
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
        (cast::print_file(&File { declarations: pres.header }), codes.join(" "))
    };
    let bases = "interface A { void f(); }; @onc(program = 9) interface B : A {};";
    let (header, codes) = of(&format!("{bases} interface C : B {{ void g(); }};"), Some(0x2000_0001));
    assert!(header.contains("#define A 0x20000001") && header.contains("#define C 0x20000002"), "{codes}\n{header}");
    assert_eq!(of(&format!("{bases} interface C : B {{ void g(); }};"), None).1, "rpcgen-005");
    let (header, codes) = of(bases, None);
    assert!(!header.contains("define A ") && header.contains("#define B 9") && codes.is_empty(), "{codes}\n{header}");
}

/// The prototypes of the mapping's table (section 1.21), as C.
#[test]
fn arguments_are_passed_as_the_mapping_says() {
    let (pres, findings) = presented(
        "struct Small { long x; }; struct Held { string x; }; typedef long Grid[3]; typedef string Words[2];
         interface I {
           string one(in long a, inout string b, out string c);
           Small two(in Small a, inout Small b, out Small c);
           Held three(in Held a, inout Held b, out Held c);
           Grid four(in Grid a, inout Grid b, out Grid c);
           Words five(in Words a, inout Words b, out Words c);
         };",
    );
    assert!(findings.is_empty(), "{findings:?}");
    let header = cast::print_file(&File { declarations: pres.header }).replace("\n    ", " ");
    for prototype in [
        "CORBA_char *I_one(I _obj, CORBA_long a, CORBA_char **b, CORBA_char **c, CORBA_Environment *ev);",
        "Small I_two(I _obj, const Small *a, Small *b, Small *c, CORBA_Environment *ev);",
        "Held *I_three(I _obj, const Held *a, Held *b, Held **c, CORBA_Environment *ev);",
        "CORBA_long *I_four(I _obj, const CORBA_long *a, CORBA_long *b, CORBA_long *c, CORBA_Environment *ev);",
        "CORBA_char **I_five(I _obj, CORBA_char *const *a, CORBA_char **b, CORBA_char ***c, CORBA_Environment *ev);",
    ] {
        assert!(header.contains(prototype), "{prototype}\nis not in\n{header}");
    }
    assert!(pres.common.iter().any(|declaration| matches!(declaration, Declaration::Variable(_))));
}

#[test]
fn contexts_are_not_left_out_without_a_word() {
    assert_eq!(codes(&presented("interface I { void f() context (\"a\"); };").1), ["corba-106"]);
}

#[test]
fn two_included_files_have_two_headers() {
    let text = "# 1 \"b.idl\"\n# 1 \"one/types.idl\" 1\nstruct A { long x; };\n# 2 \"b.idl\" 2\n\
        # 1 \"two/types.idl\" 1\nstruct B { long x; };\n# 3 \"b.idl\" 2\nstruct C { A first; B second; };\n";
    let mut map = source::SourceMap::new();
    let file = map.add_preprocessed("b.idl", text);
    let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
    assert!(findings.is_empty(), "{findings:?}");
    let options = present::corba::Options {
        base: "b".into(),
        strict_enumerations: false,
        program: None,
        link: pres::LinkKind::Iiop,
    };
    assert_eq!(codes(&present::corba::present(&aoi, &options).1), ["include-002"]);
}

#[test]
fn words_of_c_and_cplusplus_begin_with_an_underscore() {
    let (pres, findings) =
        presented("struct register { long class; }; interface I { void f(in register ev, in long new); };");
    assert!(findings.is_empty(), "{findings:?}");
    let header = cast::print_file(&File { declarations: pres.header }).replace("\n    ", " ");
    assert!(header.contains("struct _register { CORBA_long _class;"), "{header}");
    assert!(header.contains("I_f(I _obj, const _register *_ev, CORBA_long _new, CORBA_Environment *ev)"), "{header}");
}
