//! Finding and loading the shared library, once in a process.

use std::sync::{Arc, OnceLock};

use clang_sys::SharedLibrary;

static LIBRARY: OnceLock<Result<Arc<SharedLibrary>, String>> = OnceLock::new();

/// What came of loading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loading {
    Done,
    /// Why not, in the loader's words.
    Failed(String),
    /// Found, but lacks functions that are needed.
    TooOld(String),
}

/// Loads libclang for this thread: the one `LIBCLANG_PATH` leads to, or the newest of the system.
pub(crate) fn load() -> Loading {
    let library = LIBRARY.get_or_init(|| clang_sys::load_manually().map(Arc::new));
    match library {
        Err(reason) => Loading::Failed(reason.clone()),
        Ok(library) if library.functions.clang_Cursor_getVarDeclInitializer.is_none() => {
            Loading::TooOld(library.path().display().to_string())
        }
        Ok(library) => {
            if !clang_sys::is_loaded() {
                clang_sys::set_library(Some(Arc::clone(library)));
            }
            Loading::Done
        }
    }
}

/// The file that libclang is in, and what it calls itself, or why it cannot be used.
pub(crate) fn describe() -> Result<(String, String), String> {
    match load() {
        Loading::Failed(reason) => Err(reason),
        Loading::TooOld(path) => Err(format!("{path} is older than version 14")),
        Loading::Done => {
            let path = clang_sys::get_library().map(|library| library.path().display().to_string());
            Ok((path.unwrap_or_default(), super::version()))
        }
    }
}
