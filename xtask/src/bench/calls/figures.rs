//! Flick's Figures 4 to 6 (PLDI'97, section 4): throughput from end to end over links of 10, 100 and 640 Mbit/s, by message size, and
//! what the paper claims of them beside what is so here. In: the samples of all ways. Out: sections, ahead of the others.

use super::super::plot::{self, Series};
use super::super::report::{Section, Table};
use super::super::samples::{Cell, Samples};

const OURS: &str = "whittle-direct";
const RPCGEN: &str = "rpcgen";
const SOCKET: &str = "socket";

/// The integers that went over one way.
struct Link<'a> {
    samples: &'a Samples,
    workload: String,
    sizes: Vec<u64>,
}

impl<'a> Link<'a> {
    /// None where nothing was measured.
    fn new(samples: &'a Samples, way: &str) -> Option<Link<'a>> {
        let workload = format!("{way}-ints");
        let sizes: Vec<u64> = samples.cells().filter(|cell| cell.workload == workload).map(|cell| cell.size).collect();
        (!sizes.is_empty()).then_some(Link { samples, workload, sizes })
    }

    fn cell(&self, size: u64) -> Cell {
        Cell { workload: self.workload.clone(), size }
    }

    /// Mbit/s of what users send.
    fn rate(&self, who: &str, size: u64) -> Option<f64> {
        Some(size as f64 * 8e3 / self.samples.median(&self.cell(size), who)?)
    }

    fn most(&self, who: &str) -> Option<f64> {
        self.sizes.iter().filter_map(|size| self.rate(who, *size)).reduce(f64::max)
    }

    /// How many times as fast as another, and at which size.
    fn ratio(&self, who: &str, other: &str, size: u64) -> String {
        let ratio = self.samples.speed_up(&self.cell(size), who, other);
        ratio.map_or_else(String::new, |ratio| format!("{ratio:.2} ({})", plot::bytes(size)))
    }

    fn largest(&self) -> u64 {
        self.sizes.last().copied().unwrap_or_default()
    }

    fn series(&self) -> Vec<Series> {
        let names = self.samples.names().iter();
        let series = names.map(|name| Series {
            name: name.clone(),
            points: self.sizes.iter().filter_map(|size| Some((*size as f64, self.rate(name, *size)?))).collect(),
        });
        series.filter(|series| !series.points.is_empty()).collect()
    }
}

/// What is claimed; in the paper; here.
type Claim = (&'static str, &'static str, String);

struct Figure {
    way: &'static str,
    title: &'static str,
    text: &'static str,
    claims: fn(&Link<'_>, &Samples) -> Vec<Claim>,
}

const FIGURES: [Figure; 4] = [
    Figure {
        way: "10mbit",
        title: "Figure 4: from end to end over 10 Mbit/s, ONC RPC and IIOP",
        text: "Integers, Mbit/s of application bytes, one call at a time, both ends on cores of their own. Token buckets are the links: \
            of 4, 8 and 64 KB, which may go at once after a silence.",
        claims: ten,
    },
    Figure {
        way: "100mbit",
        title: "Figure 5: from end to end over 100 Mbit/s, ONC RPC and IIOP",
        text: "As Figure 4. The paper's machines (SPARCstation 20, 50 MHz) marshalled slower than this link carries; processors of today do \
            not, with anybody's stubs.",
        claims: hundred,
    },
    Figure {
        way: "640mbit",
        title: "Figure 6: from end to end over 640 Mbit/s, ONC RPC and IIOP",
        text: "As Figure 4. In the paper the system's own protocol stack left 84.5 Mbit/s of the link (ttcp); here it fills it.",
        claims: fast,
    },
    Figure {
        way: "tcp",
        title: "Beyond Figure 6: from end to end with no link between, both ends on one core",
        text: "As Figure 4, over loopback TCP: where processors are the limit, as they were in the paper's Figures 5 and 6.",
        claims: none,
    },
];

/// A section for each figure that was measured; the first says who is missing.
pub(super) fn sections(samples: &Samples, absent: &[String]) -> Vec<Section> {
    let mut sections = Vec::new();
    for figure in &FIGURES {
        let Some(link) = Link::new(samples, figure.way) else { continue };
        let head = ["claim", "the paper", "here"].map(str::to_string).into();
        let claims = (figure.claims)(&link, samples).into_iter();
        let rows = claims.map(|(claim, paper, here)| vec![claim.to_string(), paper.to_string(), here]).collect();
        let missing = if sections.is_empty() { absent.join(". ") } else { String::new() };
        sections.push(Section {
            title: format!("calls: {}", figure.title),
            text: format!("{} {missing}", figure.text).trim().to_string(),
            plot: plot::svg(&link.series(), "Mbit/s"),
            tables: vec![Table { caption: "the paper's claims".to_string(), head, rows }],
        });
    }
    sections
}

fn most(link: &Link<'_>, who: &str) -> String {
    link.most(who).map_or_else(String::new, |rate| format!("{rate:.1}"))
}

fn ten(link: &Link<'_>, _: &Samples) -> Vec<Claim> {
    vec![
        ("Flick's most, Mbit/s", "6.5 to 7.5", most(link, OURS)),
        ("rpcgen's most, Mbit/s", "6.5 to 7.5", most(link, RPCGEN)),
        ("times as fast as rpcgen, large messages", "little impact", link.ratio(OURS, RPCGEN, link.largest())),
        ("bare sockets' most, Mbit/s", "", most(link, SOCKET)),
    ]
}

fn hundred(link: &Link<'_>, _: &Samples) -> Vec<Claim> {
    let mut claims = against_rpcgen(link, "3.2");
    claims.extend([
        ("Flick's most, Mbit/s", "less than half of the link's", most(link, OURS)),
        ("bare sockets' most, Mbit/s", "70 (ttcp)", most(link, SOCKET)),
    ]);
    claims
}

fn fast(link: &Link<'_>, samples: &Samples) -> Vec<Claim> {
    let mut claims = against_rpcgen(link, "3.7");
    claims.extend([
        ("Flick's most, Mbit/s", "less than 10% of the link's", most(link, OURS)),
        ("bare sockets' most, Mbit/s", "84.5 (ttcp)", most(link, SOCKET)),
    ]);
    if let Some(slower) = Link::new(samples, "100mbit") {
        let gain = |who: &str| Some(format!("{:.2}", link.most(who)? / slower.most(who)?));
        claims.push(("what the faster link brings rpcgen", "essentially nothing", gain(RPCGEN).unwrap_or_default()));
        claims.push(("what it brings Flick", "a significant increase", gain(OURS).unwrap_or_default()));
    }
    claims
}

fn none(link: &Link<'_>, _: &Samples) -> Vec<Claim> {
    let mut claims = against_rpcgen(link, "3.7");
    claims.push(("rpcgen's most, Mbit/s", "", most(link, RPCGEN)));
    claims.push(("Flick's most, Mbit/s", "", most(link, OURS)));
    claims.push(("bare sockets' most, Mbit/s", "", most(link, SOCKET)));
    claims
}

fn against_rpcgen(link: &Link<'_>, large: &'static str) -> Vec<Claim> {
    vec![
        ("times as fast as rpcgen, medium messages", "2 to 3", link.ratio(OURS, RPCGEN, 16 << 10)),
        ("times as fast as rpcgen, large messages", large, link.ratio(OURS, RPCGEN, link.largest())),
        ("share of bare sockets' throughput, large messages", "", link.ratio(OURS, SOCKET, link.largest())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_shows_claims_beside_what_was_measured() {
        let mut samples = Samples::default();
        for (who, time) in [(SOCKET, 50e6), (OURS, 52e6), (RPCGEN, 104e6)] {
            samples.add(Cell { workload: "10mbit-ints".to_string(), size: 65536 }, who, 0, time);
        }
        let shown = sections(&samples, &["gRPC is absent".to_string()]);
        let [figure] = shown.as_slice() else { panic!("one way was measured") };
        assert!(figure.title.contains("Figure 4") && figure.text.ends_with("gRPC is absent"));
        assert_eq!(figure.tables[0].rows[0], ["Flick's most, Mbit/s", "6.5 to 7.5", "10.1"]);
        assert_eq!(figure.tables[0].rows[2][2], "2.00 (64K)");
        assert_eq!(figure.plot.matches("<title>").count(), 3);
    }

    #[test]
    fn what_was_not_measured_has_no_figure() {
        assert!(sections(&Samples::default(), &[]).is_empty());
    }
}
