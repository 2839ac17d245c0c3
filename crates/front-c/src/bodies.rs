//! Functions of system headers that clang finds fault with: headers of intrinsics belong to one version of one compiler, and the
//! preprocessor's may be another than libclang's. In: a text and where the faults are. Out: the text with such functions only
//! declared, of the same length, so that places stay; the header, which the output includes, still defines them.

use crate::text::Text;

/// The text as clang is to read it again; nothing where no fault is in a system header's function.
pub(crate) fn without(text: &Text, faults: impl Iterator<Item = usize>) -> Option<String> {
    let faults: Vec<usize> = faults.filter(|offset| text.headers.at(*offset).is_some()).collect();
    let end = text.tokens.len();
    let mut bytes = text.content.clone().into_bytes();
    let mut is_changed = false;
    let mut at = 0;
    while !faults.is_empty() && at < end {
        at = text.find(&["{"], at, end);
        let close = text.closing(at, end);
        let body = text.bytes(&(at..close + 1));
        let is_function = at.checked_sub(1).is_some_and(|before| text.at(before) == ")");
        if at < end && is_function && faults.iter().any(|offset| body.contains(offset)) {
            // Lines that say which file follows stay: they are no tokens.
            for token in &text.tokens[at..close + 1] {
                bytes[token.range()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
            bytes[body.start] = b';';
            is_changed = true;
        }
        at = close + 1;
    }
    is_changed.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::without;
    use crate::text::Text;

    #[test]
    fn only_functions_of_system_headers_lose_their_bodies() {
        let content = "# 1 \"a.c\"\nint a(void) { return bad; }\n# 1 \"/usr/include/x.h\" 1 3 4\nstruct s { int bad; };\n\
                       static int b(int x) { if (x) { return bad; }\n return 1; }\nint c(void) { return 2; }\n# 2 \"a.c\" 2\nint d(void) { return bad; }\n";
        let faults = content.match_indices("bad").map(|(at, _)| at);
        let text = Text::new(FileId(0), content.to_owned());
        let found = without(&text, faults).unwrap();
        assert_eq!(found.len(), content.len());
        assert!(found.contains("static int b(int x) ;"), "{found}");
        assert_eq!(found.matches("bad").count(), 3, "{found}");
    }
}
