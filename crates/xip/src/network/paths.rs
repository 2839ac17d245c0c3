//! What a port path of an edge names.

use super::build::{Builder, Scope, Target};
use crate::errors;
use crate::flow::PortPath;
use crate::ir::{Direction, Pipe, Port};
use crate::name::Name;

impl<'a> Builder<'a, '_> {
    /// The ends at a path, where packets go in `direction` as seen from the edge's side: an edge comes out of an
    /// outport, and out of an inport of the composed pipe itself.
    pub(super) fn target(
        &mut self,
        scope: &mut Scope<'a>,
        path: &'a PortPath,
        direction: Direction,
    ) -> Option<Target<'a>> {
        if let (None, Some(pipe)) = (&path.port, scope.pipe)
            && let Some(own) = pipe.ports.iter().find(|port| port.name == path.instance)
        {
            if own.direction == direction {
                self.findings.push(errors::wrong_way_inside(path, own));
                return None;
            }
            return Some(Target::Own(&own.name.text));
        }
        let name = path.instance.text.as_str();
        if !scope.units.contains_key(name) {
            self.implicit(scope, &path.instance)?;
        }
        let unit = &scope.units[name];
        let port = self.port(unit.pipe, path, direction)?;
        // Nothing where the composed pipe does not lead on, which has been said.
        let ends = unit.ends.get(port.name.text.as_str()).cloned().unwrap_or_default();
        Some(Target::Ends(ends))
    }

    /// A pipe's name in an instance's place: an instance of that name, where there is no other.
    fn implicit(&mut self, scope: &mut Scope<'a>, name: &'a Name) -> Option<()> {
        let Some(pipe) = self.names.pipes.get(name.text.as_str()).copied() else {
            let instances = scope.body.instances.iter().map(|instance| instance.name.text.as_str());
            let pipes = self.names.pipes.keys().copied();
            let known: Vec<&str> = instances.chain(pipes).take(source::COMPARED).collect();
            self.findings.push(errors::unknown_instance(name, &scope.owner, known.into_iter()));
            return None;
        };
        let own: Vec<&Name> =
            scope.body.instances.iter().filter(|of| of.pipe == *name).map(|instance| &instance.name).collect();
        if !own.is_empty() {
            self.findings.push(errors::which_instance(name, &own));
            return None;
        }
        self.unit(scope, &name.text, pipe, None, name.span);
        Some(())
    }

    /// The port that a path names in a pipe, or the pipe's only one in that direction.
    fn port(&mut self, pipe: &'a Pipe, path: &PortPath, direction: Direction) -> Option<&'a Port> {
        let Some(name) = &path.port else {
            let fitting: Vec<&Port> = pipe.ports.iter().filter(|port| port.direction == direction).collect();
            if let [only] = fitting.as_slice() {
                return Some(only);
            }
            self.findings.push(errors::which_port(path, pipe, direction, &fitting));
            return None;
        };
        let Some(port) = pipe.ports.iter().find(|port| port.name == *name) else {
            self.findings.push(errors::unknown_port(name, pipe, direction));
            return None;
        };
        if port.direction != direction {
            self.findings.push(errors::wrong_way(path, port, direction));
            return None;
        }
        Some(port)
    }
}
