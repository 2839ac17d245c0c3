//! The routine that residual code calls for long runs of words whose bytes it reverses: declared to the specializer, and
//! its text put into the file that calls it. It is of the runtime that compiled stubs use, too.

use std::collections::BTreeSet;

use core_c::{Callee, Function, FunctionId, Program, Statement, StatementKind};

/// `void whittle_swap32(void *to, const void *from, size_t count)`
const NAME: &str = "whittle_swap32";
/// Its section of the runtime.
const SECTION: &str = "swap32";

/// The routine as a function that somebody else defines.
pub(crate) fn declare(program: &mut Program) -> FunctionId {
    let parameter = |ty: cast::Type| cast::Parameter { name: None, ty };
    let parameters = vec![
        parameter(cast::Type::Void.pointer()),
        parameter(cast::Type::Void.constant().pointer()),
        parameter(cast::Type::Scalar(cast::Scalar::UnsignedLong)),
    ];
    let ty = cast::FunctionType { result: cast::Type::Void, parameters, ..cast::FunctionType::default() };
    let ty = program.types.intern(&cast::Type::Function(Box::new(ty)));
    program.functions.alloc(Function {
        name: NAME.to_string(),
        ty,
        linkage: core_c::Linkage::External,
        inline: false,
        cold: false,
        parameters: Vec::new(),
        locals: Default::default(),
        blocks: Default::default(),
        unit: None,
        refused: None,
        names: Default::default(),
        span: None,
    })
}

/// The file with the routine in it, where the residual program calls it.
pub(crate) fn with_runtime(text: String, program: &Program, routine: Option<FunctionId>) -> String {
    let calls = |statement: &Statement| matches!(&statement.kind, StatementKind::Call { callee: Callee::Function(callee), .. } if Some(*callee) == routine);
    let mut statements =
        program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.statements);
    if !statements.any(calls) {
        return text;
    }
    let sections = stubs::runtime::sections(&BTreeSet::from([SECTION.to_string()]), &stubs::tables::Walk::default());
    format!("{sections}\n{text}")
}
