//! Findings on standard error, in the format that the user chose.

use driver::{Failure, Report};
use source::{Diagnostic, render};

use crate::{Ending, print, voice};

/// How findings look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// With the lines at fault.
    #[default]
    Full,
    /// One line each.
    Short,
    /// One JSON object a line.
    Json,
}

impl Format {
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        match name {
            "full" => Some(Format::Full),
            "short" => Some(Format::Short),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// Prints everything that a compilation found.
pub(crate) fn show(report: &Report) -> Ending {
    let voice = voice::get();
    if voice.format != Format::Json && !voice.is_quiet {
        print::error(&escape::lines(&report.remarks));
    }
    let findings = heard(&report.findings, voice.is_quiet);
    let text = match voice.format {
        Format::Full => {
            let (shown, rest) = first(&findings);
            let full = if voice::colours_errors() { render::full_coloured } else { render::full };
            full(&report.sources, &shown) + &rest
        }
        Format::Short => render::short(&report.sources, &findings),
        Format::Json => render::json(&report.sources, &findings),
    };
    print::error(&text);
    if report.has_errors() { Ending::InputAtFault } else { print::output(&report.dumps) }
}

/// Prints what the machine could not do.
#[expect(clippy::boxed_local, reason = "failures come in boxes")]
pub(crate) fn show_failure(failure: Failure) -> Ending {
    let mut report = Report::default();
    report.add([*failure]);
    show(&report)
}

/// The findings that the user wants to hear of.
fn heard(findings: &[Diagnostic], is_quiet: bool) -> Vec<Diagnostic> {
    findings.iter().filter(|finding| finding.is_error() || !is_quiet).cloned().collect()
}

/// As many errors, and as many warnings, as anybody reads with the lines at fault.
const MOST: usize = 50;

/// The first findings of each severity in their order, and what is said of the others.
fn first(findings: &[Diagnostic]) -> (Vec<Diagnostic>, String) {
    let (mut errors, mut warnings) = (0, 0);
    let mut shown = Vec::new();
    for finding in findings {
        let count = if finding.is_error() { &mut errors } else { &mut warnings };
        *count += 1;
        if *count <= MOST {
            shown.push(finding.clone());
        }
    }
    let more = |count: usize, what: &str| match count.saturating_sub(MOST) {
        0 => None,
        1 => Some(format!("1 more {what}")),
        more => Some(format!("{more} more {what}s")),
    };
    let rest: Vec<String> = [more(errors, "error"), more(warnings, "warning")].into_iter().flatten().collect();
    match rest.is_empty() {
        true => (shown, String::new()),
        false => (shown, format!("and {}; --message-format short shows all\n", rest.join(" and "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(errors: usize, warnings: usize) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = (0..warnings).map(|_| Diagnostic::warning("lex-001", "")).collect();
        all.extend((0..errors).map(|_| Diagnostic::error("lex-001", "")));
        all
    }

    #[track_caller]
    fn check(errors: usize, warnings: usize, expected: usize, rest: &str) {
        let (shown, said) = first(&findings(errors, warnings));
        assert_eq!((shown.len(), said.as_str()), (expected, rest));
    }

    #[test]
    fn quiet_leaves_errors() {
        assert_eq!(heard(&findings(2, 3), true).len(), 2);
        assert_eq!(heard(&findings(2, 3), false).len(), 5);
    }

    #[test]
    fn up_to_the_limit_all_is_shown() {
        check(50, 50, 100, "");
    }

    #[test]
    fn of_many_the_first_are_shown_and_the_others_counted() {
        check(51, 0, 50, "and 1 more error; --message-format short shows all\n");
        check(1, 90, 51, "and 40 more warnings; --message-format short shows all\n");
        check(60, 51, 100, "and 10 more errors and 1 more warning; --message-format short shows all\n");
    }
}
