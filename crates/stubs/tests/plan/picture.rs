//! `docs/pictures/type-path.svg`: one type in each form that it has on its way to C, as the compiler prints them.

use filetest::golden::Golden;
use filetest::picture::{self, Kind, Panel};

use crate::goldens::check;
use crate::inputs::{own, root};
use crate::walk::{Interface, part};

const INPUT: &str = "docs/pictures/file.x";
/// What the passes make less of: checks, each of which may end in a slow path.
const CHECKS: [&str; 4] =
    ["(text v*.name (bound 255))", "(ensure 4)", "(text v*.name (bound 255) (more 8))", "whittle_out_text_and"];

#[test]
fn the_path_of_a_type_is_what_the_compiler_prints() {
    let interface = Interface(INPUT);
    let pres = pres::text::print(&own(INPUT).pres);
    let description = interface.description();
    let listing = |title: &str, note: &str, text: &str| Panel::listing(title, note, text, &CHECKS);
    let panels = [
        listing("file.x", "what the author wrote", &description),
        listing("AOI", "what client and server agree on", &interface.aoi()).made_by("front-onc"),
        listing("MINT", "what a message holds", &mint::text::print(&own(INPUT).pres.mint)).made_by("present"),
        listing("PRES", "how C sees it, and who owns the storage", part(&pres, "(type file")),
        listing("PLAN", "as lowered: a check before each item", &interface.plan("lower", "encode", "file"))
            .made_by("stubs::lower, for the encoding XDR"),
        listing("PLAN", "after the passes: one check", &interface.plan("depth", "encode", "file"))
            .made_by("stubs::passes"),
        listing("C", "one call that checks, then two stores", &interface.c("encode_xdr_file"))
            .made_by("stubs::emit, cast::print"),
    ];
    let drawn = picture::svg(&panels, &[(Kind::Marked, "a check of the buffer")]);
    let expectation = root().join("docs/pictures/type-path.svg");
    check(&Golden { input: root().join(INPUT), expectation, kind: "svg".to_string(), options: Vec::new() }, &drawn);
}
