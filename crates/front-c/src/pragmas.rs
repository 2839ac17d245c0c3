//! Pragmas that change what the text behind them means.

use std::ops::Range;

use crate::lex::Kind;
use crate::text::Text;

/// Where `#pragma pack` holds, and how tightly.
pub(crate) struct Packs {
    /// From which token on so many bytes, or the machine's own rule, hold; in order.
    starts: Vec<(usize, Option<u64>)>,
}

impl Packs {
    pub(crate) fn of(text: &Text) -> Packs {
        let mut stack: Vec<Option<u64>> = Vec::new();
        let mut present = None;
        let mut starts = Vec::new();
        for (index, words) in pragmas(text, 0..text.tokens.len()) {
            if words.first() != Some(&"pack") {
                continue;
            }
            // `pack()`, `pack(4)`, `pack(push)`, `pack(push, 4)`, `pack(pop)`; a name may stand between.
            let number = words.iter().find_map(|word| word.parse().ok());
            if words.contains(&"push") {
                stack.push(present);
                present = number.or(present);
            } else if words.contains(&"pop") {
                present = stack.pop().flatten();
            } else {
                present = number;
            }
            starts.push((index, present));
        }
        Packs { starts }
    }

    /// A declaration that stands at a token, so that it means the same elsewhere.
    pub(crate) fn around(&self, index: usize, declaration: String) -> String {
        let before = self.starts.partition_point(|(start, _)| *start <= index);
        match before.checked_sub(1).and_then(|at| self.starts[at].1) {
            Some(bytes) => format!("#pragma pack(push, {bytes})\n{declaration}\n#pragma pack(pop)"),
            None => declaration,
        }
    }
}

/// The pragmas among some tokens, and their words.
pub(crate) fn pragmas(text: &Text, range: Range<usize>) -> impl Iterator<Item = (usize, Vec<&str>)> {
    range.filter(|index| text.kind_at(*index) == Some(Kind::Directive)).map(|index| {
        let words = text.at(index).split(|c: char| !c.is_alphanumeric() && c != '_');
        (index, words.filter(|word| !word.is_empty()).skip(1).collect())
    })
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::Packs;
    use crate::text::Text;

    #[test]
    fn declarations_keep_the_packing_that_holds_where_they_stand() {
        let content =
            "a\n#pragma pack(push, 1)\nb\n#pragma pack(push, x, 2)\nc\n#pragma pack(pop)\nd\n#pragma pack()\ne";
        let text = Text::new(FileId(0), content.to_owned());
        let packs = Packs::of(&text);
        let around =
            |name: &str| packs.around(text.index_at(content.find(&format!("\n{name}")).unwrap_or(0)), name.to_owned());
        assert_eq!([around("a"), around("e")], ["a", "e"]);
        assert_eq!(around("b"), "#pragma pack(push, 1)\nb\n#pragma pack(pop)");
        assert_eq!([around("c").contains("2)"), around("d").contains("1)")], [true, true]);
    }
}
