//! One hostile server and one client. In: a run. Out: a row of the table.
//!
//! The program `victim` plays both sides and judges by itself: a call ends within its deadline, and the next honest one works.

use std::time::Duration;

use super::build::Built;
use super::matrix::Run;
use super::options::Options;
use super::process::Process;
use super::table::Row;

/// Megabytes that a client may take beside what it is given; the longest message is 64.
const BOUND: f64 = 200.0;

pub(crate) fn perform(run: &Run, built: &Built, options: &Options, seed: u64) -> Row {
    let mut row = Row {
        name: run.name(),
        style: run.style.name.into(),
        link: run.link.into(),
        side: "client",
        attack: run.attack.clone(),
        seed,
        bound: Some(BOUND),
        ..Row::default()
    };
    if let Err(problem) = attack(run, built, options, seed, &mut row) {
        row.problems.push(problem);
    }
    row
}

fn attack(run: &Run, built: &Built, options: &Options, seed: u64, row: &mut Row) -> Result<(), String> {
    let mut command = options.start(&built.program(run.style, "victim"));
    command.args([&run.attack, &options.each.to_string(), &seed.to_string()]);
    command.args([run.link, if run.style.giop { "giop" } else { "onc" }]);
    let mut victim = Process::start(&mut command)?;
    let Some(status) = victim.ends_within(Duration::from_secs_f64(options.each + 20.0 * options.slower() as f64))
    else {
        return Err("the client hangs".into());
    };
    while let Some(line) = victim.line(Duration::from_millis(100)) {
        let mut words = line.split_whitespace();
        let (name, value) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let number: f64 = value.parse().unwrap_or_default();
        match name {
            "calls" => row.served = number as u64,
            "late" => row.slowest = number,
            "descriptors" => row.descriptors = number as usize,
            "memory" => row.peak = number,
            "lost" => row.problems.push(line[5..].to_owned()),
            _ => {}
        }
    }
    if row.peak > BOUND && options.sanitize.is_none() {
        row.problems.push(format!("{:.0} MB where {BOUND:.0} are allowed", row.peak));
    }
    if !status.success() && row.problems.is_empty() {
        row.problems.push(format!("{status}: {}", victim.complaint()));
    }
    Ok(())
}
