//! Static objects that have to stay inside their function, since only there the labels are known that they mention.

use cast::{Statement, Storage, Variable};

use super::{Raiser, file};
use crate::{ExpressionKind, Function, FunctionId, Global, PlaceBase};

/// True for objects whose initial value mentions a label.
pub(super) fn stays_inside(global: &Global) -> bool {
    let is_label = |value: &crate::Expression| value.any(&mut |part| matches!(part.kind, ExpressionKind::Label(_)));
    global.scope.is_some() && global.initial.iter().flatten().any(|part| is_label(&part.value))
}

/// The declarations of such objects of a function.
pub(super) fn declarations(raiser: &Raiser, id: FunctionId) -> Vec<Statement> {
    let own = raiser.program.globals.iter().filter(|(_, global)| global.scope == Some(id) && stays_inside(global));
    let used = own.filter(|(global, _)| mentions(raiser.function, *global));
    used.map(|(_, global)| {
        let ty = raiser.c_type(global.ty).clone();
        Statement::Declare(Variable {
            storage: Storage::Static,
            name: global.name.clone(),
            alignment: global.alignment,
            ty: if global.constant { ty.constant() } else { ty },
            initial: file::initial_value(raiser.program, global),
            ..Variable::default()
        })
    })
    .collect()
}

fn mentions(function: &Function, global: crate::GlobalId) -> bool {
    let is_it = |place: &crate::Place| place.base == PlaceBase::Global(global);
    let in_value = |value: &crate::Expression| value.any(&mut |part| part.place().is_some_and(is_it));
    function.blocks.values().any(|block| {
        block.statements.iter().any(|statement| {
            statement.kind.places().iter().any(|(_, place)| is_it(place))
                || statement.kind.expressions().into_iter().any(in_value)
        }) || block.end.expressions().into_iter().any(in_value)
            || block.end.place().is_some_and(is_it)
    })
}
