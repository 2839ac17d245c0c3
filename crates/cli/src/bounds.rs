//! `--limit NAME=NUMBER`: how much an input may ask for. The table is `source::limits`.

use clap::Args;
use driver::Limits;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Bounds {
    /// Raise or lower a limit, such as input-size=64M; may be repeated. The limits are input-size, expansion, nesting,
    /// inherited, flow, findings, output-size, and for specializing steps, statements, variants, memory, time
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
