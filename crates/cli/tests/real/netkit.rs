//! netkit-rusers: rusersd, rusers and rup, built with whittle and with rpcgen, among each other and with Debian's.

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::build::{Maker, Tree, have};
use crate::clients;
use crate::world::{self, Part};

fn build(maker: Maker) -> Result<Tree, Failed> {
    let tree = Tree::unpack("netkit-rusers", maker)?;
    tree.step("./configure", &[])?;
    // The package is of 2000: it forgets to declare `ctime`, looks for RPC in the C library, and calls rstatd with a
    // time limit that it never set, which is read here as "none".
    let compiler = ["gcc -include time.h -ftrivial-auto-var-init=pattern".to_owned()];
    let compiler = compiler.into_iter().chain(oracle::flags_of("libtirpc", "--cflags")).collect::<Vec<_>>().join(" ");
    let libraries = oracle::flags_of("libtirpc", "--libs").join(" ");
    tree.step("make", &[&format!("CC={compiler}"), &format!("LIBS={libraries}")])?;
    for generated in ["rpc.rusersd/rusers_xdr.c", "rusers/rusers_xdr.c", "rup/rstat_xdr.c"] {
        tree.is_made_as_said(generated)?;
    }
    Ok(tree)
}

pub(crate) fn check() -> Result<(), Failed> {
    let (ours, theirs) = (build(Maker::Whittle)?, build(Maker::Rpcgen)?);
    logins(&ours, &theirs)?;
    load(&ours, &theirs)
}

/// Every client asks every daemon.
fn logins(ours: &Tree, theirs: &Tree) -> Result<(), Failed> {
    let scratch = Scratch::new("real-netkit")?;
    let third_version = clients::client(Maker::Whittle, &scratch)?;
    let (daemon, client) = ("rpc.rusersd/rusersd", "rusers/rusers");
    let daemons = [have("usr/sbin/rpc.rusersd")?, ours.path(daemon), theirs.path(daemon)];
    let asking = [have("usr/bin/rusers")?, ours.path(client), theirs.path(client), third_version.clone()];
    let parts = world::run(
        "logins.sh",
        &[
            ("LOG_IN", clients::log_in(scratch.path())?.display().to_string()),
            ("DAEMONS", world::list(&daemons.each_ref().map(|path| path.as_path()))),
            ("CLIENTS", world::list(&asking.each_ref().map(|path| path.as_path()))),
            ("TELLERS", String::new()),
        ],
    )?;
    assert_eq!(parts.len(), 12);
    assert_eq!(parts[0].text.lines().count(), 3, "{}", parts[0].text);
    world::agree(&parts.iter().collect::<Vec<_>>())
}

/// rup, of either make, shows what Debian's rstatd says.
fn load(ours: &Tree, theirs: &Tree) -> Result<(), Failed> {
    let clients = world::list(&[&theirs.path("rup/rup"), &ours.path("rup/rup")]);
    let daemon = have("usr/sbin/rpc.rstatd")?.display().to_string();
    let rounds = world::run("load.sh", &[("DAEMON", daemon), ("CLIENTS", clients)])?;
    let mut compared = 0;
    for Part { text, .. } in &rounds {
        let lines: Vec<&str> = text.lines().collect();
        let [first, between, last] = lines.as_slice() else { return Err(format!("three answers, not\n{text}").into()) };
        if first == last {
            assert_eq!(first, between);
            assert!(first.contains("load average"), "{first}");
            compared += 1;
        }
    }
    assert!(compared > 0, "in {} rounds the load was never twice the same", rounds.len());
    Ok(())
}
