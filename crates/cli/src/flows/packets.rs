//! Recorded packets, as files and taps have them: a head, then records. In: bytes, from anybody. Out: packets, and where
//! some are missing. Source: `runtime/flow/packets.h`.

use std::io::{self, Read};

use driver::FlowEdge;
use serde::Serialize;
use source::render::json_line;

use crate::print;

const MAGIC: &[u8] = b"whtpkts1";
const END_MAGIC: &[u8] = b"whtpkend";
const GAP: u32 = u32::MAX - 1;
const END: u32 = u32::MAX;

/// Where the parts of a head begin, in bytes.
mod at {
    pub(super) const VERSION: usize = 8;
    pub(super) const ORDER: usize = 12;
    pub(super) const NUMBER: usize = 16;
    pub(super) const FINGERPRINT: usize = 24;
    pub(super) const FLOW: usize = 48;
    pub(super) const EDGE: usize = 112;
    pub(super) const TYPE: usize = 240;
    pub(super) const END: usize = 304;
}

/// What packets these are.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) is_big_endian: bool,
    pub(super) number: usize,
    pub(super) fingerprint: u64,
    pub(super) flow: String,
    pub(super) edge: String,
    pub(super) packet: String,
}

/// What follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// Nanoseconds since the beginning, and the bytes that travelled.
    Packet { when: u64, bytes: Vec<u8> },
    /// So many packets are missing here.
    Gap(u64),
    /// The end of a whole recording: packets in it, and packets that could not be recorded.
    End { count: u64, missing: u64 },
}

/// Why records do not go on.
#[derive(Debug)]
pub(super) enum Stop {
    /// Nothing follows, between two records.
    Quiet,
    /// Something would have to follow.
    Cut,
    Problem(String),
}

impl From<io::Error> for Stop {
    fn from(problem: io::Error) -> Stop {
        if problem.kind() == io::ErrorKind::UnexpectedEof { Stop::Cut } else { Stop::Problem(problem.to_string()) }
    }
}

/// The head of a recording.
pub(super) fn head(from: &mut impl Read) -> Result<Head, Stop> {
    let mut bytes = [0; at::END];
    from.read_exact(&mut bytes)?;
    let is_big_endian = match &bytes[at::ORDER..at::ORDER + 4] {
        [4, 3, 2, 1] => false,
        [1, 2, 3, 4] => true,
        _ => return Err(Stop::Problem("it is no recording of packets".to_owned())),
    };
    if !bytes.starts_with(MAGIC) {
        return Err(Stop::Problem("it is no recording of packets".to_owned()));
    }
    let number = |from: usize| number(&bytes[from..from + 4], is_big_endian);
    if number(at::VERSION) != 1 {
        return Err(Stop::Problem("it was recorded by another version of whittle".to_owned()));
    }
    Ok(Head {
        is_big_endian,
        number: usize::try_from(number(at::NUMBER)).unwrap_or(usize::MAX),
        fingerprint: self::number(&bytes[at::FINGERPRINT..at::FINGERPRINT + 8], is_big_endian),
        flow: text(&bytes[at::FLOW..at::EDGE]),
        edge: text(&bytes[at::EDGE..at::TYPE]),
        packet: text(&bytes[at::TYPE..at::END]),
    })
}

fn number(bytes: &[u8], is_big_endian: bool) -> u64 {
    let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if is_big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The next record.
pub(super) fn record(from: &mut impl Read, is_big_endian: bool) -> Result<Record, Stop> {
    let mut first = [0; 1];
    loop {
        match from.read(&mut first) {
            Ok(0) => return Err(Stop::Quiet),
            Ok(_) => break,
            Err(problem) if problem.kind() == io::ErrorKind::Interrupted => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    let mut rest = [0; 7];
    from.read_exact(&mut rest)?;
    let when = number(&[&first[..], &rest[..]].concat(), is_big_endian);
    let mut next = |bytes: &mut Vec<u8>, count: u64| -> Result<(), Stop> {
        // As it comes: a size may say anything.
        let came = from.by_ref().take(count).read_to_end(bytes)?;
        if came as u64 == count { Ok(()) } else { Err(Stop::Cut) }
    };
    let mut bytes = Vec::new();
    next(&mut bytes, 4)?;
    let size = u32::try_from(number(&bytes, is_big_endian)).unwrap_or(0);
    bytes.clear();
    match size {
        GAP => {
            next(&mut bytes, 8)?;
            Ok(Record::Gap(number(&bytes, is_big_endian)))
        }
        END => {
            next(&mut bytes, 24)?;
            match bytes.ends_with(END_MAGIC) {
                true => Ok(Record::End {
                    count: number(&bytes[..8], is_big_endian),
                    missing: number(&bytes[8..16], is_big_endian),
                }),
                false => Err(Stop::Problem("its end makes no sense".to_owned())),
            }
        }
        size => {
            next(&mut bytes, u64::from(size))?;
            Ok(Record::Packet { when, bytes })
        }
    }
}

#[derive(Serialize)]
struct Shown<P> {
    number: u64,
    nanoseconds: u64,
    packet: P,
}

#[derive(Serialize)]
struct Faulty {
    number: u64,
    nanoseconds: u64,
    fault: String,
}

#[derive(Serialize)]
struct Missing {
    missing: u64,
}

/// What prints packets, a line each.
pub(super) struct Printer<'a> {
    pub(super) edge: &'a FlowEdge,
    pub(super) is_big_endian: bool,
    pub(super) is_json: bool,
    /// The number of the last packet, those that are missing included.
    pub(super) number: u64,
    /// Packets shown.
    pub(super) shown: u64,
    pub(super) has_faults: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(edge: &'a FlowEdge, is_big_endian: bool, is_json: bool) -> Self {
        Printer { edge, is_big_endian, is_json, number: 0, shown: 0, has_faults: false }
    }

    /// False where nobody reads any more.
    pub(super) fn packet(&mut self, when: u64, bytes: &[u8]) -> bool {
        self.number += 1;
        self.shown += 1;
        let number = self.number;
        let line = match (self.edge.decode(bytes, self.is_big_endian), self.is_json) {
            (Ok(value), false) => format!("{number} {}\n", value.text()),
            (Ok(packet), true) => json_line(&Shown { number, nanoseconds: when, packet }),
            (Err(fault), is_json) => {
                self.has_faults = true;
                match is_json {
                    false => format!("{number} is no `{}`: {fault}\n", self.edge.packet),
                    true => json_line(&Faulty { number, nanoseconds: when, fault: fault.to_string() }),
                }
            }
        };
        print::line(&line)
    }

    /// So many packets are missing. False where nobody reads any more.
    pub(super) fn gap(&mut self, missing: u64) -> bool {
        self.number = self.number.saturating_add(missing);
        print::line(&match self.is_json {
            false => format!("… {} packets not shown\n", grouped(missing)),
            true => json_line(&Missing { missing }),
        })
    }
}

/// `1,203`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
