//! Where a program follows a null pointer, it ends: C leaves undefined what happens, and compilers stop such a program or warn of it.
//! In: a block of Core C. Out: the block up to there, which ends in clearing what the null pointer leads to; as C, that is
//! `__builtin_trap()`. An access that is `volatile` is made: there are machines with something at address 0.
//! Source: C11 section 6.5.3.2, footnote 102.

use crate::{Block, Expression, ExpressionKind, Place, PlaceBase, Statement, StatementKind, Terminator};

/// Drops what comes behind the first use of a null pointer.
pub fn cut(block: &mut Block) {
    let found = block.statements.iter().enumerate().find_map(|(at, statement)| Some((at, followed(&statement.kind)?)));
    let found = found.or_else(|| Some((block.statements.len(), followed_at_end(&block.end)?)));
    let Some((at, place)) = found else { return };
    let (place, span) = (place.clone(), block.statements.get(at).map_or(block.span, |statement| statement.span));
    block.statements.truncate(at);
    block.statements.push(Statement { kind: StatementKind::Zero { place }, span });
    block.end = Terminator::Unreachable;
}

/// A null pointer is followed, and nothing else is done.
pub(crate) fn is_trap(statement: &StatementKind) -> bool {
    matches!(statement, StatementKind::Zero { place } if leads_nowhere(place))
}

fn followed(statement: &StatementKind) -> Option<&Place> {
    let places = statement.places().into_iter().map(|(_, place)| place);
    let own = { places }.find(|place| leads_nowhere(place));
    own.or_else(|| statement.expressions().into_iter().find_map(loaded))
}

fn followed_at_end(end: &Terminator) -> Option<&Place> {
    let own = end.place().filter(|place| leads_nowhere(place));
    own.or_else(|| end.expressions().into_iter().find_map(loaded))
}

fn loaded(value: &Expression) -> Option<&Place> {
    match &value.kind {
        ExpressionKind::Load(place) if leads_nowhere(place) => Some(place),
        _ => value.children().into_iter().find_map(loaded),
    }
}

fn leads_nowhere(place: &Place) -> bool {
    let PlaceBase::Pointee(pointer) = &place.base else { return false };
    let mut pointer = &**pointer;
    while let ExpressionKind::Convert(inner) = &pointer.kind {
        pointer = inner;
    }
    !place.volatile && pointer.kind == ExpressionKind::Integer(0)
}
