//! What people, editors and programs see of a finding.

use source::{Diagnostic, FileId, SourceMap, Span, render};

fn span_of(map: &SourceMap, file: FileId, needle: &str) -> Span {
    let start = map.text(file).find(needle).expect("the needle is in the text");
    Span::new(file, start as u32, (start + needle.len()) as u32)
}

fn plain() -> (SourceMap, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("dir.x", "struct a { int x; };\n\n\n\nconst é = 1; struct a { int yy; };\n");
    let first = span_of(&map, file, "a {");
    let second = span_of(&map, file, "a { int yy");
    let again = Diagnostic::error("onc-020", "`a` is defined twice")
        .at(Span::new(file, second.start, second.start + 1), "defined again here")
        .also(Span::new(file, first.start, first.start + 1), "first defined here")
        .note("names of types and constants share one scope")
        .help("rename one of them");
    let placeless = Diagnostic::warning("onc-099", "the file is\nempty");
    (map, vec![again, placeless])
}

#[test]
fn full_shows_lines_with_carets_notes_and_help() {
    let (map, diagnostics) = plain();
    let expected = "\
error[onc-020]: `a` is defined twice
 --> dir.x:5:21
  |
1 | struct a { int x; };
  |        - first defined here
...
5 | const é = 1; struct a { int yy; };
  |                     ^ defined again here
  |
  = note: names of types and constants share one scope
  = help: rename one of them

warning[onc-099]: the file is
                  empty

";
    assert_eq!(render::full(&map, &diagnostics), expected);
}

#[test]
fn short_gives_one_line_for_each_finding() {
    let (map, diagnostics) = plain();
    let expected = "\
dir.x:5:21: error[onc-020]: `a` is defined twice
warning[onc-099]: the file is empty
";
    assert_eq!(render::short(&map, &diagnostics), expected);
}

#[test]
fn json_gives_one_object_for_each_finding() {
    let (map, diagnostics) = plain();
    let expected = concat!(
        r#"{"severity":"error","code":"onc-020","message":"`a` is defined twice","#,
        r#""place":{"file":"dir.x","line":5,"column":21,"end_line":5,"end_column":22,"label":"defined again here"},"#,
        r#""others":[{"file":"dir.x","line":1,"column":8,"end_line":1,"end_column":9,"label":"first defined here"}],"#,
        r#""notes":["names of types and constants share one scope"],"help":"rename one of them"}"#,
        "\n",
        r#"{"severity":"warning","code":"onc-099","message":"the file is\nempty","#,
        r#""place":null,"others":[],"notes":[],"help":null}"#,
        "\n",
    );
    assert_eq!(render::json(&map, &diagnostics), expected);
}

fn preprocessed() -> (SourceMap, FileId) {
    let mut map = SourceMap::new();
    let text = "# 1 \"dir.x\"\n\nstruct a { int x<10>; };\n# 1 \"other.x\" 1\nstruct a { int y; };\n";
    let file = map.add_preprocessed("dir.x", text);
    map.add_original("dir.x", "#define MAX 10\nstruct a {   int x<MAX>;   };\n");
    (map, file)
}

#[test]
fn a_place_that_stands_unexpanded_keeps_its_caret_and_another_file_its_name() {
    let (map, file) = preprocessed();
    let span = span_of(&map, file, "x<");
    let diagnostic = Diagnostic::error("onc-001", "bad `x`")
        .at(Span::new(file, span.start, span.start + 1), "here")
        .also(span_of(&map, file, "y"), "and there");
    let expected = "\
error[onc-001]: bad `x`
 --> dir.x:2:18
  |
2 | struct a {   int x<MAX>;   };
  |                  ^ here
  |
 ::: other.x:1
  |
1 | struct a { int y; };
  |

";
    assert_eq!(render::full(&map, &[diagnostic]), expected);
}

#[test]
fn a_place_that_a_macro_hides_shows_its_line_alone() {
    let (map, file) = preprocessed();
    let diagnostic = Diagnostic::error("onc-001", "bad bound").at(span_of(&map, file, "10"), "too much").help("less");
    let expected = "\
error[onc-001]: bad bound
 --> dir.x:2
  |
2 | struct a {   int x<MAX>;   };
  |
  = note: after macro expansion the line is `struct a { int x<10>; };`
  = help: less

";
    assert_eq!(render::full(&map, std::slice::from_ref(&diagnostic)), expected);
    assert_eq!(render::short(&map, &[diagnostic]), "dir.x:2: error[onc-001]: bad bound\n");
}

#[test]
fn a_place_at_the_very_end_of_the_file_is_shown() {
    let mut map = SourceMap::new();
    let file = map.add("dir.x", "struct a {\n  int x\n");
    let end = map.text(file).len() as u32;
    let diagnostic = Diagnostic::error("onc-002", "expected `}`").at(Span::new(file, end, end), "the file ends here");
    assert!(render::full(&map, &[diagnostic]).contains("--> dir.x:"));
}
