//! Trials of all participants of a cell, in an order drawn anew each round, while all of them stand ready. In: programs.
//! Out: for each round and participant, numbers by the name of their metric.
//!
//! After a few rounds everybody is started anew: where the system happens to put a program's memory moves its speed by up to
//! a third for as long as it runs, and medians are to be of the program, not of one such place.

use std::collections::BTreeMap;

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
/// Rounds between two starts.
const ROUNDS_OF_A_START: u64 = 3;
/// Fewer packets than this say nothing; the small packets of the paper are 10,000.
const LEAST: f64 = 60.0;

/// Packets of a trial of latency, and of one of throughput.
#[derive(Clone, Copy)]
struct Size {
    exchanges: u64,
    packets: u64,
}

struct Contestant {
    who: &'static str,
    processes: Processes,
    size: Size,
}

/// Measures.
pub(super) fn run(workload: &Workload, packet: Packet, programs: &[Program], rounds: u64) -> Vec<Trial> {
    let say = |who: &str, what: &str, problem: String| {
        println!("bench: flows, {}, {}, {who}: {what}: {problem}", workload.name, packet.name);
    };
    let mut sizes: BTreeMap<&str, Size> = BTreeMap::new();
    let mut chance = packet.bytes | 1;
    let mut trials = Vec::new();
    for first in (0..rounds).step_by(usize::try_from(ROUNDS_OF_A_START).unwrap_or(1)) {
        let mut contestants: Vec<Contestant> = Vec::new();
        for program in programs {
            match start(program, sizes.get(program.name).copied()) {
                Ok(contestant) => {
                    sizes.insert(program.name, contestant.size);
                    contestants.push(contestant);
                }
                Err(problem) => say(program.name, "not measured", problem),
            }
        }
        for round in first..rounds.min(first + ROUNDS_OF_A_START) {
            shuffle(&mut contestants, &mut chance);
            contestants.retain_mut(|contestant| match trial(contestant, round, packet) {
                Ok(trial) => {
                    trials.push(trial);
                    true
                }
                Err(problem) => {
                    say(contestant.who, "ended", problem);
                    false
                }
            });
        }
    }
    trials
}

/// Starts a participant, and finds out the first time how many packets it moves in the time of a trial.
fn start(program: &Program, known: Option<Size>) -> Result<Contestant, String> {
    let mut processes = Processes::start(&program.nodes)?;
    let size = match known {
        Some(size) => {
            // So that the first trial is not the one in which connections are made and memory is met.
            processes.ask("latency", 50)?;
            processes.ask("throughput", (size.packets / 3).max(50))?;
            size
        }
        None => size(&mut processes)?,
    };
    Ok(Contestant { who: program.name, processes, size })
}

fn size(processes: &mut Processes) -> Result<Size, String> {
    let mean = processes.ask("latency", 50)?.get(1).copied().unwrap_or(1.0) * 1e-6;
    let mut packets: u64 = 50;
    let mut taken = 0.0;
    while packets < 20_000_000 && taken < THROUGHPUT / 3.0 {
        packets *= 4;
        taken = processes.ask("throughput", packets)?.get(1).copied().unwrap_or(1.0);
    }
    let packets = (packets as f64 * THROUGHPUT / taken).clamp(LEAST, 20_000_000.0) as u64;
    let exchanges = (LATENCY / mean).clamp(LEAST, 4000.0) as u64;
    Ok(Size { exchanges, packets })
}

fn trial(contestant: &mut Contestant, round: u64, packet: Packet) -> Result<Trial, String> {
    let latency = contestant.processes.ask("latency", contestant.size.exchanges)?;
    let throughput = contestant.processes.ask("throughput", contestant.size.packets)?;
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
