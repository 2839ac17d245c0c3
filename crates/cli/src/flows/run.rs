//! `whittle pipe run`: builds a flow and runs all its programs here. In: a description and the folder of its C. Out: the
//! programs' own output, and at the end an account of every edge.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use driver::{FlowProduct, FlowProgram};

use super::claim::Claim;
use super::supervise::{self, Wishes};
use super::{Described, directory, environment, ledger, top};
use crate::command::RuntimeName;
use crate::common::Common;
use crate::host::{Machine, signals};
use crate::{Ending, errors, print, report};

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    described: Described,
    /// The run time, the C that the programs call: write its files into the same folder (beside, the default), or write none
    /// of them, since it is installed as libraries (installed)
    #[arg(long, value_enum, value_name = "WHERE", hide_possible_values = true)]
    runtime: Option<RuntimeName>,
    /// The flow to run, where the file has several
    #[arg(long, value_name = "NAME")]
    flow: Option<String>,
    /// The folder of the flow's sockets and counters [default: one of the flow's name, below $XDG_RUNTIME_DIR]
    #[arg(long, value_name = "DIR")]
    dir: Option<String>,
    /// The file with the key of TCP and NATS edges [default: one in the folder of sockets, made if missing]
    #[arg(long, value_name = "FILE")]
    key: Option<String>,
    /// The first TCP port [default: a number computed from the flow's name]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// At the end, wait up to SECONDS for lost receivers to come back
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=1_000_000_000))]
    wait: Option<u32>,
    /// Kill (SIGKILL) a program that has not ended SECONDS after it was asked to; a second SIGINT or SIGTERM kills all at once
    /// [default: 60 more than --wait]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=1_000_000_000))]
    kill_after: Option<u32>,
    /// Poll up to MICROSECONDS for a peer before sleeping, while that reduces latency; 0: never
    #[arg(long, value_name = "MICROSECONDS", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    awake: Option<u32>,
    /// Tell counters, as OpenMetrics over HTTP: at a socket in the folder for each program (unix), or at this TCP port and those
    /// behind it, one for each program in the flow's order
    #[arg(long, value_name = "PLACE", value_parser = metrics)]
    metrics: Option<Metrics>,
    /// Record the packets of all edges into this folder, one file for each edge
    #[arg(long, value_name = "DIR")]
    record: Option<String>,
    /// Sources send the packets recorded in this folder (--record), at the recorded pace
    #[arg(long, value_name = "DIR")]
    replay: Option<String>,
    /// With --replay: send X times as fast as recorded; 0: as fast as the receivers take packets
    #[arg(long, value_name = "X", requires = "replay")]
    speed: Option<f64>,
    #[command(flatten)]
    pub(super) common: Common,
}

/// Where programs tell their counters.
#[derive(Clone, Copy, Debug)]
enum Metrics {
    Unix,
    /// The first of the ports.
    Port(u16),
}

fn metrics(place: &str) -> Result<Metrics, String> {
    match place.parse::<u16>() {
        _ if place == "unix" => Ok(Metrics::Unix),
        Ok(port) if port > 0 => Ok(Metrics::Port(port)),
        _ => Err("give `unix`, or the first port, 1 to 65535".to_owned()),
    }
}

impl Run {
    /// The options of the program of a number.
    fn options_of(&self, number: usize) -> Vec<OsString> {
        let mut options = self.options();
        let place = self.metrics.map(|metrics| match metrics {
            Metrics::Unix => "unix".to_owned(),
            // One past the last is refused by the program.
            Metrics::Port(first) => (usize::from(first) + number).to_string(),
        });
        options.extend(place.iter().flat_map(|place| ["--metrics".into(), OsString::from(place)]));
        options
    }

    /// How long a program that was asked to end may take: longer than it waits for what is lost.
    fn patience(&self) -> Duration {
        let wait = self.wait.or_else(environment::wait).unwrap_or(10);
        Duration::from_secs(self.kill_after.map_or(60 + u64::from(wait), u64::from))
    }

    /// The options of all programs.
    fn options(&self) -> Vec<OsString> {
        // Machines are left out of account: all of the flow is here.
        let mut options: Vec<OsString> = vec!["--here".into()];
        // However this process ends, they end; and nothing is left that an earlier run's counters could be of use to.
        options.extend(["--run-by".into(), std::process::id().to_string().into()]);
        let speed = self.speed.map(|speed| speed.to_string());
        let port = self.port.map(|port| port.to_string());
        let [wait, awake] = [self.wait, self.awake].map(|time| time.map(|time| time.to_string()));
        let given = [
            // Their usual one they make themselves, with all that leads to it.
            ("--dir", &self.dir),
            ("--key", &self.key),
            ("--port", &port),
            ("--wait", &wait),
            ("--awake", &awake),
            ("--record", &self.record),
            ("--replay", &self.replay),
            ("--speed", &speed),
        ];
        for (name, value) in given {
            options.extend(value.iter().flat_map(|value| [OsString::from(name), OsString::from(value)]));
        }
        options
    }
}

/// Compiles, builds, runs, and gives an account.
pub(super) fn run(command: &Run, machine: &Machine) -> Ending {
    if !environment::is_sound() {
        return Ending::CommandLineAtFault;
    }
    let folder = machine.folder.as_deref().unwrap_or(".");
    let product = FlowProduct::Code { folder: folder.to_owned(), run_time: super::run_time(command.runtime) };
    let (found, programs) = driver::flow_programs(&command.described.request(&command.common, Some(product)), machine);
    let ending = report::show(&found);
    if ending != Ending::Done {
        return ending;
    }
    let Some((flow, programs)) = chosen(&programs, command.flow.as_deref()) else { return Ending::CommandLineAtFault };
    let directory = command.dir.as_ref().map_or_else(|| ledger::usual_directory(&flow), PathBuf::from);
    if let Some(why) = directory::objection(&directory) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    // Before anything is written: another run's programs are not changed under it.
    let claim = match Claim::of(&directory, &flow) {
        Ok(claim) => claim,
        Err(why) => {
            print::refuse(&why);
            return Ending::InputAtFault;
        }
    };
    let ending = built_and_run(command, machine, (folder, &programs), &directory);
    // In a folder that the user has named, the counters stay.
    let is_usual = command.dir.is_none();
    claim.end(is_usual, programs.iter().any(|program| program.keeps));
    ending
}

fn built_and_run(
    command: &Run,
    machine: &Machine,
    (folder, programs): (&str, &[FlowProgram]),
    directory: &Path,
) -> Ending {
    // They are built before this run ends.
    if let Err(failure) = machine.publish(true) {
        return report::show_failure(failure);
    }
    if !is_built(folder, programs) {
        return Ending::InputAtFault;
    }
    signals::handled_elsewhere();
    let wishes = match Wishes::heard() {
        Ok(wishes) => wishes,
        Err(problem) => {
            print::refuse(&format!("signals cannot be caught: {}", errors::describe(&problem)));
            return Ending::InputAtFault;
        }
    };
    let since = nanoseconds();
    // A recording and what is replayed are of one process each.
    let restarts = command.record.is_none() && command.replay.is_none();
    let programs: Vec<_> = programs.iter().enumerate().map(|(at, program)| (program, command.options_of(at))).collect();
    let worst = supervise::run(folder, &programs, (restarts, command.patience()), &wishes);
    account(directory, since).max(worst)
}

/// The flow that is meant, and its programs.
fn chosen(programs: &[FlowProgram], flow: Option<&str>) -> Option<(String, Vec<FlowProgram>)> {
    let mut flows: Vec<&str> = programs.iter().map(|program| program.flow.as_str()).collect();
    flows.dedup();
    let name = match (flow, flows.as_slice()) {
        (Some(flow), known) if known.contains(&flow) => flow.to_owned(),
        (None, [only]) => (*only).to_owned(),
        (_, []) => {
            print::refuse("the file has no flow: give one with --line");
            return None;
        }
        (_, known) => {
            print::refuse(&format!("say which flow to run with --flow: {}", known.join(", ")));
            return None;
        }
    };
    let programs = programs.iter().filter(|program| program.flow == name).cloned().collect();
    Some((name, programs))
}

fn is_built(folder: &str, programs: &[FlowProgram]) -> bool {
    let names = programs.iter().map(|program| program.name.as_str());
    // What make says is for people who wait for it; what goes wrong it says on standard error.
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let outcome = Command::new("make").arg("-s").arg(format!("-j{jobs}")).arg("-C").arg(folder).args(names).status();
    match outcome {
        Ok(status) if status.success() => true,
        Ok(_) => {
            print::refuse(&format!("the programs in {folder} cannot be built: make and the C compiler say why above"));
            false
        }
        Err(problem) => {
            print::refuse(&format!(
                "cannot run make: {}: install `make` (Debian: apt-get install make)",
                errors::describe(&problem)
            ));
            false
        }
    }
}

/// Since 1970.
fn nanoseconds() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

/// What became of all packets of this run.
fn account(directory: &Path, since: u64) -> Ending {
    match ledger::accounts(directory, since) {
        Ok(accounts) if !accounts.is_empty() => {
            print::output(&top::table(&accounts, None)).max(top::balance(&accounts))
        }
        _ => Ending::Done,
    }
}
