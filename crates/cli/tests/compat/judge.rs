//! tshark, which nobody here wrote, reads what was recorded.

use std::fs;

use filetest::oracle;
use filetest::pcap::{self, Datagram};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::build::{Maker, Style};
use crate::matrix::conversation;
use crate::relay::Speaker;

/// Ports that only the capture knows.
const CLIENT: u16 = 40001;
const SERVER: u16 = 40002;

/// What tshark is asked of each datagram, in order: a call is 0 and a reply 1; the program; accepted is 0.
const FIELDS: [&str; 4] = ["rpc.msgtyp", "rpc.program", "rpc.state_accept", "_ws.malformed"];

/// Every datagram of a conversation is an RPC message of the program, accepted and well formed.
pub(crate) fn understands(style: &Style, maker: Maker) -> Result<(), Failed> {
    let messages = conversation(style, "udp", maker, maker)?;
    let mut datagrams = Vec::new();
    for message in messages {
        let (from, to) = if message.speaker == Speaker::Client { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
        datagrams.push(Datagram { from, to, payload: message.bytes });
    }
    let folder = Scratch::new("judge")?;
    let file = folder.path().join("calls.pcap");
    fs::write(&file, pcap::capture(&datagrams))?;

    let mut command = oracle::command("tshark");
    command.arg("-r").arg(&file).args(["-o", "rpc.dissect_unknown_programs:TRUE", "-T", "fields"]);
    for field in FIELDS {
        command.args(["-e", field]);
    }
    let output = oracle::succeed(&mut command)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    if lines.len() != datagrams.len() {
        return Err(format!("tshark saw {} of {} datagrams", lines.len(), datagrams.len()).into());
    }
    for (number, (line, datagram)) in lines.iter().zip(&datagrams).enumerate() {
        let is_call = datagram.to == SERVER;
        let fields: Vec<&str> = line.split('\t').collect();
        let understood = match fields.as_slice() {
            ["0", program, "", ""] => is_call && (*program == "536871458" || *program == "0x20000222"),
            ["1", _, "0", ""] => !is_call,
            _ => false,
        };
        if !understood {
            return Err(format!("datagram {number}: tshark says `{line}`").into());
        }
    }
    Ok(())
}
