//! Packets that cannot be C structures are refused; what peers must agree on is the same for all that agree.

use aoi::Aoi;
use pres::PresC;
use source::{Diagnostic, SourceMap};
use xip::{Imported, Types, Xip};

fn described(text: &str) -> Xip {
    let mut map = SourceMap::new();
    // Ports for all packets.
    let names = text.split("packet ").skip(1).filter_map(|packet| packet.split(' ').next());
    let ports: String = names.map(|name| format!("out {name} of_{name}; ")).collect();
    let file = map.add("flow.spi", format!("{text}\npipe All {{ {ports} middle all; }}"));
    let (xip, findings) = front_spi::parse(&map, file, &front_spi::Options::default());
    let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, [""; 0]);
    xip
}

fn interface(text: &str) -> Aoi {
    let mut map = SourceMap::new();
    let file = map.add_preprocessed("types.x", text);
    front_onc::parse(&map, file, &front_onc::Options::default()).0
}

fn presented(xip: &Xip, aoi: &Aoi) -> (PresC, Vec<Diagnostic>) {
    let (types, _) = Types::new(xip, &[Imported { file: "types.x", aoi }]);
    present::flow::present(xip, &types)
}

fn codes(text: &str, interface_text: &str) -> Vec<&'static str> {
    let (_, findings) = presented(&described(text), &interface(interface_text));
    findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn what_has_no_structure_is_refused() {
    assert_eq!(codes("packet P { int32 q[<= 4]; uint32 q_count; }", ""), ["packet-001"]);
    assert_eq!(codes("packet P { int32 q[<= 4 used q_count]; uint32 q_count; }", ""), [""; 0]);
    let theirs = "struct node { foreign_thing x; node *next; };";
    assert_eq!(codes("import \"types.x\"; packet P { node n; }", theirs), ["packet-002"]);
    assert_eq!(codes("packet P { octet a[<= 2000000000]; octet b[2500000000]; }", ""), ["packet-003"]);
    let xml = "<xip version=\"1\" xmlns=\"urn:whittle:xip:1\"><packet name=\"P\">\
               <field name=\"a\" type=\"octet\" bound=\"0\"/><field name=\"c\" type=\"int8\" array=\"0\"/>\
               </packet></xip>";
    let mut map = SourceMap::new();
    let file = map.add("flow.xip", xml);
    let (xip, _) = xip::xml::read(&map, file);
    let (_, findings) = presented(&xip, &Aoi::default());
    assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["packet-004", "packet-004"]);
}

/// The schema of the packet `P`.
fn schema(text: &str, interface_text: &str) -> String {
    let (pres, findings) = presented(&described(text), &interface(interface_text));
    assert!(findings.is_empty());
    pres.packets.iter().find(|packet| packet.name == "P").expect("the packet").schema.clone()
}

#[test]
fn schemas_are_the_same_where_packets_are() {
    let one = schema("packet P { int32 x unit \"m\"; octet y[<= 3]; }", "");
    let same =
        schema("packet Q { int32 x unit \"m\"; octet y[<= 3]; } packet P { int32 x unit \"m\"; octet y[<= 3]; }", "");
    assert_eq!(one, same);
    for other in [
        "packet P { int32 x unit \"km\"; octet y[<= 3]; }",
        "packet P { int32 x; octet y[<= 3]; }",
        "packet P { int32 x unit \"m\" range 0 to 5; octet y[<= 3]; }",
        "packet P { uint32 x unit \"m\"; octet y[<= 3]; }",
        "packet P { int32 z unit \"m\"; octet y[<= 3]; }",
        "packet P { int32 x unit \"m\"; octet y[<= 4]; }",
        "packet P { int32 x unit \"m\"; octet y[3]; }",
        "packet P { int32 x unit \"m\"; uint8 y[<= 3]; }",
        "packet P { octet y[<= 3]; int32 x unit \"m\"; }",
    ] {
        assert_ne!(schema(other, ""), one, "{other}");
    }
}

#[test]
fn schemas_hold_what_imported_types_are() {
    let flow = "import \"types.x\"; packet P { list l; } pipe A { out list l; middle a; }";
    let one = schema(flow, "struct node { int x; node *next; }; typedef node *list;");
    assert_eq!(one, schema(flow, "struct node { int x; node *next; }; typedef node *list; const OTHER = 3;"));
    assert_ne!(one, schema(flow, "struct node { unsigned x; node *next; }; typedef node *list;"));
    assert_eq!(
        one,
        "(struct (l @list))\n(type list (optional @node))\n(type node (struct (x int32) (next (optional @node))))\n"
    );
}

#[test]
fn of_idl_files_types_alone_matter() {
    let interface = |text: &str| {
        let mut map = SourceMap::new();
        let file = map.add_preprocessed("types.x", text);
        let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
        assert!(findings.is_empty());
        present::rpcgen::types_alone(&aoi)
    };
    let theirs = "module M { struct A { long x; }; struct B { A first; any rest; }; typedef sequence<B> Bs;\n\
                  interface I { enum E { one, two }; void f(in Object o); }; };";
    let aoi = interface(theirs);
    let codes = |flow: &str| -> Vec<&'static str> {
        let (_, findings) = presented(&described(flow), &aoi);
        findings.into_iter().map(|finding| finding.code).collect()
    };
    assert_eq!(codes("import \"types.x\"; packet P { M_A a; M_I_E e; }"), [""; 0]);
    assert_eq!(codes("import \"types.x\"; packet P { M_B b; M_Bs all; M_I i; }"), ["packet-005"; 3]);
    let flow = "import \"types.x\"; packet P { M_A a; }";
    let (pres, _) = presented(&described(flow), &aoi);
    let of_onc = schema(flow, "struct M_A { int x; };");
    assert_eq!(pres.packets[0].schema, of_onc);
}

/// Packets may be spoken of before they are described, and nest as deep as the file is long.
#[test]
fn structures_stand_in_the_order_of_c() {
    let length = 200;
    let mut text: String = (1..length).map(|at| format!("packet P{at} {{ P{} next; }}\n", at + 1)).collect();
    text.push_str(&format!("packet P{length} {{ bool x; }}"));
    let (pres, _) = presented(&described(&text), &Aoi::default());
    let names: Vec<&str> = pres.types.iter().map(|(_, stub)| stub.name.as_str()).collect();
    assert_eq!((names[0], names[length - 1]), ("P200", "P1"));
}

#[test]
fn ranges_are_macros_and_survive_the_text_form() {
    let text = "packet P { uint8 n; int16 q[<= 4 used n] range -32768 to 5; int64 low range -9223372036854775808 to -2; \
                uint64 high range 7 to 18446744073709551615; bool b; }";
    let (pres, findings) = presented(&described(text), &Aoi::default());
    assert!(findings.is_empty());
    let (low, high) = ((i128::from(i64::MIN), -2), (7, i128::from(u64::MAX)));
    assert_eq!(pres.ranges["P"], [None, Some((-32768, 5)), Some(low), Some(high), None]);
    let header = cast::print_file(&cast::File { declarations: pres.header.clone() });
    for line in ["P_q_least (-32768)", "P_low_least (-9223372036854775807 - 1)", "P_high_most 18446744073709551615u"] {
        assert!(header.contains(&format!("#define {line}\n")), "{header}");
    }
    let (read, errors) = pres::text::parse(&pres::text::print(&pres));
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(read.ranges, pres.ranges);
}
