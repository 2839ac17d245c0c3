//! The bench `idle`: what a server needs for a connection that has asked once and is silent now. In: the servers of `cargo xtask attack`,
//! and 10,000 connections. Out: bytes of resident memory for each. The kernel's own memory is not in it.

use std::process::Command;
use std::time::{Duration, Instant};

use super::report::{Section, Table};
use super::rows::Row;
use super::{Context, Outcome};
use crate::attack::{self, Built, Process, STYLES, Style};

const BENCH: &str = "idle";
const CONNECTIONS: usize = 10_000;
/// Seconds that the connections are kept, and how long all of them may take to come.
const KEPT: u64 = 12;
const TEXT: &str = "The resident memory of a server with 10,000 connections that each made one call and wait, minus that of the same \
    server without them, per connection. A connection returns its buffers to the pool when they contain no part of a \
    message.";

/// Measures each style over a stream.
pub(super) fn run(_context: &Context) -> Result<Outcome, Vec<String>> {
    let built = attack::build(&[])?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut rows = Vec::new();
    for style in &STYLES {
        for &link in style.links.iter().filter(|link| ["tcp", "iiop"].contains(link)) {
            println!("bench: idle, {} {link}", style.name);
            let (count, bytes) =
                measure(&built, style).map_err(|problem| vec![format!("{} {link}: {problem}", style.name)])?;
            rows.push(vec![format!("{} {link}", style.name), count.to_string(), format!("{bytes:.0}")]);
            outcome.rows.push(Row {
                bench: BENCH,
                workload: format!("{} {link}", style.name),
                size: count as u64,
                who: "whittle".into(),
                metric: "memory of a connection",
                unit: "bytes",
                value: bytes,
            });
        }
    }
    let head = ["server", "connections", "bytes each"].map(str::to_string).into();
    outcome.sections.push(Section {
        title: "idle: memory of connections that wait".into(),
        text: TEXT.into(),
        plot: String::new(),
        tables: vec![Table { caption: "resident memory".into(), head, rows }],
    });
    Ok(outcome)
}

/// How many connections there were, and bytes of each.
fn measure(built: &Built, style: &Style) -> Result<(usize, f64), String> {
    let mut server =
        Process::start(Command::new(built.program(style, "server")).args(["workers=1", "patience=60000", "tcp"]))?;
    let mut address = None;
    loop {
        let line = server.line(Duration::from_secs(10)).ok_or_else(|| server.complaint())?;
        if line == "ready" {
            break;
        }
        address = address.or_else(|| line.strip_prefix("address ").map(str::to_owned));
    }
    let address = address.ok_or("the server names no address")?;
    let (before, idle) = (server.descriptors(), server.memory().ok_or("the server died")?.0);
    let clients = Process::start(Command::new(built.attacker()).args(["kept", &KEPT.to_string(), "1", &address]))?;
    let begin = Instant::now();
    while server.is_alive()
        && server.descriptors() < before + CONNECTIONS
        && begin.elapsed() < Duration::from_secs(KEPT - 2)
    {
        std::thread::sleep(Duration::from_millis(50));
    }
    // What the last ones asked is replied to.
    std::thread::sleep(Duration::from_millis(500));
    let count = server.descriptors().saturating_sub(before);
    let memory = server.memory().ok_or("the server died")?.0;
    drop(clients);
    Ok((count, memory.saturating_sub(idle) as f64 * 1024.0 / count.max(1) as f64))
}
