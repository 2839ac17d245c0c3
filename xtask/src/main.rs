//! Chores of this repository: `cargo xtask CHORE`. What a Makefile would do with shell scripts is done here.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod abi;
mod attack;
mod bench;
mod book;
mod cargo;
mod charts;
mod components;
mod corpora;
mod deny;
mod deps;
mod errors;
mod faults;
mod jars;
mod mach;
mod mutate;
mod package;
mod packages;
mod size;
mod soak;
mod test;
mod tidy;
mod tree;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE
  tidy          look for broken layering, long files, stray words, codes without a test
  deny          look at licences, bans and sources of the crates that we build with (deny.toml)
  errors        write docs/errors.md from the comments on diagnostics; with --check, only compare
  book          build docs/ as a book into target/book, with mdBook; a link that leads nowhere is an error
  charts        draw the charts of docs/performance.md from its tables; with --check, only compare
  components    write docs/components.md: how many lines each front end, style, encoding and link has of its own
  deps          install the Debian packages that tests use; with --list, say which there are and why each
  corpora       download interface files that others wrote, for the corpus tests
  bench [NAME]  measure against the peers; writes results.json and report.html into target/bench
  package       make the package for Debian, check it with lintian, install it into an overlay of this system and use it
  packages [NAME]...  build what packages make of rpcgen's output, with whittle in its place; --table FILE, --list
  abi [NAME]... compare types, functions and macros of generated files with rpcgen's
  services [NAME]...  clients and servers of either tool call each other over loopback
  size [--by pass|type] [NAME]...  bytes of marshalling routines beside rpcgen's, over the packages that are here
  mach WORK WHITTLE  boot programs of ours in the kernel that `make mach` built; prints instructions of calls beside MIG's
  mutate        let the specializer forget one duty after the other, and see that its suite notices
  attack [OPTION]  let hostile clients and servers meet what whittle makes; prints a table
  faults [OPTION]  let each system call and allocation of servers and clients fail; --seconds N, --seed N
  test          all tests, as many test binaries at once as there are processors
  soak HOURS    run the random suites, round after round; then mutate
  soak storms N  storms over flows' edges, N seeds, from where the last run ended
  soak programs N  specialize N random programs of each kind, from where the last run ended
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy"] => tidy::run(),
        ["errors", rest @ ..] => errors::run(rest.contains(&"--check")),
        ["book"] => book::run(),
        ["charts", rest @ ..] => charts::run(rest.contains(&"--check")),
        ["components"] => components::run(),
        ["deps", rest @ ..] => deps::run(rest.contains(&"--list")),
        ["corpora"] => corpora::run(),
        ["attack", rest @ ..] => attack::run(rest),
        ["faults", rest @ ..] => faults::run(rest),
        ["deny"] => deny::run(),
        ["package"] => package::run(),
        ["packages", rest @ ..] => packages::run(rest),
        ["abi", rest @ ..] => abi::run(rest),
        ["services", rest @ ..] => packages::services::run(rest),
        ["size", rest @ ..] => size::run(rest),
        ["mach", rest @ ..] => mach::run(rest),
        ["mutate"] => mutate::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["test"] => test::run(),
        ["soak", "programs", count] => soak::programs(count),
        ["soak", "storms", count] => soak::storms(count),
        ["soak", hours] => soak::run(hours),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            ExitCode::FAILURE
        }
    }
}
