//! What gcc's preprocessor writes for gcc alone, in words that clang takes. In: a text. Out: one of the same length,
//! so that places stay, with the same meaning.

use crate::lex::Kind;
use crate::text::Text;

/// The text as clang is to read it.
pub(crate) fn for_clang(text: &Text) -> String {
    let mut bytes = text.content.clone().into_bytes();
    let end = text.tokens.len();
    for index in 0..end {
        // `malloc (free)`: who releases what a function allocates, which only gcc asks for.
        let is_pairing = matches!(text.at(index), "__malloc__" | "malloc")
            && matches!(index.checked_sub(1).map(|before| text.at(before)), Some("(" | ","))
            && text.at(index + 1) == "("
            && is_in_attribute(text, index);
        if is_pairing {
            let close = text.closing(index + 1, end);
            let group = text.bytes(&(index + 1..close + 1));
            bytes[group].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_in_attribute(text: &Text, index: usize) -> bool {
    let mut open = 0_usize;
    for before in (0..index).rev() {
        match text.at(before) {
            ")" => open += 1,
            "(" if open > 0 => open -= 1,
            "__attribute__" | "__attribute" if open == 0 => return true,
            ";" | "{" | "}" => return false,
            _ if text.kind_at(before) == Some(Kind::Directive) => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::for_clang;
    use crate::text::Text;

    #[test]
    fn only_the_attribute_loses_its_operands() {
        let content = "void *f(void) __attribute__ ((nothrow, __malloc__ (g, 1))); int x = h(malloc (3));";
        let expected = "void *f(void) __attribute__ ((nothrow, __malloc__       )); int x = h(malloc (3));";
        assert_eq!(for_clang(&Text::new(FileId(0), content.to_owned())), expected);
    }
}
