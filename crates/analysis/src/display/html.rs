//! Marked lines as one page of HTML that refers to nothing else.

use std::fmt::Write;

use super::{Colour, FunctionListing, Line, VariantListing};

const STYLE: &str = "\
body{font-family:sans-serif;margin:1.5em auto;max-width:75em;padding:0 1em;color:#222;background:#fff}\
pre{margin:.3em 0 1em;padding:.6em;background:#f7f7f5;overflow-x:auto;line-height:1.35}\
summary{cursor:pointer;margin:.4em 0}h2{margin:1.6em 0 .2em;font-size:1.1em}\
.n{color:#999;user-select:none}.s{background:#d9f0d3}.b{background:#fde9b8}.d{background:#f9c7c3}.u{color:#aaa}\
[title]{cursor:help}nav a{margin-right:1em}small{color:#777}\
@media(prefers-color-scheme:dark){body{background:#1c1c1c;color:#ddd}pre{background:#262626}\
.s{background:#234d2c}.b{background:#5a4a16}.d{background:#6b2723}}";

/// All listings as a page. Pointing at what is dynamic shows why.
pub fn html(listings: &[FunctionListing], title: &str) -> String {
    let mut out = String::new();
    let title = escaped(title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>"
    );
    for colour in Colour::ALL {
        let _ = write!(out, "<span class=\"{}\">{}</span> ", class(colour), colour.name());
    }
    out.push_str("</p>\n<nav>");
    for function in listings {
        let _ = write!(out, "<a href=\"#f{}\">{}</a>", number(function), escaped(&function.name));
    }
    out.push_str("</nav>\n");
    for function in listings {
        let _ = writeln!(
            out,
            "<h2 id=\"f{}\">{} <small>{}</small></h2>",
            number(function),
            escaped(&function.name),
            escaped(&function.file)
        );
        function.variants.iter().for_each(|variant| write_variant(&mut out, variant, function.variants.len()));
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn number(function: &FunctionListing) -> u32 {
    function.function.into_raw().into_u32()
}

fn write_variant(out: &mut String, variant: &VariantListing, variants: usize) {
    let open = if variants <= 3 { " open" } else { "" };
    let states =
        if variant.states > 1 { format!(" <small>for {} states</small>", variant.states) } else { String::new() };
    let title = if variant.title.is_empty() { "no parameters".to_owned() } else { escaped(&variant.title) };
    let _ = write!(out, "<details{open}><summary>{title}{states}</summary>\n<pre>");
    variant.lines.iter().for_each(|line| write_line(out, line));
    out.push_str("</pre></details>\n");
}

fn write_line(out: &mut String, line: &Line) {
    let _ = write!(out, "<span class=\"n\">{:>5} </span>", line.number);
    let mut at = 0;
    for mark in &line.marks {
        out.push_str(&escaped(&line.text[at..mark.start]));
        let _ = write!(out, "<span class=\"{}\"", class(mark.colour));
        if let Some(why) = &mark.why {
            let _ = write!(out, " title=\"{}\"", escaped(why).replace('\n', "&#10;"));
        }
        let _ = write!(out, ">{}</span>", escaped(&line.text[mark.start..mark.end]));
        at = mark.end;
    }
    out.push_str(&escaped(&line.text[at..]));
    out.push('\n');
}

fn class(colour: Colour) -> char {
    match colour {
        Colour::Static => 's',
        Colour::Both => 'b',
        Colour::Dynamic => 'd',
        Colour::Unreached => 'u',
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
