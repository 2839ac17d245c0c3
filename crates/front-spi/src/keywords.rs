//! The keywords of the language. They are keywords only where the grammar has them; elsewhere they are names like others.

/// Keywords that begin a declaration of a file.
pub(crate) const DECLARATIONS: [&str; 5] = ["import", "packet", "pipe", "flow", "aspect"];

/// Keywords that begin a statement in a pipe.
pub(crate) const IN_PIPES: [&str; 10] =
    ["in", "out", "optional", "middle", "every", "push", "pull", "poll", "wait", "apply"];

/// Keywords that follow `wait`.
pub(crate) const WAITS: [&str; 4] = ["any", "all", "latest", "pair"];

/// Keywords that begin a statement in a flow, beside its edges and instances; the first does so in pipes, too.
pub(crate) const IN_FLOWS: [&str; 3] = ["apply", "restart", "channel"];

/// Keywords that follow `restart`.
pub(crate) const RESTARTS: [&str; 3] = ["never", "on", "always"];

/// Keywords that begin what a port needs.
pub(crate) const NEEDS: [&str; 4] = ["rate", "needs", "deadline", "priority"];

/// Keywords that begin a clause of an edge's contract.
pub(crate) const CLAUSES: [&str; 16] = [
    "via", "trusted", "queue", "block", "drop", "latest", "deliver", "rate", "needs", "deadline", "priority", "batch",
    "faulty", "encode", "select", "where",
];

/// What a port may need by a word alone.
pub(crate) const NEEDED: [&str; 3] = ["reliable", "ordered", "durable"];

/// The types that are words of the language.
pub(crate) const TYPES: [&str; 14] = [
    "bool", "octet", "char", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float",
    "double", "string",
];

/// The words of a list as a message shows them: `` `a`, `b` or `c` ``.
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The type of Spi that a type of C or of another interface language means; `None` where the word is no such type.
/// Only words that those languages reserve: others may be names of imported types.
pub(crate) fn type_of_others(word: &str) -> Option<&'static str> {
    let meant = match word {
        "int" | "signed" => "int32",
        "short" => "int16",
        "long" | "hyper" => "int64",
        "unsigned" => "uint32",
        "opaque" => "octet",
        "void" | "struct" | "union" | "enum" | "const" => "",
        _ => return None,
    };
    Some(meant)
}

/// True for words that no packet, pipe, flow or aspect is called: where such a name is used, they mean something else.
pub(crate) fn is_reserved(word: &str) -> bool {
    TYPES.contains(&word) || IN_PIPES.contains(&word) || DECLARATIONS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(list(&["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(list(&["a"]), "`a`");
        assert_eq!(list(&[]), "");
    }
}
