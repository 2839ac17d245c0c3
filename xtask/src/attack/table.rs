//! What runs came to. In: rows. Out: lines for who watches, and a Markdown table for `docs/security.md`.

use super::options::Options;

/// One run.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) style: String,
    pub(crate) link: String,
    pub(crate) side: &'static str,
    pub(crate) workers: u32,
    pub(crate) overtaking: Option<bool>,
    pub(crate) attack: String,
    pub(crate) seed: u64,
    /// What is lost; empty: it held.
    pub(crate) problems: Vec<String>,
    /// Megabytes over the idle program, and how many it may be.
    pub(crate) peak: f64,
    pub(crate) bound: Option<f64>,
    pub(crate) descriptors: usize,
    pub(crate) connections: u64,
    pub(crate) served: u64,
    pub(crate) refused: u64,
    /// Of the honest client, in milliseconds; of a client that is attacked, the worst time beyond the deadline.
    pub(crate) median: f64,
    pub(crate) slowest: f64,
}

impl Row {
    fn result(&self) -> String {
        if self.problems.is_empty() { "held".into() } else { format!("LOST: {}", self.problems.join("; ")) }
    }

    pub(crate) fn line(&self) -> String {
        let numbers = if self.side == "client" {
            format!("late by {:.0} ms at most", self.slowest)
        } else {
            format!(
                "served {}, refused {}, honest p50 {:.1} p99 {:.1} ms",
                self.served, self.refused, self.median, self.slowest
            )
        };
        format!(
            "{}: {} (peak {:.0} MB, {} descriptors, {numbers})",
            self.name,
            self.result(),
            self.peak,
            self.descriptors
        )
    }

    /// What a loss says at the end, with how to repeat it.
    pub(crate) fn loss(&self, options: &Options) -> Option<String> {
        if self.problems.is_empty() {
            return None;
        }
        let sanitize = options.sanitize.as_ref().map(|name| format!(" --sanitize {name}")).unwrap_or_default();
        Some(format!(
            "attack: {}: {}\n  again: cargo xtask attack --only {} --style {} --link {} --workers {} --each {} --seed {}{sanitize}",
            self.name,
            self.problems.join("; "),
            self.attack,
            self.style,
            self.link,
            self.workers,
            options.each,
            self.seed
        ))
    }
}

/// The table of all rows: servers first, then clients.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| style | link | workers | overtaking | attack | result | peak MB (bound) | connections | served | refused | honest p50, p99 ms |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows.iter().filter(|row| row.side == "server") {
        let overtaking = row.overtaking.map_or("–", |yes| if yes { "yes" } else { "no" });
        let bound = row.bound.map_or(String::new(), |bound| format!(" ({bound:.0})"));
        text += &format!(
            "| {} | {} | {} | {overtaking} | {} | {} | {:.1}{bound} | {} | {} | {} | {:.2}, {:.2} |\n",
            row.style,
            row.link,
            row.workers,
            row.attack,
            row.result(),
            row.peak,
            row.connections,
            row.served,
            row.refused,
            row.median,
            row.slowest
        );
    }
    text += "\n| style | link | attack on a client | result | peak MB | descriptors | calls | beyond the deadline, ms |\n|---|---|---|---|---|---|---|---|\n";
    for row in rows.iter().filter(|row| row.side == "client") {
        text += &format!(
            "| {} | {} | {} | {} | {:.1} | {} | {} | {:.0} |\n",
            row.style,
            row.link,
            row.attack,
            row.result(),
            row.peak,
            row.descriptors,
            row.served,
            row.slowest
        );
    }
    text
}
