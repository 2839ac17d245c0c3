//! Where the nodes are: on one loopback, or each in a network namespace of its own, joined by virtual Ethernet, with token
//! buckets where the link is to be slower than the machine.

use std::process::Command;

/// What lies between the nodes.
#[derive(Clone, Copy)]
pub(super) enum Network {
    Loopback,
    /// `link`: what slows it down, both ways.
    Namespaces {
        link: Option<Link>,
    },
}

/// A token bucket, in `tc`'s words: how much goes through, and how much may go at once after a silence.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) rate: &'static str,
    pub(super) burst: &'static str,
}

const FIRST: &str = "whittle-bench-1";
const SECOND: &str = "whittle-bench-2";

/// Namespaces that are there until this is dropped.
pub(super) struct Open {
    made: bool,
}

impl Network {
    /// Makes what is needed, or says why it cannot.
    pub(super) fn open(self) -> Result<Open, String> {
        let Network::Namespaces { link } = self else { return Ok(Open { made: false }) };
        remove();
        let open = Open { made: true };
        ip(&["netns", "add", FIRST])?;
        ip(&["netns", "add", SECOND])?;
        ip(&["-n", FIRST, "link", "add", "veth0", "type", "veth", "peer", "name", "veth0", "netns", SECOND])?;
        for (name, address) in [(FIRST, "10.98.0.1/24"), (SECOND, "10.98.0.2/24")] {
            ip(&["-n", name, "address", "add", address, "dev", "veth0"])?;
            ip(&["-n", name, "link", "set", "veth0", "up"])?;
            ip(&["-n", name, "link", "set", "lo", "up"])?;
            if let Some(Link { rate, burst }) = link {
                let bucket = ["qdisc", "add", "dev", "veth0", "root", "tbf", "rate", rate];
                let depth = ["burst", burst, "latency", "50ms"];
                let words: Vec<&str> = ["-n", name].into_iter().chain(bucket).chain(depth).collect();
                run("tc", &words)?;
            }
        }
        Ok(open)
    }

    /// The address of a node, counted from 0.
    pub(super) fn address(self, node: usize) -> &'static str {
        match self {
            Network::Loopback => "127.0.0.1",
            Network::Namespaces { .. } => ["10.98.0.1", "10.98.0.2"][node.min(1)],
        }
    }

    /// What a program of a node is started with.
    pub(super) fn prefix(self, node: usize) -> Vec<&'static str> {
        match self {
            Network::Loopback => Vec::new(),
            Network::Namespaces { .. } => vec!["ip", "netns", "exec", [FIRST, SECOND][node.min(1)]],
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.made {
            remove();
        }
    }
}

fn remove() {
    for name in [FIRST, SECOND] {
        let _ = Command::new("ip").args(["netns", "delete", name]).output();
    }
}

fn ip(words: &[&str]) -> Result<(), String> {
    run("ip", words)
}

fn run(program: &str, words: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(words).output().map_err(|problem| format!("{program}: {problem}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}
