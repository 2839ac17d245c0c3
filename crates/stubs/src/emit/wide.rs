//! Routines with a version for wide vectors. In: the function of a routine. Out: one that both versions are made of, and the
//! runtime's macro that makes them and lets the machine choose; what such a routine calls is given which of them it is in.

use cast::build::{name, parameter};
use cast::{Declaration, Expression, Function, Linkage, Statement, Type, print_type};

use super::routine::Emitter;
use crate::plan::{Direction, Op};

/// The parameter that says which version it is.
const PARAMETER: &str = "is_wide";

impl Emitter<'_> {
    /// `WHITTLE_EITHER char *whittle_either_encode_T(…, const bool is_wide)`, and `encode_T` from it.
    pub(super) fn versions(&mut self, function: &Function) -> Option<Vec<Declaration>> {
        if !self.asks_width {
            return None;
        }
        self.used.insert("wide".to_string());
        let mut either = Function { linkage: Linkage::Plain, ..function.clone() };
        either.attributes.push("WHITTLE_EITHER".to_string());
        either.name = format!("whittle_either_{}", function.name);
        let truth = Type::named("bool").constant();
        either.parameters.push(parameter(self.variable_name(PARAMETER), truth));
        let linkage = if function.linkage == Linkage::Static { "static" } else { "" };
        let mut words = vec![linkage.to_string(), print_type(&function.result), function.name.clone()];
        let ends = function.parameters.first().into_iter().chain(function.parameters.last());
        words.extend(ends.map(|parameter| print_type(&parameter.ty)));
        let both = Declaration::Verbatim(format!("WHITTLE_BOTH({})\n", words.join(", ")));
        Some(vec![Declaration::Function(either), Declaration::Blank, both])
    }

    /// What is done here is done for each item, and may be done by wide vectors.
    pub(super) fn has_versions(&self) -> bool {
        self.is_wide && self.in_loop
    }

    /// Bytes of an item, and the check for what follows them: one check for both.
    pub(super) fn bytes_and_more(&mut self, body: &[Op]) -> Option<(Vec<Statement>, usize)> {
        match body {
            [Op::Bytes { place, length }, Op::Ensure(more), ..]
                if self.has_versions() && self.id.direction == Direction::Encode =>
            {
                Some((self.encode_bytes(place, length, *more), 2))
            }
            _ => None,
        }
    }

    /// What a routine of the runtime's that knows of wide vectors is called, and given.
    pub(super) fn in_version(&mut self, routine: &str, arguments: &mut Vec<Expression>) -> String {
        self.asks_width = true;
        arguments.push(name(self.variable_name(PARAMETER), Type::named("bool")));
        format!("{routine}_wide")
    }
}
