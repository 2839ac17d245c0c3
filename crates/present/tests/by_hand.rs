//! AOI built by hand: the directory service of the Flick paper, and what `.x` files cannot say or never let through.

mod build;

use aoi::{Aoi, DefinitionKind, Direction, Identity, Item, Type};
use build::{define, field, int, interface, number, structure};
use present::rpcgen::{Options, present};

fn directory() -> Aoi {
    let mut aoi = Aoi::default();
    let fields = Type::Array { element: Box::new(int()), length: number(30, "30") };
    let tag = Type::FixedOpaque { length: number(16, "16") };
    let stat_info = define(&mut aoi, "stat_info", structure(vec![field("fields", fields), field("tag", tag)]));
    let name = field("name", Type::Text { bound: None });
    let direntry = define(&mut aoi, "direntry", structure(vec![name, field("info", Type::Named(stat_info))]));
    let entries = Type::Sequence { element: Box::new(Type::Named(direntry)), bound: None };
    let direntseq = define(&mut aoi, "direntseq", DefinitionKind::Alias(entries));
    let list = interface(Type::Text { bound: None }, Direction::In, Type::Named(direntseq));
    aoi.items.push(Item::Interface(list));
    aoi
}

#[test]
fn the_header_declares_what_rpcgen_declares() {
    let (pres, findings) = present(&directory(), &Options::new("dir"));
    assert_eq!(findings, []);
    assert_eq!(pres::verify(&pres), []);
    let header = cast::print_declarations(&pres.header);
    for line in [
        "#ifndef _DIR_H_RPCGEN",
        "struct stat_info {",
        "    int fields[30];",
        "    char tag[16];",
        "    char *name;",
        "    u_int direntseq_len;",
        "    direntry *direntseq_val;",
        "#define DIRECTORY 0x20000101",
        "extern direntseq *list_1(char **, CLIENT *);",
        "extern direntseq *list_1_svc(char **, struct svc_req *);",
        "extern int directory_1_freeresult(SVCXPRT *, xdrproc_t, caddr_t);",
        "extern bool_t xdr_direntseq(XDR *, direntseq *);",
    ] {
        assert!(header.lines().any(|l| l == line), "no line {line:?} in\n{header}");
    }
}

#[test]
fn the_tree_of_a_type_names_other_types() {
    let (pres, _) = present(&directory(), &Options::new("dir"));
    let text = pres::text::print(&pres);
    assert!(text.contains("(type direntseq (counted direntseq_len direntseq_val heap @direntry))"), "{text}");
    assert!(text.contains("(type direntry (struct (member name (text heap)) (member info @stat_info)))"), "{text}");
}

fn codes(aoi: &Aoi) -> Vec<&'static str> {
    present(aoi, &Options::new("dir")).1.into_iter().map(|finding| finding.code).collect()
}

fn with_interface(argument: Type, direction: Direction, result: Type) -> Aoi {
    let mut aoi = Aoi::default();
    aoi.items.push(Item::Interface(interface(argument, direction, result)));
    aoi
}

#[test]
fn an_argument_without_a_name_of_its_type_needs_one() {
    let bounded = Type::Text { bound: Some(number(5, "5")) };
    assert_eq!(codes(&with_interface(bounded, Direction::In, Type::Void)), ["rpcgen-002"]);
    let optional = Type::Optional(Box::new(int()));
    assert_eq!(codes(&with_interface(int(), Direction::In, optional)), ["rpcgen-002"]);
    assert_eq!(codes(&with_interface(int(), Direction::In, Type::Float { bits: 128 })), ["rpcgen-002"]);
}

#[test]
fn an_interface_needs_a_program_number() {
    let mut aoi = Aoi::default();
    let mut nameless = interface(int(), Direction::In, Type::Void);
    nameless.identity = Identity::default();
    aoi.items.push(Item::Interface(nameless));
    assert_eq!(codes(&aoi), ["rpcgen-005"]);
}

#[test]
fn lengths_are_not_negative() {
    let mut aoi = Aoi::default();
    define(&mut aoi, "less", DefinitionKind::Alias(Type::Opaque { bound: Some(number(-1, "-1")) }));
    assert_eq!(codes(&aoi), ["rpcgen-006"]);
}

#[test]
fn a_type_that_contains_itself_is_refused() {
    let mut aoi = Aoi::default();
    let id = define(&mut aoi, "endless", structure(Vec::new()));
    aoi.definitions[id].kind = structure(vec![field("again", Type::Named(id))]);
    assert_eq!(codes(&aoi), ["rpcgen-009"]);
    aoi.definitions[id].kind = structure(vec![field("again", Type::Optional(Box::new(Type::Named(id))))]);
    assert_eq!(codes(&aoi), [""; 0]);
}

#[test]
fn parameters_are_inputs() {
    assert_eq!(codes(&with_interface(int(), Direction::Out, Type::Void)), ["rpcgen-010"]);
}
