//! No link: values by themselves. For each type of the description functions that encode, decode, release, measure, compare, copy and
//! print its values; nothing is sent, and operations have no stubs.
//!
//! In: PRES_C of any style, presented for values alone, an encoding. Out: `b_codec.c`, which stands alone but for `whittle_codec.h`,
//! and that header, with those that have the names of the style. The routines are those of links; the rest goes by tables ([`crate::values`]).

pub(crate) mod coder;
mod functions;

use cast::{Declaration, File};
use pres::{PresC, TypeStub, TypeStubId};
use source::Diagnostic;

use crate::links::joined::{Joiner, Part, parts};
use crate::links::net::SHARED;
use crate::plan::Plan;
use crate::values::Values;
use crate::{emit, reserved, runtime};
use coder::{Given, MAKERS, Maker};

const CODEC: [Part; 2] = parts!("codec": "codec.h" "codec_rpc.h");
const CORBA: [Part; 2] = parts!("corba/types": "numbers.h" "sequence_types.h");

/// What shapes the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
    /// The name of the encoding.
    pub encoding: &'static str,
}

/// Sees the plan as lowered (`lower`) and after each pass, by the pass's name.
pub type After<'a> = &'a mut dyn FnMut(&str, &Plan);

/// `whittle_codec.h`.
pub fn header() -> String {
    Joiner::new(SHARED.into_iter().chain(CODEC), "").with(&["text.h", "codec.h"]).text
}

/// `whittle_codec_rpc.h`: what rpcgen's style calls numbers.
pub fn rpc_header() -> String {
    over_header().with(&["codec_rpc.h"]).text
}

/// `whittle_codec_corba.h`: the numbers and the sequences of CORBA's C mapping.
pub fn corba_header() -> String {
    over_header().with(&["numbers.h", "sequence_types.h"]).text
}

fn over_header() -> Joiner {
    let all = SHARED.into_iter().chain(CODEC).chain(CORBA);
    Joiner::new(all, "#include \"whittle_codec.h\"\n").without(&["text.h", "codec.h"])
}

fn maker(encoding: &str) -> &'static Maker {
    MAKERS.iter().find(|maker| maker.name == encoding).unwrap_or(&MAKERS[0])
}

/// What values of a description the encoding cannot say.
pub fn refused(pres: &PresC, options: &Options) -> Vec<Diagnostic> {
    (maker(options.encoding).refused)(pres)
}

/// `b_codec.c`.
pub fn codec_file(pres: &PresC, options: &Options, after: After) -> File {
    let maker = maker(options.encoding);
    let encoding = (maker.encoding)(pres);
    let own: Vec<(TypeStubId, &TypeStub)> = pres.types.iter().filter(|(_, stub)| !stub.imported).collect();
    let types: Vec<TypeStubId> = own.iter().map(|(id, _)| *id).collect();
    let values = Values::of(pres, encoding.as_ref(), &types);
    let coder = (maker.make)(&Given { pres, types: &types, options }, &values, after);
    let reserved = reserved::names(pres);
    let mut functions = Vec::new();
    for (id, stub) in own {
        functions.extend(functions::of_type((id, stub), coder.as_ref(), &values, &reserved));
    }
    let mut used = coder.used();
    used.extend(["attributes", "values", "value_equal", "value_copy", "value_print"].map(str::to_string));
    let mut declarations = Vec::new();
    let mut prologue = pres.prologue.as_slice();
    if let [notice @ Declaration::Comment(_), rest @ ..] = prologue {
        declarations.extend([notice.clone(), Declaration::Blank]);
        prologue = rest;
    }
    declarations.push(Declaration::own_include("whittle_codec.h"));
    let helpers = runtime::value_sections(coder.headers(), &used);
    declarations.extend(emit::packet_helpers(helpers, options.max_depth));
    declarations.extend_from_slice(prologue);
    declarations.push(Declaration::Blank);
    declarations.extend(values.declarations(encoding.as_ref()));
    declarations.extend(coder.declarations());
    declarations.extend(functions);
    super::statements::file(declarations)
}
