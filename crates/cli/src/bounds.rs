//! `--limit NAME=NUMBER`: how much an input may ask for. The table is `source::limits`.

use clap::Args;
use driver::Limits;

#[derive(Clone, Debug, Args)]
pub(crate) struct Bounds {
    /// Allow more or less than the usual: of the bytes of an input (input-size) and of what macros make of it (expansion), of
    /// nesting, of what interfaces inherit (inherited), of a flow's parts (flow), of findings, of the output's bytes
    /// (output-size), and, while specializing, of steps, statements, variants, and known values (memory); K, M and G behind
    /// the number are binary; may be repeated
    #[arg(long = "limit", value_name = "NAME=NUMBER", value_parser = one)]
    limits: Vec<String>,
}

fn one(text: &str) -> Result<String, String> {
    Limits::default().read(text).map(|()| text.to_owned())
}

impl Bounds {
    /// The usual limits, and what the command line says of them.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        // Each was read before.
        self.limits.iter().for_each(|text| drop(limits.read(text)));
        limits
    }
}
