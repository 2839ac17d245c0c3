//! The command as `cargo install` leaves it: one file, copied into a folder without a repository, libraries or headers of whittle's
//! beside it. It has all that it writes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use filetest::programs::{Outcome, run};
use filetest::scratch::Scratch;

use crate::{direct, said};

/// The command in a folder of its own.
struct Alone(Scratch);

impl Alone {
    fn new() -> Outcome<Alone> {
        let alone = Alone(Scratch::new("alone")?);
        fs::create_dir(alone.0.path().join("bin"))?;
        fs::copy(env!("CARGO_BIN_EXE_whittle"), alone.0.path().join("bin/whittle"))?;
        for interface in ["called.x", "weather.spi", "Sensor.c", "Display.c"] {
            alone.0.copy(&direct().join("styles").join(interface))?;
        }
        Ok(alone)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs it with nothing of this user's environment but where programs are.
    fn whittle(&self, words: &[&str]) -> Outcome<Output> {
        let mut command = Command::new(self.path().join("bin/whittle"));
        command.args(words).current_dir(self.path()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("XDG_RUNTIME_DIR", self.path());
        Ok(command.output()?)
    }

    fn done(&self, words: &[&str]) -> Outcome<String> {
        let output = self.whittle(words)?;
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        Ok(String::from_utf8(output.stdout)?)
    }
}

#[test]
fn the_command_alone_has_the_run_time_of_interfaces() -> Outcome {
    let alone = Alone::new()?;
    alone.done(&["compile", "called.x", "--link", "onc", "--out", "gen"])?;
    let own = ["whittle_onc.c", "whittle_net.c", "called_client.c", "called_server.c", "called_types.c"];
    for source in own {
        let mut gcc = Command::new("gcc");
        run(gcc
            .args(["-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"])
            .arg(alone.path().join("gen").join(source)))?;
    }
    alone.done(&["runtime", "--out", "runtime"])?;
    assert!(alone.path().join("runtime/rpc/rpc.h").is_file());
    Ok(())
}

#[test]
fn the_command_alone_runs_a_flow() -> Outcome {
    let alone = Alone::new()?;
    let flow = fs::read_to_string(alone.path().join("weather.spi"))?;
    fs::write(alone.path().join("weather.spi"), flow.replace("via tcp", "via unix"))?;
    assert!(alone.done(&["pipe", "run", "weather.spi"])?.starts_with("321\n"));
    Ok(())
}

/// libclang is looked for when C is read, and named where it is not there; scenarios find their header in the command.
#[test]
fn the_command_alone_specializes() -> Outcome {
    let alone = Alone::new()?;
    let scenario = "#include <whittle/specialize.h>\nunsigned power(unsigned b, unsigned e) { unsigned r = 1; while (e-- > 0) r *= b; return r; }\n\
                    unsigned cube(unsigned x) { return power(x, 3); }\n";
    fs::write(alone.path().join("cube.c"), scenario)?;
    let output = alone.whittle(&["specialize", "--root", "cube", "cube.c"])?;
    match output.status.success() {
        true => assert!(String::from_utf8(output.stdout)?.contains("return x * x * x;")),
        false => assert!(said(&output).contains("libclang, which reads C, cannot be loaded"), "{}", said(&output)),
    }
    Ok(())
}
