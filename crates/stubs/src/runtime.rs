//! The runtime's C, cut into sections. In: the names of the sections a file uses. Out: the text to write into the file,
//! so that what `whittle rpcgen` writes needs no include path and no library of ours.
//!
//! A section begins with a line `/*: NAME needs OTHER OTHER */` in `runtime/include/whittle/` and ends at the next.

use std::collections::BTreeSet;

/// In the order in which they are to stand.
const HEADERS: &[&str] = &[
    include_str!("../../../runtime/include/whittle/words.h"),
    include_str!("../../../runtime/include/whittle/order.h"),
    include_str!("../../../runtime/include/whittle/memory.h"),
    include_str!("../../../runtime/include/whittle/arena.h"),
    include_str!("../../../runtime/include/whittle/out.h"),
    include_str!("../../../runtime/include/whittle/in.h"),
    include_str!("../../../runtime/include/whittle/external.h"),
    include_str!("../../../runtime/include/whittle/entry.h"),
    include_str!("../../../runtime/include/whittle/in_runs.h"),
    include_str!("../../../runtime/include/whittle/in_array.h"),
];

/// For packets of flows: memory that is all there, no stream.
const PACKETS: &[&str] = &[
    include_str!("../../../runtime/include/whittle/words.h"),
    include_str!("../../../runtime/include/whittle/order.h"),
    include_str!("../../../runtime/include/whittle/packet_out.h"),
    include_str!("../../../runtime/include/whittle/packet_in.h"),
];

struct Section<'a> {
    name: &'a str,
    needs: Vec<&'a str>,
    text: &'a str,
}

/// The text of the named sections and of all that they need, in the runtime's order.
pub fn sections(used: &BTreeSet<String>) -> String {
    of_headers(HEADERS, used)
}

/// The same of what packets need.
pub fn packet_sections(used: &BTreeSet<String>) -> String {
    of_headers(PACKETS, used)
}

fn of_headers(headers: &[&'static str], used: &BTreeSet<String>) -> String {
    let all: Vec<Section<'_>> = headers.iter().flat_map(|header| cut(header)).collect();
    let mut wanted: BTreeSet<&str> = used.iter().map(String::as_str).collect();
    // What stands later may need what stands earlier, and the other way round.
    loop {
        let before = wanted.len();
        for section in &all {
            if wanted.contains(section.name) {
                wanted.extend(section.needs.iter().copied());
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    let chosen = all.iter().filter(|section| wanted.contains(section.name));
    let texts: Vec<&str> = chosen.map(|section| section.text.trim_matches('\n')).filter(|t| !t.is_empty()).collect();
    texts.join("\n\n") + "\n"
}

/// Whether a section of that name exists.
pub fn has_section(name: &str) -> bool {
    HEADERS.iter().chain(PACKETS).flat_map(|header| cut(header)).any(|section| section.name == name)
}

fn cut(header: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let mut rest = header;
    while let Some(start) = rest.find("\n/*: ") {
        let head_start = start + "\n/*: ".len();
        let Some(head_length) = rest[head_start..].find("*/") else { break };
        let head = &rest[head_start..head_start + head_length];
        let body = &rest[head_start + head_length + "*/".len()..];
        let end = body.find("\n/*: ").unwrap_or(body.len());
        let (name, needs) = head.trim().split_once(" needs ").unwrap_or((head.trim(), ""));
        let text = if name.starts_with("end_of_") { "" } else { &body[..end] };
        sections.push(Section { name, needs: needs.split_whitespace().collect(), text });
        rest = &body[end..];
    }
    sections
}
