//! The folder that the processes of a flow share. In: its path. Out: whether it is what it seems: nobody else's, and reached without a link
//! that somebody could turn elsewhere. Why: sockets and counters are made in it, and those of an earlier run removed.
//! Source: CWE-59 (links); the kernel's `protected_symlinks`, whose rule for links on the way this is.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why the folder is not used; `None` where it may be, or is not there yet.
pub(super) fn objection(directory: &Path) -> Option<String> {
    let user = rustix::process::geteuid().as_raw();
    let mut path = PathBuf::new();
    let mut holder = Path::new(".").metadata().ok();
    let mut parts = directory.components().peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let Ok(data) = path.symlink_metadata() else { return None };
        if data.is_symlink() {
            let is_shared = holder.is_none_or(|holder| holder.mode() & 0o022 != 0);
            // The system's own, or one that only its owner can turn.
            let is_steady = data.uid() == 0 || (data.uid() == user && !is_shared);
            if parts.peek().is_none() || !is_steady {
                let (path, directory) = (path.display(), directory.display());
                return Some(format!("{path} is a symbolic link: the folder of a flow is named without: {directory}"));
            }
        }
        holder = path.metadata().ok();
    }
    let owner = holder.map_or(user, |data| data.uid());
    (owner != user && user != 0).then(|| format!("{} belongs to another user", directory.display()))
}

#[cfg(test)]
mod tests {
    use super::objection;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_folder_of_ones_own_is_used_and_a_link_is_not() {
        let place = tempfile::Builder::new().prefix("whittle-test-").tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir_all(path("real/inner")).unwrap();
        symlink("real", path("link")).unwrap();
        assert_eq!(objection(&path("real")), None);
        assert_eq!(objection(&path("absent/inner")), None);
        assert!(objection(&path("link")).is_some_and(|why| why.contains("symbolic link")));
        assert_eq!(objection(&path("link/inner")), None, "nobody else can turn it");
        std::fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        if !rustix::process::geteuid().is_root() {
            assert!(objection(&path("link/inner")).is_some());
        }
    }
}
