//! Wire cases as text: `tests/wire/*.wire`, whose form `tests/wire/README.md` tells.

/// One case.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Of its first line.
    pub(crate) line: usize,
    pub(crate) ty: String,
    /// The value's text; `None` where decoding fails.
    pub(crate) value: Option<String>,
    /// Under XDR.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Other bytes that decode to the same value.
    pub(crate) also: Vec<Vec<u8>>,
    /// Under CDR.
    pub(crate) cdr: Vec<Cdr>,
}

/// Bytes under CDR.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cdr {
    pub(crate) is_big_endian: bool,
    /// The value is encoded so, too.
    pub(crate) is_written: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A file of cases.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) interface: String,
    pub(crate) cases: Vec<Case>,
}

/// Reads a file; an error names its line.
pub(crate) fn read(text: &str) -> Result<File, String> {
    let mut file = File::default();
    for (line, text) in logical_lines(text) {
        let (keyword, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        let rest = rest.trim();
        let place = |problem: String| format!("line {line}: {problem}");
        match (keyword, file.cases.last_mut()) {
            ("interface", None) => file.interface = rest.to_owned(),
            ("case", _) => file.cases.push(Case { name: rest.to_owned(), line, ..Case::default() }),
            ("type", Some(case)) => case.ty = rest.to_owned(),
            ("value", Some(case)) => case.value = Some(rest.to_owned()),
            ("refused", Some(case)) => case.value = None,
            ("xdr", Some(case)) => case.bytes = Some(bytes(rest).map_err(place)?),
            ("xdr-read", Some(case)) => case.also.push(bytes(rest).map_err(place)?),
            ("cdr" | "cdr-little" | "cdr-read" | "cdr-little-read", Some(case)) => case.cdr.push(Cdr {
                is_big_endian: !keyword.contains("little"),
                is_written: !keyword.ends_with("read"),
                bytes: bytes(rest).map_err(place)?,
            }),
            _ => return Err(place(format!("`{keyword}` is not expected here"))),
        }
    }
    Ok(file)
}

/// Lines with what continues them, without comments; each with the number of its first.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match lines.last_mut() {
            Some((_, before)) if line.starts_with(' ') => *before = format!("{before} {}", line.trim()),
            _ => lines.push((index + 1, line.trim_end().to_owned())),
        }
    }
    lines
}

/// `00000001 6162*2`.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        let (digits, times) = word.split_once('*').unwrap_or((word, "1"));
        let times: usize = times.parse().map_err(|_| format!("`{word}` repeats no number of times"))?;
        let pairs = digits.as_bytes().chunks(2).map(|pair| {
            std::str::from_utf8(pair)
                .ok()
                .filter(|pair| pair.len() == 2)
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
        });
        let once: Option<Vec<u8>> = pairs.collect();
        let once = once.ok_or_else(|| format!("`{word}` is no row of bytes"))?;
        (0..times).for_each(|_| bytes.extend(&once));
    }
    Ok(bytes)
}
