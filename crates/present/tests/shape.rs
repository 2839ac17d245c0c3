//! What presentation files say, what headers look like then, and what is refused: with a place in the presentation file.

use aoi::{Aoi, Origin};
use present::plain::{Options, Presentation, present};
use source::{Diagnostic, SourceMap, render};

/// An interface and what shapes it, presented.
struct Shaped {
    header: String,
    /// `b.pres:1:8: …`, without the messages' helps.
    findings: Vec<String>,
}

fn options_of(presentations: Vec<Presentation>) -> Options {
    Options { base: "b".into(), program: None, strict_enumerations: false, presentations, link: pres::LinkKind::Onc }
}

fn parsed(map: &mut SourceMap, text: &str) -> Aoi {
    let is_idl = text.contains("interface") || text.contains("sequence");
    let file = map.add(if is_idl { "b.idl" } else { "b.x" }, text);
    let (aoi, findings) = match is_idl {
        true => front_corba::parse(map, file, &front_corba::Options::default()),
        false => front_onc::parse(map, file, &front_onc::Options::default()),
    };
    assert!(!findings.iter().any(Diagnostic::is_error), "{findings:?}");
    aoi
}

/// `options` are those of the command line.
fn shaped_with(interface: &str, presentation: &str, options: &[&str]) -> Shaped {
    let mut map = SourceMap::new();
    let aoi = parsed(&mut map, interface);
    let file = map.add("b.pres", presentation);
    let (read, mut findings) = Presentation::of_file(presentation, file, Origin::Main);
    let mut presentations = vec![read];
    for option in options {
        let file = map.add("--present", *option);
        let (read, more) = Presentation::of_option(option, file);
        presentations.push(read);
        findings.extend(more);
    }
    let is_broken = !findings.is_empty();
    let options = Options { program: Some(7), ..options_of(presentations) };
    let (pres, more) = present(&aoi, &options);
    findings.extend(more.into_iter().filter(|_| !is_broken));
    if !findings.iter().any(Diagnostic::is_error) {
        assert!(pres::verify(&pres).is_empty(), "{:?}", pres::verify(&pres));
    }
    let findings = render::short(&map, &findings).lines().map(str::to_string).collect();
    Shaped { header: cast::print_file(&cast::File { declarations: pres.header }), findings }
}

fn shaped(interface: &str, presentation: &str) -> String {
    let Shaped { header, findings } = shaped_with(interface, presentation, &[]);
    assert!(findings.is_empty(), "{presentation}: {findings:?}");
    header
}

#[track_caller]
fn has(header: &str, parts: &[&str]) {
    let flat = header.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(flat.contains(part), "no `{part}` in\n{header}");
    }
}

#[track_caller]
fn refused(interface: &str, presentation: &str, place: &str, code: &str) {
    let findings = shaped_with(interface, presentation, &[]).findings;
    let is_said = |finding: &String| finding.starts_with(&format!("b.pres:{place}:")) && finding.contains(code);
    assert!(findings.len() == 1 && is_said(&findings[0]), "{presentation}: not {code} at {place}: {findings:?}");
}

const MAIL: &str = "interface Mail { void send(in string msg); };";
const BOOK: &str = "typedef string name<9>; enum hue { RED = 1 }; const MOST = 4;\n\
    struct book { name title; string notes<>; string code<8>; int pages<5>; int all<>; opaque cover<MOST>; hue of; \
    struct { string deep<>; } in; };\n\
    program SHELF { version ONE { void PUT(book) = 1; string FIND(string, int) = 2; } = 1; } = 9;";

/// Flick's introduction (PLDI'97, section 1): the programmer chooses whether a length goes with a string.
#[test]
fn the_papers_example_is_one_option() {
    for option in ["strings=counted", "strings counted", "strings counted;", "parameter Mail.send.msg counted"] {
        let Shaped { header, findings } = shaped_with(MAIL, "", &[option]);
        assert!(findings.is_empty(), "{findings:?}");
        has(&header, &["int Mail_send(struct whittle_onc_client *client, const char *msg, uint32_t msg_length);"]);
        has(&header, &["int (*send)(void *context, const char *msg, uint32_t msg_length);"]);
    }
}

#[test]
fn texts_are_terminated_counted_or_inline() {
    let header = shaped(BOOK, "strings counted; member book.code inline; member book.in.deep terminated;");
    has(&header, &["typedef struct whittle_text name;", "name title; struct whittle_text notes; char code[9];"]);
    has(&header, &["struct book_in { char *deep; };"]);
    has(
        &header,
        &["const char *argument1, uint32_t argument1_length, int32_t argument2, struct whittle_text *result)"],
    );
    let header = shaped(BOOK, "strings inline;");
    has(&header, &["typedef char name[10];", "name title; char *notes; char code[9];"]);
}

#[test]
fn sequences_are_allocated_inline_or_apart() {
    let header = shaped(BOOK, "arrays inline;");
    has(&header, &["struct book_pages { uint32_t length; int32_t items[5]; };"]);
    has(&header, &["struct book_all { uint32_t length; int32_t *items; };"]);
    has(&header, &["struct book_cover { uint32_t length; uint8_t items[MOST]; };"]);
    let header = shaped(BOOK, "arrays inline; member book.pages allocated;");
    has(&header, &["struct book_pages { uint32_t length; int32_t *items; };"]);
    let lists =
        "typedef sequence<long> numbers; interface I { void f(in numbers n, out numbers m, in sequence<octet> o); };";
    let header = shaped(lists, "arrays apart;");
    has(&header, &["const int32_t *n, uint32_t n_length, struct numbers *m, const uint8_t *o, uint32_t o_length)"]);
    let header = shaped(lists, "parameter I.f.o apart as bytes;");
    has(&header, &["const struct numbers *n, struct numbers *m, const uint8_t *bytes, uint32_t bytes_length)"]);
}

/// What a reply holds may stay in it: not what was the caller's before, nor what an exception takes the place of.
#[test]
fn results_are_allocated_or_lent() {
    let many = "typedef sequence<string> texts; exception Bad { string why; };\n\
        interface I { texts f(in long reply); string g(inout string a); string h() raises (Bad); long k(); };";
    let header = shaped(many, "results lent;");
    has(
        &header,
        &[
            "int I_f(struct whittle_onc_client *client, int32_t reply, struct texts *result, struct whittle_onc_reply **reply_);",
        ],
    );
    has(&header, &["int I_g(struct whittle_onc_client *client, char **a, char **result);"]);
    has(&header, &["int (*f)(void *context, int32_t reply, struct texts *result);"]);
    has(&shaped(many, "results lent; operation I.f allocated;"), &["int32_t reply, struct texts *result);"]);
    for operation in ["g", "h", "k"] {
        refused(many, &format!("operation I.{operation} lent;"), "1:15", "shape-006");
    }
}

/// A count has a name that no other parameter has.
#[test]
fn counts_keep_clear_of_other_parameters() {
    let header =
        shaped("interface I { void f(in long a_length, in string a, in string a_length_); };", "strings counted;");
    has(
        &header,
        &["int32_t a_length, const char *a, uint32_t a_length_, const char *a_length__, uint32_t a_length___length)"],
    );
}

#[test]
fn everything_with_a_name_can_have_another() {
    let header = shaped(
        BOOK,
        "type name as label; type book as volume; member book.title as heading; member book.in.deep as low; \
         enumerator RED as ROT; constant MOST as LIMIT; interface SHELF as lib; operation SHELF.PUT as store; \
         parameter SHELF.PUT.argument as what; result SHELF.FIND as found;",
    );
    has(&header, &["typedef char *label;", "#define LIMIT 4", "ROT = 1", "struct volume { label heading;"]);
    has(&header, &["struct volume_in { char *low; };", "uint8_t *items; }; /*", "#define LIB_PROGRAM"]);
    has(&header, &["int lib_store(struct whittle_onc_client *client, const struct volume *what);", "char **found);"]);
    has(&header, &["struct lib_operations", "int lib_serve("]);
}

#[test]
fn a_prefix_is_before_all_names() {
    let header = shaped(BOOK, "prefix my_; type name as label;");
    has(
        &header,
        &["typedef char *label;", "#define MY_MOST 4", "MY_RED = 1", "struct my_book {", "struct my_book_pages {"],
    );
    has(&header, &["int my_shelf_put(", "#define MY_SHELF_PROGRAM", "items; };"]);
    // What C has as words is none behind it, and what stands in scopes stands there still.
    let scoped = shaped("module M { enum class { A }; interface I { void g(in class c); }; };", "prefix my_;");
    has(
        &scoped,
        &[
            "enum my_M_class WHITTLE_INT_ENUM { MY_M_A",
            "int my_M_I_g(struct whittle_onc_client *client, enum my_M_class c);",
        ],
    );
}

#[test]
fn names_and_forms_come_from_the_file_that_declares() {
    let mut map = SourceMap::new();
    let aoi = parsed(&mut map, "struct own { string a<>; };");
    let (other, _) =
        Presentation::of_file("strings counted;", map.add("c.pres", ""), Origin::Included("c.x".to_string()));
    let presentations = vec![other];
    let options = options_of(presentations);
    let (pres, findings) = present(&aoi, &options);
    assert!(findings.is_empty());
    has(&cast::print_file(&cast::File { declarations: pres.header }), &["struct own { char *a; };"]);
}

#[test]
fn strict_is_for_all_enumerations() {
    let mut map = SourceMap::new();
    let aoi = parsed(&mut map, "enum e { A };");
    let (read, findings) = Presentation::of_file("strict;", map.add("b.pres", "strict;"), Origin::Main);
    let options = options_of(vec![read]);
    assert!(findings.is_empty() && present(&aoi, &options).0.strict_enumerations);
}

#[test]
fn strict_may_be_one_enumeration() {
    let interface = "enum e { A }; enum f { B }; typedef e g; typedef enum { C } h; struct s { enum { D } i; e j; };";
    for (statement, name) in
        [("type e strict as first;", "first"), ("type h strict;", "h"), ("member s.i strict;", "s_i")]
    {
        let mut map = SourceMap::new();
        let aoi = parsed(&mut map, interface);
        let (read, findings) = Presentation::of_file(statement, map.add("b.pres", statement), Origin::Main);
        assert!(findings.is_empty(), "{findings:?}");
        let (pres, findings) = present(&aoi, &options_of(vec![read]));
        let text = pres::text::print(&pres);
        assert!(findings.is_empty() && !pres.strict_enumerations, "{findings:?}");
        let is_strict = text.contains(&format!("(c (enum {name})) strict-enum)"));
        assert!(is_strict && text.matches("strict-enum").count() == 1, "{statement}: {text}");
    }
    for (statement, place) in [
        ("type g strict;", "1:8"),
        ("member s.j strict;", "1:12"),
        ("type s strict;", "1:8"),
        ("strings strict;", "1:9"),
        ("results strict;", "1:9"),
    ] {
        refused(interface, statement, place, "shape-006");
    }
    refused(interface, "type e strict; type e strict;", "1:23", "shape-007");
    refused("%#define A 3\nenum e { B = A };", "type e strict;", "1:8", "shape-006");
    refused("const A = 3;", "constant A strict;", "1:12", "shape-001");
}

#[test]
fn what_is_no_statement_is_said_at_its_place() {
    refused(BOOK, "prefix 5;", "1:8", "shape-001");
    refused(BOOK, "strict;\nmember book.title;", "2:18", "shape-001");
    refused(BOOK, "constant MOST counted;", "1:15", "shape-001");
    refused(BOOK, "stringz counted;", "1:1", "shape-002");
    refused(BOOK, "type name counte;", "1:11", "shape-003");
    refused(BOOK, "strings counted\nstrict;", "1:16", "shape-004");
    // All of them at once, and what stands between is read.
    let findings = shaped_with(BOOK, "typ name;\nstrict;\nstrings many;\n= ;\nprefix a b;", &[]).findings;
    let codes: Vec<&str> = findings.iter().filter_map(|finding| finding.split(['[', ']']).nth(1)).collect();
    assert_eq!(codes, ["shape-002", "shape-003", "shape-001", "shape-004"], "{findings:?}");
}

#[test]
fn what_the_interface_does_not_have_is_said() {
    for (statement, place) in [
        ("type nome inline;", "1:6"),
        ("type book.title inline;", "1:6"),
        ("constant name as N;", "1:10"),
        ("enumerator GREEN as G;", "1:12"),
        ("member book.titel counted;", "1:8"),
        ("member book.title.more counted;", "1:8"),
        ("member title counted;", "1:8"),
        ("interface SHELVE as s;", "1:11"),
        ("operation SHELF.GET as g;", "1:11"),
        ("operation SHELF as g;", "1:11"),
        ("parameter SHELF.PUT.book apart;", "1:11"),
        ("result SHELF.PUT counted;", "1:8"),
    ] {
        refused(BOOK, statement, place, "shape-005");
    }
}

/// Who does not know what it is called learns what is near, what there is, or how things are named.
#[test]
fn near_misses_are_guessed() {
    for (statement, help) in [
        ("type nome inline;", "did you mean `name`?"),
        ("member book.titel counted;", "did you mean `title`?"),
        ("strins counted;", "did you mean `strings`?"),
        ("member bok.title counted;", "did you mean `book`?"),
        ("member title counted;", "it is named as in `member book.title`"),
        ("parameter PUT.argument apart;", "it is named as in `parameter SHELF.PUT.argument`"),
        ("parameter SHELF.PUT.book apart;", "there is `argument`"),
        ("operation SHELF.GRAB as g;", "there are `FIND` and `PUT`"),
    ] {
        let mut map = SourceMap::new();
        let aoi = parsed(&mut map, BOOK);
        let (read, mut findings) = Presentation::of_file(statement, map.add("b.pres", statement), Origin::Main);
        let options = options_of(vec![read]);
        findings.extend(present(&aoi, &options).1);
        assert_eq!(findings[0].help.as_deref(), Some(help), "{statement}");
    }
}

#[test]
fn forms_that_do_not_fit_are_refused() {
    for (statement, place) in [
        ("strings allocated;", "1:9"),
        ("arrays counted;", "1:8"),
        ("type name allocated;", "1:11"),
        ("type hue counted;", "1:10"),
        ("type book counted;", "1:11"),
        ("member book.pages counted;", "1:19"),
        ("member book.pages apart;", "1:19"),
        ("member book.of inline;", "1:16"),
        ("member book.title apart;", "1:19"),
        ("parameter SHELF.FIND.argument1 apart;", "1:32"),
        ("parameter SHELF.FIND.argument2 counted;", "1:32"),
        ("result SHELF.FIND allocated;", "1:19"),
        ("results counted;", "1:9"),
        ("operation SHELF.PUT counted;", "1:21"),
        ("operation SHELF.PUT lent;", "1:21"),
    ] {
        refused(BOOK, statement, place, "shape-006");
    }
    let lists = "typedef sequence<long, 3> numbers; struct s { numbers of; }; interface I { void f(out numbers n, in numbers m); };";
    for (statement, place) in
        [("member s.of inline;", "1:13"), ("parameter I.f.n apart;", "1:17"), ("parameter I.f.m inline;", "1:17")]
    {
        refused(lists, statement, place, "shape-006");
    }
    refused(lists, "type numbers inline; parameter I.f.m apart;", "1:38", "shape-006");
}

#[test]
fn what_is_said_twice_is_refused_with_both_places() {
    refused(BOOK, "strings counted; strings inline;", "1:26", "shape-007");
    refused(BOOK, "prefix a_;\nprefix b_;", "2:1", "shape-007");
    refused(BOOK, "type name inline;\ntype name counted;", "2:11", "shape-007");
    refused(BOOK, "operation SHELF.PUT as a; operation ONE.PUT as b;", "1:48", "shape-007");
    let findings = shaped_with(BOOK, "strings inline;", &["strings=counted"]).findings;
    assert!(findings.len() == 1 && findings[0].starts_with("--present:1:9:"), "{findings:?}");
    // What is more particular is no contradiction.
    shaped(BOOK, "strings counted; type name inline;");
}

#[test]
fn what_is_inline_has_a_bound() {
    refused(BOOK, "member book.notes inline;", "1:19", "shape-008");
    refused(BOOK, "member book.all inline;", "1:17", "shape-008");
    refused("typedef string s<65537>;", "type s inline;", "1:8", "shape-008");
    refused("typedef opaque s<0>;", "type s inline;", "1:8", "shape-008");
    refused("typedef string s<ELSEWHERE>;", "type s inline;", "1:8", "shape-008");
}

#[test]
fn names_are_free_in_c() {
    refused(BOOK, "operation SHELF.PUT as switch;", "1:24", "shape-009");
    refused(BOOK, "type name as class;", "1:14", "shape-009");
    refused(BOOK, "type name as whittle_text;", "1:14", "shape-009");
    refused("interface I {}; ", "type I as J;", "1:11", "shape-010");
    // Two things of one name meet in C as they always do.
    let findings = shaped_with(BOOK, "type name as book;", &[]).findings;
    assert!(findings.iter().any(|finding| finding.contains("plain-001")), "{findings:?}");
}

/// A value that holds itself by value has no end, whoever made it so.
#[test]
fn what_is_inline_holds_nothing_of_its_own_kind() {
    let tree = "struct tree { tree inner<2>; };";
    shaped(tree, "");
    refused(tree, "member tree.inner inline;", "1:19", "shape-008");
    // Where it is not said of this one it stays as it is.
    has(&shaped(tree, "arrays inline;"), &["struct tree_inner { uint32_t length; struct tree *items; };"]);
}

/// Arguments are on the stack of whoever serves them.
#[test]
fn what_is_inline_takes_no_more_room_than_there_is() {
    let large =
        "typedef string line<1000>; typedef line page<60>; struct book { page pages<40>; }; typedef int small<16000>;";
    let header = shaped(large, "strings inline; arrays inline;");
    has(&header, &["struct page { uint32_t length; line items[60]; };", "int32_t items[16000]; };"]);
    has(&header, &["struct book_pages { uint32_t length; struct page *items; };"]);
    refused(large, "strings inline; type page inline; member book.pages inline;", "1:53", "shape-008");
    refused("typedef hyper large<8192>;", "type large inline;", "1:12", "shape-008");
}

/// Whatever is cut out of a file, or into it, is read and judged to its end.
#[test]
fn broken_files_are_judged_to_their_end() {
    let text = "prefix lib_; strings counted; arrays apart; results lent; type name inline as label; member book.in.deep \
                counted; parameter SHELF.FIND.argument1 terminated as what; operation SHELF.FIND as get;";
    shaped(BOOK, text);
    for at in (0..text.len()).step_by(3) {
        for cut in [&text[..at], &text[at..]] {
            shaped_with(BOOK, cut, &[]);
        }
        for more in ["", ";", ".", "\"", " as ", "/*", "9", "\u{e9}"] {
            shaped_with(BOOK, &format!("{}{more}{}", &text[..at], &text[at + 1..]), &[]);
        }
    }
}

#[test]
fn any_text_is_read_to_its_end() {
    for text in [
        "",
        ";",
        "type",
        "type a",
        "type a as",
        "member a.",
        "\"",
        "#if x",
        "strings = counted;",
        "// done",
        "type a::b.c inline",
    ] {
        let mut map = SourceMap::new();
        let (_, findings) = Presentation::of_file(text, map.add("b.pres", text), Origin::Main);
        let is_empty = text.is_empty() || text.starts_with("//");
        assert_eq!(findings.is_empty(), is_empty, "{text}: {findings:?}");
    }
}
