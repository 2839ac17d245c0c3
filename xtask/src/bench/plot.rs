//! A log-log plot as SVG: sizes to the right, throughput or time upwards, one line per implementation.

use std::fmt::Write;

/// One line of a plot.
pub(crate) struct Series {
    pub(crate) name: String,
    /// Size and value; all positive.
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 120.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
/// Distance of two names beside the plot.
const NAME_STEP: f64 = 12.0;
const COLOURS: [&str; 12] = [
    "#4e79a7", "#f28e2b", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#ff9da7", "#9c755f", "#79706e", "#86bcb6",
    "#d37295", "#499894",
];

/// Where values go.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, base: f64, from: f64, to: f64) -> Scale {
        let (low, high) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), v| (low.min(v), high.max(v)));
        let step = base.ln();
        let low = (low.ln() / step).floor() * step;
        // One value alone has a step to itself.
        let high = ((high.ln() / step).ceil() * step).max(low + step);
        Scale { low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let span = (self.high - self.low).max(f64::EPSILON);
        self.from + (value.ln() - self.low) / span * (self.to - self.from)
    }

    /// The powers of `base` within.
    fn ticks(&self, base: f64) -> Vec<f64> {
        let (first, last) = ((self.low / base.ln()).round() as i32, (self.high / base.ln()).round() as i32);
        (first..=last).map(|power| base.powi(power)).collect()
    }
}

/// The plot, with the unit of its upward axis.
pub(crate) fn svg(series: &[Series], unit: &str) -> String {
    let points = || series.iter().flat_map(|series| series.points.iter());
    if points().next().is_none() {
        return String::new();
    }
    // No bytes stand where one would: there is no logarithm of 0.
    let across = Scale::new(points().map(|point| point.0.max(1.0)), 4.0, LEFT, WIDTH - RIGHT);
    let up = Scale::new(points().map(|point| point.1), 10.0, HEIGHT - BOTTOM, TOP);
    let mut out = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\n");
    for tick in across.ticks(4.0) {
        let x = across.place(tick);
        let (label, y) = (bytes(tick as u64), HEIGHT - BOTTOM);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {TOP}V{y}\"/>");
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", y + 15.0);
    }
    for tick in up.ticks(10.0) {
        let y = up.place(tick);
        let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/>", WIDTH - RIGHT);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>", LEFT - 6.0, y + 4.0);
    }
    let _ = writeln!(out, "<text x=\"4\" y=\"14\">{unit}</text>");
    // whittle's lines last: on top.
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by_key(|index| series[*index].name.starts_with("whittle"));
    for index in order {
        line(&mut out, &series[index], colour(index, &series[index].name), &across, &up);
    }
    names(&mut out, series, &up);
    out.push_str("</svg>\n");
    out
}

fn line(out: &mut String, series: &Series, colour: &str, across: &Scale, up: &Scale) {
    let places = series.points.iter().map(|(x, y)| format!("{:.1} {:.1}", across.place(x.max(1.0)), up.place(*y)));
    let path = places.collect::<Vec<_>>().join("L");
    let width = if series.name.starts_with("whittle") { 2.6 } else { 1.3 };
    let _ = writeln!(
        out,
        "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"><title>{}</title></path>",
        series.name
    );
}

/// Each name at the height of its line's end, moved down where two would overlap.
fn names(out: &mut String, series: &[Series], up: &Scale) {
    let ends = series.iter().enumerate();
    let mut places: Vec<(f64, usize)> =
        ends.filter_map(|(index, series)| Some((up.place(series.points.last()?.1), index))).collect();
    places.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = TOP;
    let mut rest = places.len() as f64;
    for (wanted, index) in places {
        let last_chance = HEIGHT - BOTTOM - (rest - 1.0) * NAME_STEP;
        let y = wanted.max(lowest).min(last_chance.max(lowest));
        let name = &series[index].name;
        let weight = if name.starts_with("whittle") { "bold" } else { "normal" };
        let x = WIDTH - RIGHT + 6.0;
        let colour = colour(index, name);
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{:.1}\" fill=\"{colour}\" font-weight=\"{weight}\">{name}</text>",
            y + 4.0
        );
        lowest = y + NAME_STEP;
        rest -= 1.0;
    }
}

fn colour(index: usize, name: &str) -> &'static str {
    match name {
        "whittle" => "#c8102e",
        "whittle-arena" => "#7a0019",
        "rpcgen" => "#111111",
        _ => COLOURS[index % COLOURS.len()],
    }
}

/// `64`, `4K`, `1M`.
pub(super) fn bytes(size: u64) -> String {
    match size {
        size if size >= 1 << 20 => format!("{}M", size >> 20),
        size if size >= 1 << 10 => format!("{}K", size >> 10),
        size => size.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_has_a_line_and_a_name() {
        let series = |name: &str, factor: f64| Series {
            name: name.to_string(),
            points: vec![(64.0, 10.0 * factor), (4096.0, 900.0 * factor)],
        };
        let drawn = svg(&[series("rpcgen", 1.0), series("whittle", 50.0)], "MB/s");
        assert_eq!(drawn.matches("<title>").count(), 2);
        assert!(drawn.contains(">whittle</text>") && drawn.contains(">4K</text>") && drawn.contains("MB/s"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }

    #[test]
    fn calls_without_parameters_have_a_place() {
        let drawn = svg(&[Series { name: "null".to_string(), points: vec![(0.0, 20.0)] }], "us");
        assert!(drawn.contains(">null</text>") && !drawn.contains("NaN") && !drawn.contains("inf"));
    }

    #[test]
    fn nothing_to_draw_is_no_plot() {
        assert_eq!(svg(&[], "MB/s"), "");
    }
}
