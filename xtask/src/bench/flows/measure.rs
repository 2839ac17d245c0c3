//! Trials of all participants of a cell, in an order drawn anew each round, while all of them stand ready. In: programs.
//! Out: for each round and participant, numbers by the name of their metric.

use super::build::Program;
use super::process::Processes;
use super::{Packet, Workload};

/// What one participant showed in one round.
pub(super) struct Trial {
    pub(super) who: &'static str,
    pub(super) round: u64,
    pub(super) values: Vec<(&'static str, f64)>,
}

/// What a trial is to take, in seconds.
const LATENCY: f64 = 0.08;
const THROUGHPUT: f64 = 0.1;
/// Fewer packets than this say nothing; the small packets of the paper are 10,000.
const LEAST: f64 = 60.0;

struct Contestant {
    who: &'static str,
    processes: Processes,
    /// Packets of a trial.
    exchanges: u64,
    packets: u64,
}

/// Measures.
pub(super) fn run(workload: &Workload, packet: Packet, programs: &[Program], rounds: u64) -> Vec<Trial> {
    let mut contestants: Vec<Contestant> = Vec::new();
    for program in programs {
        match start(program) {
            Ok(contestant) => contestants.push(contestant),
            Err(problem) => {
                println!("bench: flows, {}, {}, {}: not measured: {problem}", workload.name, packet.name, program.name);
            }
        }
    }
    let mut chance = packet.bytes | 1;
    let mut trials = Vec::new();
    for round in 0..rounds {
        shuffle(&mut contestants, &mut chance);
        contestants.retain_mut(|contestant| match trial(contestant, round, packet) {
            Ok(trial) => {
                trials.push(trial);
                true
            }
            Err(problem) => {
                let who = contestant.who;
                println!("bench: flows, {}, {}, {who}: ended: {problem}", workload.name, packet.name);
                false
            }
        });
    }
    trials
}

/// Starts a participant and finds out how many packets it moves in the time of a trial.
fn start(program: &Program) -> Result<Contestant, String> {
    let mut processes = Processes::start(&program.nodes)?;
    let mean = processes.ask("latency", 50)?.get(1).copied().unwrap_or(1.0) * 1e-6;
    let mut packets: u64 = 50;
    let mut taken = 0.0;
    while packets < 20_000_000 && taken < THROUGHPUT / 3.0 {
        packets *= 4;
        taken = processes.ask("throughput", packets)?.get(1).copied().unwrap_or(1.0);
    }
    let packets = (packets as f64 * THROUGHPUT / taken).clamp(LEAST, 20_000_000.0) as u64;
    let exchanges = (LATENCY / mean).clamp(LEAST, 4000.0) as u64;
    Ok(Contestant { who: program.name, processes, exchanges, packets })
}

fn trial(contestant: &mut Contestant, round: u64, packet: Packet) -> Result<Trial, String> {
    let latency = contestant.processes.ask("latency", contestant.exchanges)?;
    let throughput = contestant.processes.ask("throughput", contestant.packets)?;
    let [_, mean, p50, p99, p999, used, lost] = latency[..] else { return Err(format!("{latency:?}")) };
    let [packets, taken, used_sending, lost_sending] = throughput[..] else { return Err(format!("{throughput:?}")) };
    let values = vec![
        ("latency-mean", mean),
        ("latency-p50", p50),
        ("latency-p99", p99),
        ("latency-p99.9", p999),
        ("latency-processor", used),
        // As time a packet, so that ratios are those of speed.
        ("throughput", taken / packets * 1e9),
        ("megabits", packet.bytes as f64 * 8e-6 * packets / taken),
        ("packets", packets / taken),
        ("throughput-processor", used_sending),
        ("lost", lost + lost_sending),
        ("trial-packets", packets),
    ];
    Ok(Trial { who: contestant.who, round, values })
}

fn shuffle(contestants: &mut [Contestant], chance: &mut u64) {
    for at in (1..contestants.len()).rev() {
        *chance ^= *chance << 13;
        *chance ^= *chance >> 7;
        *chance ^= *chance << 17;
        contestants.swap(at, (*chance % (at as u64 + 1)) as usize);
    }
}
