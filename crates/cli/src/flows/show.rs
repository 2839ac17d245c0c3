//! `whittle pipe show`: prints a recording. In: the file, and the description that says what its packets are. Out: a line
//! for each packet; what is missing is said.

use std::fs::File;
use std::io::BufReader;

use clap::Args;
use driver::FlowEdge;

use super::Described;
use super::packets::{self, Head, Printer, Record, Stop};
use crate::common::Common;
use crate::host::Machine;
use crate::{Ending, errors, print, report};

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The recordings: `NUMBER.packets`; the description comes behind them
    #[arg(required = true, value_name = "RECORDING")]
    pub(super) recordings: Vec<String>,
    #[command(flatten)]
    described: Described,
    /// A JSON object for each packet, with nothing cut short
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) common: Common,
}

/// Prints all packets of the files.
pub(super) fn show(command: &Show, machine: &Machine) -> Ending {
    let (found, edges) = driver::flow_edges(&command.described.request(&command.common, None), machine);
    let ending = report::show(&found);
    if ending != Ending::Done {
        return ending;
    }
    command.recordings.iter().map(|name| show_one(command, name, &edges)).max().unwrap_or(Ending::Done)
}

fn show_one(command: &Show, name: &str, edges: &[FlowEdge]) -> Ending {
    let mut file = match File::open(name) {
        Ok(file) => BufReader::new(file),
        Err(problem) => return fails(name, &format!("it cannot be read: {}", errors::describe(&problem))),
    };
    let head = match packets::head(&mut file) {
        Ok(head) => head,
        Err(Stop::Problem(problem)) => return fails(name, &problem),
        Err(_) => return fails(name, "it is no recording of packets"),
    };
    let Some(edge) = edge_of(&head, edges) else {
        let said = format!(
            "it holds `{}`s of the edge {} of the flow `{}`, and {} has no edge with such packets: give the description \
             that it was recorded with",
            head.packet, head.edge, head.flow, command.described.file
        );
        return fails(name, &said);
    };
    let mut printer = Printer::new(edge, head.is_big_endian, command.json);
    loop {
        let goes_on = match packets::record(&mut file, head.is_big_endian) {
            Ok(Record::Packet { when, bytes }) => printer.packet(when, &bytes),
            Ok(Record::Gap(missing)) => printer.gap(missing),
            Ok(Record::End { missing, .. }) => {
                if missing > 0 {
                    printer.gap(missing);
                }
                return if printer.has_faults { Ending::InputAtFault } else { Ending::Done };
            }
            Err(Stop::Problem(problem)) => return fails(name, &problem),
            Err(Stop::Quiet | Stop::Cut) => {
                return fails(name, &format!("it is cut short: it has no end after {} packets", printer.shown));
            }
        };
        if !goes_on {
            return Ending::Done;
        }
    }
}

/// The edge that was recorded, or one with the same packets.
fn edge_of<'a>(head: &Head, edges: &'a [FlowEdge]) -> Option<&'a FlowEdge> {
    let mut fitting = edges.iter().filter(|edge| edge.fingerprint(head.is_big_endian) == head.fingerprint);
    let is_it = |edge: &&FlowEdge| edge.flow == head.flow && edge.number == head.number;
    fitting.clone().find(is_it).or_else(|| fitting.next())
}

fn fails(name: &str, why: &str) -> Ending {
    print::refuse(&format!("{name}: {why}"));
    Ending::InputAtFault
}
