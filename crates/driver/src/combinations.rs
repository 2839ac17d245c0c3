//! What goes together: every front end, style, encoding and link that make code, a row for each. In: what the user asks for. Out: the
//! row that has it, or what stands in the way and the nearest row. The command's help, its refusals and `docs/matrix.md` are made of
//! this table, and the tests of what works.

use std::fmt::Write;

use crate::{Encoding, Language, Link, Style};

/// A front end, a style, an encoding and a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    pub language: Language,
    pub style: Style,
    pub encoding: Encoding,
    pub link: Link,
}

const fn row(language: Language, style: Style, encoding: Encoding, link: Link) -> Combination {
    Combination { language, style, encoding, link }
}

/// All that work. Of a language's rows the first is the usual one; of those that have what is asked for, too.
pub const COMBINATIONS: [Combination; 66] = [
    row(Language::Onc, Style::Rpcgen, Encoding::Xdr, Link::Tirpc),
    row(Language::Onc, Style::Plain, Encoding::Xdr, Link::Onc),
    row(Language::Onc, Style::Rpcgen, Encoding::Xdr, Link::Onc),
    row(Language::Onc, Style::Plain, Encoding::Xdr, Link::Shm),
    row(Language::Onc, Style::Plain, Encoding::Xdr, Link::Tirpc),
    row(Language::Onc, Style::Rpcgen, Encoding::Xdr, Link::Shm),
    row(Language::Onc, Style::Corba, Encoding::Cdr, Link::GiopTcp),
    row(Language::Onc, Style::Corba, Encoding::Xdr, Link::Onc),
    row(Language::Onc, Style::Corba, Encoding::Xdr, Link::Shm),
    row(Language::Onc, Style::Corba, Encoding::Xdr, Link::Tirpc),
    row(Language::Onc, Style::Plain, Encoding::Cdr, Link::GiopTcp),
    row(Language::Onc, Style::Plain, Encoding::Cdr, Link::Shm),
    row(Language::Onc, Style::Corba, Encoding::Cdr, Link::Shm),
    row(Language::Onc, Style::Plain, Encoding::Cdr, Link::Fluke),
    row(Language::Onc, Style::Plain, Encoding::Cdr, Link::Mach),
    row(Language::Onc, Style::Corba, Encoding::Cdr, Link::Mach),
    row(Language::Onc, Style::Rpcgen, Encoding::Xdr, Link::Mach),
    row(Language::Onc, Style::Plain, Encoding::Xdr, Link::None),
    row(Language::Onc, Style::Plain, Encoding::Cdr, Link::None),
    row(Language::Onc, Style::Rpcgen, Encoding::Xdr, Link::None),
    row(Language::Onc, Style::Rpcgen, Encoding::Cdr, Link::None),
    row(Language::Onc, Style::Corba, Encoding::Xdr, Link::None),
    row(Language::Onc, Style::Corba, Encoding::Cdr, Link::None),
    row(Language::Onc, Style::Plain, Encoding::Protobuf, Link::None),
    row(Language::Onc, Style::Rpcgen, Encoding::Protobuf, Link::None),
    row(Language::Onc, Style::Corba, Encoding::Protobuf, Link::None),
    row(Language::Corba, Style::Corba, Encoding::Cdr, Link::GiopTcp),
    row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::Tirpc),
    row(Language::Corba, Style::Plain, Encoding::Xdr, Link::Onc),
    row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::Onc),
    row(Language::Corba, Style::Plain, Encoding::Xdr, Link::Shm),
    row(Language::Corba, Style::Plain, Encoding::Xdr, Link::Tirpc),
    row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::Shm),
    row(Language::Corba, Style::Corba, Encoding::Xdr, Link::Onc),
    row(Language::Corba, Style::Corba, Encoding::Xdr, Link::Shm),
    row(Language::Corba, Style::Corba, Encoding::Xdr, Link::Tirpc),
    row(Language::Corba, Style::Plain, Encoding::Cdr, Link::GiopTcp),
    row(Language::Corba, Style::Plain, Encoding::Cdr, Link::Shm),
    row(Language::Corba, Style::Corba, Encoding::Cdr, Link::Shm),
    row(Language::Corba, Style::Plain, Encoding::Cdr, Link::Fluke),
    row(Language::Corba, Style::Plain, Encoding::Cdr, Link::Mach),
    row(Language::Corba, Style::Corba, Encoding::Cdr, Link::Mach),
    row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::Mach),
    row(Language::Corba, Style::Plain, Encoding::Xdr, Link::None),
    row(Language::Corba, Style::Plain, Encoding::Cdr, Link::None),
    row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::None),
    row(Language::Corba, Style::Rpcgen, Encoding::Cdr, Link::None),
    row(Language::Corba, Style::Corba, Encoding::Xdr, Link::None),
    row(Language::Corba, Style::Corba, Encoding::Cdr, Link::None),
    row(Language::Corba, Style::Plain, Encoding::Protobuf, Link::None),
    row(Language::Corba, Style::Rpcgen, Encoding::Protobuf, Link::None),
    row(Language::Corba, Style::Corba, Encoding::Protobuf, Link::None),
    row(Language::Mig, Style::Plain, Encoding::Xdr, Link::Onc),
    row(Language::Mig, Style::Plain, Encoding::Xdr, Link::Shm),
    row(Language::Mig, Style::Plain, Encoding::Xdr, Link::Tirpc),
    row(Language::Mig, Style::Plain, Encoding::Cdr, Link::GiopTcp),
    row(Language::Mig, Style::Rpcgen, Encoding::Xdr, Link::Tirpc),
    row(Language::Mig, Style::Rpcgen, Encoding::Xdr, Link::Onc),
    row(Language::Mig, Style::Rpcgen, Encoding::Xdr, Link::Shm),
    row(Language::Mig, Style::Corba, Encoding::Cdr, Link::GiopTcp),
    row(Language::Mig, Style::Corba, Encoding::Xdr, Link::Onc),
    row(Language::Mig, Style::Corba, Encoding::Xdr, Link::Shm),
    row(Language::Mig, Style::Corba, Encoding::Xdr, Link::Tirpc),
    row(Language::Mig, Style::Plain, Encoding::Cdr, Link::Shm),
    row(Language::Mig, Style::Corba, Encoding::Cdr, Link::Shm),
    row(Language::Mig, Style::Plain, Encoding::Cdr, Link::Fluke),
];

/// What the user says; the rest follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub style: Option<Style>,
    pub encoding: Option<Encoding>,
    pub link: Option<Link>,
}

impl Asked {
    fn has(self, of: Combination) -> [bool; 3] {
        [
            self.style.is_none_or(|style| style == of.style),
            self.encoding.is_none_or(|encoding| encoding == of.encoding),
            self.link.is_none_or(|link| link == of.link),
        ]
    }

    /// Who wants code without a link says so.
    fn means(self, row: &Combination) -> bool {
        row.link != Link::None || self.link.is_some()
    }
}

impl Combination {
    /// What a language has where nothing is asked for.
    pub fn usual(language: Language) -> Combination {
        let found = of(language).next();
        found.unwrap_or(row(language, Style::Rpcgen, Encoding::Xdr, Link::Tirpc))
    }

    /// The row that has what is asked for: a link chooses the style, where none is said, and an encoding does not. Else the words
    /// of a refusal.
    pub fn of(language: Language, asked: Asked) -> Result<Combination, String> {
        let of_link = of(language).find(|row| asked.link == Some(row.link));
        let usual = of_link.unwrap_or(Combination::usual(language)).style;
        let style = asked.style.unwrap_or(usual);
        let wanted = Asked { style: Some(style), ..asked };
        let found = of(language).find(|row| wanted.has(*row) == [true; 3] && asked.means(row));
        found.ok_or_else(|| refusal(language, asked, style))
    }

    /// `--style plain --encoding xdr --link onc`
    pub fn options(self) -> String {
        let Combination { style, encoding, link, .. } = self;
        format!("--style {} --encoding {} --link {}", style.name(), encoding.name(), link.name())
    }
}

fn of(language: Language) -> impl Iterator<Item = Combination> {
    COMBINATIONS.into_iter().filter(move |row| row.language == language)
}

/// What does not go together, and the row that keeps most of it: an encoding rather than a link, and a link rather than a style.
fn refusal(language: Language, asked: Asked, style: Style) -> String {
    let kept = |row: &Combination| {
        let [style, encoding, link] = asked.has(*row);
        [encoding && asked.encoding.is_some(), link && asked.link.is_some(), style && asked.style.is_some()]
    };
    let worth = |row: &Combination| (kept(row).into_iter().filter(|kept| *kept).count(), kept(row));
    let better = |best: Combination, row: Combination| if worth(&row) > worth(&best) { row } else { best };
    let nearest = of(language).filter(|row| asked.means(row)).fold(Combination::usual(language), better);
    let pairs = [
        ("--encoding", nearest.encoding.name(), asked.encoding.map(Encoding::name)),
        ("--link", nearest.link.name(), asked.link.map(Link::name)),
        ("--style", nearest.style.name(), asked.style.map(Style::name)),
    ];
    let same = pairs.iter().find(|(_, has, asked)| *asked == Some(has));
    let (option, name, _) = same.unwrap_or(&pairs[2]);
    let other = pairs.iter().find_map(|(option, has, asked)| {
        let asked = if *option == "--style" { Some(style.name()) } else { *asked };
        asked.filter(|asked| asked != has).map(|asked| (*option, *has, asked))
    });
    let mut text = String::new();
    if let Some((differing, has, asked)) = other {
        let _ = write!(text, "`{option} {name}` goes with `{differing} {has}`, and not with `{differing} {asked}`");
    }
    let language = language.ending();
    let _ = write!(
        text,
        ": for `{language}` the nearest that works is `{}` (`whittle matrix` lists all)",
        nearest.options()
    );
    text
}

/// All of it as the page `docs/matrix.md`.
pub fn matrix() -> String {
    let mut text = String::from(HEAD);
    text.push_str("| | options | |\n|---|---|---|\n");
    for row in COMBINATIONS {
        let usual = if Combination::usual(row.language) == row {
            match row.language {
                Language::Mig => "usual in its style; without an option `whittle mig` makes Mach's stubs",
                _ => "what no option asks for",
            }
        } else if of(row.language).find(|other| other.style == row.style) == Some(row) {
            "usual in its style"
        } else {
            ""
        };
        let _ = writeln!(text, "| `{}` | `{}` | {usual} |", row.language.ending(), row.options());
    }
    text.push_str("\nWhat the words mean:\n\n| option | value | |\n|---|---|---|\n");
    for style in Style::ALL {
        let _ = writeln!(text, "| `--style` | `{}` | {} |", style.name(), style.meaning());
    }
    for encoding in Encoding::ALL {
        let _ = writeln!(text, "| `--encoding` | `{}` | {} |", encoding.name(), encoding.meaning());
    }
    for link in Link::ALL {
        let _ = writeln!(text, "| `--link` | `{}` | {} |", link.name(), link.meaning());
    }
    text
}

const HEAD: &str = "\
# What goes together

After this page you know which front ends, styles, encodings and links make code together. `whittle matrix` prints it, from the table
that the command itself goes by.

A style is the C that programs see, an encoding the bytes of values, a link the way of messages. Whatever is not said follows from what
is: of the rows that have all of it the first is taken, where a link chooses the style and an encoding does not.

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_stands_once_and_is_found_by_its_options() {
        for (at, row) in COMBINATIONS.into_iter().enumerate() {
            assert_eq!(COMBINATIONS.iter().position(|other| *other == row), Some(at));
            let asked = Asked { style: Some(row.style), encoding: Some(row.encoding), link: Some(row.link) };
            assert_eq!(Combination::of(row.language, asked), Ok(row));
        }
    }

    #[test]
    fn every_refusal_names_a_row() {
        for language in Language::ALL {
            for (style, encoding, link) in every() {
                let asked = Asked { style, encoding, link };
                let Err(why) = Combination::of(language, asked) else { continue };
                let rows: Vec<_> = of(language).filter(|row| why.contains(&row.options())).collect();
                let [nearest] = rows[..] else { panic!("{why}") };
                assert!(asked.has(nearest).contains(&true), "{why}");
                assert!(why.contains(" goes with ") && why.contains(", and not with "), "{why}");
            }
        }
    }

    fn every() -> impl Iterator<Item = (Option<Style>, Option<Encoding>, Option<Link>)> {
        let styles = || Style::ALL.into_iter().map(Some).chain([None]);
        let encodings = || Encoding::ALL.into_iter().map(Some).chain([None]);
        let links = || Link::ALL.into_iter().map(Some).chain([None]);
        styles().flat_map(move |s| encodings().flat_map(move |e| links().map(move |l| (s, e, l))))
    }

    #[test]
    fn what_is_not_said_follows() {
        let of = |language, style, encoding, link| Combination::of(language, Asked { style, encoding, link });
        let plain = row(Language::Onc, Style::Plain, Encoding::Xdr, Link::Onc);
        assert_eq!(of(Language::Onc, None, None, Some(Link::Onc)), Ok(plain));
        let corba = row(Language::Corba, Style::Corba, Encoding::Cdr, Link::GiopTcp);
        assert_eq!(of(Language::Corba, None, None, Some(Link::GiopTcp)), Ok(corba));
        let rpcgen = row(Language::Corba, Style::Rpcgen, Encoding::Xdr, Link::Tirpc);
        assert_eq!(of(Language::Corba, Some(Style::Rpcgen), None, None), Ok(rpcgen));
        let iiop = row(Language::Onc, Style::Plain, Encoding::Cdr, Link::GiopTcp);
        assert_eq!(of(Language::Onc, Some(Style::Plain), Some(Encoding::Cdr), None), Ok(iiop));
        let onc = row(Language::Onc, Style::Plain, Encoding::Xdr, Link::Onc);
        assert_eq!(of(Language::Onc, Some(Style::Plain), None, None), Ok(onc));
        assert!(of(Language::Onc, None, Some(Encoding::Cdr), None).is_err());
    }
}
