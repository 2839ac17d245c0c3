//! `whittle pipe top`: what goes on on the edges of a flow that runs, from the pages that its processes keep. In: the file
//! that describes the flow, its name, or its directory. Out: a table, once or again and again.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use driver::FlowRequest;

use super::directory;
use super::ledger::{self, Account};
use crate::common::Common;
use crate::host::Machine;
use crate::{Ending, print, report, voice};

#[derive(Debug, Args)]
pub(crate) struct Top {
    /// The flow (`.spi`, `.xip`), its name, or the folder of its sockets and counters
    #[arg(value_name = "FILE")]
    flow: String,
    /// The flow, where the file has several
    #[arg(long = "flow", value_name = "NAME")]
    of_file: Option<String>,
    /// The folder of the flow's sockets and counters
    #[arg(long, value_name = "DIR")]
    dir: Option<String>,
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    every: f64,
    /// Look once, and print what has been counted so far
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

/// What was counted at a time: with each fault that was found, and with those that have stayed.
struct Look {
    at: Instant,
    found: Vec<Account>,
    accounts: Vec<Account>,
}

/// What takes longer than this while packets move is a fault of the account.
const BETWEEN_TWO: Duration = Duration::from_millis(200);

/// Prints the table until the flow has ended, or once.
pub(super) fn top(command: &Top, machine: &Machine) -> Ending {
    let directory = match place(command, machine) {
        Ok(directory) => directory,
        Err(ending) => return ending,
    };
    if let Some(why) = directory::objection(&directory) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    let mut last: Option<Look> = None;
    loop {
        let look = match looked(&directory, last.as_ref()) {
            Ok(look) if !look.accounts.is_empty() => look,
            // Who ran it has given the account, and removed the counters.
            _ if last.is_some() => return balance(&last.map_or(Vec::new(), |last| last.accounts)),
            _ => {
                print::refuse(&nothing_counted(command, &directory));
                return Ending::InputAtFault;
            }
        };
        let has_ended = !look.accounts.iter().any(|account| account.is_live);
        if has_ended && last.is_none() {
            print::note("the flow is not running; these are the counters of its last run");
        }
        // A terminal that knows colours knows how to begin anew.
        let is_shown = std::io::stdout().is_terminal() && command.common.out.is_none() && voice::colours_output();
        let clear = if is_shown && !command.once { "\x1b[H\x1b[2J" } else { "" };
        let ending =
            print::output(&format!("{clear}{}", table(&look.accounts, rates(&look, last.as_ref()).as_deref())));
        if command.once || has_ended || ending != Ending::Done {
            return ending.max(balance(&look.accounts));
        }
        last = Some(look);
        std::thread::sleep(Duration::from_secs_f64(command.every.clamp(0.05, 3600.0)));
    }
}

/// While packets move, the two ends of an edge are not read at one time, and a process counts one thing after the other: a fault is
/// one that has stayed since the look before.
fn settled(mut accounts: Vec<Account>, last: Option<&[Account]>) -> Vec<Account> {
    for account in accounts.iter_mut().filter(|account| account.is_live) {
        let before = last.and_then(|last| last.iter().find(|before| before.edge == account.edge));
        let before = before.and_then(|before| before.fault.as_ref());
        account.fault = account.fault.take().filter(|fault| before.is_some_and(|before| fault.stays(before)));
    }
    accounts
}

/// The accounts of a flow. Where one of them may be at fault, and there was no look before, there is a second one.
fn looked(directory: &Path, last: Option<&Look>) -> std::io::Result<Look> {
    let mut found = ledger::accounts(directory, 0)?;
    let mut before = last.map(|last| last.found.clone());
    if before.is_none() && found.iter().any(|account| account.is_live && account.fault.is_some()) {
        std::thread::sleep(BETWEEN_TWO);
        before = Some(std::mem::replace(&mut found, ledger::accounts(directory, 0)?));
    }
    Ok(Look { at: Instant::now(), accounts: settled(found.clone(), before.as_deref()), found })
}

/// Whether all accounts balance.
pub(super) fn balance(accounts: &[Account]) -> Ending {
    if accounts.iter().any(|account| account.fault.is_some()) { Ending::InputAtFault } else { Ending::Done }
}

fn nothing_counted(command: &Top, directory: &Path) -> String {
    let (place, flow) = (directory.display(), &command.flow);
    if super::is_flow(flow) {
        return format!("the flow has not run here: {place} has no counters; `whittle pipe run {flow}` runs it");
    }
    format!("no flow has counted anything in {place}: name the flow's file, the flow, or its folder")
}

/// The folder of the flow's counters, whichever way the flow is named.
fn place(command: &Top, machine: &Machine) -> Result<PathBuf, Ending> {
    if let Some(directory) = &command.dir {
        return Ok(PathBuf::from(directory));
    }
    let given = PathBuf::from(&command.flow);
    if given.is_dir() {
        return Ok(given);
    }
    if !super::is_flow(&command.flow) {
        return Ok(ledger::usual_directory(&command.flow));
    }
    let (input, preprocessor) = (super::input(&command.flow), command.common.preprocessor());
    let request = FlowRequest { input, line: None, preprocessor, limits: machine.limits, product: None };
    let (found, edges) = driver::flow_edges(&request, machine);
    let ending = report::show(&found);
    if ending != Ending::Done {
        return Err(ending);
    }
    let mut flows: Vec<&str> = edges.iter().map(|edge| edge.flow.as_str()).collect();
    flows.dedup();
    let asked = command.of_file.as_deref();
    match flows.as_slice() {
        known if asked.is_some_and(|asked| known.contains(&asked)) => {
            Ok(ledger::usual_directory(asked.unwrap_or_default()))
        }
        [only] if asked.is_none() => Ok(ledger::usual_directory(only)),
        [] => Err(at_fault("the file has no flow with edges")),
        known => Err(at_fault(&format!("say which flow to watch with --flow: {}", known.join(", ")))),
    }
}

fn at_fault(why: &str) -> Ending {
    print::refuse(why);
    Ending::CommandLineAtFault
}

/// Packets and bytes a second of each edge, since the look before.
fn rates(look: &Look, last: Option<&Look>) -> Option<Vec<(f64, f64)>> {
    let last = last?;
    let seconds = look.at.duration_since(last.at).as_secs_f64().max(1e-6);
    let rate = |now: &Account| {
        let before = last.accounts.iter().find(|account| account.edge == now.edge)?;
        let grown = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        Some((grown(now.delivered, before.delivered), grown(now.bytes, before.bytes)))
    };
    Some(look.accounts.iter().map(|account| rate(account).unwrap_or((0.0, 0.0))).collect())
}

/// The accounts as columns; with rates where they are known.
pub(super) fn table(accounts: &[Account], rates: Option<&[(f64, f64)]>) -> String {
    let widest = accounts.iter().map(|account| account.edge.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("{:widest$}", "edge");
    if rates.is_some() {
        let _ = write!(text, "{:>12}{:>12}", "packets/s", "MB/s");
    }
    for head in
        ["offered", "delivered", "waiting", "under way", "dropped", "faulty", "unknown", "filtered", "p50", "p99"]
    {
        let _ = write!(text, "{head:>12}");
    }
    text.push('\n');
    for (number, account) in accounts.iter().enumerate() {
        let _ = write!(text, "{:widest$}", account.edge);
        if let Some((packets, bytes)) = rates.and_then(|rates| rates.get(number)) {
            let _ = write!(text, "{packets:>12.0}{:>12.1}", bytes / 1e6);
        }
        for count in [account.offered, account.delivered, account.waiting] {
            let _ = write!(text, "{count:>12}");
        }
        let _ = write!(text, "{:>12}", account.under_way.map_or("elsewhere".to_owned(), |count| count.to_string()));
        for count in [account.all_dropped(), account.faulty, account.unknown, account.filtered] {
            let _ = write!(text, "{count:>12}");
        }
        for of_thousand in [500, 990] {
            let _ = write!(text, "{:>12}", account.latency(of_thousand).map_or("-".to_owned(), age));
        }
        text.push('\n');
        for (reason, count) in &account.dropped {
            let _ = writeln!(text, "  dropped, {reason}: {count}");
        }
        if let Some(fault) = &account.fault {
            let _ = writeln!(text, "  does not balance: {fault}");
        }
        if account.misses > 0 {
            let _ = writeln!(text, "  later than their deadline: {}", account.misses);
        }
    }
    text
}

/// Nanoseconds as people read them; a bucket's upper end, so at most this.
fn age(nanoseconds: u64) -> String {
    match nanoseconds {
        0..1_000 => format!("<{nanoseconds} ns"),
        1_000..1_000_000 => format!("<{} us", nanoseconds.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("<{} ms", nanoseconds.div_ceil(1_000_000)),
        _ => format!("<{} s", nanoseconds.div_ceil(1_000_000_000)),
    }
}
