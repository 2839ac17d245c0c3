//! A translation unit, parsed from memory.

use std::ffi::{CString, c_char};
use std::ptr;

use clang_sys as clang;

use super::{Cursor, text};

/// The name that libclang knows the text by.
const NAME: &str = "whittle-input.i";

/// Types that gcc knows and clang does not. C11 allows to declare them once more, as C libraries do. What a machine lacks
/// of them is not missed before it is used.
const PRELUDE: &str = "typedef float _Float32; typedef double _Float64, _Float32x; typedef long double _Float64x; \
typedef __float128 _Float128;\n";

/// A parsed translation unit.
pub(crate) struct TranslationUnit {
    index: clang::CXIndex,
    raw: clang::CXTranslationUnit,
}

/// Where a place of what clang has read is in the text that was given; `None` in front of it.
pub(super) fn behind_prelude(offset: u32) -> Option<usize> {
    (offset as usize).checked_sub(PRELUDE.len())
}

/// What clang says about the text.
pub(crate) struct Finding {
    pub(crate) is_error: bool,
    pub(crate) message: String,
    /// In bytes, where the finding has a place.
    pub(crate) offset: Option<usize>,
}

impl TranslationUnit {
    /// Parses preprocessed C. `None`: libclang gave up altogether. The library must have been loaded on this thread.
    pub(crate) fn parse(content: &str, arguments: &[String]) -> Option<TranslationUnit> {
        let name = CString::new(NAME).ok()?;
        let arguments: Vec<CString> =
            arguments.iter().map(|argument| CString::new(argument.as_str())).collect::<Result<_, _>>().ok()?;
        let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let content = format!("{PRELUDE}{content}");
        let mut unsaved = clang::CXUnsavedFile {
            Filename: name.as_ptr(),
            Contents: content.as_ptr().cast(),
            Length: content.len().try_into().ok()?,
        };
        let mut raw = ptr::null_mut();
        // SAFETY: all pointers outlive the calls; libclang copies the text.
        unsafe {
            let index = clang::clang_createIndex(0, 0);
            let result = clang::clang_parseTranslationUnit2(
                index,
                name.as_ptr(),
                pointers.as_ptr(),
                pointers.len().try_into().ok()?,
                &raw mut unsaved,
                1,
                clang::CXTranslationUnit_None,
                &raw mut raw,
            );
            if result != clang::CXError_Success || raw.is_null() {
                clang::clang_disposeIndex(index);
                return None;
            }
            Some(TranslationUnit { index, raw })
        }
    }

    /// The root of the tree.
    pub(crate) fn cursor(&self) -> Cursor<'_> {
        // SAFETY: the unit is valid while `self` lives, and the cursor borrows it.
        Cursor::new(unsafe { clang::clang_getTranslationUnitCursor(self.raw) })
    }

    /// What clang says about the text, in order.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        // SAFETY: the unit is valid, indices are in range, and each diagnostic is disposed of once.
        unsafe {
            let count = clang::clang_getNumDiagnostics(self.raw);
            let mut findings = Vec::new();
            for at in 0..count {
                let diagnostic = clang::clang_getDiagnostic(self.raw, at);
                let severity = clang::clang_getDiagnosticSeverity(diagnostic);
                let location = clang::clang_getDiagnosticLocation(diagnostic);
                if !super::cursor::is_in_prelude(location) {
                    findings.push(Finding {
                        is_error: severity >= clang::CXDiagnostic_Error,
                        message: text(clang::clang_getDiagnosticSpelling(diagnostic)),
                        offset: super::cursor::offset_of(location),
                    });
                }
                clang::clang_disposeDiagnostic(diagnostic);
            }
            findings
        }
    }

    /// The machine the text is compiled for: its triple, and the width of its pointers in bits.
    pub(crate) fn target(&self) -> (String, i32) {
        // SAFETY: the unit is valid, and the information is disposed of once.
        unsafe {
            let info = clang::clang_getTranslationUnitTargetInfo(self.raw);
            let target = (text(clang::clang_TargetInfo_getTriple(info)), clang::clang_TargetInfo_getPointerWidth(info));
            clang::clang_TargetInfo_dispose(info);
            target
        }
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were created by `parse` and are disposed of once, the unit before its index.
        unsafe {
            clang::clang_disposeTranslationUnit(self.raw);
            clang::clang_disposeIndex(self.index);
        }
    }
}
