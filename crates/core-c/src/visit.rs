//! Walks over the parts of statements, places and expressions, so that passes need not name every construct.

use smallvec::{SmallVec, smallvec};

use crate::{
    Argument, BlockId, Callee, Expression, ExpressionKind, LocalId, Place, PlaceBase, Receiver, StatementKind,
    StepKind, Terminator,
};

/// Parts of something, which are few: passes walk over them all the time, so that a list should not be allocated.
pub type Few<T> = SmallVec<[T; 4]>;

/// What a statement does with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

impl Place {
    /// The pointer it starts from and the indices of its steps.
    pub fn expressions(&self) -> Few<&Expression> {
        let pointer = match &self.base {
            PlaceBase::Pointee(pointer) => Some(&**pointer),
            PlaceBase::Local(_) | PlaceBase::Global(_) => None,
        };
        let indices = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Index(index) => Some(&**index),
            StepKind::Field { .. } => None,
        });
        pointer.into_iter().chain(indices).collect()
    }

    /// As [`Place::expressions`].
    pub fn expressions_mut(&mut self) -> Few<&mut Expression> {
        let pointer = match &mut self.base {
            PlaceBase::Pointee(pointer) => Some(&mut **pointer),
            PlaceBase::Local(_) | PlaceBase::Global(_) => None,
        };
        let indices = self.steps.iter_mut().filter_map(|step| match &mut step.kind {
            StepKind::Index(index) => Some(&mut **index),
            StepKind::Field { .. } => None,
        });
        pointer.into_iter().chain(indices).collect()
    }

    /// The memory local it is a part of.
    pub fn local_base(&self) -> Option<LocalId> {
        match self.base {
            PlaceBase::Local(local) => Some(local),
            PlaceBase::Global(_) | PlaceBase::Pointee(_) => None,
        }
    }
}

impl Expression {
    /// The place that is loaded or whose address is taken.
    pub fn place(&self) -> Option<&Place> {
        match &self.kind {
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => Some(place),
            _ => None,
        }
    }

    /// As [`Expression::place`].
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match &mut self.kind {
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => Some(place),
            _ => None,
        }
    }

    /// The expressions right below this one, those of its place among them.
    pub fn children(&self) -> Few<&Expression> {
        match &self.kind {
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => place.expressions(),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => smallvec![&**operand],
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Distance(left, right) => {
                smallvec![&**left, &**right]
            }
            ExpressionKind::Offset { pointer, count, .. } => smallvec![&**pointer, &**count],
            ExpressionKind::Opaque { operands, .. } => operands.iter().collect(),
            _ => Few::new(),
        }
    }

    /// As [`Expression::children`].
    pub fn children_mut(&mut self) -> Few<&mut Expression> {
        match &mut self.kind {
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => place.expressions_mut(),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Convert(operand) => smallvec![&mut **operand],
            ExpressionKind::Binary(_, left, right) | ExpressionKind::Distance(left, right) => {
                smallvec![&mut **left, &mut **right]
            }
            ExpressionKind::Offset { pointer, count, .. } => smallvec![&mut **pointer, &mut **count],
            ExpressionKind::Opaque { operands, .. } => operands.iter_mut().collect(),
            _ => Few::new(),
        }
    }

    /// This expression and all below it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// This expression and all below it, innermost first.
    pub fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        for child in self.children_mut() {
            child.walk_mut(visit);
        }
        visit(self);
    }

    /// True where some expression in it, itself included, is so.
    pub fn any(&self, test: &mut dyn FnMut(&Expression) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }
}

impl StatementKind {
    /// The register that gets a value.
    pub fn written_register(&self) -> Option<LocalId> {
        match self {
            StatementKind::Set { local, .. } | StatementKind::LoadVolatile { local, .. } => Some(*local),
            StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => Some(*local),
            _ => None,
        }
    }

    /// As [`StatementKind::written_register`].
    pub fn written_register_mut(&mut self) -> Option<&mut LocalId> {
        match self {
            StatementKind::Set { local, .. } | StatementKind::LoadVolatile { local, .. } => Some(local),
            StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => Some(local),
            _ => None,
        }
    }

    /// The places that it accesses itself; loads are inside its expressions.
    pub fn places(&self) -> Few<(Access, &Place)> {
        match self {
            StatementKind::Store { place, .. } | StatementKind::Zero { place } => smallvec![(Access::Write, place)],
            StatementKind::LoadVolatile { place, .. } => smallvec![(Access::Read, place)],
            StatementKind::Copy { to, from } => smallvec![(Access::Read, from), (Access::Write, to)],
            StatementKind::Call { receiver, arguments, .. } => {
                let objects = arguments.iter().filter_map(|argument| match argument {
                    Argument::Object(place) => Some((Access::Read, place)),
                    Argument::Value(_) => None,
                });
                let result = match receiver {
                    Some(Receiver::Object(place)) => Some((Access::Write, place)),
                    _ => None,
                };
                objects.chain(result).collect()
            }
            StatementKind::Assembly { outputs, .. } => outputs.iter().map(|place| (Access::Write, place)).collect(),
            StatementKind::Set { .. } | StatementKind::Begin { .. } => Few::new(),
        }
    }

    /// As [`StatementKind::places`].
    pub fn places_mut(&mut self) -> Few<&mut Place> {
        match self {
            StatementKind::Store { place, .. }
            | StatementKind::Zero { place }
            | StatementKind::LoadVolatile { place, .. } => smallvec![place],
            StatementKind::Copy { to, from } => smallvec![from, to],
            StatementKind::Call { receiver, arguments, .. } => {
                let objects = arguments.iter_mut().filter_map(|argument| match argument {
                    Argument::Object(place) => Some(place),
                    Argument::Value(_) => None,
                });
                let result = match receiver {
                    Some(Receiver::Object(place)) => Some(place),
                    _ => None,
                };
                objects.chain(result).collect()
            }
            StatementKind::Assembly { outputs, .. } => outputs.iter_mut().collect(),
            StatementKind::Set { .. } | StatementKind::Begin { .. } => Few::new(),
        }
    }

    /// The outermost expressions that it evaluates, those of its places included.
    pub fn expressions(&self) -> Few<&Expression> {
        let mut found: Few<&Expression> =
            self.places().into_iter().flat_map(|(_, place)| place.expressions()).collect();
        match self {
            StatementKind::Set { value, .. } | StatementKind::Store { value, .. } => found.push(value),
            StatementKind::Call { callee, arguments, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    found.push(pointer);
                }
                found.extend(arguments.iter().filter_map(|argument| match argument {
                    Argument::Value(value) => Some(value),
                    Argument::Object(_) => None,
                }));
            }
            StatementKind::Begin { size, .. } => found.extend(size),
            StatementKind::Assembly { inputs, .. } => found.extend(inputs),
            StatementKind::LoadVolatile { .. } | StatementKind::Copy { .. } | StatementKind::Zero { .. } => {}
        }
        found
    }

    /// As [`StatementKind::expressions`].
    pub fn expressions_mut(&mut self) -> Few<&mut Expression> {
        match self {
            StatementKind::Set { value, .. } => smallvec![value],
            StatementKind::Store { place, value } => place.expressions_mut().into_iter().chain([value]).collect(),
            StatementKind::LoadVolatile { place, .. } | StatementKind::Zero { place } => place.expressions_mut(),
            StatementKind::Copy { to, from } => {
                from.expressions_mut().into_iter().chain(to.expressions_mut()).collect()
            }
            StatementKind::Call { receiver, callee, arguments } => {
                let mut found = Few::new();
                if let Callee::Pointer(pointer) = callee {
                    found.push(pointer);
                }
                for argument in arguments {
                    match argument {
                        Argument::Value(value) => found.push(value),
                        Argument::Object(place) => found.extend(place.expressions_mut()),
                    }
                }
                if let Some(Receiver::Object(place)) = receiver {
                    found.extend(place.expressions_mut());
                }
                found
            }
            StatementKind::Begin { size, .. } => size.iter_mut().collect(),
            StatementKind::Assembly { outputs, inputs, .. } => {
                outputs.iter_mut().flat_map(|place| place.expressions_mut()).chain(inputs).collect()
            }
        }
    }
}

impl Terminator {
    /// Where control may go, once for each edge.
    pub fn targets(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(target) => vec![*target],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain([*default]).collect()
            }
            Terminator::GotoAddress { targets, .. } => targets.clone(),
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        }
    }

    /// As [`Terminator::targets`].
    pub fn targets_mut(&mut self) -> Vec<&mut BlockId> {
        match self {
            Terminator::Goto(target) => vec![target],
            Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|case| &mut case.target).chain([default]).collect()
            }
            Terminator::GotoAddress { targets, .. } => targets.iter_mut().collect(),
            Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        }
    }

    /// The object that is returned by value.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Terminator::Return(Some(Argument::Object(place))) => Some(place),
            _ => None,
        }
    }

    /// The outermost expressions that it evaluates, those of its place included.
    pub fn expressions(&self) -> Few<&Expression> {
        match self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::GotoAddress { address: value, .. }
            | Terminator::Return(Some(Argument::Value(value))) => smallvec![value],
            Terminator::Return(Some(Argument::Object(place))) => place.expressions(),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => Few::new(),
        }
    }

    /// As [`Terminator::expressions`].
    pub fn expressions_mut(&mut self) -> Few<&mut Expression> {
        match self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::GotoAddress { address: value, .. }
            | Terminator::Return(Some(Argument::Value(value))) => smallvec![value],
            Terminator::Return(Some(Argument::Object(place))) => place.expressions_mut(),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => Few::new(),
        }
    }
}
