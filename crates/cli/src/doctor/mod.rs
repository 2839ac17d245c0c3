//! `whittle doctor`: which tools of the machine whittle finds, and what each is for. In: the path of programs, headers,
//! libraries. Out: a table, or an object a line; it fails where a tool is missing that everybody needs.
//!
//! Tools are looked for as the other subcommands do: by the same functions.

mod tools;

use serde::Serialize;
use source::render::json_line;

use crate::report::Format;
use crate::{Ending, print, voice};

/// What was found out about one tool, its fields in the order in which they are written.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Finding {
    tool: &'static str,
    is_there: bool,
    /// Whether nothing works without it.
    is_needed: bool,
    /// Where it is; of a header, what finds it.
    place: Option<String>,
    version: Option<String>,
    /// What is wrong with it, or how it was looked for.
    problem: Option<String>,
    purpose: &'static str,
    /// Debian's package; whittle's own run time comes with whittle.
    package: Option<&'static str>,
}

pub(crate) fn run() -> Ending {
    let findings: Vec<Finding> = tools::ALL.iter().map(tools::Tool::examined).collect();
    let text = match voice::get().format {
        Format::Json => findings.iter().map(json_line).collect(),
        Format::Full | Format::Short => table(&findings),
    };
    let ending = print::output(&text);
    let is_ill = findings.iter().any(|finding| finding.is_needed && !finding.is_there);
    if is_ill { ending.max(Ending::InputAtFault) } else { ending }
}

/// A line for each tool, and one below it that says what it is for.
fn table(findings: &[Finding]) -> String {
    let widest = findings.iter().map(|finding| finding.tool.len()).max().unwrap_or(0);
    let mut text = String::new();
    for finding in findings {
        let state = match (finding.is_there, finding.is_needed) {
            (true, _) => "found",
            (false, true) => "MISSING",
            (false, false) => "missing",
        };
        let mut known: Vec<String> = finding.place.iter().chain(&finding.version).cloned().collect();
        known.extend(finding.problem.clone());
        if !finding.is_there {
            known.push(match finding.package {
                Some(package) => format!("to install it: apt-get install {package}"),
                None => "to install it: `make install` in whittle's source".to_owned(),
            });
        }
        let line = format!("{:widest$}  {state:7}  {}", finding.tool, known.join(", "));
        text.push_str(&escape::lines(line.trim_end()));
        text.push_str(&format!("\n{:widest$}           {}\n", "", finding.purpose));
    }
    let missing =
        |is_needed| findings.iter().filter(|finding| !finding.is_there && finding.is_needed == is_needed).count();
    text.push_str(match (missing(true), missing(false)) {
        (0, 0) => "everything is there\n",
        (0, _) => "all that basic use needs is there; what is missing matters only for what stands below it\n",
        _ => "what is MISSING is needed by everybody\n",
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(is_there: bool, is_needed: bool) -> Finding {
        Finding {
            tool: "cc",
            is_there,
            is_needed,
            place: is_there.then(|| "/bin/cc".to_owned()),
            version: None,
            problem: None,
            purpose: "compiles",
            package: Some("gcc"),
        }
    }

    #[test]
    fn a_table_says_what_to_install() {
        assert_eq!(table(&[finding(true, true)]), "cc  found    /bin/cc\n             compiles\neverything is there\n");
        let text = table(&[finding(false, true), finding(false, false)]);
        assert!(text.contains("cc  MISSING  to install it: apt-get install gcc\n"), "{text}");
        assert!(text.contains("cc  missing  ") && text.ends_with("needed by everybody\n"), "{text}");
    }
}
