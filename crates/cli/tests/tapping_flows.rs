//! Packets of flows that are recorded, replayed, shown and tapped, as users do it: by `whittle pipe`, on flows of
//! `tests/flows`. No test looks at a clock.

use std::error::Error;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

const FLAGS: &str = "-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all";

/// A folder with all that a user has written.
fn folder() -> Result<Scratch, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows");
    let folder = Scratch::new("tapping-flows").map_err(|_| "no scratch folder")?;
    for entry in fs::read_dir(sources)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ["c", "x", "idl", "spi"].iter().any(|known| ending == *known)) {
            fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
        }
    }
    Ok(folder)
}

fn pipe(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.arg("pipe").args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("CC", "gcc").env("CFLAGS", FLAGS);
    command
}

/// The flows that are run here, with their programs.
const FLOWS: [(&str, &[&str]); 13] = [
    ("diamond", &["diamond_Source", "diamond_Split", "diamond_Join"]),
    ("copies", &["copies_left", "copies_right"]),
    ("fetched", &["fetched"]),
    ("lines_xdr", &["lines_xdr_Writer", "lines_xdr_Reader"]),
    ("lines_cdr", &["lines_cdr_Writer", "lines_cdr_Reader"]),
    ("lines_protobuf", &["lines_protobuf_Writer", "lines_protobuf_Reader"]),
    ("shapes_native", &["shapes_native_Draw", "shapes_native_Show"]),
    ("shapes_cdr", &["shapes_cdr_Draw", "shapes_cdr_Show"]),
    ("shapes_protobuf", &["shapes_protobuf_Draw", "shapes_protobuf_Show"]),
    ("pictures_protobuf", &["pictures_protobuf_Paint", "pictures_protobuf_Hang"]),
    ("streams", &["streams_Source", "streams_Twice", "streams_Sum"]),
    ("shared", &["shared_Source", "shared_Twice", "shared_Sum"]),
    ("calls", &["calls"]),
];

fn programs(flow: &str) -> &'static [&'static str] {
    FLOWS.iter().find(|(name, _)| *name == flow).map_or(&[], |(_, programs)| programs)
}

/// Builds the programs of some flows, once for all their runs.
fn build(folder: &Path, flows: &[&str]) -> Outcome {
    let mut make = Command::new("make");
    make.args(["-s", "-j2", "CC=gcc", &format!("CFLAGS={FLAGS}")]);
    let output = make.args(flows.iter().flat_map(|flow| programs(flow))).current_dir(folder).output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

fn compile(folder: &Path) -> Outcome {
    let output =
        Command::new(env!("CARGO_BIN_EXE_whittle")).args(["compile", "all.spi"]).current_dir(folder).output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

/// What became of a run of all programs of a flow.
struct Ran {
    is_done: bool,
    /// What the sinks printed, in an order of its own.
    said: Vec<String>,
    /// What the programs had to say themselves.
    errors: String,
    /// Packets that each edge was offered, in the flow's order.
    offered: Vec<u64>,
}

fn run(folder: &Path, flow: &str, arguments: &[&str]) -> Result<Ran, Box<dyn Error>> {
    let directory = format!("run-{flow}");
    let start = |program: &&str| {
        let mut command = Command::new(folder.join(program));
        command.args(["--here", "--wait", "0", "--dir", &directory]).args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    let children = programs(flow).iter().map(start).collect::<Result<Vec<Child>, _>>()?;
    let outputs = children.into_iter().map(Child::wait_with_output).collect::<Result<Vec<Output>, _>>()?;
    let mut said: Vec<String> =
        outputs.iter().flat_map(|output| text(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    said.sort_unstable();
    let errors = outputs.iter().map(|output| text(&output.stderr)).collect();
    let account =
        pipe(folder, &["top", "all.spi", "--flow", flow, "--once"]).env("WHITTLE_DIR", &directory).output()?;
    assert_eq!(text(&account.stderr), "note: the flow is not running; these are the counters of its last run\n");
    for other in [&["top", "all.spi", "--dir", &directory, "--once"][..], &["top", &directory, "--once"]] {
        assert_eq!(account.stdout, pipe(folder, other).output()?.stdout, "{other:?}");
    }
    let offered = |line: &str| line.rsplit_once(" -> ")?.1.split_whitespace().nth(1)?.parse().ok();
    let offered = text(&account.stdout).lines().filter_map(offered).collect();
    Ok(Ran { is_done: outputs.iter().all(|output| output.status.success()), said, errors, offered })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn top_asks_which_flow_of_a_file_is_meant() -> Outcome {
    let folder = folder()?;
    let output = pipe(folder.path(), &["top", "all.spi", "--once"]).output()?;
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: say which flow to watch with --flow: "), "{output:?}");
    Ok(())
}

#[test]
fn what_was_recorded_is_shown_and_replayed_and_what_is_missing_is_said() -> Outcome {
    let folder = folder()?;
    let folder = folder.path();
    let flows = [
        "diamond",
        "copies",
        "fetched",
        "lines_xdr",
        "lines_cdr",
        "lines_protobuf",
        "shapes_native",
        "shapes_cdr",
        "shapes_protobuf",
        "pictures_protobuf",
    ];
    compile(folder)?;
    build(folder, &flows)?;
    for flow in flows {
        let kept = format!("kept-{flow}");
        let first = run(folder, flow, &["--record", &kept])?;
        assert!(first.is_done, "{flow}: {}", first.errors);
        assert!(!first.offered.is_empty() && first.offered.iter().all(|offered| *offered > 0), "{flow}");
        for (number, offered) in first.offered.iter().enumerate() {
            let shown = pipe(folder, &["show", &format!("{kept}/{number}.packets"), "all.spi"]).output()?;
            assert!(shown.status.success(), "{flow}: {shown:?}");
            assert_eq!(text(&shown.stdout).lines().count() as u64, *offered, "{flow}, edge {number}");
        }
        let again = run(folder, flow, &["--replay", &kept, "--speed", "0"])?;
        assert!(again.is_done, "{flow}: {}", again.errors);
        assert_eq!((again.said, again.offered), (first.said, first.offered), "{flow}");
    }
    let over = run(folder, "fetched", &["--record", "kept-fetched"])?;
    assert!(!over.is_done && over.errors.contains("is there already"), "{}", over.errors);
    full_disk(folder)?;
    shown_as_text_and_json(folder)?;
    hostile(folder)?;
    other_sources(folder)
}

/// A disk that is full costs the recording, not the flow; that the recording is not whole is the exit status.
fn full_disk(folder: &Path) -> Outcome {
    fs::create_dir(folder.join("full"))?;
    symlink("/dev/full", folder.join("full/0.packets"))?;
    let ran = run(folder, "fetched", &["--record", "full"])?;
    assert!(!ran.is_done, "{}", ran.errors);
    assert_eq!(ran.said, ["Drinker: 1357"]);
    assert_eq!(ran.errors.matches("No space left on device: the flow goes on").count(), 1, "{}", ran.errors);
    assert!(ran.errors.contains("9 packets were not recorded"), "{}", ran.errors);
    Ok(())
}

fn shown_as_text_and_json(folder: &Path) -> Outcome {
    let show = |arguments: &[&str]| pipe(folder, &["show"]).args(arguments).output();
    let second = "2 {number: 1, is_last: false, text: \"a\", ticks: [{number: 1, value: 0}, {number: 1, value: -1}, \
                  {number: 1, value: -2}], samples_count: 1, samples: [0]}";
    for flow in ["lines_xdr", "lines_cdr", "lines_protobuf"] {
        let lines = text(&show(&[&format!("kept-{flow}/0.packets"), "all.spi"])?.stdout);
        assert_eq!(lines.lines().nth(1), Some(second), "{flow}");
    }
    let first = "\"packet\":{\"title\":\"a house\",\"shapes\":[{\"kind\":0,\"at\":{\"x\":3,\"y\":4}}],\"inner\":null}}";
    for flow in ["shapes_native", "shapes_cdr", "shapes_protobuf"] {
        let shapes = text(&show(&[&format!("kept-{flow}/0.packets"), "all.spi", "--json"])?.stdout);
        assert!(shapes.lines().next().is_some_and(|line| line.ends_with(first)), "{flow}: {shapes}");
    }
    // Whole numbers in other forms than the usual one.
    let pictures = text(&show(&["kept-pictures_protobuf/0.packets", "all.spi"])?.stdout);
    for shown in ["width: -3", "number: -5000000000", "years: [-500, 1923]"] {
        assert!(pictures.lines().next().is_some_and(|line| line.contains(shown)), "{shown}: {pictures}");
    }
    let other = show(&["all.spi", "all.spi"])?;
    assert!(text(&other.stderr).contains("is no recording of packets"), "{other:?}");
    Ok(())
}

/// Bytes may be anybody's: they are shown or refused.
fn hostile(folder: &Path) -> Outcome {
    let whole = fs::read(folder.join("kept-shapes_native/0.packets"))?;
    let mut variants: Vec<Vec<u8>> = (0..whole.len()).step_by(37).map(|end| whole[..end].to_vec()).collect();
    for at in (300..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        variants.push(bytes);
    }
    for bytes in variants {
        fs::write(folder.join("hostile.packets"), &bytes)?;
        let output = pipe(folder, &["show", "hostile.packets", "all.spi"]).output()?;
        let is_cut = bytes.len() < whole.len();
        assert!(output.status.code() == Some(1) || (!is_cut && output.status.code() == Some(0)), "{output:?}");
    }
    Ok(())
}

/// Sources that do other things now, a recording that is cut short, and one of other packets.
fn other_sources(folder: &Path) -> Outcome {
    let source = "#include \"Source.h\"\nbool next_tick(struct Source *self) { (void)self; return false; }\n";
    fs::write(folder.join("Source.c"), source)?;
    build(folder, &["copies"])?;
    assert_eq!(run(folder, "copies", &[])?.offered, [0, 0]);
    let replayed = run(folder, "copies", &["--replay", "kept-copies", "--speed", "1000"])?;
    assert_eq!(replayed.offered, [100, 100], "{}", replayed.errors);
    let bytes = fs::read(folder.join("kept-copies/0.packets"))?;
    // The head, 60 packets of 8 bytes behind 12 more, and half of another.
    fs::write(folder.join("kept-copies/0.packets"), &bytes[..304 + 60 * 20 + 10])?;
    let cut = run(folder, "copies", &["--replay", "kept-copies", "--speed", "0"])?;
    assert_eq!(cut.offered, [60, 60]);
    assert!(cut.errors.contains("its recording is cut short: 60 packets are replayed"), "{}", cut.errors);
    let kept = folder.join("kept-fetched/0.packets");
    let mut swapped = fs::read(&kept)?;
    swapped[12..16].reverse();
    fs::write(&kept, &swapped)?;
    let refused = run(folder, "fetched", &["--replay", "kept-fetched"])?;
    assert!(!refused.is_done && refused.errors.contains("the other byte order"), "{}", refused.errors);
    fs::copy(folder.join("kept-lines_xdr/0.packets"), &kept)?;
    let refused = run(folder, "fetched", &["--replay", "kept-fetched"])?;
    assert!(!refused.is_done && refused.errors.contains("holds other packets"), "{}", refused.errors);
    Ok(())
}

/// A tap that listens.
fn tap(folder: &Path, socket: &str, arguments: &[&str]) -> Result<Child, Box<dyn Error>> {
    let mut child =
        pipe(folder, &["tap", "all.spi"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let socket: PathBuf = folder.join(socket);
    while !socket.exists() {
        assert!(child.try_wait()?.is_none(), "the tap ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(child)
}

fn private(folder: PathBuf) -> std::io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[test]
fn a_tap_shows_what_passes_or_says_what_it_left_out() -> Outcome {
    let folder = folder()?;
    let folder = folder.path();
    compile(folder)?;
    build(folder, &["streams", "shared", "calls", "lines_xdr"])?;
    for (flow, edge, first) in [
        ("streams", "Source.t", "1 {number: 0, value: -10}"),
        ("shared", "Source.t", "1 {number: 0, value: -10}"),
        ("calls", "Source.t", "1 {number: 0, value: -10}"),
        ("lines_xdr", "Writer.l", "1 {number: 0, is_last: false, text: \"\", "),
    ] {
        let place = format!("run-{flow}");
        private(folder.join(&place))?;
        let tap = tap(folder, &format!("{place}/0.tap"), &[edge, "--flow", flow, "--dir", &place])?;
        let ran = run(folder, flow, &[])?;
        assert!(ran.is_done, "{flow}: {}", ran.errors);
        let output = tap.wait_with_output()?;
        assert!(output.status.success(), "{flow}: {output:?}");
        let shown = text(&output.stdout);
        assert!(shown.starts_with(first), "{flow}: {shown}");
        let left_out = |line: &str| line.strip_prefix("… ")?.split_once(' ')?.0.replace(',', "").parse::<u64>().ok();
        let all: u64 = shown.lines().map(|line| left_out(line).unwrap_or(1)).sum();
        assert_eq!(Some(&all), ran.offered.first(), "{flow}: {shown}");
        assert!(!folder.join(&place).join("0.tap").exists(), "{flow}");
    }
    Ok(())
}

#[test]
fn a_tap_comes_and_goes_while_the_flow_runs() -> Outcome {
    let folder = folder()?;
    let folder = folder.path();
    let source = "#include \"Source.h\"\n#include <unistd.h>\nbool next_tick(struct Source *self)\n\
                  { self->t->number = 7; self->t->value = -7; usleep(200); return Source_send_t(self); }\n";
    fs::write(folder.join("Source.c"), source)?;
    let mut flow = pipe(folder, &["run", "all.spi", "--flow", "short_queue", "--dir", "run-on"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    while !folder.join("run-on/0.receiver").exists() {
        assert!(flow.try_wait()?.is_none(), "the flow ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..2 {
        let arguments =
            ["tap", "all.spi", "Source.t", "--flow", "short_queue", "--dir", "run-on", "--count", "3", "--json"];
        let output = pipe(folder, &arguments).output()?;
        assert!(output.status.success(), "{output:?}");
        let shown = text(&output.stdout);
        let packets = shown.lines().filter(|line| line.ends_with("\"packet\":{\"number\":7,\"value\":-7}}"));
        assert_eq!(packets.count(), 3, "{shown}");
    }
    let asked = Command::new("kill").args(["-TERM", &flow.id().to_string()]).status()?;
    assert!(asked.success());
    let output = flow.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}
