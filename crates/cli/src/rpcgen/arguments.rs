//! rpcgen's flags by hand: letters bundle, some take the next argument, order is free, one file may be asked for.

use driver::{Combination, Input, Language, Preprocessor, Request};

use super::CheckTree;
use super::long;
use super::outputs::{Generation, outputs};

/// What a command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    /// And what it shares with whittle's other commands.
    Compile(Box<Request>, long::Shared),
    /// What a source tree would have to change.
    CheckTree(CheckTree),
}

/// What is wrong with a command line; empty where the synopsis says it all.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misuse(pub(crate) String);

impl Misuse {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Misuse(message.into())
    }
}

/// The flags as they stand, before they are checked against each other.
#[derive(Debug, Default)]
pub(super) struct Flags {
    pub(super) input: Option<String>,
    pub(super) output: Option<String>,
    pub(super) generation: Option<Generation>,
    pub(super) all: bool,
    pub(super) old_c: bool,
    pub(super) transport_independent: bool,
    pub(super) inetd: bool,
    pub(super) syslog: bool,
    pub(super) thread_safe: bool,
    pub(super) newstyle: bool,
    pub(super) tables: bool,
    pub(super) linger: Option<i64>,
    pub(super) transports: Vec<String>,
    pub(super) network_ids: Vec<String>,
    pub(super) preprocessor: Preprocessor,
    pub(super) own: long::Own,
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(arguments: &[String]) -> Result<Command, Misuse> {
    let mut flags = Flags::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--help" => return Ok(Command::Help),
            "--version" => return Ok(Command::Version),
            long if long.starts_with("--") => long::option(&mut flags, long, &mut rest)?,
            define if define.starts_with("-D") => {
                if define.len() == 2 {
                    return Err(Misuse::new("-D needs a name, in the same argument"));
                }
                flags.preprocessor.arguments.push(define.to_owned());
            }
            letters if letters.starts_with('-') => bundle(&mut flags, &letters[1..], &mut rest)?,
            path => {
                if flags.input.replace(path.to_owned()).is_some() {
                    return Err(Misuse::new("Cannot specify more than one input file!"));
                }
            }
        }
    }
    if let Some(folder) = &flags.own.check {
        if !flags.is_plain() {
            return Err(Misuse::new(
                "--check takes a folder, and beside it --message-format, --quiet, --color and --limit alone",
            ));
        }
        return Ok(Command::CheckTree(CheckTree {
            folder: folder.clone(),
            voice: flags.own.shared.voice,
            limits: flags.own.limits,
        }));
    }
    check(&flags)?;
    let shared = flags.own.shared.clone();
    let request = request(flags);
    match driver::unavailable_dump(&request) {
        Some(why) => Err(Misuse(why)),
        None => Ok(Command::Compile(Box::new(request), shared)),
    }
}

/// The letters of one argument. A letter with a value stands last, or alone, and takes the next argument.
fn bundle<'a>(flags: &mut Flags, letters: &str, rest: &mut impl Iterator<Item = &'a String>) -> Result<(), Misuse> {
    let alone = letters.chars().count() == 1;
    let mut letters = letters.chars();
    while let Some(letter) = letters.next() {
        match letter {
            'a' => flags.all = true,
            'b' => flags.transport_independent = false,
            '5' => flags.transport_independent = true,
            'C' => flags.old_c = false,
            'k' => flags.old_c = true,
            'I' => flags.inetd = true,
            'L' => flags.syslog = true,
            'M' => flags.thread_safe = true,
            'N' => flags.newstyle = true,
            'T' => flags.tables = true,
            'c' | 'h' | 'l' | 'm' | 't' => flags.generate(Generation::of_letter(letter))?,
            'S' => flags.generate(Generation::of_sample(letters.next()))?,
            's' | 'n' | 'o' if !alone => return Err(Misuse(format!("-{letter} is an argument of its own"))),
            's' | 'n' | 'o' | 'K' | 'i' | 'Y' => {
                let value = match (letters.next(), rest.next()) {
                    (None, Some(value)) => value,
                    (None, None) => return Err(Misuse(format!("-{letter} needs a value"))),
                    (Some(_), _) => return Err(Misuse(format!("the value of -{letter} is an argument of its own"))),
                };
                flags.value(letter, value)?;
            }
            other => return Err(Misuse(format!("there is no flag -{other}"))),
        }
    }
    Ok(())
}

impl Flags {
    /// Whether none of rpcgen's flags is given.
    fn is_plain(&self) -> bool {
        let switches = [
            self.all,
            self.old_c,
            self.transport_independent,
            self.inetd,
            self.syslog,
            self.thread_safe,
            self.newstyle,
            self.tables,
        ];
        let is_empty = self.input.is_none() && self.output.is_none() && self.generation.is_none();
        let texts = self.transports.is_empty() && self.network_ids.is_empty() && self.linger.is_none();
        is_empty && texts && !switches.contains(&true) && self.preprocessor == Preprocessor::default()
    }

    fn generate(&mut self, generation: Option<Generation>) -> Result<(), Misuse> {
        let Some(generation) = generation else {
            return Err(Misuse::new("-S is followed by c, s or m"));
        };
        match self.generation.replace(generation) {
            None => Ok(()),
            Some(_) => Err(Misuse::new("Cannot have more than one file generation flag!")),
        }
    }

    fn value(&mut self, letter: char, value: &str) -> Result<(), Misuse> {
        let value = value.to_owned();
        match letter {
            's' if value == "tcp" || value == "udp" => self.transports.push(value),
            's' => return Err(Misuse(format!("-s takes tcp or udp, not `{value}`"))),
            'n' => self.network_ids.push(value),
            'o' if self.output.is_some() => return Err(Misuse::new("-o is given twice")),
            'o' => self.output = Some(value),
            'K' => match value.parse() {
                Ok(seconds) => self.linger = Some(seconds),
                Err(_) => return Err(Misuse(format!("-K takes a number of seconds, not `{value}`"))),
            },
            'Y' => self.preprocessor.directory = Some(value),
            // The size from which rpcgen generates inline code; ours always is.
            _ => {}
        }
        Ok(())
    }
}

/// What rpcgen refuses, in its own words where it has some.
fn check(flags: &Flags) -> Result<(), Misuse> {
    let server = !flags.transports.is_empty() || !flags.network_ids.is_empty();
    if flags.newstyle && (flags.tables || flags.generation == Some(Generation::Table)) {
        return Err(Misuse::new("Cannot use table flags with newstyle!"));
    }
    if !flags.network_ids.is_empty() && !flags.transport_independent {
        return Err(Misuse::new("Cannot use netid flag without TIRPC!"));
    }
    if !flags.network_ids.is_empty() && flags.inetd {
        return Err(Misuse::new("Cannot use netid flag with inetd flag!"));
    }
    if (flags.generation.is_some() && server) || (!flags.transports.is_empty() && !flags.network_ids.is_empty()) {
        return Err(Misuse::new("Cannot have more than one file generation flag!"));
    }
    let single = flags.generation.is_some() || server;
    if flags.output.is_some() && !single {
        return Err(Misuse::new("-o names one file: say which, with -c, -h, -l, -m, -t, -s, -n or -S"));
    }
    if flags.input.is_some() {
        return Ok(());
    }
    match flags.generation {
        Some(generation) if generation.is_sample() => {
            Err(Misuse::new("\"infile\" is required for template generation flags."))
        }
        _ if single => Ok(()),
        _ => Err(Misuse::new("")),
    }
}

fn request(flags: Flags) -> Request {
    let input = flags.input.clone().map_or(Input::StandardInput, Input::Path);
    let mut request = Request::new(input);
    // rpcgen looks at no extension.
    request.language = Language::Onc;
    let usual = Combination::usual(Language::Onc);
    (request.style, request.encoding, request.link) = (usual.style, usual.encoding, usual.link);
    let (files, keep_empty) = outputs(&flags, &request.input);
    request.outputs = files;
    request.keep_empty = keep_empty;
    request.preprocessor = flags.preprocessor;
    request.newstyle = flags.newstyle;
    request.thread_safe = flags.thread_safe;
    request.old_c = flags.old_c;
    request.lax = flags.own.lax;
    request.marshalling = flags.own.marshalling;
    request.limits = flags.own.limits;
    request.inspection = flags.own.inspection;
    request.server.arena = flags.own.server_arena;
    request.server.transport_independent = flags.transport_independent;
    request.server.inetd = flags.inetd;
    request.server.syslog = flags.syslog;
    request.server.linger = flags.linger;
    request.server.tables = flags.tables;
    request.server.transports = flags.transports;
    request.server.network_ids = flags.network_ids;
    request
}

#[cfg(test)]
mod tests;
