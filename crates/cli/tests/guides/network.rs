//! A network, a `/run` and processes of their own, with rpcbind among them, for guides whose servers tell it where they are. In: commands.
//! Out: the same, run in there. Nothing of the machine's is touched, and all of it ends with the value.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use libtest_mimic::Failed;

const UNSHARE: [&str; 6] = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"];
const BEGIN: &str = "ip link set lo up && mount --make-rprivate / && mount -t tmpfs none /run && rpcbind -w || exit 1
    for try in $(seq 200); do rpcinfo > /dev/null 2>&1 && break; sleep 0.05; done
    echo ready; exec sleep 300";

pub(crate) struct Network {
    outer: Child,
    /// The first process in there.
    inner: String,
}

/// By root, where the kernel lets it.
pub(crate) fn is_possible() -> bool {
    let mut words = UNSHARE.into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(["sh", "-c", "mount --make-rprivate / && mount -t tmpfs none /run"]);
    command.output().is_ok_and(|output| output.status.success())
}

impl Network {
    pub(crate) fn new() -> Result<Network, Failed> {
        let mut words = UNSHARE.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(["sh", "-c", BEGIN]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut network = Network { outer: command.spawn()?, inner: String::new() };
        let id = network.outer.id();
        let mut said = String::new();
        BufReader::new(network.outer.stdout.take().ok_or("no output")?).read_line(&mut said)?;
        network.inner = fs::read_to_string(format!("/proc/{id}/task/{id}/children"))?.trim().to_owned();
        if said != "ready\n" || network.inner.is_empty() {
            return Err(format!("no network of one's own: {said}").into());
        }
        Ok(network)
    }

    /// What runs a line of the shell in there.
    pub(crate) fn shell(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.inner, "--net", "--mount", "--pid", "--wd=.", "bash"]);
        command
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // Its child ends with it, and with that one all others.
        drop(self.outer.kill());
        drop(self.outer.wait());
    }
}
