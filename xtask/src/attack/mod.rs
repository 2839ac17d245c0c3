//! `cargo xtask attack`: every attacker in `tests/attack/` against the servers and clients that whittle makes, in each style, over each
//! link, with each number of workers, beside an honest client. In: options. Out: a table, and a failure where something lost: a server
//! that died, hung, held more memory than its bound or kept descriptors; a client that outlived its deadline; an honest call that failed.

mod build;
mod client_run;
mod flow;
mod matrix;
mod options;
mod process;
mod server_run;
mod table;

use std::time::Instant;

pub(crate) use build::{Built, STYLES, Style};
pub(crate) use matrix::shuffle as shuffled;
use options::Options;
pub(crate) use process::Process;
pub(crate) use server_run::account;
use table::Row;

/// Builds the programs for others that run them.
pub(crate) fn build(arguments: &[&str]) -> Result<Built, Vec<String>> {
    build::build(&Options::read(arguments)?)
}

/// Runs what the options ask for; the problems name how to repeat them.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let options = Options::read(arguments)?;
    let start = Instant::now();
    let built = build::build(&options)?;
    let mut runs = matrix::runs(&built, &options)?;
    if options.list {
        for run in &runs {
            println!("{}", run.name());
        }
        return Ok(());
    }
    if runs.is_empty() {
        return Err(vec!["attack: no attack fits these options; `--list` shows them all".into()]);
    }
    let built_in = start.elapsed();
    let mut rows: Vec<Row> = Vec::new();
    let attacked = Instant::now();
    let mut round = 0;
    loop {
        if options.seconds.is_some() {
            matrix::shuffle(&mut runs, options.seed.wrapping_add(round));
        }
        for run in &runs {
            if options.seconds.is_some_and(|seconds| attacked.elapsed().as_secs_f64() > seconds) {
                break;
            }
            let row = run.perform(&built, &options, options.seed.wrapping_add(round));
            println!("{}", row.line());
            rows.push(row);
        }
        round += 1;
        if options.seconds.is_none_or(|seconds| attacked.elapsed().as_secs_f64() > seconds) {
            break;
        }
    }
    if let Some(path) = &options.table {
        std::fs::write(path, table::markdown(&rows))
            .map_err(|problem| vec![format!("{}: {problem}", path.display())])?;
    }
    let losses: Vec<String> = rows.iter().filter_map(|row| row.loss(&options)).collect();
    println!(
        "attack: {} runs in {} s (built in {} s), {} lost; seed {}",
        rows.len(),
        attacked.elapsed().as_secs(),
        built_in.as_secs(),
        losses.len(),
        options.seed
    );
    if losses.is_empty() { Ok(()) } else { Err(losses) }
}

#[cfg(test)]
mod tests {
    /// So many seconds of it, in an order that the seed gives.
    fn slice(words: &[&str]) {
        let seed = std::env::var("SOAK_SEED").unwrap_or_else(|_| "1".into());
        if let Err(problems) = super::run(&[words, &["--each", "0.7", "--seed", &seed]].concat()) {
            panic!("{}", problems.join("\n"));
        }
    }

    /// The run times' own tests run under the sanitizer of threads (`races`, `raced`), hostile peers among them; here it is a soak's.
    #[test]
    fn threads_do_not_race_under_attack() {
        if std::env::var_os("SOAK_SEED").is_none() {
            return;
        }
        slice(&["--sanitize", "thread", "--seconds", "8"]);
    }

    /// The run times' own tests are under these sanitizers, hostile peers among them; here it is a soak's.
    #[test]
    fn nothing_undefined_happens_under_attack() {
        if std::env::var_os("SOAK_SEED").is_none() {
            return;
        }
        slice(&["--sanitize", "address,undefined", "--seconds", "8"]);
    }

    /// A slice of what `cargo xtask attack` does: other attacks with each seed, the same with the same one.
    #[test]
    fn some_attackers_meet_servers_and_clients_that_hold() {
        slice(&["--seconds", "15"]);
    }
}
