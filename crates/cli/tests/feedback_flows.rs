//! Feedback, and edges that keep the newest packet, over each transport: a source adapts to what its sink asks for while the
//! way forward loses nothing, the newest of many packets always comes, and each packet is accounted for. Sources in
//! `tests/flows/feedback`. No test looks at a clock.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use filetest::accounts::wait_until;
use filetest::ports::Ports;
use filetest::programs::free_port;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

fn folder() -> Result<Scratch, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/feedback");
    Ok(Scratch::with_files_of("feedback-flows", &sources)?)
}

fn run(folder: &Scratch, flow: &str, server: &str) -> Result<Output, Box<dyn Error>> {
    let (ports, pages) = (Ports::take()?, format!("run-{flow}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "feedback.spi", "--flow", flow, "--dir", &pages, "--port", &ports.first.to_string()]);
    command.current_dir(folder.path()).env("CFLAGS", "-O0 -g").env("LTO", "").env("NATS_URL", server);
    Ok(command.output()?)
}

/// A NATS server of the test's own; `None` where there is none to be had.
struct Server(Child, String);

impl Server {
    fn start(folder: &Scratch) -> Result<Option<Server>, Box<dyn Error>> {
        if !Path::new("/usr/include/nats/nats.h").is_file() {
            return Ok(None);
        }
        let port = free_port()?;
        for program in ["nats-server", "/usr/sbin/nats-server"] {
            let mut command = Command::new(program);
            command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path().join("store"));
            let Ok(child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else { continue };
            let server = Server(child, format!("nats://127.0.0.1:{port}"));
            wait_until("the server's answer", || Ok(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()))?;
            return Ok(Some(server));
        }
        Ok(None)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Of an edge: offered, delivered, waiting, under way, dropped, faulty, unknown.
fn counts(output: &Output, edge: &str) -> Result<[u64; 7], Box<dyn Error>> {
    let text = String::from_utf8(output.stdout.clone())?;
    let line = text.lines().find_map(|line| line.strip_prefix(edge)).ok_or_else(|| format!("{edge}: {output:?}"))?;
    let counts: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    counts.first_chunk().copied().ok_or_else(|| format!("{edge}: {line}").into())
}

/// Offered is all else together, and nothing waits where nobody takes it any more.
fn assert_accounted(output: &Output, edge: &str, flow: &str) -> Result<[u64; 7], Box<dyn Error>> {
    let counts = counts(output, edge)?;
    let [offered, others @ ..] = counts;
    assert_eq!(offered, others.iter().sum::<u64>(), "{flow}, {edge}: {output:?}");
    assert_eq!(counts[2], 0, "{flow}, {edge}: {output:?}");
    Ok(counts)
}

fn assert_adapts(folder: &Scratch, flow: &str, server: &str) -> Outcome {
    let output = run(folder, flow, server)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{flow}: {output:?}");
    assert!(text.contains("Source: ended") && !text.contains("not sent"), "{flow}: {output:?}");
    assert!(text.contains("Sink: 20 small, 0 missing"), "{flow}: {output:?}");
    let wishes = assert_accounted(&output, "Sink.w -> Source.w", flow)?;
    let last = if flow == "through" { "Pass.b -> Sink.f" } else { "Source.f -> Sink.f" };
    let frames = assert_accounted(&output, last, flow)?;
    assert_eq!(frames[1], frames[0], "{flow}: {output:?}");
    assert!(wishes[0] == frames[0] && wishes[1] > 0, "{flow}: {output:?}");
    Ok(())
}

fn assert_newest_comes(folder: &Scratch, flow: &str, server: &str) -> Outcome {
    let output = run(folder, flow, server)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{flow}: {output:?}");
    assert!(text.contains("Watch: 1000 in the end") && !text.contains(" after "), "{flow}: {output:?}");
    let [offered, delivered, _, under_way, dropped, ..] = assert_accounted(&output, "Knob.n -> Watch.n", flow)?;
    assert_eq!((offered, under_way, delivered + dropped), (1000, 0, 1000), "{flow}: {output:?}");
    Ok(())
}

#[test]
fn a_source_adapts_to_what_its_sink_asks_for_and_no_frame_is_lost() -> Outcome {
    let folder = folder()?;
    for flow in ["over_tcp", "over_unix", "over_shm", "by_calls", "to_itself", "through"] {
        assert_adapts(&folder, flow, "")?;
    }
    Ok(())
}

#[test]
fn a_stage_that_passes_wishes_back_ends_with_its_frames() -> Outcome {
    let folder = folder()?;
    for flow in ["relayed_tcp", "relayed_shm", "relayed_from_a_call", "relayed_to_a_call"] {
        let output = run(&folder, flow, "")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("Source: ended"), "{flow}: {output:?}");
        assert!(text.contains("Sink: 20 small, 0 missing"), "{flow}: {output:?}");
        for edge in ["Source.f -> Relay.a", "Relay.b -> Sink.f"] {
            let frames = assert_accounted(&output, edge, flow)?;
            assert_eq!(frames[1], frames[0], "{flow}: {output:?}");
        }
        for edge in ["Sink.w -> Relay.w", "Relay.v -> Source.w"] {
            assert!(assert_accounted(&output, edge, flow)?[0] > 0, "{flow}: {output:?}");
        }
    }
    Ok(())
}

#[test]
fn the_newest_packet_always_comes() -> Outcome {
    let folder = folder()?;
    for flow in ["newest_tcp", "newest_unix", "newest_shm", "newest_direct"] {
        assert_newest_comes(&folder, flow, "")?;
    }
    Ok(())
}

#[test]
fn the_example_makes_its_pictures_fit_its_way() -> Outcome {
    let folder = Scratch::new("adaptive").map_err(|_| "no scratch folder")?;
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/adaptive");
    for name in ["adaptive.spi", "Lens.c", "Viewer.c"] {
        fs::copy(example.join(name), folder.path().join(name))?;
    }
    let ports = Ports::take()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "adaptive.spi", "--dir", "pages", "--port", &ports.first.to_string()]);
    let output = command.current_dir(folder.path()).env("COUNT", "60").env("LTO", "").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = text.lines().find(|line| line.contains(" pictures, ")).ok_or_else(|| format!("{output:?}"))?;
    let numbers: Vec<u64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [pictures, missing, wishes, smallest, ..] = numbers[..] else { return Err(text.into()) };
    assert!(output.status.success() && (pictures, missing) == (60, 0), "{output:?}");
    assert!(wishes > 0 && (80..400).contains(&smallest), "{output:?}");
    assert_accounted(&output, "Viewer.w -> Lens.w", "adaptive")?;
    Ok(())
}

#[test]
fn both_hold_over_a_server() -> Outcome {
    let folder = folder()?;
    let Some(server) = Server::start(&folder)? else { return Ok(()) };
    assert_adapts(&folder, "over_nats", &server.1)?;
    assert_newest_comes(&folder, "newest_nats", &server.1)
}
