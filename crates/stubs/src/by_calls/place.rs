//! Both forms of routines in one file. In: the runtime; what stands behind it, the user's lines among it. Out: the same under the
//! condition that the library has operations of streams, and routines by calls where it has none.

use cast::{Condition, Conditional, Declaration};

use super::{ByCalls, marked};

/// A macro that each library with operations of streams has.
const OPERATIONS: &str = "XDR_PUTBYTES";

impl ByCalls {
    /// The runtime.
    pub(crate) fn runtime(&self, runtime: Vec<Declaration>) -> Vec<Declaration> {
        if self.routines.is_empty() {
            return runtime;
        }
        vec![under_condition(runtime, Vec::new()), Declaration::Blank]
    }

    /// What stands behind it: a user's line ends a condition, as it may begin or end one of the user's.
    pub(crate) fn among(&self, own: Vec<Declaration>) -> Vec<Declaration> {
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        for declaration in own {
            match declaration {
                Declaration::Verbatim(_) => {
                    whole.extend(self.part(std::mem::take(&mut part)));
                    whole.push(declaration);
                }
                Declaration::Function(function) if self.marked.contains(&function.name) => {
                    part.extend(marked::entered_apart(function));
                }
                _ => part.push(declaration),
            }
        }
        whole.extend(self.part(part));
        whole
    }

    /// The routines of a part have a second form each.
    fn part(&self, own: Vec<Declaration>) -> Vec<Declaration> {
        let is_empty = own.iter().all(|declaration| *declaration == Declaration::Blank);
        if self.routines.is_empty() || is_empty {
            return own;
        }
        let second = |declaration: &Declaration| match declaration {
            Declaration::Function(function) => self.routines.get(&function.name),
            _ => None,
        };
        let mut second: Vec<Declaration> = own.iter().filter_map(second).flatten().cloned().collect();
        if !second.is_empty() {
            let comment = "For libraries without operations of streams: a call for each part.";
            second.insert(0, Declaration::comment(comment));
        }
        vec![under_condition(own, second)]
    }
}

fn under_condition(then: Vec<Declaration>, otherwise: Vec<Declaration>) -> Declaration {
    Declaration::Conditional(Conditional { condition: Condition::defined(OPERATIONS), then, otherwise })
}
