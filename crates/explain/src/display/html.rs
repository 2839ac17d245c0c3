//! Marked lines as one page of HTML that refers to nothing else.

use escape::Text;
use escape::xml::{self, Xml};

use super::{Colour, FunctionListing, Line};

const STYLE: &str = "\
body{font-family:sans-serif;margin:1.5em auto;max-width:75em;padding:0 1em;color:#222;background:#fff}\
pre{margin:.3em 0 1em;padding:.6em;background:#f7f7f5;overflow-x:auto;line-height:1.35}\
h2{margin:1.6em 0 .2em;font-size:1.1em}\
.n{color:#999;user-select:none}.s{background:#d9f0d3}.b{background:#fde9b8}.d{background:#f9c7c3}.u{color:#aaa}\
[title]{cursor:help}nav a{margin-right:1em}small{color:#777}\
@media(prefers-color-scheme:dark){body{background:#1c1c1c;color:#ddd}pre{background:#262626}\
.s{background:#234d2c}.b{background:#5a4a16}.d{background:#6b2723}}";

/// All listings as a page. Pointing at what is left shows why.
pub fn html(listings: &[FunctionListing], title: &str) -> String {
    let mut out = Text::fill(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>",
        &[("title", &xml::shown(title)), ("style", &Text::literal(STYLE))],
    );
    for colour in Colour::ALL {
        let parts = [("class", &class(colour)), ("name", &Text::literal(colour.name()))];
        out.add("<span class=\"{class}\">{name}</span> ", &parts);
    }
    out.say("</p>\n<nav>");
    for function in listings {
        let parts = [("number", &number(function)), ("name", &xml::shown(&function.name))];
        out.add("<a href=\"#f{number}\">{name}</a>", &parts);
    }
    out.say("</nav>\n");
    for function in listings {
        out.add(
            "<h2 id=\"f{number}\">{name} <small>{file}</small></h2>\n",
            &[
                ("number", &number(function)),
                ("name", &xml::shown(&function.name)),
                ("file", &xml::shown(&function.file)),
            ],
        );
        out.add("<p>{times}</p>\n<pre>", &[("times", &xml::shown(&function.times()))]);
        function.lines.iter().for_each(|line| write_line(&mut out, line));
        out.say("</pre>\n");
    }
    out.say("</body>\n</html>\n");
    out.finish()
}

fn number(function: &FunctionListing) -> Text<Xml> {
    Text::number(function.function.into_raw().into_u32())
}

fn write_line(out: &mut Text<Xml>, line: &Line) {
    let digits = line.number.to_string().len();
    let (indentation, number) = (Text::indentation(5_usize.saturating_sub(digits)), Text::size(line.number));
    out.add("<span class=\"n\">{indentation}{number} </span>", &[("indentation", &indentation), ("number", &number)]);
    let mut at = 0;
    for mark in &line.marks {
        out.push(&xml::preformatted(&line.text[at..mark.start]));
        out.add("<span class=\"{class}\"", &[("class", &class(mark.colour))]);
        if let Some(why) = &mark.why {
            out.add(" title=\"{why}\"", &[("why", &xml::text(why))]);
        }
        out.add(">{marked}</span>", &[("marked", &xml::preformatted(&line.text[mark.start..mark.end]))]);
        at = mark.end;
    }
    out.push(&xml::preformatted(&line.text[at..]));
    out.say("\n");
}

fn class(colour: Colour) -> Text<Xml> {
    Text::literal(match colour {
        Colour::Computed => "s",
        Colour::Both => "b",
        Colour::Left => "d",
        Colour::Unreached => "u",
    })
}
