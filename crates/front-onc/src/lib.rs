//! Reads the RPC language (`.x` files) into AOI, the Abstract Object Interface.
//!
//! In: a file of a [`SourceMap`], as it stands or, better, after a C preprocessor (`cpp -C`). Out: an [`Aoi`] and
//! findings (codes `onc-…` in [`errors`], `lex-…` in [`tokens::errors`]). Parsing never fails and never panics: all
//! errors of the file are reported at once, and the AOI holds what could be made sense of. Stop where
//! [`Diagnostic::is_error`] holds for one. Source: RFC 4506 (XDR), RFC 5531 section 12 (programs), and the dialects
//! of rpcgen, libvirt, the Linux kernel's xdrgen, xdrpp and stellar-xdr, all understood at once.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! // With text that cpp wrote: `add_preprocessed`, and `add_original` for each of `marked_files`.
//! let file = map.add("dir.x", "program DIRECTORY { version V1 { string LIST(string) = 1; } = 1; } = 0x20000101;");
//! let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
//! assert!(findings.is_empty());
//! assert_eq!(aoi.items.len(), 1);
//! ```
//!
//! What the dialects add, all of it always on: `//` comments; `%` lines after blanks; `namespace`; `pragma …;`;
//! `string x` for `string x<>`; `unsigned` alone; `struct foo`, `union foo` and `enum foo` as types; bodies
//! of structures, unions and enumerations in the place of a type; `typedef struct {…} name`; values of enumerations
//! left out; constants in every radix and by each other's names; bounds that only C headers define; any number of
//! arguments; `default` anywhere; names of types that only C headers define.

mod continued;
pub mod errors;
mod keywords;
mod lower;
mod missing;
mod names;
mod parser;
mod syntax;

use aoi::Aoi;
use missing::Missed;
use source::{Diagnostic, FileId, Limits, SourceMap};

/// What names that neither the file nor what it includes defines may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamesOfC {
    /// Names of C's, without a word.
    #[default]
    Any,
    /// Names of C's; a warning where no `%#include` line brings a header that could define them.
    OfHeaders,
    /// Names of C's, with a warning.
    Warned,
    /// Nothing: an error.
    None,
}

/// What becomes of numbers that do not fit, which rpcgen accepts in silence: what counts is what is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lax {
    /// Errors.
    #[default]
    No,
    /// Errors, which say that the user may ask for warnings.
    Offered,
    /// Warnings.
    Yes,
}

/// How to read a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How much it may ask for.
    pub limits: Limits,
    /// What becomes of names that nobody defines.
    pub names_of_c: NamesOfC,
    pub lax: Lax,
}

/// Reads `file`. The findings are in the order of their places.
pub fn parse(map: &SourceMap, file: FileId, options: &Options) -> (Aoi, Vec<Diagnostic>) {
    let text = map.text(file);
    let token_options = tokens::Options { percent_lines: true, compounds: &["::"] };
    let (tokens, mut findings) = tokens::tokenize(text, file, &token_options);
    let tokens = continued::join(map, text, tokens, &mut findings);
    let keywords = keywords::keywords();
    let repair = tokens::Repair { text, tokens: &tokens, keywords: &keywords, misspelled: errors::misspelled };
    let (items, mut syntax_findings) =
        repair.run(|corrections| parser::parse(text, file, tokens.clone(), corrections, &options.limits));
    syntax_findings.retain(|finding| !tokens::follows_from_any(finding, &findings, text));
    findings.extend(syntax_findings);
    let (aoi, mut semantic_findings) = lower::lower(map, &items, options);
    if findings.iter().any(Diagnostic::is_error) {
        // What is left of broken definitions may well look the same, or define what seems to be missing.
        let (tokens, _) = tokens::tokenize(text, file, &token_options);
        let holds = |finding: &Diagnostic| {
            let name = finding.primary.as_ref().map_or("", |label| map.slice(label.span));
            let missed = match finding.code {
                errors::REPEATED => return false,
                "onc-038" => Missed::Type,
                _ => Missed::Value,
            };
            missing::is_certain(missed, name, &tokens, text)
        };
        semantic_findings.retain(|finding| !errors::SAID_ONCE.contains(&finding.code) || holds(finding));
    }
    findings.extend(semantic_findings);
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    (aoi, findings)
}
