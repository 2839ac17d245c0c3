//! A type as clang knows it.

use std::ffi::c_void;
use std::marker::PhantomData;

use clang_sys as clang;

use super::{Cursor, TranslationUnit, text};

/// A type, valid as long as its translation unit.
#[derive(Clone, Copy)]
pub(crate) struct ClangType<'u> {
    raw: clang::CXType,
    unit: PhantomData<&'u TranslationUnit>,
}

extern "C" fn collect(field: clang::CXCursor, data: clang::CXClientData) -> clang::CXVisitorResult {
    // SAFETY: `data` is the vector that `fields` passes, which nobody else uses meanwhile.
    let found = unsafe { &mut *data.cast::<Vec<clang::CXCursor>>() };
    found.push(field);
    clang::CXVisit_Continue
}

impl<'u> ClangType<'u> {
    pub(super) fn new(raw: clang::CXType) -> Self {
        ClangType { raw, unit: PhantomData }
    }

    /// One of the `CXType_…` constants.
    pub(crate) fn kind(self) -> i32 {
        self.raw.kind
    }

    pub(crate) fn is_valid(self) -> bool {
        self.raw.kind != clang::CXType_Invalid
    }

    fn valid(self) -> Option<Self> {
        self.is_valid().then_some(self)
    }

    /// Without typedefs and other sugar.
    pub(crate) fn canonical(self) -> Self {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_getCanonicalType(self.raw) })
    }

    pub(crate) fn spelling(self) -> String {
        // SAFETY: any type has a spelling.
        text(unsafe { clang::clang_getTypeSpelling(self.raw) })
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: any type may be asked.
        unsafe { clang::clang_isConstQualifiedType(self.raw) != 0 }
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: any type may be asked.
        unsafe { clang::clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    pub(crate) fn is_restrict(self) -> bool {
        // SAFETY: any type may be asked.
        unsafe { clang::clang_isRestrictQualifiedType(self.raw) != 0 }
    }

    pub(crate) fn pointee(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_getPointeeType(self.raw) }).valid()
    }

    /// Of an array, a vector or a complex number.
    pub(crate) fn element(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_getElementType(self.raw) }).valid()
    }

    /// Of an array of constant length.
    pub(crate) fn length(self) -> Option<u64> {
        // SAFETY: any type may be asked.
        u64::try_from(unsafe { clang::clang_getArraySize(self.raw) }).ok()
    }

    /// Of a function.
    pub(crate) fn result(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_getResultType(self.raw) }).valid()
    }

    /// Of a function; `None` where it has no prototype.
    pub(crate) fn parameters(self) -> Option<Vec<Self>> {
        // SAFETY: any type may be asked, and the indices are in range.
        unsafe {
            let count = u32::try_from(clang::clang_getNumArgTypes(self.raw)).ok()?;
            Some((0..count).map(|at| ClangType::new(clang::clang_getArgType(self.raw, at))).collect())
        }
    }

    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: any type may be asked.
        unsafe { clang::clang_isFunctionTypeVariadic(self.raw) != 0 }
    }

    /// What declares a record, an enumeration or a typedef.
    pub(crate) fn declaration(self) -> Option<Cursor<'u>> {
        // SAFETY: any type may be asked.
        Cursor::non_null(unsafe { clang::clang_getTypeDeclaration(self.raw) })
    }

    /// What `struct tag` or a typedef's name, spelled out, names.
    pub(crate) fn named(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_Type_getNamedType(self.raw) }).valid()
    }

    /// The type below an attribute.
    pub(crate) fn modified(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_Type_getModifiedType(self.raw) }).valid()
    }

    /// The type below `_Atomic`.
    pub(crate) fn value(self) -> Option<Self> {
        // SAFETY: any type may be asked.
        ClangType::new(unsafe { clang::clang_Type_getValueType(self.raw) }).valid()
    }

    /// Whether this stands for a type that C cannot say, such as `<builtin fn type>`: libclang must not be asked for the
    /// size of one.
    fn is_placeholder(self) -> bool {
        self.raw.kind == clang::CXType_Unexposed && self.spelling().starts_with('<')
    }

    /// In bytes; `None` for what is incomplete or varies.
    pub(crate) fn size(self) -> Option<u64> {
        if self.is_placeholder() {
            return None;
        }
        // SAFETY: any type may be asked; faults are negative.
        u64::try_from(unsafe { clang::clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// In bytes.
    pub(crate) fn alignment(self) -> Option<u64> {
        if self.is_placeholder() {
            return None;
        }
        // SAFETY: any type may be asked; faults are negative.
        u64::try_from(unsafe { clang::clang_Type_getAlignOf(self.raw) }).ok()
    }

    /// Not 0 for x86's segments and the like.
    pub(crate) fn address_space(self) -> u32 {
        // SAFETY: a valid type may be asked; an invalid one would be a null pointer to libclang.
        if self.is_valid() { unsafe { clang::clang_getAddressSpace(self.raw) } } else { 0 }
    }

    /// The members of a record, those without a name included.
    pub(crate) fn fields(self) -> Vec<Cursor<'u>> {
        let mut found: Vec<clang::CXCursor> = Vec::new();
        // SAFETY: `collect` gets the vector it expects, which outlives the call.
        unsafe { clang::clang_Type_visitFields(self.raw, collect, (&raw mut found).cast::<c_void>()) };
        found.into_iter().map(Cursor::new).collect()
    }
}
