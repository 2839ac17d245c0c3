//! Numbers and constants by the names that this style's header gives to them.

use crate::values::Naming;

use super::names;

pub(super) const VALUES: Naming =
    Naming { truth: "CORBA_TRUE", untruth: "CORBA_FALSE", definition: names::of_definition, member: names::of_member };
