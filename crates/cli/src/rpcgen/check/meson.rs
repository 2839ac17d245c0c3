//! Meson. In: a text. Out: the `find_program` that looks for rpcgen, and the lists that call what it found.

use super::builds::System;
use super::calls::{Call, Found, Search};
use super::tree::BuildFile;

/// A name, a string or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Text(String),
    Mark(char),
}

pub(super) fn read(file: &BuildFile, found: &mut Found) {
    let tokens = tokens(&file.text);
    let mut holders: Vec<String> = Vec::new();
    for at in 0..tokens.len() {
        let (token, line) = &tokens[at];
        if *token == Token::Name("find_program".into()) {
            let asked = inside(&tokens, at + 1);
            if asked.iter().any(|(token, _)| matches!(token, Token::Text(text) if text == "rpcgen")) {
                let holder =
                    at.checked_sub(2).map(|before| &tokens[before].0).filter(|_| tokens[at - 1].0 == Token::Mark('='));
                if let Some(Token::Name(holder)) = holder {
                    holders.push(holder.clone());
                }
                found.searches.push(Search {
                    file: file.path.clone(),
                    line: *line,
                    system: System::Meson,
                    variable: None,
                });
            }
            continue;
        }
        let is_program = match token {
            Token::Name(name) => holders.contains(name),
            Token::Text(text) => text == "rpcgen",
            Token::Mark(_) => false,
        };
        let before = at.checked_sub(1).map(|before| &tokens[before].0);
        let begins = before == Some(&Token::Mark('[')) || (before == Some(&Token::Mark('(')) && calls_at(&tokens, at));
        if is_program && begins {
            let arguments = inside(&tokens, at - 1).iter().skip(1).filter_map(|(token, _)| match token {
                Token::Text(text) => Some(text.clone()),
                Token::Name(name) if name != "arguments" && name != "output" => Some(format!("${name}")),
                _ => None,
            });
            found.add(Call {
                file: file.path.clone(),
                line: *line,
                system: System::Meson,
                variable: None,
                arguments: arguments.filter(|word| !word.starts_with("@BASENAME@")).collect(),
                folder: file.folder().to_owned(),
            });
        }
    }
}

/// Whether the parenthesis before belongs to what runs a program.
fn calls_at(tokens: &[(Token, usize)], at: usize) -> bool {
    let name = at.checked_sub(2).map(|before| &tokens[before].0);
    matches!(name, Some(Token::Name(name)) if name == "generator" || name == "run_command")
}

/// More tokens than any list of arguments has.
const LONGEST: usize = 2000;

/// What stands between the bracket at `opening` and the one that closes it.
fn inside(tokens: &[(Token, usize)], opening: usize) -> &[(Token, usize)] {
    let mut depth = 0;
    for (at, (token, _)) in tokens.iter().enumerate().skip(opening).take(LONGEST) {
        depth += match token {
            Token::Mark('(' | '[') => 1,
            Token::Mark(')' | ']') => -1,
            _ => 0,
        };
        if depth == 0 {
            return tokens.get(opening + 1..at).unwrap_or_default();
        }
    }
    &[]
}

fn tokens(text: &str) -> Vec<(Token, usize)> {
    let mut all = Vec::new();
    let mut line = 1;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let token = match character {
            '#' => {
                while rest.next_if(|next| *next != '\n').is_some() {}
                None
            }
            '\'' => {
                let mut string = String::new();
                while let Some(next) = rest.next().filter(|next| *next != '\'' && *next != '\n') {
                    string.push(if next == '\\' { rest.next().unwrap_or('\\') } else { next });
                }
                Some(Token::Text(string))
            }
            name if name.is_alphanumeric() || name == '_' => {
                let mut word = String::from(name);
                while let Some(next) = rest.next_if(|next| next.is_alphanumeric() || *next == '_') {
                    word.push(next);
                }
                Some(Token::Name(word))
            }
            blank if blank.is_whitespace() => None,
            mark => Some(Token::Mark(mark)),
        };
        all.extend(token.map(|token| (token, line)));
        line += usize::from(character == '\n');
    }
    all
}
