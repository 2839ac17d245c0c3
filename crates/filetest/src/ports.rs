//! TCP ports that no other test has at the same time, whichever process it runs in.
//!
//! Out: the first of a block of ports. A block is taken by binding an abstract Unix socket of its name, which the system
//! gives back when the test's process ends. The tests of flows' run time, in C, take theirs the same way.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Ports of a block.
const SIZE: u16 = 128;
const FIRST: u16 = 10_000;
/// Up to port 29,199; those that the system gives out begin at 32,768.
const BLOCKS: u16 = 150;

/// A block of ports, a test's own until it is dropped.
#[derive(Debug)]
pub struct Ports {
    /// The first of 128.
    pub first: u16,
    _taken: UnixListener,
}

impl Ports {
    /// Takes a block that nobody has.
    pub fn take() -> std::io::Result<Ports> {
        let begin = (std::process::id() % u32::from(BLOCKS)) as u16;
        for turn in 0..BLOCKS {
            let block = (begin + turn) % BLOCKS;
            let name = SocketAddr::from_abstract_name(format!("whittle-test-ports-{block}"))?;
            if let Ok(taken) = UnixListener::bind_addr(&name) {
                return Ok(Ports { first: FIRST + block * SIZE, _taken: taken });
            }
        }
        Err(std::io::Error::other("tests have all blocks of ports"))
    }
}

#[cfg(test)]
mod tests {
    use super::Ports;

    #[test]
    fn nobody_has_the_same_ports_at_the_same_time() -> std::io::Result<()> {
        let [one, other] = [Ports::take()?, Ports::take()?];
        assert!(one.first.abs_diff(other.first) >= super::SIZE);
        let first = one.first;
        drop(one);
        assert_eq!(Ports::take()?.first, first);
        Ok(())
    }
}
