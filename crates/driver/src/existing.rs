//! Names that a question is about and no answer is found for: do they exist? In: the files that a program was read from.
//! Out: the place of the name, and what it is, as far as the text says. Why: what is called so, but is not read or set on
//! the scenario's way, must not be said to be absent.

use std::collections::BTreeSet;

use source::{FileId, SourceMap};
use tokens::{Token, TokenKind};

use crate::Host;
use crate::questions::line_of;

/// The answer for a name that stands in one of the files; none where it does not.
pub(crate) fn answer(host: &dyn Host, sources: &SourceMap, name: &str) -> Option<String> {
    let files = texts(host, sources);
    if let Some((file, line)) = line_of(name) {
        let is_it = |path: &str| path == file || path.strip_suffix(file).is_some_and(|front| front.ends_with('/'));
        let (_, text) = files.iter().find(|(path, _)| is_it(path))?;
        let last = text.lines().count();
        return Some(match (1..=last).contains(&line) {
            true => format!("`{name}`: nothing of this line is carried out on the scenario's way\n"),
            false => format!("`{name}`: the file ends with line {last}\n"),
        });
    }
    let parts = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    // Indices may be written, and are not looked at.
    let parts = parts.filter(|part| part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'));
    let found: Option<Vec<Place>> =
        parts.map(|part| files.iter().find_map(|(path, text)| place(path, text, part))).collect();
    let place = found?.pop()?;
    let at = format!("{}:{}", place.path.rsplit('/').next().unwrap_or(&place.path), place.line);
    Some(match place.is_macro {
        true => format!("`{name}` ({at}) is a macro: the preprocessor has put its text where it was used\n"),
        false => format!(
            "`{name}` ({at}): no variable of this name is read or set on the scenario's way; types, constants and labels never are\n"
        ),
    })
}

/// Where a word stands.
struct Place {
    path: String,
    line: usize,
    is_macro: bool,
}

/// The files of the program, the user's own first, as they stand on the disk.
fn texts(host: &dyn Host, sources: &SourceMap) -> Vec<(String, String)> {
    let mut own = Vec::new();
    let mut included = BTreeSet::new();
    for file in (0..).map(FileId).take_while(|file| !sources.name(*file).is_empty()) {
        own.push(sources.name(file).to_owned());
        included.extend(sources.marked_files(file).into_iter().map(str::to_owned));
    }
    included.retain(|path| !path.starts_with('<') && !own.contains(path));
    let paths = own.into_iter().chain(included);
    paths.filter_map(|path| Some((path.clone(), host.read(Some(&path)).ok()?.text))).collect()
}

/// The first place of a word outside comments; the definition of a macro is a directive.
fn place(path: &str, text: &str, word: &str) -> Option<Place> {
    if !text.contains(word) {
        return None;
    }
    let (tokens, _) = tokens::tokenize(text, FileId(0), &tokens::Options::default());
    let spelling = |token: &Token| text.get(token.span.start as usize..token.span.end as usize).unwrap_or("");
    let defines = |token: &Token| {
        let words = spelling(token).trim_start_matches('#').trim_start().strip_prefix("define");
        let first = words.and_then(|rest| {
            rest.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').find(|word| !word.is_empty())
        });
        token.kind == TokenKind::Directive && first == Some(word)
    };
    let is_it = |token: &&Token| defines(token) || (token.kind == TokenKind::Identifier && spelling(token) == word);
    let token = tokens.iter().find(is_it)?;
    let line = text[..token.span.start as usize].matches('\n').count() + 1;
    Some(Place { path: path.to_owned(), line, is_macro: token.kind == TokenKind::Directive })
}
