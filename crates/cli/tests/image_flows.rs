//! `examples/image`: its flows run as its page says, and its screen keeps images in time on a way that is too narrow for them, by asking
//! for smaller ones. Judged by its own record of a run between two machines (network namespaces), beside a run in which nobody hears
//! what it asks for. No time is compared with a clock, but ages with each other, and widths.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;

/// The script's status where no namespaces can be made.
const SKIPPED: i32 = 77;
/// Of the way's three parts; in the first, the screen is only finding out that the way is limited.
const SECONDS: f64 = 5.0;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/image")
}

fn has_libpng() -> bool {
    let is_there = Path::new("/usr/include/png.h").is_file();
    if !is_there {
        let _ = writeln!(std::io::stderr(), "skipped: libpng-dev is not installed");
    }
    is_there
}

/// What came, of one flow: seconds, width, age in milliseconds.
struct Record(Vec<[f64; 3]>);

impl Record {
    fn of(text: &str, flow: &str) -> Outcome<Record> {
        let mut images = Vec::new();
        for line in text.lines() {
            let [name, _, seconds, width, _, age] = line.split(',').collect::<Vec<_>>()[..] else {
                return Err(format!("not six columns: {line}").into());
            };
            if name == flow {
                images.push([seconds.parse()?, width.parse()?, age.parse()?]);
            }
        }
        Ok(Record(images))
    }

    /// The column of the images between two times, sorted.
    fn column(&self, column: usize, from: f64, to: f64) -> Outcome<Vec<f64>> {
        let between = self.0.iter().filter(|image| image[0] >= from && image[0] < to);
        let mut values: Vec<f64> = between.map(|image| image[column]).collect();
        values.sort_by(f64::total_cmp);
        if values.is_empty() { Err(format!("no image from {from} to {to} s").into()) } else { Ok(values) }
    }

    fn median(&self, column: usize, from: f64, to: f64) -> Outcome<f64> {
        let values = self.column(column, from, to)?;
        Ok(values[values.len() / 2])
    }
}

#[test]
fn the_flows_run_as_the_page_says() -> Outcome {
    if !has_libpng() {
        return Ok(());
    }
    let folder = Scratch::new("image").map_err(|_| "no scratch folder")?;
    for file in fs::read_dir(example())? {
        folder.copy(&file?.path())?;
    }
    for (flow, last) in [("plain", "Camera.f -> Screen.f"), ("grayscale", "Gray.b -> Screen.f")] {
        let ports = Ports::take()?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        command.args(["pipe", "run", "image.spi", "--flow", flow, "--dir", flow, "--port", &ports.first.to_string()]);
        let output = command.current_dir(folder.path()).env("COUNT", "30").env("LTO", "").output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("30 images"), "{flow}: {output:?}");
        assert!(text.lines().any(|line| line.starts_with(last)), "{flow}: {output:?}");
        assert!(fs::read(folder.path().join("screen.png"))?.starts_with(b"\x89PNG"), "{flow}");
        fs::remove_file(folder.path().join("screen.png"))?;
    }
    Ok(())
}

#[test]
fn who_asks_for_smaller_images_gets_them_in_time() -> Outcome {
    if !has_libpng() {
        return Ok(());
    }
    let folder = Scratch::new("limited").map_err(|_| "no scratch folder")?;
    let (file, seconds) = (folder.path().join("images.csv"), (3.0 * SECONDS).to_string());
    let mut command = Command::new(example().join("limited"));
    command.arg(seconds).arg(&file).env("WHITTLE", env!("CARGO_BIN_EXE_whittle")).env("LTO", "");
    let output = command.output()?;
    if output.status.code() == Some(SKIPPED) {
        writeln!(std::io::stderr(), "skipped: {}", String::from_utf8_lossy(&output.stderr).trim_end())?;
        return Ok(());
    }
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(file)?;
    let (asking, unheard) = (Record::of(&text, "asking")?, Record::of(&text, "unheard")?);
    let [limited, free, end] = [SECONDS, 2.0 * SECONDS, 3.0 * SECONDS];
    // What is in the queue when the way narrows is late in both.
    let (in_time, late) = (asking.median(2, limited + 1.0, free)?, unheard.median(2, limited + 1.0, free)?);
    assert!(in_time < late / 2.0, "{in_time} of {late} ms: {text}");
    let (smallest, largest) = (asking.column(1, limited, free)?[0], asking.column(1, free, end)?);
    assert!(smallest < 250.0, "no smaller image: {text}");
    assert!(largest.last().is_some_and(|width| *width >= 1.5 * smallest), "no larger image again: {text}");
    assert!(
        unheard.0.iter().all(|image| image[1].to_bits() == 400.0_f64.to_bits()),
        "who is not heard gets others: {text}"
    );
    Ok(())
}
