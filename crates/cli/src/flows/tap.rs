//! `whittle pipe tap`: shows packets of a flow that runs. In: a description, the name of an edge, the flow's directory. Out:
//! a line for each packet. A socket `NUMBER.tap` is made in the directory; the process that sends on the edge sees it and
//! sends what it takes, without ever waiting for us. What is left out is said.

use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use driver::FlowEdge;
use rustix::fs::{Mode, OFlags};

use super::packets::{self, Printer, Record, Stop};
use super::{Described, directory, ledger};
use crate::common::Common;
use crate::host::{Machine, signals};
use crate::{Ending, print, report};

/// How often it is looked whether the sender has come, or whether we are to end.
const LOOK: Duration = Duration::from_millis(50);
/// Looks before it is said that we wait.
const PATIENCE: u32 = 20;

#[derive(Debug, Args)]
pub(crate) struct Tap {
    #[command(flatten)]
    pub(super) described: Described,
    /// A part of the edge's name, such as `Gray.b`
    edge: String,
    /// The flow, where the file has several
    #[arg(long, value_name = "NAME")]
    flow: Option<String>,
    /// End after so many packets
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// The folder of the flow's sockets and counters
    #[arg(long, value_name = "DIR")]
    dir: Option<String>,
    /// A JSON object for each packet, with nothing cut short
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

/// Shows packets until the sender ends, or as many as are wanted.
pub(super) fn tap(command: &Tap, machine: &Machine) -> Ending {
    let (found, edges) = driver::flow_edges(&command.described.request(&command.common, None), machine);
    let ending = report::show(&found);
    if ending != Ending::Done {
        return ending;
    }
    let edge = match chosen(command, &edges) {
        Ok(edge) => edge,
        Err(why) => {
            print::refuse(&why);
            return Ending::CommandLineAtFault;
        }
    };
    let directory = command.dir.as_ref().map_or_else(|| ledger::usual_directory(&edge.flow), PathBuf::from);
    if let Some(why) = directory::objection(&directory) {
        print::refuse(&why);
        return Ending::CommandLineAtFault;
    }
    let stop = Arc::new(AtomicBool::new(false));
    signals::handled_elsewhere();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Where it cannot be caught, it ends us as it ends any program.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    match Place::make(directory, edge).and_then(|place| watch(command, edge, &place, &stop)) {
        Ok(ending) => ending,
        Err(why) => {
            print::refuse(&why);
            Ending::InputAtFault
        }
    }
}

/// The one edge that is meant.
fn chosen<'a>(command: &Tap, edges: &'a [FlowEdge]) -> Result<&'a FlowEdge, String> {
    let is_of_flow = |edge: &&FlowEdge| command.flow.as_ref().is_none_or(|flow| edge.flow == *flow);
    let of_flow: Vec<&FlowEdge> = edges.iter().filter(is_of_flow).collect();
    let fitting: Vec<&FlowEdge> = of_flow.iter().copied().filter(|edge| edge.name.contains(&command.edge)).collect();
    let names = |edges: &[&FlowEdge]| {
        let names: Vec<String> = edges.iter().map(|edge| format!("  {}: {}", edge.flow, edge.name)).collect();
        names.join("\n")
    };
    match fitting.as_slice() {
        [only] => Ok(only),
        [] => Err(format!("no edge has `{}` in its name; there are:\n{}", command.edge, names(&of_flow))),
        several => Err(format!(
            "several edges have `{}` in their names; say more of it, or --flow:\n{}",
            command.edge,
            names(several)
        )),
    }
}

/// The folder itself, nothing that a link leads to.
fn folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// The socket, as long as it is there.
struct Place {
    path: PathBuf,
    listener: UnixListener,
    directory: PathBuf,
}

impl Place {
    fn make(directory: PathBuf, edge: &FlowEdge) -> Result<Place, String> {
        let shown = directory.display().to_string();
        let opened = folder(&directory).map_err(|problem| {
            format!(
                "the flow `{}` has no folder {shown}: {problem}: start it, or name its folder with --dir",
                edge.flow
            )
        })?;
        let path = directory.join(format!("{}.tap", edge.number));
        // The folder may be deeper than a socket's name is long.
        let short = PathBuf::from(format!("/proc/self/fd/{}/{}.tap", opened.as_raw_fd(), edge.number));
        let listener = match UnixListener::bind(&short) {
            Err(problem) if problem.kind() == ErrorKind::AddrInUse => {
                if UnixStream::connect(&short).is_ok() {
                    return Err(format!("somebody looks at {} already", edge.name));
                }
                // Who made it was killed.
                let _ = std::fs::remove_file(&path);
                UnixListener::bind(&short)
            }
            outcome => outcome,
        };
        let listener = listener.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        let listener = listener.map_err(|problem| format!("cannot make a socket in {shown}: {problem}"))?;
        Ok(Place { path, listener, directory })
    }

    /// The next process that sends on the edge; `None` where we are asked to end.
    fn sender(&self, edge: &FlowEdge, stop: &AtomicBool) -> Result<Option<UnixStream>, String> {
        let mut looks = 0;
        while !stop.load(Ordering::Relaxed) {
            match self.listener.accept() {
                Ok((stream, _)) => return Ok(Some(stream)),
                Err(problem) if problem.kind() == ErrorKind::WouldBlock => {}
                Err(problem) => return Err(format!("cannot listen at {}: {problem}", self.path.display())),
            }
            looks += 1;
            if looks == PATIENCE {
                print::progress(&format!(
                    "waiting for who sends on {}, of the flow `{}` in {}",
                    edge.name,
                    edge.flow,
                    self.directory.display()
                ));
            }
            std::thread::sleep(LOOK);
        }
        Ok(None)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It may have been taken away.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A connection that ends when we are to end.
struct Patient<'a> {
    stream: UnixStream,
    stop: &'a AtomicBool,
}

impl Read for Patient<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while !self.stop.load(Ordering::Relaxed) {
            match self.stream.read(room) {
                Err(problem) if matches!(problem.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                outcome => return outcome,
            }
        }
        Ok(0)
    }
}

fn watch(command: &Tap, edge: &FlowEdge, place: &Place, stop: &AtomicBool) -> Result<Ending, String> {
    let (mut from, head) = loop {
        let Some(stream) = place.sender(edge, stop)? else { return Ok(Ending::Done) };
        let prepared = stream.set_nonblocking(false).and_then(|()| stream.set_read_timeout(Some(LOOK)));
        prepared.map_err(|problem| format!("cannot wait for {}: {problem}", edge.name))?;
        let mut from = Patient { stream, stop };
        match packets::head(&mut from) {
            Ok(head) => break (io::BufReader::new(from), head),
            // Somebody looked whether we are here.
            Err(Stop::Cut | Stop::Quiet) => {}
            Err(Stop::Problem(problem)) => return Err(problem),
        }
    };
    if edge.fingerprint(head.is_big_endian) != head.fingerprint {
        return Err(format!(
            "{} carries other `{}`s than {} says: it was built from another description: run it anew, or give its own",
            head.edge, head.packet, command.described.file
        ));
    }
    let mut printer = Printer::new(edge, head.is_big_endian, command.json);
    while command.count.is_none_or(|count| printer.shown < count) {
        let goes_on = match packets::record(&mut from, head.is_big_endian) {
            Ok(Record::Packet { when, bytes }) => printer.packet(when, &bytes),
            Ok(Record::Gap(missing)) => printer.gap(missing),
            Ok(Record::End { .. }) | Err(Stop::Quiet) => false,
            // The sender ended with a packet half way.
            Err(Stop::Cut) => {
                if !stop.load(Ordering::Relaxed) {
                    printer.gap(1);
                }
                false
            }
            Err(Stop::Problem(problem)) => return Err(problem),
        };
        if !goes_on {
            break;
        }
    }
    Ok(if printer.has_faults { Ending::InputAtFault } else { Ending::Done })
}
