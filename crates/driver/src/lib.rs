//! The pipelines: each a list of calls on one screen, from what the user asked to the files that are written.
//!
//! In: a [`Request`] and a [`Host`], the only road to files and programs. Out: a [`Report`] of findings and dumps,
//! and the written files. Only this crate joins front ends, presentations and stubs; only `cli` implements [`Host`].

mod ahead;
mod bounds;
mod bulk;
mod chain;
mod combinations;
mod compile;
mod complaints;
mod contents;
mod dump;
mod errors;
mod existing;
mod flows;
mod given_up;
mod growth;
mod harness;
mod hooks;
mod host;
mod mig;
mod near;
mod options;
mod output;
mod preprocessing;
mod presentations;
mod questions;
mod reading;
mod report;
mod request;
mod run_time;
mod sharing;
mod sizes;
mod specialize;
mod time_limit;
mod unavailable_dump;

pub use ::mig::Word as MachWord;
pub use ::specialize::Progress;
pub use ::specialize::reroll::Unrolling;
pub use ::stubs::links::options::SentOrder;
pub use ::stubs::tables::Prefer;
pub use chain::passes;
pub use combinations::{Asked, COMBINATIONS, Combination, matrix};
pub use compile::compile;
pub use flows::{FlowForm, FlowProduct, FlowProgram, FlowRequest, flow, flow_edges, flow_programs, format_flow};
pub use front_c::{library as libclang, text_of};
pub use front_onc::NamesOfC;
pub use growth::MAX_GROWTH;
pub use host::{Failure, Host, Included, Preprocess, Preprocessed, SourceText};
pub use isg::RunTime as FlowRunTime;
pub use isg::decode::Edge as FlowEdge;
pub use mig::{MigOutputs, MigRequest, Wanted, mig};
pub use options::{every_pass, optional_passes};
pub use output::{Destination, OutputFile, OutputKind};
pub use questions::{Form, Picture, Questions};
pub use report::{GivenUp, Report};
pub use request::{
    Encoding, Input, Inspection, Language, Link, Marshalling, Preprocessor, Request, ServerOptions, Shape, Side, Stage,
    Style,
};
pub use run_time::run_time;
pub use source::{Limit, Limits};
pub use specialize::{CoreStage, SpecializeRequest, sensitivities, specialize};
pub use unavailable_dump::unavailable_dump;
pub use xip::{
    Duration as FlowDuration, RestartPolicy as FlowRestart, RestartWhen as FlowRestartWhen, TimeUnit as FlowTimeUnit,
};
