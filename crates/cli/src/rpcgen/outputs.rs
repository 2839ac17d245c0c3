//! Which files a command line makes, in rpcgen's order and under its names.

use driver::{Destination, Input, OutputKind};

use super::arguments::Flags;

/// The one file that a generation flag asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generation {
    Routines,
    Header,
    Client,
    ServerWithoutMain,
    Table,
    SampleClient,
    SampleServer,
    Makefile,
}

impl Generation {
    pub(super) fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'c' => Some(Generation::Routines),
            'h' => Some(Generation::Header),
            'l' => Some(Generation::Client),
            'm' => Some(Generation::ServerWithoutMain),
            't' => Some(Generation::Table),
            _ => None,
        }
    }

    /// The letter after `-S`.
    pub(super) fn of_sample(letter: Option<char>) -> Option<Self> {
        match letter {
            Some('c') => Some(Generation::SampleClient),
            Some('s') => Some(Generation::SampleServer),
            Some('m') => Some(Generation::Makefile),
            _ => None,
        }
    }

    pub(super) fn is_sample(self) -> bool {
        matches!(self, Generation::SampleClient | Generation::SampleServer | Generation::Makefile)
    }

    fn kind(self) -> OutputKind {
        match self {
            Generation::Routines => OutputKind::Routines,
            Generation::Header => OutputKind::Header,
            Generation::Client => OutputKind::Client,
            Generation::ServerWithoutMain => OutputKind::ServerWithoutMain,
            Generation::Table => OutputKind::Table,
            Generation::SampleClient => OutputKind::SampleClient,
            Generation::SampleServer => OutputKind::SampleServer,
            Generation::Makefile => OutputKind::Makefile,
        }
    }
}

/// The files, and whether one without content is made all the same: it is when it was asked for by name.
pub(super) fn outputs(flags: &Flags, input: &Input) -> (Vec<(OutputKind, Destination)>, bool) {
    let server = !flags.transports.is_empty() || !flags.network_ids.is_empty();
    let single = flags.generation.map(Generation::kind).or(server.then_some(OutputKind::Server));
    if let Some(kind) = single {
        let destination = flags.output.clone().map_or(Destination::StandardOutput, Destination::Named);
        return (vec![(kind, destination)], true);
    }
    let mut kinds = Vec::new();
    if flags.all {
        kinds.push(OutputKind::Makefile);
    }
    kinds.extend([OutputKind::Routines, OutputKind::Header, OutputKind::Client, OutputKind::Server]);
    if flags.tables {
        kinds.push(OutputKind::Table);
    }
    if flags.all {
        kinds.extend([OutputKind::SampleServer, OutputKind::SampleClient]);
    }
    let stem = input.stem();
    (kinds.into_iter().map(|kind| (kind, Destination::Path(kind.file_name(stem)))).collect(), false)
}
