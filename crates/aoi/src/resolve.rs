//! The type that a name stands for.

use crate::{Aoi, DefinitionKind, Type};

impl Aoi {
    /// Looks through other names for types (`typedef`); definitions of all other kinds stay [`Type::Named`].
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        let Type::Named(id) = ty else { return ty };
        match &self.definitions[self.definitions.last_alias(*id)].kind {
            DefinitionKind::Alias(target) => target,
            _ => ty,
        }
    }
}
