//! The command line of `cargo xtask attack`. In: words. Out: options, or what is wrong with them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What to attack, how long, and where the table goes.
pub(crate) struct Options {
    /// All runs together; without it each runs once.
    pub(crate) seconds: Option<f64>,
    /// One run.
    pub(crate) each: f64,
    pub(crate) seed: u64,
    pub(crate) only: Option<String>,
    pub(crate) style: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) workers: Option<u32>,
    pub(crate) table: Option<PathBuf>,
    /// What gcc's `-fsanitize=` is given: programs are built with it, and memory is not judged.
    pub(crate) sanitize: Option<String>,
    pub(crate) list: bool,
}

const USAGE: &str = "\
usage: cargo xtask attack [OPTION]...
  --seconds N     so long altogether, in an order that the seed gives; without it, each attack once
  --each N        seconds of one attack (2)
  --only NAME     this attack alone
  --style NAME    plain, corba or rpcgen alone
  --link NAME     tcp, unix, udp or iiop alone
  --workers N     servers with so many workers alone
  --seed N        the random numbers of attackers, and the order (1)
  --table FILE    write the table there, as Markdown
  --sanitize NAME build with gcc's sanitizer: thread, or address,undefined
  --list          show what would run";

impl Options {
    /// Reads the words behind `attack`.
    pub(crate) fn read(words: &[&str]) -> Result<Options, Vec<String>> {
        let mut options = Options {
            seconds: None,
            each: 2.0,
            seed: 1,
            only: None,
            style: None,
            link: None,
            workers: None,
            table: None,
            sanitize: None,
            list: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if *word == "--list" {
                options.list = true;
                continue;
            }
            let value =
                words.next().copied().ok_or_else(|| vec![format!("attack: `{word}` takes a value\n{USAGE}")])?;
            let wrong = || vec![format!("attack: `{word} {value}`: a number is expected")];
            match *word {
                "--seconds" => options.seconds = Some(value.parse().map_err(|_| wrong())?),
                "--each" => options.each = value.parse().map_err(|_| wrong())?,
                "--seed" => options.seed = value.parse().map_err(|_| wrong())?,
                "--workers" => options.workers = Some(value.parse().map_err(|_| wrong())?),
                "--only" => options.only = Some(value.into()),
                "--style" => options.style = Some(value.into()),
                "--link" => options.link = Some(value.into()),
                "--table" => options.table = Some(value.into()),
                "--sanitize" => options.sanitize = Some(value.into()),
                _ => return Err(vec![format!("attack: there is no option `{word}`\n{USAGE}")]),
            }
        }
        Ok(options)
    }

    /// What starts a program: ThreadSanitizer cannot place its shadow beside addresses at random.
    pub(crate) fn start(&self, program: &Path) -> Command {
        if self.sanitize.as_deref() != Some("thread") {
            return Command::new(program);
        }
        let mut command = Command::new("setarch");
        command.arg("-R").arg(program);
        command
    }

    /// How many times longer things may take: sanitizers are slow, and look for other faults.
    pub(crate) fn slower(&self) -> u64 {
        if self.sanitize.is_some() { 6 } else { 1 }
    }
}
