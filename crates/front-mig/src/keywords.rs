//! The words of the language. They are the same in any case of letters; names are not.

/// What a statement may begin with.
pub(crate) const STATEMENTS: [&str; 25] = [
    "subsystem",
    "type",
    "routine",
    "simpleroutine",
    "procedure",
    "simpleprocedure",
    "function",
    "skip",
    "import",
    "uimport",
    "simport",
    "iimport",
    "dimport",
    "serverprefix",
    "userprefix",
    "serverdemux",
    "rcsid",
    "waittime",
    "nowaittime",
    "sendtime",
    "nosendtime",
    "msgoption",
    "error",
    "usertypelimit",
    "consumeonsenderror",
];

/// What an argument may begin with.
pub(crate) const DIRECTIONS: [&str; 17] = [
    "in",
    "out",
    "inout",
    "requestport",
    "replyport",
    "sreplyport",
    "ureplyport",
    "waittime",
    "sendtime",
    "msgoption",
    "msgseqno",
    "serverimpl",
    "userimpl",
    "usersectoken",
    "serversectoken",
    "serveraudittoken",
    "servercontexttoken",
];

/// What may stand behind an argument's type.
pub(crate) const FLAGS: [&str; 14] = [
    "dealloc",
    "notdealloc",
    "islong",
    "isnotlong",
    "servercopy",
    "countinout",
    "samecount",
    "retcode",
    "notretcode",
    "physicalcopy",
    "overwrite",
    "auto",
    "const",
    "notconst",
];

/// What may stand behind a type's definition.
pub(crate) const CLAUSES: [&str; 7] =
    ["ctype", "cusertype", "cservertype", "intran", "intranpayload", "outtran", "destructor"];

/// Names in backticks, parted by commas.
pub(crate) fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The words of C that are types by themselves.
pub(crate) fn is_type_of_c(word: &str) -> bool {
    ["char", "double", "float", "int", "long", "short", "signed", "unsigned"].contains(&word)
}
