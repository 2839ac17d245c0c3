//! `whittle pipe run`: builds a flow and runs all its programs here. In: a description and the folder of its C. Out: the
//! programs' own output, and at the end an account of every edge. What a first SIGINT or SIGTERM asks for, and the death of
//! this process, is that the sources end; the programs then end by themselves.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use driver::{FlowProduct, FlowProgram};

use super::{Described, directory, environment, ledger, top};
use crate::command::RuntimeName;
use crate::common::Common;
use crate::host::{Machine, signals};
use crate::{Ending, errors, print, report};

/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_millis(20);

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
    /// Poll up to MICROSECONDS for a peer before sleeping, while that reduces latency; 0: never
    #[arg(long, value_name = "MICROSECONDS", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    awake: Option<u32>,
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

impl Run {
    /// What all programs are told.
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
    // They are built before this run ends.
    if let Err(failure) = machine.publish(true) {
        return report::show_failure(failure);
    }
    let Some((flow, programs)) = chosen(&programs, command.flow.as_deref()) else { return Ending::CommandLineAtFault };
    if !is_built(folder, &programs) {
        return Ending::InputAtFault;
    }
    let directory = command.dir.as_ref().map_or_else(|| ledger::usual_directory(&flow), PathBuf::from);
    if let Some(why) = directory::objection(&directory) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    let stop = Arc::new(AtomicBool::new(false));
    signals::handled_elsewhere();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Where it cannot be caught, it ends the run as it ends any program.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    let since = nanoseconds();
    let worst = match started(folder, &programs, &command.options()) {
        Ok(children) => awaited(children, &stop),
        Err(ending) => ending,
    };
    account(&directory, since).max(worst)
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

/// A program that runs.
struct Running {
    name: String,
    child: Child,
}

fn started(folder: &str, programs: &[FlowProgram], options: &[OsString]) -> Result<Vec<Running>, Ending> {
    let mut running: Vec<Running> = Vec::new();
    for program in programs {
        let path = Path::new(folder).join(&program.name);
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        let spawned = Command::new(path).args(options).spawn();
        match spawned {
            Ok(child) => running.push(Running { name: program.name.clone(), child }),
            Err(problem) => {
                print::refuse(&format!("cannot start {}: {}", program.name, errors::describe(&problem)));
                running.iter_mut().for_each(|started| ask_to_end(&started.child));
                awaited(running, &AtomicBool::new(false));
                return Err(Ending::InputAtFault);
            }
        }
    }
    Ok(running)
}

/// Waits for all. A signal to this process is handed on; a program that fails ends the others.
fn awaited(mut running: Vec<Running>, stop: &AtomicBool) -> Ending {
    let (mut ending, mut is_ending) = (Ending::Done, false);
    while !running.is_empty() {
        let is_asked = stop.swap(false, Ordering::Relaxed);
        let mut has_failed = false;
        running.retain_mut(|program| match program.child.try_wait() {
            Ok(None) => true,
            Ok(Some(status)) => {
                has_failed |= !status.success();
                said(&program.name, status);
                false
            }
            Err(_) => false,
        });
        if has_failed {
            ending = Ending::InputAtFault;
        }
        // Who is ending already is not asked once more: that would cut it short. A user may.
        if is_asked || (has_failed && !is_ending) {
            is_ending = true;
            running.iter().for_each(|program| ask_to_end(&program.child));
        }
        std::thread::sleep(LOOK);
    }
    ending
}

fn said(name: &str, status: ExitStatus) {
    if !status.success() {
        print::refuse(&format!("{name} {}; the rest of the flow is asked to end", how_it_ended(status)));
    }
}

fn how_it_ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with status {code}"),
        (None, Some(signal)) => {
            let name = signal_hook::low_level::signal_name(signal).map(|name| format!(" ({name})"));
            format!("was killed by signal {signal}{}", name.unwrap_or_default())
        }
        (None, None) => format!("ended: {status}"),
    }
}

fn ask_to_end(child: &Child) {
    let Ok(number) = i32::try_from(child.id()) else { return };
    if let Some(process) = rustix::process::Pid::from_raw(number) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_program_ended_is_a_sentence() {
        for (raw, said) in [
            (0x100, "ended with status 1"),
            (6, "was killed by signal 6 (SIGABRT)"),
            (0x80 | 11, "was killed by signal 11 (SIGSEGV)"),
        ] {
            assert_eq!(how_it_ended(ExitStatus::from_raw(raw)), said);
        }
    }
}
