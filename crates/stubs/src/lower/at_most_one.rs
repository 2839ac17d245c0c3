//! Arrays of one item at most, `T<1>` and `sequence<T, 1>`. In: such an array whose item owns storage. Out: what a pointer
//! that may be NULL becomes, with a length beside it, so that whatever makes loops of lists by pointers makes them of these.

use pres::{Extent, NodeId};

use super::walk::{Held, Walk};
use crate::plan::{Access, Count, Direction, Op, Place};

impl Walk<'_> {
    pub(super) fn at_most_one(
        &mut self,
        node: NodeId,
        names: (&str, &str),
        element: NodeId,
        bound: Option<&Extent>,
        held: &Held,
        place: &Place,
    ) -> Vec<Op> {
        let (item, bound) = (self.pres.nodes[element].ty.clone(), bound.cloned());
        let (length, pointer) = self.counted(names, &item, place);
        let count = Count::Value(length.clone());
        let (mut ops, mut flag) = (Vec::new(), None);
        if self.direction != Direction::Release {
            let (word, local) = self.word(place, "count", Access::Count(count.clone()));
            ops.extend(word);
            flag = (self.direction == Direction::Decode).then_some(local);
        }
        match (self.direction, &flag) {
            (Direction::Encode, _) => ops.insert(0, Op::Check { count, bound, data: Some(pointer.clone()) }),
            (_, Some(local)) => ops.push(Op::Check { count: Count::Local(local.clone()), bound, data: None }),
            _ => {}
        }
        let body = self.inner(element, &pointer.target(item.clone()));
        let storage = self.storage(node, element, held.storage, place);
        ops.push(Op::Optional { pointer, target: item, counted: Some(length), flag, storage, body });
        ops
    }
}
