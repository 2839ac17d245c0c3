//! Files that appear whole, links that stay, and sets that were interrupted.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use driver::{Destination, OutputFile};

use super::super::place;
use super::super::staging::Staged;
use super::{all, stage, wanted};

/// A folder that goes with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::Builder::new().prefix("whittle-test-").tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn all(&self, files: &[OutputFile]) -> Result<(), driver::Failure> {
        all(files, self.0.path().to_str(), false)
    }

    fn staged<'a>(&self, files: &'a [OutputFile]) -> Staged<'a> {
        let root = place::open_root(self.0.path()).unwrap();
        let below = |file: &'a OutputFile| match place::of(&file.destination, self.0.path().to_str()) {
            place::Place::File { below, .. } => (file, below),
            other => panic!("{other:?}"),
        };
        let files: Vec<_> = files.iter().map(below).collect();
        let outputs = wanted(&root, self.0.path(), &files, false).unwrap();
        stage(&root, self.0.path(), outputs).unwrap()
    }
}

fn file(path: &Path, text: &str) -> OutputFile {
    OutputFile { destination: Destination::Path(path.display().to_string()), text: text.to_owned() }
}

fn named(path: &Path, text: &str) -> OutputFile {
    OutputFile { destination: Destination::Named(path.display().to_string()), text: text.to_owned() }
}

#[test]
fn what_is_there_stays_where_that_is_wanted() {
    let folder = Folder::new();
    let path = folder.path("file.c");
    let place = || path.display().to_string();
    let written = |destination, text: &str| {
        folder.all(&[OutputFile { destination, text: text.to_owned() }]).unwrap();
        (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap())
    };
    let first = written(Destination::WhereChanged(place()), "one");
    assert_eq!(first.0, "one");
    assert_eq!(written(Destination::WhereChanged(place()), "one"), first);
    assert_eq!(written(Destination::Once(place()), "two"), first);
    assert_eq!(written(Destination::WhereChanged(place()), "two").0, "two");
    fs::remove_file(&path).unwrap();
    assert_eq!(written(Destination::Once(place()), "three").0, "three");
}

#[test]
fn when_one_file_cannot_be_written_none_is() {
    let folder = Folder::new();
    let first = folder.write("a.h", "old");
    fs::create_dir(folder.path("b.c")).unwrap();
    let finding = folder.all(&[file(&first, "new"), file(&folder.path("b.c"), "new")]).unwrap_err();
    assert_eq!(finding.code, "host-004");
    assert_eq!(folder.read("a.h"), "old");
    assert_eq!(folder.names(), ["a.h", "b.c"], "no temporary file is left");
}

#[test]
fn a_file_keeps_its_mode() {
    let folder = Folder::new();
    let path = folder.write("a.h", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    folder.all(&[file(&path, "new"), file(&folder.path("b.h"), "new")]).unwrap();
    let mode = |name| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a.h"), mode("b.h") & 0o700), (0o640, 0o600));
}

#[test]
fn a_link_that_the_command_line_names_stays_a_link() {
    let folder = Folder::new();
    folder.write("real.h", "old");
    symlink("real.h", folder.path("a.h")).unwrap();
    symlink("absent.h", folder.path("b.h")).unwrap();
    all(&[named(&folder.path("a.h"), "new")], None, false).unwrap();
    all(&[named(&folder.path("b.h"), "made")], None, false).unwrap();
    assert_eq!((folder.read("real.h").as_str(), folder.read("absent.h").as_str()), ("new", "made"));
    assert!(folder.path("a.h").symlink_metadata().unwrap().is_symlink());
    assert!(folder.path("b.h").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn any_other_link_is_refused() {
    let (folder, other) = (Folder::new(), Folder::new());
    let target = other.write("precious", "old");
    let write = |path: &Path| folder.all(&[file(&folder.path("first.h"), "new"), file(path, "new")]).unwrap_err().code;
    symlink(&target, folder.path("a.h")).unwrap();
    assert_eq!(write(&folder.path("a.h")), "host-007");
    symlink(other.path("absent"), folder.path("b.h")).unwrap();
    assert_eq!(write(&folder.path("b.h")), "host-007");
    symlink(other.0.path(), folder.path("rpc")).unwrap();
    assert_eq!(write(&folder.path("rpc/rpc.h")), "host-008");
    let once =
        OutputFile { destination: Destination::Once(folder.path("b.h").display().to_string()), text: "new".to_owned() };
    assert_eq!(folder.all(&[once]).unwrap_err().code, "host-007");
    assert_eq!((other.read("precious").as_str(), other.names().len()), ("old", 1));
    assert_eq!(folder.names(), ["a.h", "b.h", "rpc"]);
}

#[test]
fn a_device_is_written_where_the_command_line_names_it() {
    all(&[named(Path::new("/dev/null"), "text")], None, false).unwrap();
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    assert_eq!(all(&[file(Path::new("/dev/null"), "text")], None, false).unwrap_err().code, "host-009");
}

#[test]
fn a_full_disk_is_reported_once() {
    let finding = all(&[named(Path::new("/dev/full"), "text")], None, false).unwrap_err();
    assert_eq!(
        (finding.code, finding.message.as_str()),
        ("host-004", "cannot write /dev/full: No space left on device")
    );
}

/// Old files `a` and `b`, and new texts for them and one in a folder.
fn set(folder: &Folder) -> Vec<OutputFile> {
    ["a", "b"].iter().for_each(|name| drop(folder.write(name, "old")));
    ["a", "b", "rpc/c"].map(|name| file(&folder.path(name), "new")).to_vec()
}

#[test]
fn a_set_that_counted_as_written_is_completed_by_the_next_run() {
    for files in 0..=3 {
        let folder = Folder::new();
        folder.staged(&set(&folder)).killed_after(files);
        folder.all(&[file(&folder.path("other"), "text")]).unwrap();
        assert_eq!(["a", "b", "rpc/c"].map(|name| folder.read(name)), ["new", "new", "new"], "{files} were in place");
        assert_eq!(folder.names(), ["a", "b", "other", "rpc"]);
    }
}

#[test]
fn what_was_not_yet_a_set_is_removed_by_the_next_run() {
    let folder = Folder::new();
    folder.staged(&set(&folder)).killed_before_the_manifest();
    folder.all(&[file(&folder.path("other"), "text")]).unwrap();
    assert_eq!((folder.read("a"), folder.read("b")), ("old".to_owned(), "old".to_owned()));
    assert_eq!(folder.names(), ["a", "b", "other", "rpc"]);
}

/// A folder as a killed run leaves one, but made by somebody else: its manifest names `victim`.
fn foreign(folder: &Folder, identity: &str, path: &str) -> PathBuf {
    let hidden = folder.path(".whittle-0123456789abcdef");
    fs::create_dir(&hidden).unwrap();
    fs::set_permissions(&hidden, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(hidden.join("0"), "planted").unwrap();
    fs::write(hidden.join("manifest"), format!("whittle-outputs-1\0{identity}\0{path}\0end")).unwrap();
    hidden
}

#[test]
fn a_manifest_that_somebody_else_wrote_is_left_alone() {
    let folder = Folder::new();
    folder.write("victim", "old");
    let hidden = foreign(&folder, "1:2:3:7", "victim");
    folder.all(&[file(&folder.path("other"), "text")]).unwrap();
    assert_eq!(folder.read("victim"), "old");
    assert!(hidden.join("manifest").exists());
}

#[test]
fn a_manifest_leads_nowhere_else() {
    for path in ["../victim", "/victim", ""] {
        let (outer, folder) = (Folder::new(), Folder::new());
        outer.write("victim", "old");
        let hidden = foreign(&folder, "", path);
        let data = rustix::fs::lstat(hidden.join("0")).unwrap();
        let manifest = format!("whittle-outputs-1\0{}\0{path}\0end", super::super::staging::identity(&data));
        fs::write(hidden.join("manifest"), manifest).unwrap();
        folder.all(&[file(&folder.path("other"), "text")]).unwrap();
        assert!(hidden.join("0").exists(), "{path}");
    }
}

#[test]
fn folders_of_the_users_are_not_swept() {
    let folder = Folder::new();
    for name in [".whittle-notes", ".whittle-0123456789abcdef", ".whittle-0123456789ABCDEF"] {
        fs::create_dir(folder.path(name)).unwrap();
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o700)).unwrap();
        folder.write(&format!("{name}/notes.txt"), "mine");
    }
    folder.all(&[file(&folder.path("other"), "text")]).unwrap();
    assert_eq!(folder.names().len(), 4);
}

#[test]
fn the_folder_of_a_run_that_lives_is_not_swept() {
    let folder = Folder::new();
    let set = set(&folder);
    let staged = folder.staged(&set);
    folder.all(&[file(&folder.path("other"), "text")]).unwrap();
    staged.publish().unwrap();
    assert_eq!(folder.read("rpc/c"), "new");
    assert_eq!(folder.names(), ["a", "b", "other", "rpc"]);
}

#[test]
fn runs_at_one_time_in_one_folder_do_not_sweep_each_other() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                for _ in 0..100 {
                    folder.all(&[file(&folder.path(&thread.to_string()), "text")]).unwrap();
                }
            });
        }
    });
    assert_eq!(folder.names().len(), 8);
}
