//! The number that a value stands for.

use crate::{Aoi, DefinitionKind, Value};

impl Aoi {
    /// The number behind `value`, through constants and members; `None` where only a C header knows, or where it is
    /// no whole number.
    pub fn number(&self, value: &Value) -> Option<i128> {
        match value {
            Value::Integer { value, .. } | Value::NestedMember { value, .. } => Some(*value),
            Value::Boolean(truth) => Some(i128::from(*truth)),
            Value::Character { code, .. } => Some(i128::from(*code)),
            Value::Text(_) | Value::WideText(_) | Value::Float(_) | Value::Fixed(_) | Value::External(_) => None,
            Value::Constant(id) => match &self.definitions[self.definitions.last_alias(*id)].kind {
                // One that leads to constants still goes in circles.
                DefinitionKind::Constant(constant) if !matches!(constant.value, Value::Constant(_)) => {
                    self.number(&constant.value)
                }
                _ => None,
            },
            Value::Member { enumeration, member } => match &self.definitions[*enumeration].kind {
                DefinitionKind::Enumeration(enumeration) => enumeration.members.get(*member)?.value,
                _ => None,
            },
        }
    }
}
