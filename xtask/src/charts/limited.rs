//! The chart of a way that is limited for a while. In: the record that `examples/image/limited` wrote, a line for each image that came.
//! Out: two pictures over time, of the images' sizes and of their ages, for the flow whose screen asks for smaller images and the one
//! whose screen is not heard.

use std::fmt::Write;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 30.0;
/// Images that came within this many seconds are one point of a line.
const BIN: f64 = 0.1;
/// Each flow with what its line is called, and its colour.
const FLOWS: [(&str, &str, &str); 2] =
    [("unheard", "without feedback", "#4e79a7"), ("asking", "with feedback", "#c8102e")];

/// An image that came.
struct Image<'a> {
    flow: &'a str,
    is_limited: bool,
    seconds: f64,
    kilobytes: f64,
    age: f64,
}

/// The pictures, one below the other.
pub(super) fn pictures(text: &str) -> Result<[String; 2], String> {
    let images = text.lines().skip(1).map(image).collect::<Result<Vec<Image>, String>>()?;
    let limited = || images.iter().filter(|image| image.is_limited).map(|image| image.seconds);
    let (from, to) = limited().fold((f64::MAX, 0.0_f64), |(from, to), at| (from.min(at), to.max(at)));
    let end = images.iter().map(|image| image.seconds).fold(0.0, f64::max);
    if from > to {
        return Err("no image came while the way was limited".to_owned());
    }
    let draw = |title: &str, value: fn(&Image) -> f64, step: f64, with_worst: bool| {
        let most = images.iter().map(value).fold(0.0, f64::max);
        let axes = Axes { end, most: (most / step).ceil() * step };
        let mut out = axes.frame(title, (from, to), step);
        for (flow, _, colour) in FLOWS {
            let points: Vec<(f64, f64)> =
                images.iter().filter(|image| image.flow == flow).map(|image| (image.seconds, value(image))).collect();
            if with_worst {
                axes.line(&mut out, &binned(&points, 0.99), colour, 0.6);
            }
            axes.line(&mut out, &binned(&points, 0.5), colour, 1.8);
        }
        out.push_str("</svg>\n");
        out
    };
    Ok([
        draw("KB of an image, by seconds; the way is limited where it is grey", |image| image.kilobytes, 100.0, false),
        draw("age in ms, p50 (thick) and p99 (thin) of each 100 ms", |image| image.age, 250.0, true),
    ])
}

fn image(line: &str) -> Result<Image<'_>, String> {
    let number = |cell: &str| cell.parse::<f64>().map_err(|_| format!("`{cell}` is no number: {line}"));
    let [flow, way, seconds, _, bytes, age] = line.split(',').collect::<Vec<_>>()[..] else {
        return Err(format!("not six columns: {line}"));
    };
    let kilobytes = number(bytes)? / 1000.0;
    Ok(Image { flow, is_limited: way == "limited", seconds: number(seconds)?, kilobytes, age: number(age)? })
}

/// Of the values of each tenth of a second the one that this part does not exceed.
fn binned(points: &[(f64, f64)], part: f64) -> Vec<(f64, f64)> {
    let bin = |point: &(f64, f64)| (point.0 / BIN) as u64;
    let chunks = points.chunk_by(|one, other| bin(one) == bin(other));
    let value = |chunk: &[(f64, f64)]| {
        let mut values: Vec<f64> = chunk.iter().map(|point| point.1).collect();
        values.sort_by(f64::total_cmp);
        values[((values.len() - 1) as f64 * part).ceil() as usize]
    };
    chunks.map(|chunk| ((bin(&chunk[0]) as f64 + 0.5) * BIN, value(chunk))).collect()
}

/// Where values go, from 0 each way.
struct Axes {
    end: f64,
    most: f64,
}

impl Axes {
    fn x(&self, seconds: f64) -> f64 {
        LEFT + seconds / self.end * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value / self.most * (HEIGHT - BOTTOM - TOP)
    }

    fn frame(&self, title: &str, (from, to): (f64, f64), step: f64) -> String {
        let mut out = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\n");
        let (left, bottom) = (self.x(from), HEIGHT - BOTTOM);
        let (wide, high) = (self.x(to) - left, bottom - TOP);
        let _ =
            writeln!(out, "<rect x=\"{left:.1}\" y=\"{TOP}\" width=\"{wide:.1}\" height=\"{high}\" fill=\"#eee\"/>");
        let ticks = |step: f64, most: f64| (0..=(most / step) as u32).map(move |tick| f64::from(tick) * step);
        for tick in ticks(step, self.most) {
            let (y, right) = (self.y(tick), WIDTH - RIGHT);
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            let (x, y) = (LEFT - 6.0, y + 4.0);
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{tick}</text>");
        }
        for tick in ticks(if self.end > 30.0 { 10.0 } else { 5.0 }, self.end) {
            let (x, y) = (self.x(tick), bottom + 15.0);
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{tick}</text>");
        }
        let _ = writeln!(out, "<text x=\"4\" y=\"14\">{title}</text>");
        for (place, (_, name, colour)) in FLOWS.iter().enumerate() {
            let x = WIDTH - RIGHT - 100.0 * place as f64;
            let _ = writeln!(out, "<text x=\"{x}\" y=\"14\" text-anchor=\"end\" fill=\"{colour}\">{name}</text>");
        }
        out
    }

    fn line(&self, out: &mut String, points: &[(f64, f64)], colour: &str, width: f64) {
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{:.1} {:.1}", self.x(*x), self.y(*y))).collect();
        let path = places.join("L");
        let _ = writeln!(out, "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "flow,way,seconds,width,bytes,milliseconds\nasking,free,0.000,400,399600,0.0\nasking,limited,1.010,100,24900,5.0\n\
                          asking,limited,1.050,100,24900,9.0\nunheard,limited,1.000,400,399600,900.0\n";

    #[test]
    fn both_flows_have_lines_in_both_pictures() {
        let [sizes, ages] = pictures(RECORD).expect("pictures");
        for (_, name, colour) in FLOWS {
            assert!(sizes.contains(name) && sizes.contains(&format!("stroke=\"{colour}\"")), "{sizes}");
            assert_eq!(ages.matches(&format!("stroke=\"{colour}\"")).count(), 2, "{ages}");
        }
        assert!(!ages.contains("NaN") && !ages.contains("inf"));
    }

    #[test]
    fn values_of_a_tenth_of_a_second_are_one_point() {
        let points = [(0.01, 1.0), (0.02, 3.0), (0.03, 2.0), (0.11, 5.0)];
        let places = |part: f64| binned(&points, part).iter().map(|point| point.1).collect::<Vec<_>>();
        assert_eq!((places(0.5), places(0.99)), (vec![2.0, 5.0], vec![3.0, 5.0]));
    }

    #[test]
    fn a_record_that_is_none_is_refused() {
        assert!(pictures("head\nasking,limited,1,2\n").is_err());
        assert!(pictures("head\nasking,limited,x,2,3,4\n").is_err());
        assert!(pictures("head\nasking,free,1,2,3,4\n").is_err());
    }
}
