//! Declarations as text: where each begins and ends, and how its declarators come apart.
//!
//! `static struct s { int a; } x = { 1 }, *y;` is a declaration of a type and two of objects. clang gives a cursor for
//! each; the text of each alone is cut out here.

use std::ops::Range;

use crate::lex::Kind;
use crate::text::Text;

/// A declaration with one or several declarators.
#[derive(Debug)]
pub(crate) struct Group {
    /// The tokens of the whole, without its semicolon.
    pub(crate) tokens: Range<usize>,
    pub(crate) is_typedef: bool,
    /// The type that the declaration defines apart from its declarators, semicolon included.
    pub(crate) type_text: Option<String>,
    /// The specifiers, without the body of that type.
    specifiers: String,
    /// The tokens of each declarator, initializer included.
    pub(crate) declarators: Vec<Range<usize>>,
}

impl Group {
    /// Takes a declaration apart. `names` are the offsets of the names it declares.
    pub(crate) fn of(text: &Text, tokens: Range<usize>, names: &[usize]) -> Group {
        let specifiers = Specifiers::of(text, tokens.clone(), names);
        let mut declarators = Vec::new();
        let mut start = specifiers.end;
        while start < tokens.end {
            let comma = text.find(&[","], start, tokens.end);
            declarators.push(start..comma);
            start = comma + 1;
        }
        let is_typedef = tokens.clone().take_while(|at| *at < specifiers.end).any(|at| text.at(at) == "typedef");
        let (type_text, specifiers) = match &specifiers.body {
            Some(body) if !declarators.is_empty() && !is_typedef => {
                let close = text.behind_attributes(body.close + 1, specifiers.end);
                let head = format!("{}{}", text.flat(body.keyword..body.open), inserted(text, body.open));
                let before = text.flat(tokens.start..body.keyword);
                let after = text.flat(close..specifiers.end);
                let defined = format!("{};", text.lines(body.keyword..close));
                (Some(defined), [before, without_attributes(text, body, head), after].join(" ").trim().to_owned())
            }
            _ => (None, text.flat(tokens.start..specifiers.end)),
        };
        Group { tokens, is_typedef, type_text, specifiers, declarators }
    }

    /// The text that declares what one declarator declares, up to its initializer.
    pub(crate) fn spelling(&self, text: &Text, declarator: &Range<usize>) -> String {
        let end = text.find(&["="], declarator.start, declarator.end);
        format!("{} {}", self.specifiers, text.flat(declarator.start..end)).trim().to_owned()
    }

    /// The declarator that a name stands in.
    pub(crate) fn declarator_of(&self, text: &Text, name: usize) -> Option<&Range<usize>> {
        let index = text.index_at(name);
        self.declarators.iter().find(|declarator| declarator.contains(&index))
    }
}

fn inserted(text: &Text, open: usize) -> String {
    let offset = text.tokens.get(open).map_or(0, |token| token.start);
    text.insertions.get(&offset).map(|tag| format!(" {}", tag.trim_end())).unwrap_or_default()
}

/// `struct __attribute__((…)) tag` is `struct tag` where it is only used.
fn without_attributes(text: &Text, body: &Body, head: String) -> String {
    let next = text.behind_attributes(body.keyword + 1, body.open);
    if next == body.keyword + 1 && text.behind_attributes(next + 1, body.open) >= body.open {
        return head;
    }
    let tag = if next < body.open { format!(" {}", text.at(next)) } else { inserted(text, body.open) };
    format!("{}{tag}", text.at(body.keyword))
}

/// A record or enumeration with its body, by token.
struct Body {
    keyword: usize,
    open: usize,
    close: usize,
}

/// What stands before the first declarator.
struct Specifiers {
    end: usize,
    body: Option<Body>,
}

impl Specifiers {
    fn of(text: &Text, tokens: Range<usize>, names: &[usize]) -> Specifiers {
        let mut index = tokens.start;
        let mut has_type = false;
        let mut body = None;
        while index < tokens.end {
            index = text.behind_attributes(index, tokens.end);
            let Some(token) = text.tokens.get(index).filter(|_| index < tokens.end) else { break };
            if names.contains(&token.start) || token.kind != Kind::Word {
                break;
            }
            match text.at(index) {
                "struct" | "union" | "enum" => {
                    has_type = true;
                    let (end, found) = record(text, index, tokens.end);
                    body = found;
                    index = end;
                }
                "typeof" | "__typeof__" | "__typeof" | "_BitInt" => {
                    has_type = true;
                    index = text.closing(index + 1, tokens.end) + 1;
                }
                "_Atomic" if text.at(index + 1) == "(" => {
                    has_type = true;
                    index = text.closing(index + 1, tokens.end) + 1;
                }
                word if is_specifier(word) => index += 1,
                word if is_type_word(word) => {
                    has_type = true;
                    index += 1;
                }
                _ if has_type => break,
                _ => {
                    has_type = true;
                    index += 1;
                }
            }
        }
        Specifiers { end: index.min(tokens.end), body }
    }
}

/// Where `struct tag { … }` ends, and its body.
fn record(text: &Text, keyword: usize, end: usize) -> (usize, Option<Body>) {
    let mut index = text.behind_attributes(keyword + 1, end);
    if index < end && text.kind_at(index) == Some(Kind::Word) {
        index = text.behind_attributes(index + 1, end);
    }
    if index < end && text.at(index) == "{" {
        let close = text.closing(index, end);
        return (close + 1, Some(Body { keyword, open: index, close }));
    }
    (index, None)
}

/// Storage classes, qualifiers and function specifiers.
fn is_specifier(word: &str) -> bool {
    matches!(
        word.trim_matches('_'),
        "typedef"
            | "extern"
            | "static"
            | "auto"
            | "register"
            | "inline"
            | "Noreturn"
            | "Thread_local"
            | "thread"
            | "const"
            | "volatile"
            | "restrict"
            | "Atomic"
            | "extension"
            | "nonnull"
            | "Nullable"
    )
}

/// Words that are types by themselves or in company.
fn is_type_word(word: &str) -> bool {
    matches!(
        word.trim_matches('_'),
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "Bool"
            | "Complex"
            | "complex"
            | "Imaginary"
            | "int128"
            | "float128"
            | "float80"
            | "ibm128"
            | "Float16"
            | "Float32"
            | "Float64"
            | "Float128"
            | "Float32x"
            | "Float64x"
            | "Decimal32"
            | "Decimal64"
            | "Decimal128"
            | "auto_type"
    )
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::Group;
    use crate::tags::name_records;
    use crate::text::Text;

    /// The type's text and the text of each declarator.
    fn taken_apart(content: &str, names: &[&str]) -> (Option<String>, Vec<String>) {
        let mut text = Text::new(FileId(0), content.to_owned());
        name_records(&mut text);
        let names: Vec<usize> = names.iter().map(|name| content.find(name).unwrap()).collect();
        let group = Group::of(&text, 0..text.tokens.len(), &names);
        let spellings = group.declarators.iter().map(|declarator| group.spelling(&text, declarator)).collect();
        (group.type_text, spellings)
    }

    #[test]
    fn declarators_come_apart_with_their_specifiers() {
        let (ty, spellings) =
            taken_apart("static u x = f(1, 2), *y[2] __attribute__((used)), (*z)(int a, int b)", &["x", "y", "z"]);
        assert_eq!(ty, None);
        assert_eq!(spellings, ["static u x", "static u *y[2] __attribute__((used))", "static u (*z)(int a, int b)"]);
    }

    #[test]
    fn a_type_that_is_defined_on_the_way_is_declared_apart() {
        let (ty, spellings) =
            taken_apart("static const struct __attribute__((packed)) { int a; } x = { 1 }, *y", &["x", "y"]);
        assert_eq!(ty.as_deref(), Some("struct __attribute__((packed)) whittle_x { int a; };"));
        assert_eq!(spellings, ["static const struct whittle_x x", "static const struct whittle_x *y"]);
        let (ty, spellings) = taken_apart("struct s { int a; } __attribute__((packed)) f(void)", &["f"]);
        assert_eq!(ty.as_deref(), Some("struct s { int a; } __attribute__((packed));"));
        assert_eq!(spellings, ["struct s f(void)"]);
    }

    #[test]
    fn an_implicit_int_has_a_declarator() {
        assert_eq!(taken_apart("static x = 1", &["x"]).1, ["static x"]);
    }
}
