//! Where a long line is folded. In: its text, and the columns that there are. Out: the byte at which the next line begins.

/// A place to fold at: the less, the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    kind: Kind,
    /// Brackets around it.
    depth: usize,
    /// How strongly the operator binds.
    strength: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// After a comma, and before the operators that join conditions and bits.
    Usual,
    /// Before another operator.
    Operator,
    /// Between words.
    Space,
    /// After a bracket, and before a member.
    Inside,
}

const USUAL: [&str; 4] = [" && ", " || ", " ? ", " | "];

/// The others, by how strongly they bind.
const OPERATORS: [&[&str]; 6] = [
    &[" : ", " ?: ", " ^ "],
    &[" & "],
    &[" == ", " != ", " < ", " <= ", " > ", " >= "],
    &[" << ", " >> "],
    &[" + ", " - "],
    &[" * ", " / ", " % "],
];

/// Where to fold `text` so that its first part has at most `room` columns: at the last place that costs least. Where the line `must`
/// become shorter, any place between two words will do, and if none is within the room, the first one behind it.
pub(super) fn fold_point(text: &str, room: usize, must: bool) -> Option<usize> {
    let (mut best, mut behind): (Option<(usize, Cost)>, _) = (None, None);
    each_place(text, &mut |at, cost| {
        if at > room {
            behind = Some(at);
        } else if best.is_none_or(|(_, least)| cost <= least) {
            best = Some((at, cost));
        }
        behind.is_none()
    });
    match best {
        Some((at, Cost { kind: Kind::Usual, .. })) => Some(at),
        // What follows two slashes is on their line; scripts look for types' lines.
        _ if !must || text.contains("//") || text.trim_start().starts_with("typedef ") => None,
        Some((at, _)) => Some(at),
        None => behind,
    }
}

/// The places of a text, from the left, until `see` has seen enough.
fn each_place(text: &str, see: &mut dyn FnMut(usize, Cost) -> bool) {
    let bytes = text.as_bytes();
    let (mut depth, mut quote): (usize, Option<u8>) = (0, None);
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(_) if byte == b'\\' => at += 1,
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => {
                if byte == b'"' || byte == b'\'' {
                    quote = Some(byte);
                }
                depth = depth.saturating_sub(usize::from(matches!(byte, b')' | b'}' | b']')));
                let place = place(text, at).filter(|(place, _)| (1..bytes.len()).contains(place));
                if let Some((place, (kind, strength))) = place
                    && !see(place, Cost { kind, depth, strength })
                {
                    return;
                }
                depth += usize::from(matches!(byte, b'(' | b'{' | b'['));
            }
        }
        at += 1;
    }
}

/// The place at a byte outside of literals, and what it is.
fn place(text: &str, at: usize) -> Option<(usize, (Kind, usize))> {
    let (before, here) = text.as_bytes().split_at(at);
    let (before, next) = (before.last().copied().unwrap_or(b' '), here.get(1).copied().unwrap_or(b' '));
    let is_here = |operator: &&str| here.starts_with(operator.as_bytes());
    Some(match here[0] {
        b' ' if before == b',' || USUAL.iter().any(&is_here) => (at + 1, (Kind::Usual, 0)),
        b' ' => match OPERATORS.iter().position(|operators| operators.iter().any(&is_here)) {
            Some(strength) => (at + 1, (Kind::Operator, strength)),
            None if next == b'=' => return None,
            None => (at + 1, (Kind::Space, usize::from(!matches!(before, b'=' | b';')))),
        },
        b'(' | b'[' if next != b')' && next != b']' => (at + 1, (Kind::Inside, 0)),
        b'-' if next == b'>' => (at, (Kind::Inside, 1)),
        b'.' if before.is_ascii_alphabetic() || matches!(before, b'_' | b')' | b']') => (at, (Kind::Inside, 1)),
        _ => return None,
    })
}
