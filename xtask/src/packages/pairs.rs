//! A package's own server and client, each built with rpcgen and with whittle: every client calls every server. In: a package that both
//! tools have built, and its lines `pairs`. Out: how many lines all four pairs print, or where they differ.

use std::path::Path;
use std::process::{Command, Stdio};

use super::making::{self, Maker};
use super::recipe::Package;
use super::source;
use super::whole::Steps;

/// Longest time of a pair.
const SECONDS: &str = "120";

/// Nothing where the package has no such lines.
pub(crate) fn run(package: &Package, steps: &Steps, whittle: &Maker) -> Option<Result<u64, String>> {
    (!steps.pairs.is_empty()).then(|| all(package, steps, whittle))
}

fn all(package: &Package, steps: &Steps, whittle: &Maker) -> Result<u64, String> {
    let names = [Maker::Rpcgen.name(), whittle.name()];
    let folder = source::folder().join("whole").join(&package.name);
    let mut first: Option<String> = None;
    for server in &names {
        for client in &names {
            let said = one(&steps.pairs, &folder, server, client)?;
            match first.as_deref() {
                None => first = Some(said),
                Some(first) => same(first, &said).map_err(|problem| format!("{client} calls {server}: {problem}"))?,
            }
        }
    }
    Ok(first.map_or(0, |said| said.lines().count() as u64))
}

fn one(lines: &str, folder: &Path, server: &str, client: &str) -> Result<String, String> {
    let work = folder.join(format!("pair-{client}-{server}"));
    let _ = std::fs::remove_dir_all(&work);
    std::fs::create_dir_all(&work).map_err(|problem| format!("{}: {problem}", work.display()))?;
    let mut shell = Command::new("timeout");
    shell.args([SECONDS, "bash", "-eo", "pipefail", "-c", lines]).current_dir(&work).stdin(Stdio::null());
    shell.env("server", folder.join(server)).env("client", folder.join(client)).env("LC_ALL", "C");
    let output = shell.output().map_err(|problem| problem.to_string())?;
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{client} calls {server}: {}", making::first_problem(&said).unwrap_or("nothing is printed")))
}

fn same(first: &str, said: &str) -> Result<(), String> {
    if first == said {
        return Ok(());
    }
    let differs = first.lines().zip(said.lines()).find(|(one, other)| one != other);
    let (one, other) = differs.unwrap_or(("", "another number of lines"));
    Err(format!("`{other}` in place of `{one}`"))
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn a_difference_is_said_with_its_line() {
        assert_eq!(same("a\nb\n", "a\nb\n"), Ok(()));
        assert_eq!(same("a\nb\n", "a\nc\n"), Err("`c` in place of `b`".to_owned()));
        assert_eq!(same("a\nb\n", "a\n"), Err("`another number of lines` in place of ``".to_owned()));
    }
}
