//! Where a program follows a null pointer, or divides by a number that is known to be zero, it ends: C leaves undefined what happens,
//! and compilers stop such a program or warn of it. In: a block of Core C. Out: the block up to there, which ends in clearing what a
//! null pointer leads to; as C, that is `__builtin_trap()`. An access that is `volatile` is made: there are machines with something at
//! address 0. Source: C11 sections 6.5.3.2, footnote 102, and 6.5.5p5.

use crate::{
    BinaryOperator, Block, Expression, ExpressionKind, Place, PlaceBase, Shape, Statement, StatementKind, Terminator,
    Types,
};

/// Drops what comes behind the first use of a null pointer, or division by zero.
pub fn cut(types: &mut Types, block: &mut Block) {
    let trapped = |at: &usize| match block.statements.get(*at) {
        Some(statement) => {
            followed(&statement.kind) || statement.kind.expressions().into_iter().any(|e| traps(types, e))
        }
        None => {
            let own = block.end.place().is_some_and(leads_nowhere);
            own || block.end.expressions().into_iter().any(|e| traps(types, e))
        }
    };
    let Some(at) = (0..=block.statements.len()).find(trapped) else { return };
    let int = types.int();
    let null = Expression { kind: ExpressionKind::Integer(0), ty: types.pointer_to(int), span: None };
    let (place, span) =
        (Place::pointee(null, int), block.statements.get(at).map_or(block.span, |statement| statement.span));
    block.statements.truncate(at);
    block.statements.push(Statement { kind: StatementKind::Zero { place }, span });
    block.end = Terminator::Unreachable;
}

/// A null pointer is followed, and nothing else is done.
pub(crate) fn is_trap(statement: &StatementKind) -> bool {
    matches!(statement, StatementKind::Zero { place } if leads_nowhere(place))
}

fn followed(statement: &StatementKind) -> bool {
    statement.places().into_iter().any(|(_, place)| leads_nowhere(place))
}

/// A value that cannot be computed.
fn traps(types: &Types, value: &Expression) -> bool {
    value.any(&mut |part| match &part.kind {
        ExpressionKind::Load(place) => leads_nowhere(place),
        ExpressionKind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, _, by) => {
            by.kind == ExpressionKind::Integer(0) && matches!(types.shape_of(by.ty), Shape::Integer { .. })
        }
        _ => false,
    })
}

fn leads_nowhere(place: &Place) -> bool {
    let PlaceBase::Pointee(pointer) = &place.base else { return false };
    let mut pointer = &**pointer;
    while let ExpressionKind::Convert(inner) = &pointer.kind {
        pointer = inner;
    }
    !place.volatile && pointer.kind == ExpressionKind::Integer(0)
}
