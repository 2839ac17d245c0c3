//! The ledger of a flow as its processes keep it: one page for each end of each edge, in the flow's directory. In: pages.
//! Out: what became of the packets of each edge. Source: `runtime/flow/ledger.h`, which says how a page lies in its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::Pid;

/// Where the parts of a page begin, in bytes.
mod at {
    pub(super) const VERSION: usize = 8;
    pub(super) const COUNTERS: usize = 12;
    pub(super) const BUCKETS: usize = 16;
    pub(super) const NUMBER: usize = 20;
    pub(super) const IS_RECEIVER: usize = 24;
    pub(super) const STATE: usize = 28;
    pub(super) const STREAM: usize = 40;
    pub(super) const PROCESS: usize = 56;
    pub(super) const STARTED: usize = 64;
    pub(super) const EDGE: usize = 136;
    pub(super) const PROGRAM: usize = 328;
    pub(super) const NAMES: usize = 504;
    pub(super) const VALUES: usize = 2040;
    pub(super) const LATENCIES: usize = 2424;
    pub(super) const END: usize = 2936;
}

const MAGIC: &[u8] = b"whtledg1";
const NAME_ROOM: usize = 32;
const MOST_COUNTERS: usize = 48;

/// How the names of counters begin that count packets dropped; the reason follows.
const DROPPED: &str = "dropped: ";

/// Those that count a packet that was offered, but never entered the queue.
const BEFORE_THE_QUEUE: [&str; 5] =
    ["dropped: full, newest", "dropped: rate", "faulty", "filtered", "dropped: refused"];

/// With what is spared, the number below which a sender has counted all losses.
const SETTLED: [&str; 4] = ["spared", "unknown", "dropped: connection cut", "dropped: subscriber gone"];

/// One end of an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) number: u32,
    pub(crate) is_receiver: bool,
    pub(crate) has_ended: bool,
    /// The run of the edge that it counts; 0: none yet.
    stream: u64,
    pub(crate) process: u64,
    /// When it began, in nanoseconds since 1970.
    started: u64,
    pub(crate) edge: String,
    pub(crate) program: String,
    counters: BTreeMap<String, u64>,
    latencies: Vec<u64>,
}

impl Page {
    /// A page from its bytes; `None` where they are none, or of another version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Page> {
        if bytes.len() < at::END || !bytes.starts_with(MAGIC) || small(bytes, at::VERSION)? != 1 {
            return None;
        }
        let count = (small(bytes, at::COUNTERS)? as usize).min(MOST_COUNTERS);
        let counter =
            |n: usize| Some((text(bytes, at::NAMES + n * NAME_ROOM, NAME_ROOM), large(bytes, at::VALUES + n * 8)?));
        let buckets = (small(bytes, at::BUCKETS)? as usize).min(64);
        Some(Page {
            number: small(bytes, at::NUMBER)?,
            is_receiver: small(bytes, at::IS_RECEIVER)? != 0,
            has_ended: small(bytes, at::STATE)? == 2,
            stream: large(bytes, at::STREAM)?,
            process: large(bytes, at::PROCESS)?,
            started: large(bytes, at::STARTED)?,
            edge: text(bytes, at::EDGE, 128),
            program: text(bytes, at::PROGRAM, 64),
            counters: (0..count).filter_map(counter).collect(),
            latencies: (0..buckets).filter_map(|n| large(bytes, at::LATENCIES + n * 8)).collect(),
        })
    }

    /// A counter; 0 where the page has none of that name.
    pub(crate) fn counter(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    fn sum(&self, names: &[&str]) -> u64 {
        names.iter().fold(0, |sum, name| sum.wrapping_add(self.counter(name)))
    }

    /// Packets of one size that moved the position since it was marked.
    fn since_mark(&self) -> u64 {
        let moved = self.counter("at").wrapping_sub(self.counter("mark"));
        moved.checked_div(self.counter("stride")).unwrap_or(0)
    }

    fn queued(&self) -> u64 {
        self.counter("queued").wrapping_add(self.since_mark())
    }

    fn taken(&self) -> u64 {
        self.counter("taken").wrapping_add(self.since_mark())
    }

    /// Whether the process that it is of still runs, on this machine.
    fn is_live(&self) -> bool {
        let process = i32::try_from(self.process).ok().and_then(Pid::from_raw);
        !self.has_ended
            && process.is_some_and(|process| rustix::process::test_kill_process(process) != Err(Errno::SRCH))
    }

    /// Taken and not done: in hand, or a copy in the stage.
    fn in_hand(&self) -> u64 {
        u64::from(self.counter("at") != self.counter("done-at")) + self.counter("kept")
    }
}

/// What became of the packets of an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) edge: String,
    pub(crate) offered: u64,
    pub(crate) delivered: u64,
    /// By reason; those that happened.
    pub(crate) dropped: BTreeMap<String, u64>,
    pub(crate) unknown: u64,
    /// No values of their type: not sent, or not taken.
    pub(crate) faulty: u64,
    /// A subscriber does not want them: not sent.
    pub(crate) filtered: u64,
    /// In the sender's queue.
    pub(crate) waiting: u64,
    /// Sent and not delivered yet; `None` where the receiver's page is on another machine.
    pub(crate) under_way: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) misses: u64,
    /// For each number of significant bits, packets whose age in nanoseconds had so many.
    pub(crate) latencies: Vec<u64>,
    /// A process of one of its ends runs.
    pub(crate) is_live: bool,
    /// What does not fit.
    pub(crate) fault: Option<Fault>,
}

/// Why an account does not balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Its ends count different runs: the sender's program, and the receiver's.
    OtherRuns(String, String),
    /// So many were offered, and so many are found.
    Counts { offered: u64, found: u64 },
}

impl Fault {
    /// Whether it is the same as one before, though packets have gone by since.
    pub(crate) fn stays(&self, before: &Fault) -> bool {
        let missing = |fault: &Fault| match fault {
            Fault::Counts { offered, found } => Some(offered.wrapping_sub(*found)),
            Fault::OtherRuns(..) => None,
        };
        missing(self) == missing(before)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::OtherRuns(from, other) => {
                write!(to, "its ends count different runs: `{from}` sends one, `{other}` has another")
            }
            Fault::Counts { offered, found } => {
                let (difference, what) = match offered.checked_sub(*found) {
                    Some(missing) => (missing, "are in no column"),
                    None => (found.wrapping_sub(*offered), "are counted that nobody offered"),
                };
                write!(to, "{offered} were offered, and {found} are found: {difference} {what}")
            }
        }
    }
}

impl Account {
    fn of(pages: &[&Page]) -> Account {
        let sender = pages.iter().find(|page| !page.is_receiver);
        let receiver = pages.iter().find(|page| page.is_receiver);
        let mut account = Account {
            edge: pages.first().map_or(String::new(), |page| page.edge.clone()),
            is_live: pages.iter().any(|page| page.is_live()),
            ..Account::default()
        };
        if let Some(page) = sender {
            account.offered = page.queued().wrapping_add(page.sum(&BEFORE_THE_QUEUE));
            account.waiting =
                page.queued().wrapping_sub(page.sum(&["sent", "dropped: full, oldest", "dropped: abandoned"]));
            account.unknown = page.counter("unknown");
            account.faulty = page.counter("faulty");
            account.filtered = page.counter("filtered");
            account.bytes = page.counter("bytes");
        }
        if let Some(page) = receiver {
            let lost = ["skipped", "unknown", "faulty", "dropped: late", "dropped: replaced", "dropped: unmatched"];
            account.delivered = page.taken().wrapping_sub(page.sum(&lost)).wrapping_sub(page.in_hand());
            account.unknown += page.counter("unknown");
            account.faulty += page.counter("faulty");
            account.misses = page.counter("misses");
            account.latencies.clone_from(&page.latencies);
            account.bytes = account.bytes.max(page.counter("bytes"));
            let sent = sender.map(|sender| sender.counter("sent"));
            account.under_way = sent.map(|sent| sent.saturating_sub(page.taken()) + page.in_hand());
        }
        for page in pages {
            for (name, count) in page.counters.iter().filter(|(_, count)| **count > 0) {
                if let Some(reason) = name.strip_prefix(DROPPED) {
                    *account.dropped.entry(reason.to_owned()).or_default() += count;
                }
            }
        }
        account.fault = match (sender, receiver) {
            (Some(from), Some(to)) if from.stream != 0 && to.stream != 0 && from.stream != to.stream => {
                Some(Fault::OtherRuns(from.program.clone(), to.program.clone()))
            }
            // The receiver is still to hear of losses that the sender has counted.
            (Some(from), Some(to)) if account.is_live && from.sum(&SETTLED) > to.taken() => None,
            (Some(_), Some(_)) => account.imbalance(),
            _ => None,
        };
        account
    }

    /// What was offered, and where it is.
    fn columns(&self) -> [u64; 8] {
        let under_way = self.under_way.unwrap_or(0);
        let left_out = [self.all_dropped(), self.faulty, self.unknown, self.filtered];
        let [dropped, faulty, unknown, filtered] = left_out;
        [self.offered, self.delivered, self.waiting, under_way, dropped, faulty, unknown, filtered]
    }

    /// Whether each packet that was offered is in one column: what is said where it is not.
    fn imbalance(&self) -> Option<Fault> {
        self.under_way?;
        let found = self.columns()[1..].iter().fold(0_u64, |sum, column| sum.wrapping_add(*column));
        (found != self.offered).then_some(Fault::Counts { offered: self.offered, found })
    }

    /// All that was dropped.
    pub(crate) fn all_dropped(&self) -> u64 {
        self.dropped.values().sum()
    }

    /// The age, in nanoseconds, that so many of a thousand packets did not pass; `None` where none is known.
    pub(crate) fn latency(&self, of_thousand: u64) -> Option<u64> {
        let all: u64 = self.latencies.iter().sum();
        let wanted = all.checked_mul(of_thousand)?.div_ceil(1000).max(1);
        let mut sum = 0;
        let bucket = self.latencies.iter().position(|count| {
            sum += count;
            sum >= wanted
        })?;
        Some(1_u64.checked_shl(u32::try_from(bucket).ok()?).map_or(u64::MAX, |above| above - 1))
    }
}

/// The accounts of all edges whose pages are in a directory, in the flow's order; without those of programs that began
/// before a time, in nanoseconds since 1970.
pub(crate) fn accounts(directory: &Path, since: u64) -> std::io::Result<Vec<Account>> {
    let mut pages = Vec::new();
    let paths = std::fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<PathBuf>>>()?;
    // Receivers first: while packets move, what they have taken is then among what their senders have sent.
    for end in ["receiver", "sender"] {
        let of_end = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == end));
        pages.extend(of_end.filter_map(|path| Page::read(&std::fs::read(path).ok()?)));
    }
    pages.retain(|page: &Page| page.started >= since);
    pages.sort_by_key(|page| (page.number, page.is_receiver));
    Ok(pages
        .chunk_by(|one, other| one.number == other.number)
        .map(|ends| Account::of(&ends.iter().collect::<Vec<_>>()))
        .collect())
}

/// The directory that the processes of a flow share where no option names another: as `runtime/flow/options.c` chooses it.
pub(crate) fn usual_directory(flow: &str) -> PathBuf {
    use std::os::unix::fs::MetadataExt;
    if let Some(named) = std::env::var_os("WHITTLE_DIR") {
        return PathBuf::from(named);
    }
    let run = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|run| run.is_absolute());
    let user = || std::fs::metadata("/proc/self").map_or(0, |process| process.uid());
    run.unwrap_or_else(|| PathBuf::from(format!("/tmp/whittle-{}", user()))).join(flow)
}

fn small(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn large(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn text(bytes: &[u8], at: usize, room: usize) -> String {
    let bytes = bytes.get(at..at + room).unwrap_or_default();
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    // A page may be anybody's, and is shown on terminals.
    escape::line(&String::from_utf8_lossy(&bytes[..end])).into_owned()
}
