//! What numbers depend on: the processor, the compilers, the peers' versions. Out: facts for the report's head.

use std::process::Command;

/// The core to pin to: the last one, since the first takes the interrupts. `BENCH_CORE` overrides.
pub(super) fn core() -> String {
    std::env::var("BENCH_CORE").unwrap_or_else(|_| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores - 1).to_string()
    })
}

/// Name and value of each fact.
pub(super) fn facts(core: &str) -> Vec<(String, String)> {
    let mut facts = vec![("processor".to_string(), format!("{}, pinned to core {core}", processor()))];
    facts.push(("C compiler".to_string(), first_line("cc", &["--version"])));
    facts.extend(super::peers::versions());
    facts.push(("flags".to_string(), "-O2".to_string()));
    facts
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// The first line that a program prints, or `absent`.
pub(super) fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("absent").to_string()
}
