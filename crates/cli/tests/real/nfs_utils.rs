//! nfs-utils: mountd, statd and their clients, built with whittle, by the package's own test and with Debian's.

use libtest_mimic::Failed;

use crate::build::{Maker, Tree, have};
use crate::world::{self, Part};

/// What needs RPC, and no more.
const WITHOUT: [&str; 13] = [
    "--disable-nfsv4",
    "--disable-nfsv41",
    "--disable-gss",
    "--disable-ipv6",
    "--disable-uuid",
    "--disable-mount",
    "--disable-nfsdcld",
    "--disable-nfsdcltrack",
    "--disable-ldap",
    "--disable-caps",
    "--without-tcp-wrappers",
    "--disable-shared",
    "--disable-dependency-tracking",
];

fn build() -> Result<Tree, Failed> {
    let tree = Tree::unpack("nfs-utils", Maker::Whittle)?;
    let rpcgen = format!("--with-rpcgen={}", tree.path("place/rpcgen").display());
    tree.step("./configure", &WITHOUT.into_iter().chain([rpcgen.as_str()]).collect::<Vec<_>>())?;
    for folder in ["support", "utils/mountd", "utils/showmount", "utils/statd"] {
        tree.step("make", &["-j2", "-C", folder])?;
    }
    // The programs of the test; the test itself runs where nothing is disturbed.
    tree.step("make", &["-C", "tests", "check", "TESTS="])?;
    for generated in
        ["support/export/mount_xdr.c", "support/nsm/sm_inter_svc.c", "tests/nsm_client/nlm_sm_inter_clnt.c"]
    {
        tree.is_made_as_said(generated)?;
    }
    Ok(tree)
}

pub(crate) fn check() -> Result<(), Failed> {
    let tree = build()?;
    let daemons = [tree.path("utils/mountd/mountd"), have("usr/sbin/rpc.mountd")?];
    let clients = [have("usr/sbin/showmount")?, tree.path("utils/showmount/showmount")];
    let parts = world::run(
        "mounts.sh",
        &[
            ("SOURCE", tree.scratch.path().display().to_string()),
            ("STATD", have("usr/sbin/rpc.statd")?.display().to_string()),
            ("DAEMONS", world::list(&daemons.each_ref().map(|path| path.as_path()))),
            ("CLIENTS", world::list(&clients.each_ref().map(|path| path.as_path()))),
        ],
    )?;
    let (of_statd, of_mountd) = parts.split_at(2);
    for part in of_statd {
        assert!(part.text.contains("SM_MON request successful"), "{}\n{}", part.title, part.text);
    }
    assert!(of_statd[0].text.ends_with("passed\n"), "{}", of_statd[0].text);
    for (option, entries) in [("-e", 60), ("-a", 4), ("-d", 3)] {
        let of_option: Vec<&Part> =
            of_mountd.iter().filter(|part| part.title.contains(&format!(" {option} "))).collect();
        assert_eq!(of_option.len(), 4);
        // A heading, and a line for each.
        assert_eq!(of_option[0].text.lines().count(), entries + 1, "{}", of_option[0].text);
        world::agree(&of_option)?;
    }
    Ok(())
}
