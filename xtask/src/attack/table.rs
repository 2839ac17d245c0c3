//! What runs came to. In: rows. Out: lines for who watches, and a Markdown table for `docs/security.md`.

use super::matrix::Run;
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
    /// Of a run against a server, or a flow's receiver, which may take so many megabytes.
    pub(crate) fn of_server(run: &Run, seed: u64, bound: f64) -> Row {
        Row {
            name: run.name(),
            style: run.style.name.into(),
            link: run.link.into(),
            side: "server",
            workers: run.workers,
            overtaking: run.overtaking,
            attack: run.attack.clone(),
            seed,
            bound: Some(bound),
            ..Row::default()
        }
    }

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

/// A line for each program, over all attacks on it; then each loss.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| program | workers | attacks held | peak MB (bound) | connections | served | refused | honest p50, worst p99 ms, or late by ms |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut programs: Vec<(String, Vec<&Row>)> = Vec::new();
    for row in rows {
        let program = program(row);
        match programs.iter_mut().find(|(name, _)| *name == program) {
            Some((_, all)) => all.push(row),
            None => programs.push((program, vec![row])),
        }
    }
    programs.iter().for_each(|(program, rows)| text += &line_of(program, rows));
    for row in rows.iter().filter(|row| !row.problems.is_empty()) {
        text += &format!("\n- {}: {}", row.name, row.result());
    }
    text
}

fn program(row: &Row) -> String {
    let overtaking = if row.overtaking == Some(true) { ", overtaking" } else { "" };
    let workers = if row.workers == 0 { "–".into() } else { format!("{}{overtaking}", row.workers) };
    let side = if row.style == "flow" { "receiver" } else { row.side };
    format!("{} {side}, {} | {workers}", row.style, row.link)
}

fn line_of(program: &str, rows: &[&Row]) -> String {
    let most = |of: fn(&Row) -> f64| rows.iter().map(|row| of(row)).fold(0.0, f64::max);
    let sum = |of: fn(&Row) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let mut medians: Vec<f64> = rows.iter().map(|row| row.median).collect();
    medians.sort_by(f64::total_cmp);
    let median = medians.get(medians.len() / 2).copied().unwrap_or_default();
    let held = rows.iter().filter(|row| row.problems.is_empty()).count();
    let bound = rows.iter().find_map(|row| row.bound).map_or(String::new(), |bound| format!(" ({bound:.0})"));
    let client = rows.iter().any(|row| row.side == "client");
    let slowest = most(|row| row.slowest);
    let times = if client { format!("{slowest:.0}") } else { format!("{median:.2}, {slowest:.0}") };
    format!(
        "| {program} | {held} of {} | {:.0}{bound} | {} | {} | {} | {times} |\n",
        rows.len(),
        most(|row| row.peak),
        sum(|row| row.connections),
        sum(|row| row.served),
        sum(|row| row.refused)
    )
}
