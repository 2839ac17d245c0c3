//! Structures that functions which are not unfolded get by value.
//!
//! In: an argument that is a structure. Out: the residual argument, what is known of it that holds in every function, and the objects that
//! its addresses lead to. The variant has the structure as its own parameter; what is known of it at the entry is known there. Nothing
//! leads back to the caller's structure, but what its pointers lead to the function may read and change. Where nothing is known of any
//! argument, such a function is called as it stands.

use std::collections::BTreeMap;

use core_c::{Argument, FunctionId, LocalId, LocalKind, Place, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::access::Location;
use crate::memory::{Background, Cell, Origin};
use crate::values::value::{ObjectId, Value};

/// A structure that is passed.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) argument: Argument,
    /// By their place in it.
    pub(super) cells: Vec<(u64, Cell)>,
    pub(super) leads: Vec<ObjectId>,
}

/// Those of a call, by their parameter.
type Structures = BTreeMap<usize, Structure>;

impl Engine<'_> {
    /// What a function is given, as its parameters have it; in place of a structure nothing.
    pub(super) fn given(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
    ) -> Step<(Vec<(Value, TypeId)>, Structures)> {
        let data = &self.input.functions[function];
        let (mut values, mut structures) = (Vec::new(), Structures::new());
        for (at, argument) in arguments.iter().enumerate() {
            let ty = data.locals[data.parameters[at]].ty;
            let value = match argument {
                Argument::Value(argument) => {
                    let value = self.evaluate(argument)?;
                    let value = self.convert(value, argument.ty, ty)?;
                    self.bind(value, "")
                }
                Argument::Object(place) => {
                    structures.insert(at, self.pass_structure(function, at, place)?);
                    Value::Undefined
                }
            };
            values.push((value, ty));
        }
        Ok((values, structures))
    }

    /// A structure for a parameter of a function. It exists in the residual program from here on.
    fn pass_structure(&mut self, function: FunctionId, at: usize, place: &Place) -> Step<Structure> {
        let location = self.locate(place)?;
        let size = self.types.size_of(place.ty).unwrap_or(0);
        let mut held = Vec::new();
        if let Location::Known(pointer) = &location
            && let (Some(object), Ok(start)) = (self.state.memory.get(pointer.object), u64::try_from(pointer.offset))
        {
            let inside = object.cells.range(start..start.saturating_add(size));
            held = inside.map(|(offset, cell)| (offset - start, cell.clone())).collect();
            held.retain(|(offset, cell)| offset + cell.size <= size);
        }
        let leads = held.iter().flat_map(|(_, cell)| self.leads_to(&cell.value)).collect();
        let general = |offset: u64| self.functions.general.contains(&(function, at, Some(offset)));
        let is_known = |(offset, cell): &(u64, Cell)| self.is_lasting(&cell.value) && !general(*offset);
        let cells = held.into_iter().filter(is_known).collect();
        let (place, _) = self.residual_location(location, place.ty)?;
        Ok(Structure { argument: Argument::Object(place), cells, leads: self.reached(leads).into_iter().collect() })
    }

    /// The object of a parameter that the residual function has as its own.
    pub(crate) fn own_parameter(&mut self, origin: Origin, (name, ty): (&str, TypeId)) -> ObjectId {
        let here = self.residual.local(name, ty, LocalKind::Memory);
        self.residual.parameters.push(here);
        self.places.insert(origin, here);
        let mut object = self.fresh(origin, ty, Background::Unknown);
        object.residual = true;
        let id = self.next_object();
        self.state.memory.insert(id, object);
        id
    }

    /// A parameter of the bottom frame that is a structure, with what is known of it.
    pub(super) fn enter_structure(&mut self, parameter: LocalId, cells: Vec<(u64, Cell)>) {
        let frame = self.state.top();
        let local = &self.input.functions[frame.function].locals[parameter];
        let id = self.own_parameter(Origin::Local(frame.chain, parameter), (&local.name, local.ty));
        let cells: Vec<(u64, Cell)> = cells.into_iter().map(|(offset, cell)| (offset, self.own(cell))).collect();
        if let Some(object) = self.state.memory.get_mut(id) {
            object.cells.extend(cells);
        }
        self.state.top_mut().objects.insert(parameter, id);
    }
}
