//! Parts of variables by the names people give them: `xdrs->x_handy`, `table[].entry`.

use crate::{
    Expression, ExpressionKind, Function, FunctionId, LocalId, Place, PlaceBase, Program, Shape, StepKind, TypeId,
};

use super::plain;

/// A variable and the way to a part of it. Pointers are followed without a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(Vec<String>);

const INDEX: &str = "[]";

impl Path {
    /// Reads `a->b.c[3]`, `*a`, `(*a).b`.
    pub fn parse(text: &str) -> Path {
        let mut parts = Vec::new();
        let mut name = String::new();
        let mut inside = false;
        for character in text.replace("->", ".").chars() {
            match character {
                '[' => {
                    inside = true;
                    parts.extend(Some(std::mem::take(&mut name)).filter(|name| !name.is_empty()));
                    parts.push(INDEX.to_owned());
                }
                ']' => inside = false,
                _ if inside => {}
                '.' => parts.extend(Some(std::mem::take(&mut name)).filter(|name| !name.is_empty())),
                '*' => parts.insert(0, "*".to_owned()),
                '(' | ')' | '&' | ' ' => {}
                other => name.push(other),
            }
        }
        parts.extend(Some(name).filter(|name| !name.is_empty()));
        // A member of what a pointer leads to says already that it is followed.
        if parts.len() > 2 {
            parts.retain(|part| part != "*");
        }
        Path(parts)
    }

    pub fn of_local(function: &Function, local: LocalId) -> Path {
        Path(vec![plain(&function.locals[local].name).to_owned()])
    }

    pub fn is_local(&self, name: &str) -> bool {
        self.0.len() == 1 && !name.is_empty() && self.0[0] == plain(name)
    }

    /// True where the path is the other one, or (not `exactly`) the last part of it: a member, whatever it belongs to.
    pub fn is_part_of(&self, other: &Path, exactly: bool) -> bool {
        if exactly { self == other } else { !self.0.is_empty() && other.0.ends_with(&self.0) }
    }

    /// True where the other path leads through this one, and further.
    pub fn is_whole_of(&self, other: &Path) -> bool {
        let ways = other.0.len().saturating_sub(self.0.len());
        !self.0.is_empty() && (0..ways).any(|start| other.0[start..].starts_with(&self.0))
    }

    /// As people write it.
    pub fn spelling(&self) -> String {
        let mut text = String::new();
        for part in &self.0 {
            let joined = text.is_empty() || part == INDEX || text.ends_with('*');
            text.push_str(if joined { "" } else { "->" });
            text.push_str(part);
        }
        text
    }
}

/// The path of a register or of what is loaded.
pub fn path_of_expression(program: &Program, function: FunctionId, expression: &Expression) -> Option<Path> {
    match &expression.kind {
        ExpressionKind::Local(local) => {
            Some(Path::of_local(&program.functions[function], *local)).filter(|path| !path.0[0].is_empty())
        }
        ExpressionKind::Load(place) => path_of_place(program, function, place),
        ExpressionKind::Convert(inner) => path_of_expression(program, function, inner),
        _ => None,
    }
}

pub fn path_of_place(program: &Program, function: FunctionId, place: &Place) -> Option<Path> {
    let mut path = match &place.base {
        PlaceBase::Local(local) => Path::of_local(&program.functions[function], *local),
        PlaceBase::Global(global) => Path(vec![plain(&program.globals[*global].name).to_owned()]),
        PlaceBase::Pointee(pointer) => {
            let mut path = match &pointer.kind {
                ExpressionKind::Offset { pointer, .. } => {
                    let mut path = path_of_expression(program, function, pointer)?;
                    path.0.push(INDEX.to_owned());
                    path
                }
                _ => path_of_expression(program, function, pointer)?,
            };
            if place.steps.is_empty() && path.0.last().is_some_and(|last| last != INDEX) {
                path.0.insert(0, "*".to_owned());
                if path.0.len() > 2 {
                    path.0.remove(0);
                    path.0.push("*".to_owned());
                }
            }
            path
        }
    };
    for step in &place.steps {
        path.0.push(match &step.kind {
            StepKind::Field { name, .. } => name.clone(),
            StepKind::Index(_) => INDEX.to_owned(),
        });
    }
    Some(path).filter(|path| !path.0[0].is_empty())
}

/// A place in a function, as people write it; none where it begins with something that has no name.
pub fn spelling(program: &Program, function: FunctionId, place: &Place) -> Option<String> {
    path_of_place(program, function, place).map(|path| path.spelling())
}

/// The member at an offset: `.a.b[3]`.
pub(super) fn member_at(program: &Program, ty: TypeId, offset: u64) -> String {
    let types = &program.types;
    match types.shape_of(ty) {
        Shape::Record(_) => {
            let Some(layout) = types.record(ty) else { return String::new() };
            let bits = offset * 8;
            let Some(field) = layout.fields.iter().rev().find(|field| field.offset <= bits) else {
                return String::new();
            };
            let Some(name) = &field.name else { return String::new() };
            format!(".{name}")
        }
        Shape::Array(element, _) => match types.size_of(*element).filter(|size| *size > 0) {
            Some(size) => format!("[{}]{}", offset / size, member_at(program, *element, offset % size)),
            None => String::new(),
        },
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_the_same_however_they_are_written() {
        assert_eq!(Path::parse("xdrs->x_handy"), Path::parse("(*xdrs).x_handy"));
        assert_eq!(Path::parse("table[ i + 1 ].entry"), Path::parse("table[].entry"));
        assert_ne!(Path::parse("*p"), Path::parse("p"));
    }
}
