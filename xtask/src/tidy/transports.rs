//! A transport of flows is a row of a table: what is not a table of transports names none. In: sources. Out: places that name one.

use crate::tree::File;

/// Where the rows stand.
const TABLES: [&str; 4] =
    ["crates/isg/src/transport.rs", "crates/xip/src/transport.rs", "runtime/flow/edge.h", "runtime/flow/transport.c"];

/// What knows of flows and their transports, and how it would name one.
const OF_RUST: [&str; 3] = ["crates/front-spi/src/", "crates/isg/src/", "crates/xip/src/"];
const IN_RUST: [&str; 6] =
    ["Transport::Tcp", "Transport::Unix", "Transport::Shm", "Transport::Direct", "Transport::Nats", "Transport::Dds"];
const OF_C: &str = "runtime/flow/";
const IN_C: [&str; 6] = [
    "WHITTLE_FLOW_TCP",
    "WHITTLE_FLOW_UNIX",
    "WHITTLE_FLOW_SHM",
    "WHITTLE_FLOW_DIRECT",
    "WHITTLE_FLOW_NATS",
    "WHITTLE_FLOW_DDS",
];

pub(super) fn check(file: &File) -> Vec<String> {
    let is_of = |places: &[&str]| places.iter().any(|place| file.path.starts_with(place));
    let names: &[&str] = match () {
        () if TABLES.contains(&file.path.as_str()) || file.path.contains("/tests/") => &[],
        () if is_of(&OF_RUST) => &IN_RUST,
        () if is_of(&[OF_C]) => &IN_C,
        () => &[],
    };
    let text = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let named = names.iter().filter(|name| is_named(line, name));
        let place = |name: &&str| format!("{}:{}: `{name}` belongs into a table of transports", file.path, number + 1);
        problems.extend(named.map(place));
    }
    problems
}

/// Whether a line has the name, and not a longer one.
fn is_named(line: &str, name: &str) -> bool {
    line.match_indices(name)
        .any(|(at, _)| !line[at + name.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::File;

    #[test]
    fn a_test_on_a_name_is_found() {
        let problems = |path: &str, text: &str| check(&File { path: path.to_owned(), text: text.to_owned() }).len();
        assert_eq!(problems("runtime/flow/send.c", "if (edge->transport == WHITTLE_FLOW_SHM)"), 1);
        assert_eq!(problems("runtime/flow/send.c", "x(WHITTLE_FLOW_NATS_URL)"), 0);
        assert_eq!(problems("runtime/flow/transport.c", "[WHITTLE_FLOW_SHM] = {0}"), 0);
        assert_eq!(problems("crates/xip/src/explain.rs", "match x { Transport::Tcp => 1 }"), 1);
        assert_eq!(problems("crates/stubs/src/links/rpcgen/mod.rs", "Transport::Tcp"), 0);
    }
}
