//! What holds for every subcommand, taken from clap's own model of the command line: a new one is tested as it comes.

use clap::Args;

use super::*;

/// Those that keep the flags of the programs whose place they take.
const MODELS: [&str; 2] = ["rpcgen", "mig"];

/// The options that all others share, by clap's names for them.
const SHARED: [&str; 8] = ["out", "include", "depfile", "if_changed", "quiet", "color", "message_format", "limits"];

/// Every subcommand that does something, with the words that call it.
fn leaves(command: &clap::Command, words: &[String], found: &mut Vec<(Vec<String>, clap::Command)>) {
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let words = [words, &[sub.get_name().to_owned()]].concat();
        if sub.has_subcommands() {
            leaves(sub, &words, found);
        } else {
            found.push((words, sub.clone()));
        }
    }
}

fn every() -> Vec<(Vec<String>, clap::Command)> {
    let mut found = Vec::new();
    leaves(&Whittle::command(), &[], &mut found);
    assert!(found.len() >= 16, "{}", found.len());
    found
}

/// What a command line prints in place of being obeyed.
fn printed(words: &[&str]) -> String {
    let words = ["whittle"].iter().chain(words);
    Whittle::try_parse_from(words).expect_err("it asks for help").to_string()
}

#[test]
fn the_command_line_is_well_formed() {
    Whittle::command().debug_assert();
}

#[test]
fn every_subcommand_has_the_shared_options() {
    let one_meaning = Common::augment_args(clap::Command::new("common"));
    for (words, command) in every().iter().filter(|(words, _)| !MODELS.contains(&words[0].as_str())) {
        for name in SHARED {
            let find =
                |command: &clap::Command| command.get_arguments().find(|option| option.get_id() == name).cloned();
            let (Some(own), Some(shared)) = (find(command), find(&one_meaning)) else { panic!("{words:?}: {name}") };
            let shape = |option: &clap::Arg| {
                (option.get_short(), option.get_long().map(str::to_owned), option.get_help().map(ToString::to_string))
            };
            assert_eq!(shape(&own), shape(&shared), "{words:?}: {name}");
        }
    }
}

#[test]
fn both_ways_to_ask_for_help_say_the_same() {
    for (words, _) in every().iter().filter(|(words, _)| !MODELS.contains(&words[0].as_str())) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let help = printed(&[&["help"], words.as_slice()].concat());
        assert_eq!(help, printed(&[words.as_slice(), &["--help"]].concat()), "{words:?}");
        assert!(help.contains("Usage:") && help.contains("Options of every subcommand"), "{words:?}: {help}");
    }
    assert_eq!(printed(&["help", "rpcgen"]), rpcgen::HELP);
    assert_eq!(printed(&["help", "mig"]), mig::HELP);
}

#[test]
fn several_inputs_are_taken_wherever_files_are_read() {
    let ones =
        ["runtime", "matrix", "passes", "doctor", "completions", "man", "pipe run", "pipe top", "pipe tap", "pipe key"];
    for (words, command) in every() {
        let name = words.join(" ");
        // `man pipe run` takes the words of one subcommand.
        let mut inputs = command.get_positionals().filter(|argument| argument.get_id() != "words");
        let takes_several = inputs.any(|argument| {
            argument.get_num_args().is_some_and(|range| range.max_values() > 1)
                || matches!(argument.get_action(), clap::ArgAction::Append)
        });
        assert_eq!(takes_several, !ones.contains(&name.as_str()), "{name}");
    }
}
