//! What people see.

use super::Case;
use super::properties::{ENCODE, LAYERS};
use crate::Sensitivities;
use crate::display::{FunctionListing, Style, html, listing, terminal};

fn putlong() -> Vec<FunctionListing> {
    let case = Case::new(&format!("{LAYERS}{ENCODE}"), Sensitivities::default());
    let listings = listing(&case.program, &case.analysis, &case.sources);
    listings.into_iter().filter(|function| function.name == "xdrmem_putlong").collect()
}

#[test]
fn figure_8_shows_static_dynamic_and_both() {
    let expected = r"
. static: computed now
& static and dynamic: used now, and left
# dynamic: left for run time
- never reached

xdrmem_putlong (xdrs: static, lp: a known place), for 2 states
    7 | int xdrmem_putlong(XDR *xdrs, const long *lp) {
    8 |     if ((xdrs->x_handy -= sizeof(long)) < 0) return 0;
      |         .............. .. ............. . .         -
    9 |     *(long *)xdrs->x_private = htonl(*lp);
      |     #&&&&& &&&&&&&&&&&&&&&&& # #######&&#
   10 |     xdrs->x_private += sizeof(long);
      |     &&&&&&&&&&&&&&& && &&&&&&&&&&&&
   11 |     return 1;
      |            .
   12 | }
";
    assert_eq!(terminal(&putlong(), Style::Plain), expected.trim_start_matches('\n'));
}

#[test]
fn a_terminal_with_colours_shows_the_same_text() {
    let text = terminal(&putlong(), Style::Ansi);
    let (mut bare, mut inside) = (String::new(), false);
    for character in text.chars() {
        match character {
            '\u{1b}' => inside = true,
            'm' if inside => inside = false,
            _ if inside => {}
            other => bare.push(other),
        }
    }
    assert!(text.contains("\u{1b}[32m(xdrs->x_handy -= sizeof(long)) < 0\u{1b}[0m"));
    assert!(bare.contains("    9 |     *(long *)xdrs->x_private = htonl(*lp);\n"));
}

#[test]
fn the_page_stands_alone_and_says_why() {
    let page = html(&putlong(), "a < b & c");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<title>a &lt; b &amp; c</title>"));
    for foreign in ["http", "src=", "@import", "<link", "<script"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("static and dynamic: used now, and left"));
    assert!(page.contains("title=\"what `*args` holds at the beginning is not known&#10;"), "{page}");
    assert_eq!(page.matches("<span").count(), page.matches("</span>").count());
}
