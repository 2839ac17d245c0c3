//! What both sides share, `b_types.c`: what lets go of values of the header's types.

use cast::{Declaration, File};
use pres::{PresC, TypeStubId};

use super::marshalling::Marshalling;
use super::{After, Options};
use crate::links::plain;
use crate::plan::Direction;

/// The shared file.
pub fn types_file(pres: &PresC, options: &Options, after: After) -> File {
    let own = plain::freed(pres);
    let wanted: Vec<(TypeStubId, Direction)> = own.iter().map(|(id, _)| (*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let mut rest = marshalling.declarations();
    for (id, stub) in own {
        let Some(release) = marshalling.release(id) else { continue };
        rest.extend([Declaration::Blank, plain::freeing(stub, &release)]);
    }
    super::file(pres, options, rest)
}
