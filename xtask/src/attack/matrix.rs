//! Which attack meets which server or client. In: the attackers' own lists. Out: runs, each with a name.

use std::process::Command;

use super::build::{Built, FLOW, STYLES, Style};
use super::options::Options;
use super::table::Row;
use super::{client_run, flow, server_run};

/// One attack on one program.
pub(crate) struct Run {
    pub(crate) style: &'static Style,
    pub(crate) link: &'static str,
    pub(crate) workers: u32,
    pub(crate) overtaking: Option<bool>,
    pub(crate) attack: String,
    /// What the attacker's list says beside: `stop`, `descriptors`.
    pub(crate) flags: String,
    /// A client is attacked.
    pub(crate) client: bool,
}

impl Run {
    pub(crate) fn name(&self) -> String {
        let side = if self.client { "client" } else { "server" };
        let overtaking = if self.overtaking == Some(true) { " overtaking" } else { "" };
        format!("{} {} {side} workers {}{overtaking}: {}", self.style.name, self.link, self.workers, self.attack)
    }

    pub(crate) fn perform(&self, built: &Built, options: &Options, seed: u64) -> Row {
        if self.style.name == FLOW.name {
            flow::perform(self, built, options, seed)
        } else if self.client {
            client_run::perform(self, built, options, seed)
        } else {
            server_run::perform(self, built, options, seed)
        }
    }
}

/// One line of an attacker's list: name, where it fits, flags.
struct Attack {
    name: String,
    place: String,
    flags: String,
}

fn list(command: &mut Command) -> Result<Vec<Attack>, Vec<String>> {
    let output = command.arg("list").output().map_err(|problem| vec![format!("attack: {problem}")])?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let attack = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        Some(Attack { name: fields.next()?, place: fields.next()?, flags: fields.next()? })
    };
    Ok(text.lines().filter_map(attack).collect())
}

/// All that the options leave, in order.
pub(crate) fn runs(built: &Built, options: &Options) -> Result<Vec<Run>, Vec<String>> {
    let mut runs = Vec::new();
    let attacks = list(&mut Command::new(built.attacker()))?;
    for style in STYLES.iter().chain([&FLOW]) {
        let victim = built.program(style, "victim");
        let hostile = if style.name == FLOW.name { Vec::new() } else { list(&mut Command::new(victim))? };
        for &link in style.links {
            let run = |attack: &Attack, client: bool, (workers, overtaking): (u32, Option<bool>)| Run {
                style,
                link,
                workers,
                overtaking,
                attack: attack.name.clone(),
                flags: attack.flags.clone(),
                client,
            };
            for &threads in style.threads {
                let fitting = attacks.iter().filter(|attack| fits(style, link, &attack.place));
                runs.extend(fitting.map(|attack| run(attack, false, threads)));
            }
            let fitting = hostile.iter().filter(|attack| fits(style, link, &attack.place));
            runs.extend(fitting.map(|attack| run(attack, true, (0, None))));
        }
    }
    runs.retain(|run| {
        options.only.as_ref().is_none_or(|only| run.attack == *only)
            && options.style.as_ref().is_none_or(|style| run.style.name == style)
            && options.link.as_ref().is_none_or(|link| run.link == link)
            && options.workers.is_none_or(|workers| run.workers == workers)
    });
    Ok(runs)
}

fn fits(style: &Style, link: &str, place: &str) -> bool {
    match place {
        _ if style.name == FLOW.name => ["all", "flow"].contains(&place),
        "udp" => link == "udp",
        "flow" | "none" => false,
        "corba" => style.name == "corba",
        "giop" => style.giop,
        "onc" => !style.giop && link != "udp",
        "both" => true,
        "onc-plain" => style.name == "plain" && link == "tcp",
        "plain" => style.name == "plain" && (link == "tcp" || style.giop),
        _ => link != "udp",
    }
}

/// Another order for each seed.
pub(crate) fn shuffle<T>(runs: &mut [T], seed: u64) {
    let mut random = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for last in (1..runs.len()).rev() {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        let other = usize::try_from(random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap_or(0) % (last + 1);
        runs.swap(last, other);
    }
}
