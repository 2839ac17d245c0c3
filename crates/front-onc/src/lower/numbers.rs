//! Numbers: lengths, bounds, and what is sent of those that do not fit.

use super::{Lowering, MAXIMUM};
use crate::Lax;
use crate::errors;
use crate::names::{Meaning, truth};
use crate::syntax::{Value, ValueKind};
use aoi::DefinitionKind;
use source::{Diagnostic, Span};

/// So many items of an array take more than a gigabyte.
const ENORMOUS: i128 = 1 << 28;

impl<'a> Lowering<'_, 'a> {
    /// The number that a value stands for, if this file says.
    pub(super) fn number(&self, value: &Value<'a>) -> Option<i128> {
        match &value.kind {
            ValueKind::Integer { value, .. } => Some(*value),
            ValueKind::Literal(_) | ValueKind::Missing => None,
            ValueKind::Name(name) => match self.names.look_up(self.scope, name).map(|entry| entry.meaning) {
                Some(Meaning::Constant(_, symbol) | Meaning::Member { symbol, .. } | Meaning::NestedMember(symbol)) => {
                    self.names.number(symbol)
                }
                Some(Meaning::Type(_)) => None,
                None => truth(name).map(i128::from),
            },
        }
    }

    /// A length, bound, label or number: not a text, directly or through a constant.
    pub(super) fn whole_number(&mut self, value: &Value<'a>, what: &str) -> aoi::Value {
        let lowered = self.value(value);
        let mut is_text = matches!(value.kind, ValueKind::Literal(_));
        if let aoi::Value::Constant(id) = lowered {
            is_text = matches!(
                &self.aoi.definitions[id].kind,
                DefinitionKind::Constant(aoi::Constant { value: aoi::Value::Text(_), .. })
            );
        }
        if is_text {
            self.findings.push(errors::not_a_number(value.span, what));
        }
        lowered
    }

    /// Reports what rpcgen accepts and C compilers take.
    pub(super) fn report_lenient(&mut self, finding: Diagnostic) {
        self.findings.push(match self.lax {
            Lax::No => finding,
            Lax::Offered => finding.note("`--lax` takes it as rpcgen does"),
            Lax::Yes => errors::accepted(finding),
        });
    }

    /// A bound.
    pub(super) fn bound(&mut self, value: &Value<'a>) -> aoi::Value {
        let number = self.number(value);
        match outside(number, value.span) {
            Some(finding) => self.report_lenient(finding),
            None => return self.whole_number(value, "a length"),
        }
        sent(number.unwrap_or_default())
    }

    /// The length of an array, all of which is part of every value: C has none below zero, and none that is cut off.
    pub(super) fn length(&mut self, value: &Value<'a>) -> aoi::Value {
        let number = self.number(value);
        self.findings.extend(outside(number, value.span));
        if let Some(number) = number.filter(|number| (ENORMOUS..=MAXIMUM).contains(number)) {
            self.findings.push(errors::enormous_array(value.span, number));
        }
        self.whole_number(value, "a length")
    }
}

/// What is wrong with the number of a length or a bound.
fn outside(number: Option<i128>, at: Span) -> Option<Diagnostic> {
    match number {
        Some(number) if number < 0 => Some(errors::negative_bound(at, number)),
        Some(number) if number > MAXIMUM => Some(errors::bound_too_large(at, number)),
        _ => None,
    }
}

/// What is sent of a number: its last 32 bits.
pub(super) fn sent(number: i128) -> aoi::Value {
    let value = number & MAXIMUM;
    aoi::Value::Integer { value, spelling: value.to_string() }
}
