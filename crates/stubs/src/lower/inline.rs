//! Arrays inside a structure that another member of it counts. The count travels as that member does, once; there is no
//! storage to allocate, so that nothing is left over where a message ends early.

use cast::Type;
use pres::{Extent, NodeId};

use super::walk::Walk;
use crate::plan::{Count, Direction, Item, Op, Place};

impl Walk<'_> {
    /// The member beside the array at `place` that counts it.
    fn inline_count(&self, count: &str, place: &Place) -> Place {
        let ty = self.siblings.iter().find(|member| member.name == count);
        let ty = ty.map_or_else(|| Type::named("u_int"), |member| self.pres.nodes[member.node].ty.clone());
        let (_, path) = place.steps.split_last().unwrap_or((&crate::plan::Step::Target, &[]));
        let parent = Place { variable: place.variable.clone(), steps: path.to_vec(), ty: Type::Void };
        parent.member(count, ty)
    }

    pub(super) fn inline_bytes(&self, count: &str, bound: Option<&Extent>, place: &Place) -> Vec<Op> {
        let count = Count::Value(self.inline_count(count, place));
        let check = bound.map(|bound| Op::Check { count: count.clone(), bound: Some(bound.clone()), data: None });
        check.into_iter().chain([Op::Bytes { place: place.clone(), length: count }]).collect()
    }

    pub(super) fn inline_array(
        &mut self,
        count: &str,
        element: NodeId,
        bound: Option<&Extent>,
        place: &Place,
    ) -> Vec<Op> {
        let index = self.index();
        let item = place.element(&index, self.pres.nodes[element].ty.clone());
        let count = Count::Value(self.inline_count(count, place));
        let first = self.facts.first_alignment(element);
        let body = self.inner(element, &item);
        let layout = self.facts.layout(element);
        let over = Item { data: place.clone(), ty: item.ty, is_array: self.facts.is_array(element) };
        let (count, check) = if self.direction == Direction::Release {
            // The count may be what made decoding fail. Elements that were never there are zero and hold nothing.
            (self.room(bound, place), None)
        } else {
            let check = bound.map(|bound| Op::Check { count: count.clone(), bound: Some(bound.clone()), data: None });
            (count, check)
        };
        let over = Op::Loop { index, count, over, bind: false, layout, strip: None, body };
        let when = if let Op::Loop { count, .. } = &over { Some(count.clone()) } else { None };
        check.into_iter().chain(self.align(first, when)).chain([over]).collect()
    }

    /// The number of elements that there is room for.
    fn room(&self, bound: Option<&Extent>, place: &Place) -> Count {
        let length = match &place.ty {
            Type::Array(_, Some(length)) => cast::array_length(length),
            _ => None,
        };
        match (bound, length) {
            (Some(bound), _) => super::walk::count_of(bound),
            (None, length) => Count::Known(length.unwrap_or(0)),
        }
    }
}
