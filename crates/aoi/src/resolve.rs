//! The type that a name stands for.

use crate::{Aoi, DefinitionKind, Type};

impl Aoi {
    /// Looks through other names for types (`typedef`); definitions of all other kinds stay [`Type::Named`].
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let mut ty = ty;
        // A chain of names has no more links than there are definitions, unless it goes in circles, which was reported.
        for _ in 0..=self.definitions.len() {
            match ty {
                Type::Named(id) => match &self.definitions[*id].kind {
                    DefinitionKind::Alias(target) => ty = target,
                    _ => break,
                },
                _ => break,
            }
        }
        ty
    }
}
