//! The directory service of the Flick paper, built by hand: what each part of PRES_C holds.

use aoi::{
    Aoi, Definition, DefinitionId, DefinitionKind, Direction, Field, Identity, Interface, Item, OncIdentity, Operation,
    Origin, Parameter, Structure, Type, Value,
};
use present::rpcgen::{Options, present};
use source::Span;

fn number(value: i128, spelling: &str) -> Value {
    Value::Integer { value, spelling: spelling.to_string() }
}

fn field(name: &str, ty: Type) -> Field {
    Field { name: name.to_string(), ty, span: Span::default() }
}

fn define(aoi: &mut Aoi, name: &str, kind: DefinitionKind) -> DefinitionId {
    let id =
        aoi.definitions.alloc(Definition { name: name.to_string(), kind, span: Span::default(), origin: Origin::Main });
    aoi.items.push(Item::Definition(id));
    id
}

fn structure(fields: Vec<Field>) -> DefinitionKind {
    DefinitionKind::Structure(Structure { fields })
}

fn directory() -> Aoi {
    let mut aoi = Aoi::default();
    let int = Type::Integer { bits: 32, signed: true, spelling: "int".to_string() };
    let fields = Type::Array { element: Box::new(int), length: number(30, "30") };
    let tag = Type::FixedOpaque { length: number(16, "16") };
    let stat_info = define(&mut aoi, "stat_info", structure(vec![field("fields", fields), field("tag", tag)]));
    let name = field("name", Type::Text { bound: None });
    let direntry = define(&mut aoi, "direntry", structure(vec![name, field("info", Type::Named(stat_info))]));
    let entries = Type::Sequence { element: Box::new(Type::Named(direntry)), bound: None };
    let direntseq = define(&mut aoi, "direntseq", DefinitionKind::Alias(entries));
    let argument =
        Parameter { name: None, direction: Direction::In, ty: Type::Text { bound: None }, span: Span::default() };
    aoi.items.push(Item::Interface(Interface {
        name: "V1".to_string(),
        identity: Identity {
            onc: Some(OncIdentity {
                program_name: "DIRECTORY".to_string(),
                program: number(0x2000_0101, "0x20000101"),
                version: number(1, "1"),
            }),
        },
        operations: vec![Operation {
            name: "LIST".to_string(),
            code: number(1, "1"),
            parameters: vec![argument],
            result: Type::Named(direntseq),
            span: Span::default(),
        }],
        span: Span::default(),
        origin: Origin::Main,
    }));
    aoi
}

#[test]
fn the_header_declares_what_rpcgen_declares() {
    let (pres, findings) = present(&directory(), &Options::new("dir"));
    assert_eq!(findings, []);
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
