//! How the report looks: for people, or one JSON object a line. In: what was found. Out: text for standard output.

use serde::Serialize;
use source::render;

use super::Checked;
use super::calls::Call;
use super::judge::{Severity, inputs};
use crate::report::Format;
use crate::voice::Voice;

pub(super) fn text(checked: &Checked, voice: Voice) -> String {
    match voice.format {
        Format::Json => json(checked, voice.is_quiet),
        Format::Full | Format::Short => escape::lines(&plain(checked, voice.is_quiet)).into_owned(),
    }
}

fn plain(checked: &Checked, is_quiet: bool) -> String {
    let mut out = String::new();
    if !is_quiet {
        section(&mut out, "calls of rpcgen", checked.found.calls.iter().map(|call| call_line(checked, call)));
        section(
            &mut out,
            "descriptions",
            checked.descriptions.iter().map(|description| {
                let size = match description.files {
                    0 => String::new(),
                    files => format!("; {files} files of C, about {}", rounded(description.bytes)),
                };
                let name = checked.tree.shown(&description.file);
                match description.missing.as_slice() {
                    [] => format!(
                        "{name}: {}{}{size}",
                        counts(description.count(true), description.count(false)),
                        takes(description)
                    ),
                    missing => format!(
                        "{name}: not checked, since it includes what is not in the folder: {}",
                        missing.join(", ")
                    ),
                }
            }),
        );
    }
    let findings = checked.descriptions.iter().map(|description| description.findings(is_quiet));
    let findings: Vec<String> = findings.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let remarks =
        checked.remarks.iter().filter(|remark| remark.severity == Severity::Error || !is_quiet).map(|remark| {
            let place = place(checked, &remark.file, remark.line);
            let help = remark.help.map(|help| format!("\n    help: {help}")).unwrap_or_default();
            format!("{place}: {}: {}{help}", remark.severity.word(), remark.message)
        });
    section(&mut out, "differences", findings.into_iter().chain(remarks));
    section(
        &mut out,
        "to use whittle, one line for each build system",
        checked
            .changes
            .iter()
            .map(|change| format!("{} ({}): {}", change.system, checked.tree.shown(&change.file), change.command)),
    );
    out + &checked.verdict() + "\n"
}

fn section(out: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        out.push_str(&format!("{heading}:\n"));
        lines.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

fn place(checked: &Checked, file: &str, line: Option<usize>) -> String {
    let file = if file.is_empty() { checked.tree.root.clone() } else { checked.tree.shown(file) };
    line.map_or(file.clone(), |line| format!("{file}:{line}"))
}

fn call_line(checked: &Checked, call: &Call) -> String {
    let program = call.variable.as_ref().map_or("rpcgen".to_owned(), |name| ["$(", name, ")"].concat());
    let words: Vec<&str> = call.arguments.iter().map(String::as_str).collect();
    let words = if words.is_empty() { String::new() } else { format!(" {}", words.join(" ")) };
    format!("{}: {program}{}", place(checked, &call.file, Some(call.line)), escape::line(&words))
}

fn counts(errors: usize, warnings: usize) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (errors, warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
    }
}

/// What it takes beside the description.
fn takes(description: &super::descriptions::Description) -> String {
    let lines = |count: usize, what: &str| match count {
        0 => String::new(),
        1 => format!("; 1 line {what}"),
        count => format!("; {count} lines {what}"),
    };
    lines(description.directives, "for the C preprocessor") + &lines(description.percent_lines, "for C (`%`)")
}

/// One digit says enough.
fn rounded(bytes: usize) -> String {
    let mut unit = 1;
    while bytes / unit >= 10 {
        unit *= 10;
    }
    match (bytes + unit / 2) / unit * unit {
        small @ 0..1000 => format!("{small} bytes"),
        large => format!("{} kB", large / 1000),
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line<'a> {
    Call {
        file: String,
        line: usize,
        system: &'a str,
        variable: Option<&'a str>,
        arguments: &'a [String],
        descriptions: Vec<&'a str>,
    },
    Description {
        file: String,
        is_checked: bool,
        errors: usize,
        warnings: usize,
        files: usize,
        lines: usize,
        bytes: usize,
        percent_lines: usize,
        directives: usize,
        missing: &'a [String],
    },
    Difference {
        severity: &'a str,
        file: String,
        line: Option<usize>,
        message: &'a str,
        help: Option<&'a str>,
    },
    Change {
        system: &'a str,
        file: String,
        command: &'a str,
    },
    Result {
        fits: bool,
        message: String,
    },
}

fn json(checked: &Checked, is_quiet: bool) -> String {
    let shown = |file: &str| place(checked, file, None);
    let calls = checked.found.calls.iter().map(|call| Line::Call {
        file: shown(&call.file),
        line: call.line,
        system: call.system.name(),
        variable: call.variable.as_deref(),
        arguments: &call.arguments,
        descriptions: inputs(call),
    });
    let mut out: String = calls.map(|line| render::json_line(&line)).collect();
    for description in &checked.descriptions {
        out.push_str(&render::json_line(&Line::Description {
            file: shown(&description.file),
            is_checked: description.is_checked(),
            errors: description.count(true),
            warnings: description.count(false),
            files: description.files,
            lines: description.lines,
            bytes: description.bytes,
            percent_lines: description.percent_lines,
            directives: description.directives,
            missing: &description.missing,
        }));
        out.push_str(&description.json(is_quiet));
    }
    let remarks = checked.remarks.iter().filter(|remark| remark.severity == Severity::Error || !is_quiet);
    let remarks = remarks.map(|remark| Line::Difference {
        severity: remark.severity.word(),
        file: shown(&remark.file),
        line: remark.line,
        message: &remark.message,
        help: remark.help,
    });
    let changes = checked.changes.iter().map(|change| Line::Change {
        system: change.system,
        file: shown(&change.file),
        command: &change.command,
    });
    let result = Line::Result { fits: checked.fits(), message: checked.verdict() };
    out + &remarks.chain(changes).chain([result]).map(|line| render::json_line(&line)).collect::<String>()
}
