//! Clients of one build against servers of another.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use filetest::oracle;
use libtest_mimic::Failed;

use crate::build::{Build, Maker, Style, build, makers};
use crate::relay::{Message, Relay, Speaker};

/// A server that runs, and ends with this value.
struct Server {
    process: Child,
    tcp: u16,
    udp: u16,
}

impl Server {
    fn start(build: &Build, family: char) -> Result<Server, Failed> {
        let mut command = Command::new(build.program("server"));
        let mut process = command.arg(family.to_string()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["tcp", tcp, "udp", udp] => {
                let port = |text: &str| text.parse().map_err(|_| Failed::from(format!("no port: {line}")));
                Ok(Server { process, tcp: port(tcp)?, udp: port(udp)? })
            }
            _ => Err(format!("the server says `{line}`").into()),
        }
    }

    fn port(&self, transport: &str) -> u16 {
        if transport == "tcp" { self.tcp } else { self.udp }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the client has noticed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn call(client: &Build, transport: &str, family: char, port: u16) -> Result<(), Failed> {
    let mut command = Command::new(client.program("client"));
    oracle::succeed(command.args([transport, &family.to_string(), &port.to_string()])).map(|_| ())
}

/// All pairs, without a witness.
pub(crate) fn all_pairs(style: &Style, transport: &str, family: char) -> Result<(), Failed> {
    for server_maker in makers(style) {
        let server = Server::start(&*build(*server_maker, style)?, family)?;
        for client_maker in makers(style) {
            let outcome = call(&*build(*client_maker, style)?, transport, family, server.port(transport));
            outcome.map_err(|failed| pair(*client_maker, *server_maker, failed.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn pair(client: Maker, server: Maker, what: &str) -> Failed {
    format!("client {client:?}, server {server:?}: {what}").into()
}

/// What client and server say to each other.
pub(crate) fn conversation(
    style: &Style,
    transport: &str,
    client: Maker,
    server: Maker,
) -> Result<Vec<Message>, Failed> {
    let running = Server::start(&*build(server, style)?, '4')?;
    let relay = Relay::start(transport, running.port(transport))?;
    let outcome = call(&*build(client, style)?, transport, '4', relay.port);
    outcome.map_err(|failed| pair(client, server, failed.message().unwrap_or_default()))?;
    Ok(relay.finish())
}

/// All pairs say the same.
pub(crate) fn same_conversations(style: &Style, transport: &str) -> Result<(), Failed> {
    let reference = conversation(style, transport, Maker::Rpcgen, Maker::Rpcgen)?;
    if reference.len() < 100 {
        return Err(format!("only {} messages were heard", reference.len()).into());
    }
    let others = makers(style).iter().filter(|maker| **maker != Maker::Rpcgen);
    for (client, server) in
        others.flat_map(|maker| [(*maker, Maker::Rpcgen), (Maker::Rpcgen, *maker), (*maker, *maker)])
    {
        let heard = conversation(style, transport, client, server)?;
        for speaker in [Speaker::Client, Speaker::Server] {
            compare(&reference, &heard, speaker).map_err(|what| pair(client, server, &what))?;
        }
    }
    Ok(())
}

/// The first message of `speaker` that differs, transactions aside.
fn compare(expected: &[Message], actual: &[Message], speaker: Speaker) -> Result<(), String> {
    let said = |messages: &[Message]| -> Vec<Message> {
        messages.iter().filter(|message| message.speaker == speaker).cloned().collect()
    };
    let (expected, actual) = (said(expected), said(actual));
    for (number, (one, other)) in expected.iter().zip(&actual).enumerate() {
        if one.contents() != other.contents() {
            let at = one.contents().iter().zip(other.contents()).position(|(one, other)| one != other);
            return Err(format!("message {number} of the {speaker:?} differs at byte {at:?}, after the transaction"));
        }
    }
    if expected.len() != actual.len() {
        return Err(format!("the {speaker:?} said {} messages, not {}", actual.len(), expected.len()));
    }
    Ok(())
}

/// The recorders of both builds write the same, on memory, record and file streams.
pub(crate) fn same_streams(style: &Style) -> Result<(), Failed> {
    let record = |maker| -> Result<Vec<u8>, Failed> {
        Ok(oracle::succeed(&mut Command::new(build(maker, style)?.program("record")))?.stdout)
    };
    let (expected, actual) = (record(Maker::Rpcgen)?, record(Maker::Whittle)?);
    if expected == actual {
        return Ok(());
    }
    let at = expected.iter().zip(&actual).position(|(one, other)| one != other);
    Err(format!("{} and {} bytes, first difference at {at:?}", expected.len(), actual.len()).into())
}
