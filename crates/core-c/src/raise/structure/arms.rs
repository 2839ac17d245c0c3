//! `switch`: arms in the order of their cases, each with what it alone leads to.

use cast::{CaseLabel, Expression, Statement, SwitchArm, TagKind, Type};

use super::super::flow::NodeId;
use super::super::{literal, types};
use super::{Context, Structurer, leaves};
use crate::Case;

impl Structurer<'_> {
    pub(super) fn switch(
        &self,
        node: NodeId,
        value: &Expression,
        cases: &[(Case, NodeId)],
        default: NodeId,
        context: Context,
        out: &mut Vec<Statement>,
    ) {
        let labels = |target: NodeId| -> Vec<CaseLabel> {
            let own = cases.iter().filter(|(_, to)| *to == target).map(|(case, _)| case_label(case));
            own.chain((default == target).then_some(CaseLabel::Default)).collect()
        };
        let mut arms = Vec::new();
        let order = self.arm_order(node, cases, default);
        for (at, target) in order.iter().copied().enumerate() {
            let is_silent = target == default && context.next == Some(default) && labels(target).len() == 1;
            if is_silent && !self.is_enumeration(value) {
                continue;
            }
            let next = order.get(at + 1).copied().filter(|next| self.plan.is_arm(node, *next));
            let next = next.filter(|next| self.plan.leads(target, *next));
            let inside = Context { next, breaks: context.next, continues: context.continues };
            let mut body = Vec::new();
            if self.plan.is_arm(node, target) {
                self.place(target, inside, &mut body);
            } else {
                self.go(node, target, inside, &mut body);
            }
            if !leaves(&body) {
                body.push(if next.is_some() { Statement::comment("fall through") } else { Statement::Break });
            }
            arms.push(SwitchArm { labels: labels(target), body });
        }
        out.push(Statement::Switch { value: value.clone(), arms });
    }

    /// Compilers ask for every enumerator where there is no `default`.
    fn is_enumeration(&self, value: &Expression) -> bool {
        matches!(types::resolve(self.table, &value.ty), Type::Tagged(TagKind::Enum, _))
    }

    /// The targets, each once, in the order of the cases; an arm that another one falls into comes right after it.
    fn arm_order(&self, node: NodeId, cases: &[(Case, NodeId)], default: NodeId) -> Vec<NodeId> {
        let mut waiting: Vec<NodeId> = Vec::new();
        for target in cases.iter().map(|(_, target)| *target).chain([default]) {
            if !waiting.contains(&target) {
                waiting.push(target);
            }
        }
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let comes_after =
                |to: NodeId, from: NodeId| to != from && self.plan.is_arm(node, to) && self.plan.leads(from, to);
            let free = |target: &NodeId| !waiting.iter().any(|other| comes_after(*target, *other));
            let next = order.last().and_then(|last| waiting.iter().position(|target| comes_after(*target, *last)));
            let at = next.or_else(|| waiting.iter().position(free)).unwrap_or(0);
            order.push(waiting.remove(at));
        }
        order
    }
}

fn case_label(case: &Case) -> CaseLabel {
    if case.first == case.last {
        CaseLabel::Value(literal::case(case.first))
    } else {
        CaseLabel::Range(literal::case(case.first), literal::case(case.last))
    }
}
