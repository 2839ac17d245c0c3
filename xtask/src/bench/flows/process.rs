//! The processes of one participant while they run: the source is asked over its standard input, and what it answers is
//! waited for, not for ever. All are ended when this is dropped.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// One process to start.
pub(super) struct Node {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    pub(super) folder: PathBuf,
}

/// Those that run.
pub(super) struct Processes {
    children: Vec<Child>,
    commands: ChildStdin,
    answers: Receiver<String>,
}

const PATIENCE: Duration = Duration::from_secs(15);

impl Processes {
    /// Starts all but the first, then the first, which is the source; waits until a packet has come through.
    pub(super) fn start(nodes: &[Node]) -> Result<Processes, String> {
        let (source, others) = nodes.split_first().ok_or("no processes")?;
        let mut children: Vec<Child> = Vec::new();
        for node in others.iter().rev() {
            match command(node).stdin(Stdio::null()).stdout(Stdio::null()).spawn() {
                Ok(child) => children.push(child),
                Err(problem) => {
                    end(&mut children);
                    return Err(format!("{}: {problem}", node.words[0]));
                }
            }
        }
        let mut child = match command(source).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(problem) => {
                end(&mut children);
                return Err(format!("{}: {problem}", source.words[0]));
            }
        };
        let pipes = child.stdin.take().zip(child.stdout.take());
        let pids: Vec<String> = children.iter().map(|child| child.id().to_string()).collect();
        children.push(child);
        let Some((commands, output)) = pipes else {
            end(&mut children);
            return Err("no pipes".to_string());
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut processes = Processes { children, commands, answers };
        while !processes.answer()?.starts_with("ready") {}
        processes.say(&format!("pids {}", pids.join(" ")))?;
        Ok(processes)
    }

    /// Asks for a measurement; the numbers of the answer.
    pub(super) fn ask(&mut self, question: &str, count: u64) -> Result<Vec<f64>, String> {
        self.say(&format!("{question} {count}"))?;
        let answer = self.answer()?;
        let mut words = answer.split_whitespace();
        if words.next() != Some(question) {
            return Err(format!("`{answer}` to `{question} {count}`"));
        }
        Ok(words.filter_map(|word| word.parse().ok()).collect())
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.commands, "{line}").and_then(|()| self.commands.flush()).map_err(|problem| problem.to_string())
    }

    fn answer(&mut self) -> Result<String, String> {
        self.answers.recv_timeout(PATIENCE).map_err(|_| "no answer".to_string())
    }
}

/// At high priority where that is permitted, so that builds beside it disturb least.
fn command(node: &Node) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "-19"]).args(&node.words).current_dir(&node.folder);
    command.stderr(Stdio::null());
    command
}

impl Drop for Processes {
    fn drop(&mut self) {
        end(&mut self.children);
    }
}

fn end(children: &mut Vec<Child>) {
    for child in children.iter_mut() {
        let _ = child.kill();
    }
    for mut child in children.drain(..) {
        let _ = child.wait();
    }
}
