//! A node of clang's tree.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

use clang_sys as clang;

use super::unit::behind_prelude;
use super::{ClangType, TranslationUnit, text};

/// A node of clang's tree, valid as long as its translation unit.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'u> {
    raw: clang::CXCursor,
    unit: PhantomData<&'u TranslationUnit>,
}

/// A constant that clang computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Evaluated {
    Integer(i128),
    Other,
}

/// The byte of what clang has read that a location stands at.
fn raw_offset(location: clang::CXSourceLocation) -> Option<u32> {
    let mut file = ptr::null_mut();
    let mut offset = 0;
    // SAFETY: the out-parameters are valid, and null is allowed for those that are not wanted.
    unsafe {
        clang::clang_getSpellingLocation(location, &raw mut file, ptr::null_mut(), ptr::null_mut(), &raw mut offset)
    };
    (!file.is_null()).then_some(offset)
}

/// The byte that a location stands at, in the text that was parsed.
pub(super) fn offset_of(location: clang::CXSourceLocation) -> Option<usize> {
    raw_offset(location).and_then(behind_prelude)
}

/// Whether a location is in front of that text.
pub(super) fn is_in_prelude(location: clang::CXSourceLocation) -> bool {
    raw_offset(location).is_some_and(|offset| behind_prelude(offset).is_none())
}

extern "C" fn collect(
    child: clang::CXCursor,
    _parent: clang::CXCursor,
    data: clang::CXClientData,
) -> clang::CXChildVisitResult {
    // SAFETY: `data` is the vector that `children` passes, which nobody else uses meanwhile.
    let found = unsafe { &mut *data.cast::<Vec<clang::CXCursor>>() };
    found.push(child);
    clang::CXChildVisit_Continue
}

impl<'u> Cursor<'u> {
    pub(super) fn new(raw: clang::CXCursor) -> Self {
        Cursor { raw, unit: PhantomData }
    }

    pub(super) fn non_null(raw: clang::CXCursor) -> Option<Self> {
        // SAFETY: any cursor may be asked.
        let is_nothing = unsafe { clang::clang_Cursor_isNull(raw) != 0 || clang::clang_isInvalid(raw.kind) != 0 };
        (!is_nothing).then(|| Cursor::new(raw))
    }

    /// One of the `CXCursor_…` constants.
    pub(crate) fn kind(self) -> i32 {
        self.raw.kind
    }

    pub(crate) fn is_expression(self) -> bool {
        // SAFETY: any kind may be asked.
        unsafe { clang::clang_isExpression(self.raw.kind) != 0 }
    }

    pub(crate) fn is_statement(self) -> bool {
        // SAFETY: any kind may be asked.
        unsafe { clang::clang_isStatement(self.raw.kind) != 0 }
    }

    /// What stands directly below.
    pub(crate) fn children(self) -> Vec<Cursor<'u>> {
        let mut found: Vec<clang::CXCursor> = Vec::new();
        // SAFETY: `collect` gets the vector it expects, which outlives the call.
        unsafe { clang::clang_visitChildren(self.raw, collect, (&raw mut found).cast::<c_void>()) };
        found.into_iter().map(Cursor::new).collect()
    }

    /// The expressions directly below.
    pub(crate) fn expressions(self) -> Vec<Cursor<'u>> {
        self.children().into_iter().filter(|child| child.is_expression()).collect()
    }

    /// The bytes it covers; empty for what has no place.
    pub(crate) fn range(self) -> Range<usize> {
        // SAFETY: any cursor has an extent, perhaps a null one.
        let (start, end) = unsafe {
            let extent = clang::clang_getCursorExtent(self.raw);
            (offset_of(clang::clang_getRangeStart(extent)), offset_of(clang::clang_getRangeEnd(extent)))
        };
        match (start, end) {
            (Some(start), Some(end)) => start..end.max(start),
            _ => 0..0,
        }
    }

    /// Where the name stands that it declares; `None` for what the compiler declares itself.
    pub(crate) fn location(self) -> Option<usize> {
        // SAFETY: any cursor has a location, perhaps a null one.
        offset_of(unsafe { clang::clang_getCursorLocation(self.raw) })
    }

    pub(crate) fn spelling(self) -> String {
        // SAFETY: any cursor has a spelling.
        text(unsafe { clang::clang_getCursorSpelling(self.raw) })
    }

    pub(crate) fn ty(self) -> ClangType<'u> {
        // SAFETY: any cursor has a type, perhaps an invalid one.
        ClangType::new(unsafe { clang::clang_getCursorType(self.raw) })
    }

    /// What a reference refers to.
    pub(crate) fn referenced(self) -> Option<Cursor<'u>> {
        // SAFETY: any cursor may be asked.
        Cursor::non_null(unsafe { clang::clang_getCursorReferenced(self.raw) })
    }

    /// The one declaration that stands for all declarations of the same thing.
    pub(crate) fn canonical(self) -> Cursor<'u> {
        // SAFETY: any cursor may be asked.
        Cursor::new(unsafe { clang::clang_getCanonicalCursor(self.raw) })
    }

    pub(crate) fn definition(self) -> Option<Cursor<'u>> {
        // SAFETY: any cursor may be asked.
        Cursor::non_null(unsafe { clang::clang_getCursorDefinition(self.raw) })
    }

    pub(crate) fn parent(self) -> Option<Cursor<'u>> {
        // SAFETY: any cursor may be asked.
        Cursor::non_null(unsafe { clang::clang_getCursorSemanticParent(self.raw) })
    }

    /// A variable's initial value.
    pub(crate) fn initializer(self) -> Option<Cursor<'u>> {
        // SAFETY: any cursor may be asked.
        Cursor::non_null(unsafe { clang::clang_Cursor_getVarDeclInitializer(self.raw) })
    }

    /// The parameters of a function's declaration.
    pub(crate) fn parameters(self) -> Vec<Cursor<'u>> {
        // SAFETY: any cursor may be asked, and the indices are in range.
        unsafe {
            let count = u32::try_from(clang::clang_Cursor_getNumArguments(self.raw)).unwrap_or(0);
            (0..count).map(|at| Cursor::new(clang::clang_Cursor_getArgument(self.raw, at))).collect()
        }
    }

    /// One of the `CX_SC_…` constants.
    pub(crate) fn storage(self) -> i32 {
        // SAFETY: any cursor may be asked.
        unsafe { clang::clang_Cursor_getStorageClass(self.raw) }
    }

    /// One of the `CXLinkage_…` constants.
    pub(crate) fn linkage(self) -> i32 {
        // SAFETY: any cursor may be asked.
        unsafe { clang::clang_getCursorLinkage(self.raw) }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: any cursor may be asked.
        unsafe { clang::clang_getCursorTLSKind(self.raw) != clang::CXTLS_None }
    }

    pub(crate) fn is_inline(self) -> bool {
        // SAFETY: any cursor may be asked.
        unsafe { clang::clang_Cursor_isFunctionInlined(self.raw) != 0 }
    }

    /// An enumerator's value.
    pub(crate) fn enumerator(self, is_unsigned: bool) -> i128 {
        // SAFETY: any cursor may be asked; what is no enumerator gives nonsense, not a fault.
        unsafe {
            if is_unsigned {
                i128::from(clang::clang_getEnumConstantDeclUnsignedValue(self.raw))
            } else {
                i128::from(clang::clang_getEnumConstantDeclValue(self.raw))
            }
        }
    }

    /// The integer type behind an enumeration.
    pub(crate) fn enumeration_type(self) -> ClangType<'u> {
        // SAFETY: any cursor may be asked.
        ClangType::new(unsafe { clang::clang_getEnumDeclIntegerType(self.raw) })
    }

    /// What a typedef names.
    pub(crate) fn typedef_type(self) -> ClangType<'u> {
        // SAFETY: any cursor may be asked.
        ClangType::new(unsafe { clang::clang_getTypedefDeclUnderlyingType(self.raw) })
    }

    /// A member's place, in bits from the start of its record.
    pub(crate) fn field_offset(self) -> Option<u64> {
        // SAFETY: any cursor may be asked.
        u64::try_from(unsafe { clang::clang_Cursor_getOffsetOfField(self.raw) }).ok()
    }

    /// The width of a bit-field.
    pub(crate) fn bit_width(self) -> Option<u32> {
        // SAFETY: any cursor may be asked.
        unsafe {
            if clang::clang_Cursor_isBitField(self.raw) == 0 {
                return None;
            }
            u32::try_from(clang::clang_getFieldDeclBitWidth(self.raw)).ok()
        }
    }

    /// The constant that an expression is, as far as 64 bits hold it: clang cuts longer ones off without a word.
    pub(crate) fn evaluate(self) -> Option<Evaluated> {
        // SAFETY: any expression may be asked; the result is disposed of once.
        unsafe {
            let result = clang::clang_Cursor_Evaluate(self.raw);
            if result.is_null() {
                return None;
            }
            let value = match clang::clang_EvalResult_getKind(result) {
                clang::CXEval_Int if clang::clang_EvalResult_isUnsignedInt(result) != 0 => {
                    Evaluated::Integer(i128::from(clang::clang_EvalResult_getAsUnsigned(result)))
                }
                clang::CXEval_Int => Evaluated::Integer(i128::from(clang::clang_EvalResult_getAsLongLong(result))),
                _ => Evaluated::Other,
            };
            clang::clang_EvalResult_dispose(result);
            Some(value)
        }
    }
}
