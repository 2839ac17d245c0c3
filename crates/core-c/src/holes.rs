//! C text that Core C does not look into, with holes for what it takes: `⟨0⟩ + ⟨1⟩`, `asm("…" : "=r"(⟨0⟩))`.

/// The text with each hole filled.
pub fn fill(text: &str, values: &[String]) -> String {
    let mut pieces = text.split('⟨');
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let hole = piece.split_once('⟩').and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
        match hole.and_then(|(number, rest)| Some((values.get(number)?, rest))) {
            Some((value, rest)) => {
                filled.push_str(value);
                filled.push_str(rest);
            }
            None => {
                filled.push('⟨');
                filled.push_str(piece);
            }
        }
    }
    filled
}

/// The text of an `asm` with a hole for each of its operands, and how many there are. Operands stand in parentheses
/// behind the template's colon; what they are called and their constraints stay.
pub(crate) fn in_assembly(text: &str) -> (String, usize) {
    let (mut holed, mut holes) = (String::new(), 0);
    let (mut depth, mut colons, mut in_operand) = (0_usize, 0_usize, false);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let (piece, behind) = rest.split_at(if character == '"' { string(rest) } else { character.len_utf8() });
        rest = behind;
        match character {
            '(' if depth == 1 && colons > 0 => {
                holed.push_str(&format!("(⟨{holes}⟩"));
                holes += 1;
                (depth, in_operand) = (2, true);
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                in_operand &= depth > 1;
            }
            ':' if depth == 1 => colons += 1,
            _ => {}
        }
        if !in_operand {
            holed.push_str(piece);
        }
    }
    (holed, holes)
}

/// The length of the string literal that a text begins with.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if character == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{fill, in_assembly};

    #[test]
    fn holes_are_filled_by_number() {
        let values = ["a".to_owned(), "b[0]".to_owned()];
        assert_eq!(fill("⟨1⟩ - ⟨0⟩ * ⟨1⟩", &values), "b[0] - a * b[0]");
        assert_eq!(fill("x ⟨7⟩", &values), "x ⟨7⟩");
    }

    #[test]
    fn operands_of_assembly_become_holes() {
        let cases = [
            ("asm volatile (\"nop\");", "asm volatile (\"nop\");", 0),
            (
                "asm(\"mov %1, %0\" : \"=r\"(x) : \"r\"(f(y, \")\")) : \"memory\");",
                "asm(\"mov %1, %0\" : \"=r\"(⟨0⟩) : \"r\"(⟨1⟩) : \"memory\");",
                2,
            ),
            ("asm(\"(\" \":\" :: [n] \"i\" (sizeof(a[0]))) ;", "asm(\"(\" \":\" :: [n] \"i\" (⟨0⟩)) ;", 1),
        ];
        for (text, holed, count) in cases {
            assert_eq!(in_assembly(text), (holed.to_owned(), count));
        }
    }
}
