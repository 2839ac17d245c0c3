//! The headers: prototypes of what the user calls, and of what the server has to have.

use cast::{Condition, Conditional, Declaration, Definition, File};
use mig::ImportSide;

use super::side::Side;
use super::{demux, parameters, prologue};
use crate::links::statements::file;

/// The header of the user's stubs.
pub(super) fn user(side: &Side<'_>) -> File {
    guarded(side, "user", ImportSide::User, &[], Vec::new())
}

/// The header of the server's functions, with the look-up of stubs.
pub(super) fn server(side: &Side<'_>) -> File {
    let errors = [Declaration::system_include("mach/mig_errors.h")];
    guarded(side, "server", ImportSide::Server, &errors, demux::look_up(side.subsystem))
}

fn guarded(side: &Side<'_>, which: &str, own: ImportSide, more: &[Declaration], behind: Vec<Declaration>) -> File {
    let guard = format!("_{}_{which}_", side.subsystem.name);
    let mut declarations = vec![
        Declaration::Define(Definition { name: guard.clone(), value: None }),
        Declaration::Blank,
        Declaration::system_include("mach/kern_return.h"),
        Declaration::system_include("mach/port.h"),
        Declaration::system_include("mach/message.h"),
    ];
    declarations.extend_from_slice(more);
    declarations.extend(prologue::imports(side, own));
    declarations.push(Declaration::Blank);
    // Programs may say how stubs are declared.
    let external = cast::build::verbatim("extern", cast::Type::Void);
    declarations.push(Declaration::defined_once("mig_external", Some(external)));
    declarations.push(Declaration::Blank);
    for routine in side.subsystem.routines.iter().flatten() {
        declarations.push(parameters::prototype(routine, side));
    }
    declarations.push(Declaration::Blank);
    declarations.extend(behind);
    let whole = Conditional {
        condition: Condition::undefined(guard),
        then: file(declarations).declarations,
        otherwise: Vec::new(),
    };
    File { declarations: vec![Declaration::Conditional(whole)] }
}
