//! The number that a value stands for.

use crate::{Aoi, DefinitionKind, Value};

impl Aoi {
    /// The number behind `value`, through constants and members; `None` where only a C header knows, or where it is
    /// no whole number.
    pub fn number(&self, value: &Value) -> Option<i128> {
        let mut value = value;
        // A chain of constants has no more links than there are definitions, unless it goes in circles.
        for _ in 0..=self.definitions.len() {
            match value {
                Value::Integer { value, .. } | Value::NestedMember { value, .. } => return Some(*value),
                Value::Boolean(truth) => return Some(i128::from(*truth)),
                Value::Character { code, .. } => return Some(i128::from(*code)),
                Value::Text(_) | Value::WideText(_) | Value::Float(_) | Value::Fixed(_) | Value::External(_) => {
                    return None;
                }
                Value::Constant(id) => match &self.definitions[*id].kind {
                    DefinitionKind::Constant(constant) => value = &constant.value,
                    _ => return None,
                },
                Value::Member { enumeration, member } => {
                    return match &self.definitions[*enumeration].kind {
                        DefinitionKind::Enumeration(enumeration) => enumeration.members.get(*member)?.value,
                        _ => None,
                    };
                }
            }
        }
        None
    }
}
