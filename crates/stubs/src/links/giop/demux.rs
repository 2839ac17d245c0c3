//! Which function serves an operation: nested switches, on the length of the name and then on its bytes, a machine word
//! of eight at a time. In: names of operations, and what serves each. Out: a switch. No name is compared as a
//! text, and none twice. Source: Flick (PLDI'97) section 3.3, "Message Demultiplexing".

use std::collections::BTreeMap;

use cast::build::{arrow, call, integer};
use cast::{CaseLabel, Expression, Statement, SwitchArm, Type};

use super::{request, unknown};
use crate::links::rpc::bytes;

/// In bytes.
const WORD: usize = 8;

/// A name with its NUL, padded to whole words, and what serves it.
type Entry = (Vec<u8>, Statement);

/// What is done with the request `_asked` for an operation of a name; `None`: there is no operation.
pub(super) fn by_name<'a>(operations: impl Iterator<Item = (&'a str, Statement)>) -> Option<Statement> {
    let mut by_length: BTreeMap<usize, Vec<Entry>> = BTreeMap::new();
    for (operation, served) in operations {
        let length = operation.len() + 1;
        let mut padded = operation.as_bytes().to_vec();
        padded.resize(length.next_multiple_of(WORD), 0);
        by_length.entry(length).or_default().push((padded, served));
    }
    if by_length.is_empty() {
        return None;
    }
    let arms = by_length.into_iter().map(|(length, entries)| SwitchArm {
        labels: vec![CaseLabel::Value(integer(i128::try_from(length).unwrap_or_default()))],
        body: words(&entries, 0).into_iter().chain([Statement::Break]).collect(),
    });
    let length = arrow(request(), "operation_length", Type::named("uint32_t"));
    Some(Statement::Switch { value: length, arms: arms.chain([otherwise()]).collect() })
}

fn otherwise() -> SwitchArm {
    SwitchArm { labels: vec![CaseLabel::Default], body: vec![unknown(), Statement::Break] }
}

/// Tells entries apart from the word at `at` on.
fn words(entries: &[Entry], at: usize) -> Vec<Statement> {
    let Some((first, serves)) = entries.first() else { return vec![unknown()] };
    if at * WORD >= first.len() {
        return vec![serves.clone()];
    }
    let mut by_word: BTreeMap<&[u8], Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        by_word.entry(&entry.0[at * WORD..(at + 1) * WORD]).or_default().push(entry.clone());
    }
    let arms = by_word.into_iter().map(|(word, entries)| SwitchArm {
        labels: vec![CaseLabel::Value(word_constant(word))],
        body: words(&entries, at + 1).into_iter().chain([Statement::Break]).collect(),
    });
    let offset = integer(i128::try_from(at * WORD).unwrap_or_default());
    let value =
        call("whittle_name_word", vec![arrow(request(), "operation", bytes()), offset], Type::named("uint64_t"));
    vec![Statement::Switch { value, arms: arms.chain([otherwise()]).collect() }]
}

/// Eight bytes as the word that the host reads them as.
fn word_constant(word: &[u8]) -> Expression {
    let letter = |byte: &u8| {
        let text = match byte {
            0 => "0".to_string(),
            byte => format!("'{}'", char::from(*byte)),
        };
        cast::build::spelled(text, Type::INT)
    };
    call("WHITTLE_NAME_WORD", word.iter().map(letter).collect(), Type::named("uint64_t"))
}
