//! The runtime's C, cut into sections. In: the names of the sections a file uses. Out: the text to write into the file,
//! so that what `whittle rpcgen` writes needs no include path and no library of ours.
//!
//! A section begins with a line `/*: NAME needs OTHER OTHER */` in `runtime/include/whittle/` and ends at the next.

use std::collections::BTreeSet;

use crate::encodings;
use crate::tables::Walk;

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
    include_str!("../../../runtime/include/whittle/table.h"),
    include_str!("../../../runtime/include/whittle/table_window.h"),
    include_str!("../../../runtime/include/whittle/table_counted.h"),
    include_str!("../../../runtime/include/whittle/table_walk.h"),
];

/// For packets of flows: memory that is all there, no stream.
const PACKETS: &[&str] = &[
    include_str!("../../../runtime/include/whittle/words.h"),
    include_str!("../../../runtime/include/whittle/later.h"),
    include_str!("../../../runtime/include/whittle/order.h"),
    include_str!("../../../runtime/include/whittle/packet_out.h"),
    include_str!("../../../runtime/include/whittle/packet_in.h"),
    include_str!("../../../runtime/include/whittle/cdr_order.h"),
    include_str!("../../../runtime/include/whittle/cdr_out.h"),
    include_str!("../../../runtime/include/whittle/cdr_in.h"),
    include_str!("../../../runtime/include/whittle/packet_cdr.h"),
];

/// For packets that are messages of protobuf, behind what its fields need.
const PACKETS_IN_PROTOBUF: &[&str] = &[include_str!("../../../runtime/include/whittle/packet_protobuf.h")];

/// For messages in CDR.
pub(crate) const CDR: &[&str] = &[
    include_str!("../../../runtime/include/whittle/words.h"),
    include_str!("../../../runtime/include/whittle/later.h"),
    include_str!("../../../runtime/include/whittle/order.h"),
    include_str!("../../../runtime/include/whittle/cdr_order.h"),
    include_str!("../../../runtime/include/whittle/cdr_out.h"),
    include_str!("../../../runtime/include/whittle/cdr_in.h"),
    include_str!("../../../runtime/include/whittle/cdr_value.h"),
    include_str!("../../../runtime/include/whittle/cdr_value_in.h"),
];

/// For messages in XDR.
pub(crate) const XDR: &[&str] = &[
    include_str!("../../../runtime/include/whittle/words.h"),
    include_str!("../../../runtime/include/whittle/later.h"),
    include_str!("../../../runtime/include/whittle/order.h"),
    include_str!("../../../runtime/include/whittle/wide.h"),
    include_str!("../../../runtime/include/whittle/xdr_out.h"),
    include_str!("../../../runtime/include/whittle/xdr_in.h"),
];

/// For values without a connection, behind what their encoding needs.
const VALUES: &[&str] = &[
    include_str!("../../../runtime/include/whittle/values.h"),
    include_str!("../../../runtime/include/whittle/value_size.h"),
    include_str!("../../../runtime/include/whittle/value_equal.h"),
    include_str!("../../../runtime/include/whittle/value_copy.h"),
    include_str!("../../../runtime/include/whittle/value_print.h"),
    include_str!("../../../runtime/include/whittle/codec.h"),
];

struct Section<'a> {
    name: &'a str,
    needs: Vec<&'a str>,
    text: &'a str,
}

impl<'a> Section<'a> {
    fn text(&self) -> &'a str {
        self.text.trim_matches('\n')
    }
}

/// The text of the named sections and of all that they need, in the runtime's order. Each stands under a guard of its own, since
/// several such files may become one translation unit, and no line is continued by the next: recipes that read files line by
/// line stumble over that. The walk through tables is for those of the file alone.
pub fn sections(used: &BTreeSet<String>, walk: &Walk) -> String {
    let of = |section: &Section<'_>| match section.name {
        name if is_of_walk(name) => {
            let text = walk.text(section.text());
            (!text.trim().is_empty()).then(|| guarded(&walk.guard(name), text.trim_matches('\n')))
        }
        name => Some(guarded(name, section.text())),
    };
    let texts: Vec<String> = chosen(HEADERS, used).iter().filter_map(of).collect();
    texts.join("\n") + "\n"
}

/// The walk through tables, for those of a file.
pub(crate) fn walk(walk: &Walk) -> String {
    let of_walk = chosen(HEADERS, &BTreeSet::from(["table_walk".to_owned()]));
    let texts = of_walk.iter().filter(|section| is_of_walk(section.name)).map(|section| walk.text(section.text()));
    texts.collect::<Vec<_>>().join("\n")
}

/// Sections of which a file has what its tables need.
fn is_of_walk(name: &str) -> bool {
    name.starts_with("table_walk")
}

/// The words of a text, comments included.
pub(crate) fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !crate::reserved::is_part_of_word(c)).filter(|word| !word.is_empty()).collect()
}

/// What stands before the text and behind it, so that the header's names change nothing in it: its macros are not there, and no
/// compiler reports that the text's variables hide what it calls alike. (They keep their names: what another file's copy of the
/// text declared stays as it was.)
pub(crate) fn meanwhile(text: &str, names: &Names<'_>) -> [Option<String>; 2] {
    let Names { macros, reserved, declared } = names;
    let words = words(text);
    let (mut before, mut after) = (String::new(), String::new());
    for name in OF_HEADERS.iter().filter(|name| declared.contains(**name)) {
        before.push_str(&format!("#define {name} whittle_{name}\n"));
        after.push_str(&format!("#undef {name}\n"));
    }
    for name in macros.iter().filter(|name| words.contains(name.as_str()) || may_be_limit(name)) {
        before.push_str(&format!("#pragma push_macro(\"{name}\")\n#undef {name}\n"));
        after.push_str(&format!("#pragma pop_macro(\"{name}\")\n"));
    }
    if words.iter().any(|word| reserved.contains(*word) && !macros.contains(*word)) {
        before.push_str("#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wshadow\"\n");
        after.push_str("#pragma GCC diagnostic pop\n");
    }
    [before, after].map(|lines| Some(lines).filter(|lines| !lines.is_empty()))
}

/// The names of the user's header.
pub(crate) struct Names<'a> {
    pub(crate) macros: &'a BTreeSet<String>,
    /// Not to be used for anything else.
    pub(crate) reserved: &'a BTreeSet<String>,
    /// Those of them that the description defines.
    pub(crate) declared: &'a BTreeSet<String>,
}

/// What `<stddef.h>` and `<stdint.h>` declare, which the text includes, and the RPC library's header does not: users may.
const OF_HEADERS: [&str; 22] = [
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "intmax_t",
    "intptr_t",
    "max_align_t",
    "ptrdiff_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
];

/// Whether those headers may define a macro of that name anew.
fn may_be_limit(name: &str) -> bool {
    ["_MAX", "_MIN", "_C", "_WIDTH"].iter().any(|end| name.ends_with(end)) || name == "offsetof"
}

/// `#ifndef WHITTLE_NAME_H … #endif`
fn guarded(name: &str, text: &str) -> String {
    let guard = format!("WHITTLE_{}_H", name.to_ascii_uppercase());
    format!("#ifndef {guard}\n#define {guard}\n{}\n#endif", joined_lines(text))
}

/// The text with each line that ends in `\\` and the next as one line.
fn joined_lines(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let (part, goes_on) = line.strip_suffix('\\').map_or((line, false), |part| (part.trim_end(), true));
        match lines.last_mut().filter(|_| is_open) {
            Some(last) => *last = format!("{last} {}", part.trim_start()),
            None => lines.push(part.to_string()),
        }
        is_open = goes_on;
    }
    lines.join("\n")
}

/// The same of what packets need.
pub fn packet_sections(used: &BTreeSet<String>) -> String {
    let by_tag = [&[VALUES[0], VALUES[VALUES.len() - 1]], encodings::protobuf::RUN_TIME, PACKETS_IN_PROTOBUF].concat();
    of_headers(&[PACKETS, &by_tag].concat(), used)
}

/// The same of what messages in CDR need.
pub fn cdr_sections(used: &BTreeSet<String>) -> String {
    of_headers(CDR, used)
}

/// All of that.
pub fn all_cdr_sections() -> String {
    all_of(CDR)
}

/// The same of what messages in XDR need.
pub fn xdr_sections(used: &BTreeSet<String>) -> String {
    of_headers(XDR, used)
}

/// All of that.
pub fn all_xdr_sections() -> String {
    all_of(XDR)
}

/// The same of what values without a connection need, behind and before what is an encoding's own.
pub(crate) fn value_sections([before, behind]: [&[&'static str]; 2], used: &BTreeSet<String>) -> String {
    of_headers(&[before, VALUES, behind].concat(), used)
}

fn all_of(headers: &[&'static str]) -> String {
    let all = headers.iter().flat_map(|header| cut(header)).map(|section| section.name.to_string());
    of_headers(headers, &all.collect())
}

fn of_headers(headers: &[&'static str], used: &BTreeSet<String>) -> String {
    let texts: Vec<&str> = chosen(headers, used).iter().map(Section::text).collect();
    texts.join("\n\n") + "\n"
}

/// The named sections that have a text, and those that they need.
fn chosen(headers: &[&'static str], used: &BTreeSet<String>) -> Vec<Section<'static>> {
    let all: Vec<Section<'static>> = headers.iter().flat_map(|header| cut(header)).collect();
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
    let wanted: BTreeSet<String> = wanted.into_iter().map(str::to_string).collect();
    all.into_iter().filter(|section| wanted.contains(section.name) && !section.text().is_empty()).collect()
}

/// Adds a source or header of a run time to the one file that all of them become. Each part's lines that include another,
/// which `included` names, are left out: the others stand before it.
pub fn join(text: &mut String, part: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    for line in part.lines().filter(|line| included(line).is_none() && *line != "#define _GNU_SOURCE") {
        text.push_str(line);
        text.push('\n');
    }
}

/// The part that a line includes, without its folder.
pub fn included(line: &str) -> Option<&str> {
    let path = match line.strip_prefix("#include \"") {
        Some(rest) => rest.split('"').next()?,
        None => line.strip_prefix("#include <whittle/")?.split('>').next()?,
    };
    Some(path.rsplit_once('/').map_or(path, |(_, name)| name))
}

/// Whether a section of that name exists.
pub fn has_section(name: &str) -> bool {
    [HEADERS, PACKETS, PACKETS_IN_PROTOBUF, CDR, XDR, VALUES, encodings::protobuf::RUN_TIME]
        .concat()
        .into_iter()
        .flat_map(cut)
        .any(|section| section.name == name)
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
