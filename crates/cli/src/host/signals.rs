//! What must not outlive the process, however it ends. In: folders that are there for a while. Out: they are removed when their owner
//! drops them, and when SIGINT, SIGTERM or SIGHUP ends the process. SIGKILL leaves them: `leftovers.rs`.

use std::os::raw::c_int;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Folders to remove. Who holds the lock is not interrupted.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A command decides itself what becomes of signals.
static HANDLED_ELSEWHERE: AtomicBool = AtomicBool::new(false);

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on signals are the caller's.
pub(crate) fn handled_elsewhere() {
    HANDLED_ELSEWHERE.store(true, Ordering::SeqCst);
}

/// A folder that goes when this goes.
#[derive(Debug)]
pub(super) struct Guarded {
    path: PathBuf,
}

impl Guarded {
    /// Makes the folder by `make`, which says where it is: no signal comes between the two.
    pub(super) fn new<E>(make: impl FnOnce() -> Result<PathBuf, E>) -> Result<Guarded, E> {
        watch();
        let mut folders = folders();
        let path = make()?;
        folders.push(path.clone());
        Ok(Guarded { path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Signals wait until this is done.
    pub(super) fn uninterrupted<T>(&self, work: impl FnOnce() -> T) -> T {
        let _held = folders();
        work()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let mut folders = folders();
        // Links in it are removed, not followed. What cannot be removed is the next run's to sweep.
        let _ = std::fs::remove_dir_all(&self.path);
        folders.retain(|path| *path != self.path);
    }
}

/// Starts the thread that signals wake.
fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let wanted: Vec<c_int> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)).collect();
        // Where they cannot be caught, they end the process as they end any other.
        if let Ok(mut signals) = Signals::new(wanted) {
            std::thread::spawn(move || signals.forever().for_each(end));
        }
    });
}

fn end(signal: c_int) {
    if HANDLED_ELSEWHERE.load(Ordering::SeqCst) {
        return;
    }
    let held = folders();
    for path in held.iter() {
        let _ = std::fs::remove_dir_all(path);
    }
    // The lock is kept: nothing is made any more.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Whether who started us wants a signal to be ignored, as `nohup` does.
fn is_ignored(signal: c_int) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
