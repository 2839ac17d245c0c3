//! mig's flags by hand: each is an argument of its own, some take the next one; what it does not know goes to the preprocessor.

use driver::{Input, Limits, MachWord, MigOutputs, MigRequest, Preprocessor, Wanted};

/// What a command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    /// One description after the other.
    Compile(Vec<MigRequest>),
}

/// What is wrong with a command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misuse(pub(crate) String);

/// The flags as they stand.
#[derive(Default)]
struct Flags {
    inputs: Vec<String>,
    outputs: MigOutputs,
    only_named: bool,
    prefix: String,
    run_time_prefix: String,
    is_narrow: bool,
    command: Option<String>,
    preprocessor: Vec<String>,
}

/// Reads the arguments that follow the program's name.
pub(crate) fn parse(arguments: &[String]) -> Result<Command, Misuse> {
    let mut flags = Flags::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || match rest.next() {
            Some(value) => Ok(value.clone()),
            None => Err(Misuse(format!("{argument} needs a value"))),
        };
        match argument.as_str() {
            "--help" => return Ok(Command::Help),
            "--version" => return Ok(Command::Version),
            "-q" | "-Q" | "-v" | "-V" | "-t" | "-T" | "-r" | "-R" | "-s" | "-S" => {}
            "-n" => flags.only_named = true,
            "-i" => flags.outputs.each = Some(value()?),
            "-user" => flags.outputs.user = Wanted::Named(value()?),
            "-server" => flags.outputs.server = Wanted::Named(value()?),
            "-header" => flags.outputs.header = Wanted::Named(value()?),
            "-sheader" => flags.outputs.server_header = Wanted::Named(value()?),
            "-list" => flags.outputs.list = Wanted::Named(value()?),
            "-iheader" | "-migcom" => drop(value()?),
            "-prefix" => flags.prefix = value()?,
            "-subrprefix" => flags.run_time_prefix = value()?,
            "-cc" => flags.command = Some(value()?),
            "-m32" | "-m64" => {
                flags.is_narrow = argument == "-m32";
                flags.preprocessor.push(argument.clone());
            }
            "-imacros" | "-isystem" => {
                let next = value()?;
                flags.preprocessor.extend([argument.clone(), next]);
            }
            "-" => flags.inputs.push("-".to_owned()),
            option if option.starts_with('-') => flags.preprocessor.push(option.to_owned()),
            path => flags.inputs.push(path.to_owned()),
        }
    }
    for prefix in [&flags.prefix, &flags.run_time_prefix] {
        if !prefix.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return Err(Misuse(format!("`{prefix}` cannot be the beginning of a name in C")));
        }
    }
    Ok(Command::Compile(flags.requests()?))
}

impl Flags {
    fn requests(mut self) -> Result<Vec<MigRequest>, Misuse> {
        // `cat - /dev/null` is how build systems say: standard input, and nothing else.
        if self.inputs.len() > 1 {
            self.inputs.retain(|path| path != "/dev/null");
        }
        if self.inputs.is_empty() {
            return Err(Misuse("no definition file is named".to_owned()));
        }
        let words: Vec<String> =
            self.command.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
        let is_preprocessed = words == ["cat"];
        if self.command.is_some() && words.is_empty() {
            return Err(Misuse("-cc needs the name of a preprocessor".to_owned()));
        }
        if !self.only_named {
            let outputs = &mut self.outputs;
            for wanted in [&mut outputs.user, &mut outputs.server, &mut outputs.header] {
                if *wanted == Wanted::No {
                    *wanted = Wanted::Usual;
                }
            }
        }
        let preprocessor = Preprocessor {
            directory: None,
            command: (!words.is_empty() && !is_preprocessed).then_some(words),
            arguments: self.preprocessor,
        };
        let request = |path: String| MigRequest {
            input: if path == "-" { Input::StandardInput } else { Input::Path(path) },
            is_preprocessed,
            only_checks: false,
            preprocessor: preprocessor.clone(),
            word: if self.is_narrow { MachWord::Bits32 } else { MachWord::Bits64 },
            prefix: self.prefix.clone(),
            run_time_prefix: self.run_time_prefix.clone(),
            outputs: self.outputs.clone(),
            limits: Limits::default(),
        };
        Ok(self.inputs.into_iter().map(request).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, Misuse> {
        parse(&line.split_whitespace().map(|word| word.replace('~', " ")).collect::<Vec<_>>())
    }

    #[track_caller]
    fn only(line: &str) -> MigRequest {
        match parsed(line) {
            Ok(Command::Compile(requests)) if requests.len() == 1 => requests.into_iter().next().unwrap(),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_file_alone_makes_the_usual_files() {
        let request = only("a.defs");
        let outputs = &request.outputs;
        assert_eq!([&outputs.user, &outputs.server, &outputs.header], [&Wanted::Usual; 3]);
        assert_eq!([&outputs.server_header, &outputs.list], [&Wanted::No; 2]);
        assert!(!request.is_preprocessed);
    }

    #[test]
    fn the_call_of_a_kernels_build_is_understood() {
        let request = only("-n -cc cat - /dev/null -subrprefix __ -user u.c -header u.h -list u.msgids");
        assert_eq!(request.input, Input::StandardInput);
        assert!(request.is_preprocessed);
        assert_eq!(request.run_time_prefix, "__");
        assert_eq!(request.outputs.server, Wanted::No);
        assert_eq!(request.outputs.user, Wanted::Named("u.c".to_owned()));
    }

    #[test]
    fn other_options_go_to_the_preprocessor() {
        let request = only("-DA=1 -Isome -imacros m.h -cc gcc~-E -m32 a.defs");
        assert_eq!(request.preprocessor.arguments, ["-DA=1", "-Isome", "-imacros", "m.h", "-m32"]);
        assert_eq!(request.preprocessor.command.unwrap(), ["gcc", "-E"]);
        assert_eq!(request.word, MachWord::Bits32);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for line in ["", "-user", "-n -user", "-cc", "-prefix a-b x.defs"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
