//! libclang, wrapped so thinly that nothing is decided here: translation units, cursors and types as safe values.
//!
//! In: text in memory. Out: clang's tree, through its C interface, which is stable over versions where its C++ one is
//! not. The library is loaded at run time, so that whittle starts without it. Source: libclang's documentation
//! (`clang-c/Index.h`). The only unsafe code of the front end is below this module.
#![expect(unsafe_code, reason = "libclang is a C library")]

mod cursor;
mod library;
mod types;
mod unit;

pub(crate) use clang_sys as kinds;
pub(crate) use cursor::{Cursor, Evaluated};
pub(crate) use library::{Loading, describe, load};
pub(crate) use types::ClangType;
pub(crate) use unit::{Finding, TranslationUnit};

use clang_sys::CXString;

/// What the library calls itself. It must have been loaded on this thread.
fn version() -> String {
    // SAFETY: the function takes nothing, and every version has it.
    text(unsafe { clang_sys::clang_getClangVersion() })
}

/// libclang's string as ours.
fn text(string: CXString) -> String {
    // SAFETY: the string comes from libclang, which ends it with a NUL byte, and it is disposed of once, after its last use.
    unsafe {
        let pointer = clang_sys::clang_getCString(string);
        let copy = if pointer.is_null() {
            String::new()
        } else {
            std::ffi::CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        clang_sys::clang_disposeString(string);
        copy
    }
}
