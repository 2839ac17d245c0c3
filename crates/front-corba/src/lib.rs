//! Reads OMG IDL (`.idl` files) into AOI, the Abstract Object Interface.
//!
//! In: a file of a [`SourceMap`], as it stands or, better, after a C preprocessor (`cpp -C`). Out: an [`Aoi`] and
//! findings (codes `idl-…` in [`errors`], `lex-…` in [`tokens::errors`]). Parsing never fails and never panics: all
//! errors of the file are reported at once, and the AOI holds what could be made sense of. Stop where
//! [`Diagnostic::is_error`] holds for one. Source: OMG IDL 4.2 (formal/18-01-05) but for components, homes, event
//! types, ports, connectors and template modules, which are read over and reported; CORBA 3.3 part 1 sections 14.7
//! (repository ids, pragmas); what CORBA 2 files write.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! // With text that cpp wrote: `add_preprocessed`, and `add_original` for each of `marked_files`.
//! let file = map.add("mail.idl", "interface Mail { void send(in string msg); };");
//! let (aoi, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
//! assert!(findings.is_empty());
//! // The type of references to mail objects, and the interface.
//! assert_eq!(aoi.items.len(), 2);
//! ```

pub mod errors;
mod keywords;
mod lower;
mod parser;
mod pragmas;
mod syntax;

use aoi::Aoi;
use source::{Diagnostic, FileId, Limits, SourceMap};
use tokens::{Token, TokenKind};

/// How to read a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How much it may ask for.
    pub limits: Limits,
}

/// How IDL is cut into tokens. Shifts are two tokens: `sequence<sequence<long>>` closes twice.
const TOKENS: tokens::Options = tokens::Options { percent_lines: false, compounds: &["::"] };

/// Reads `file`. The findings are in the order of their places.
pub fn parse(map: &SourceMap, file: FileId, options: &Options) -> (Aoi, Vec<Diagnostic>) {
    let text = map.text(file);
    let (tokens, mut findings) = tokens::tokenize(text, file, &TOKENS);
    let tokens = fixed_point(text, tokens, &mut findings);
    let (directives, tokens): (Vec<Token>, Vec<Token>) =
        tokens.into_iter().partition(|token| token.kind == TokenKind::Directive);
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    let mut directive_findings = Vec::new();
    let pragmas = pragmas::read(text, &directives, &mut directive_findings);
    let repair =
        tokens::Repair { text, tokens: &tokens, keywords: &escape::idl::KEYWORDS, misspelled: errors::misspelled };
    let ((items, skipped), mut syntax_findings) =
        repair.run(|corrections| parser::parse(text, file, tokens.clone(), corrections, &options.limits));
    syntax_findings.retain(|finding| !tokens::follows_from_any(finding, &findings, text));
    findings.extend(syntax_findings);
    findings.extend(directive_findings);
    let (aoi, semantic_findings) = lower::lower((map, &options.limits), pragmas, skipped, &items);
    findings.extend(semantic_findings);
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    (aoi, findings)
}

/// Only IDL has numbers like `1.50d`: they are no mistakes here.
fn fixed_point(text: &str, mut tokens: Vec<Token>, findings: &mut Vec<Diagnostic>) -> Vec<Token> {
    let is_fixed_point = |span: source::Span| {
        let spelling = text.get(span.start as usize..span.end as usize).unwrap_or("");
        let digits = spelling.strip_suffix(['d', 'D']).unwrap_or("");
        digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && digits.bytes().filter(|byte| *byte == b'.').count() < 2
            && digits.bytes().any(|byte| byte.is_ascii_digit())
    };
    for token in tokens.iter_mut().filter(|token| token.kind == TokenKind::Integer && is_fixed_point(token.span)) {
        token.kind = TokenKind::Float;
    }
    findings.retain(|finding| !finding.primary.as_ref().is_some_and(|label| is_fixed_point(label.span)));
    tokens
}
