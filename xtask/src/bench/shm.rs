//! The bench `shm`: calls between two processes of one machine through shared memory, beside Unix sockets and TCP, and beside bare
//! memory, futexes and sockets; in turns, in one run. In: `bench/shm`. Out: the median and the least of the rounds.

use super::report::{Section, Table};
use super::rows::Row;
use super::workshop::{self, Workshop};
use super::{Context, Outcome};

const BENCH: &str = "shm";
const ROUNDS: &str = "15";
const SOURCES: [&str; 6] =
    ["local.c", "local_client.c", "local_server.c", "local_types.c", "whittle_onc.c", "whittle_net.c"];
const TEXT: &str = "A client and a server process on this machine, on whichever processors the system gives them. null: a call \
    without arguments, one after the other. asleep: the same, where both sides have gone to sleep before each. pipelined: 64 \
    calls are sent while 64 are on their way. one-way: calls without replies, then one with. bytes: an argument of so many bytes.";

/// Builds the program, runs it, and sums up what it says.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    println!("bench: shm");
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let folder = workshop.folder.clone();
    for name in ["local.x", "local.c"] {
        workshop.copy(&context.sources.join(BENCH).join(name), &folder)?;
    }
    let whittle = context.whittle.display().to_string();
    workshop.run(&folder, &whittle, &["compile", "local.x", "--style", "plain"])?;
    let flags = ["-O2", "-D_GNU_SOURCE", "-pthread", "-I.", "-o", "local"].map(str::to_string);
    let arguments: Vec<String> =
        flags.into_iter().chain(workshop::includes(&[])).chain(SOURCES.map(str::to_string)).collect();
    workshop.run(&folder, "gcc", &arguments)?;
    let said = workshop.run(&folder, &folder.join("local").display().to_string(), &[ROUNDS])?;
    Ok(outcome(&said))
}

/// In: lines of workload, bytes, who, round, nanoseconds.
fn outcome(said: &str) -> Outcome {
    let mut times: Vec<(String, Vec<f64>)> = Vec::new();
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [workload, size, who, _, time] = words[..] else { continue };
        let (name, time) = (format!("{workload} {size} {who}"), time.parse().unwrap_or(f64::NAN));
        match times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.push(time),
            None => times.push((name, vec![time])),
        }
    }
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (name, mut all) in times {
        all.sort_by(f64::total_cmp);
        let (median, least) = (all[all.len() / 2] / 1e3, all[0] / 1e3);
        println!("bench: {name}: {median:.3} us, at least {least:.3}");
        let words: Vec<&str> = name.split(' ').collect();
        rows.push(Row {
            bench: BENCH,
            workload: words[0].to_string(),
            size: words[1].parse().unwrap_or(0),
            who: words[2].to_string(),
            metric: "latency",
            unit: "us",
            value: median,
        });
        lines.push(vec![name, format!("{median:.3}"), format!("{least:.3}")]);
    }
    let head = ["what", "median us", "least us"].map(str::to_string).into();
    let tables = vec![Table { caption: "time of a call".to_string(), head, rows: lines }];
    let title = "shm: calls on one machine".to_string();
    Outcome { rows, sections: vec![Section { title, text: TEXT.to_string(), plot: String::new(), tables }] }
}
