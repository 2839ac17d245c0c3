//! Constant objects in the place of variables.
//!
//! In: what a variable holds where it is read. Out: a `static const` object, and the statements that read the variable read the object
//! instead. Objects are shared where nobody can tell: none of the two may have its address taken.

use core_c::{
    Argument, Block, Expression, ExpressionKind, Function, FunctionId, Global, GlobalId, Initial, Linkage, Local,
    LocalId, Place, PlaceBase, Program, Terminator,
};

use super::constants::Made;

pub(super) fn is_addressed(function: &Function, local: LocalId) -> bool {
    let takes = |value: &Expression| {
        value.any(
            &mut |part| matches!(&part.kind, ExpressionKind::Address(place) if place.base == PlaceBase::Local(local)),
        )
    };
    function.blocks.values().any(|block| {
        let mut statements = block.statements.iter();
        statements.any(|statement| statement.kind.expressions().into_iter().any(takes))
            || block.end.expressions().into_iter().any(takes)
    })
}

/// The object of these contents: a new one, or one that nobody can tell from it.
pub(super) fn object(
    program: &mut Program,
    (function, variable): (FunctionId, &Local),
    initial: Vec<Initial>,
    is_addressed: bool,
    made: &mut Made,
) -> GlobalId {
    let is_same = |id: GlobalId| {
        let known = &program.globals[id];
        known.ty == variable.ty && known.alignment == variable.alignment && known.initial.as_ref() == Some(&initial)
    };
    let known = made.iter().find(|(id, addressed)| !addressed && !is_addressed && is_same(*id));
    if let Some((id, _)) = known {
        return *id;
    }
    let name = Some(core_c::names::plain(&variable.name)).filter(|name| !name.is_empty()).unwrap_or("table");
    let id = program.globals.alloc(Global {
        name: format!("{name}@{}", program.globals.len()),
        ty: variable.ty,
        linkage: Linkage::Internal,
        initial: Some(initial),
        constant: true,
        thread_local: false,
        alignment: variable.alignment,
        literal: None,
        scope: Some(function),
        span: variable.span,
    });
    made.push((id, is_addressed));
    id
}

/// The object in the variable's place, in the statement at a position of a block.
pub(super) fn rename(program: &mut Program, block: &mut Block, at: usize, local: LocalId, global: GlobalId) {
    let values = match block.statements.get_mut(at) {
        Some(statement) => {
            statement.kind.places_mut().into_iter().for_each(|place| {
                rename_base(place, local, global);
            });
            statement.kind.expressions_mut()
        }
        None => {
            if let Terminator::Return(Some(Argument::Object(place))) = &mut block.end {
                rename_base(place, local, global);
            }
            block.end.expressions_mut()
        }
    };
    values.into_iter().for_each(|value| in_value(program, value, local, global));
}

fn rename_base(place: &mut Place, local: LocalId, global: GlobalId) -> bool {
    let is_it = place.base == PlaceBase::Local(local);
    if is_it {
        place.base = PlaceBase::Global(global);
    }
    is_it
}

/// In a value. An address is of something constant now, which a conversion hides: nobody writes there.
fn in_value(program: &mut Program, value: &mut Expression, local: LocalId, global: GlobalId) {
    value.walk_mut(&mut |part| match &mut part.kind {
        ExpressionKind::Load(place) => {
            rename_base(place, local, global);
        }
        ExpressionKind::Address(place) => {
            let ty = part.ty;
            if !rename_base(place, local, global) {
                return;
            }
            let Some(element) = program.types.element(ty) else { return };
            let constant = program.types.get(element).c.clone().constant().pointer();
            let inner = Expression { ty: program.types.intern(&constant), ..part.clone() };
            part.kind = ExpressionKind::Convert(Box::new(inner));
        }
        _ => {}
    });
}
