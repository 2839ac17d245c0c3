//! From text to a condition. In: tokens, from the word behind `where` on. Out: the condition, or the one finding that says where it
//! ends to be one. What stands behind it is left: the clauses of an edge have no mark between them. Source: `docs/guides/describe-a-flow.md`.

use source::{Diagnostic, FileId, Span};
use tokens::{Cursor, Token, TokenKind, has_plain_escapes, text_content};

use super::{Comparison, Condition, FieldPath, Step, Term};
use crate::errors;
use crate::name::{Name, Spanned};

/// What is one token, beside what other clauses have.
pub const COMPOUNDS: &[&str] = &["->", "<=", ">=", "==", "!="];

/// How deep parentheses and `not` may stand in each other.
const MOST_NESTED: usize = 64;

/// How many values a condition may name: it is looked at for each packet, while others wait.
const MOST_VALUES: usize = 256;

/// What a side of a comparison is, and what holds by itself.
const VALUE: &str = "a field, a number, a text, `true`, `false`, `not` or `(`";

type Read<T> = Result<T, Box<Diagnostic>>;

/// The condition that begins at the cursor. Where a word of `clauses` is followed by what only such a clause has, it is no field.
pub fn parse(cursor: &mut Cursor<'_>, clauses: &[&str]) -> Read<Term> {
    let mut parser = Parser { cursor, clauses, depth: 0, values: 0 };
    let term = parser.any()?;
    // No clause begins like these, and C's conditions have them.
    if parser.comparison().is_some() || parser.cursor.at_any(&["=", "&", "|", "!"]) {
        return Err(parser.expected("`and`, `or`, or a comparison such as `==`"));
    }
    Ok(term)
}

/// A text that is a condition and nothing else; everything is said of `place`.
pub fn parse_text(text: &str, place: Span) -> Read<Term> {
    let options = tokens::Options { percent_lines: false, compounds: COMPOUNDS };
    let (tokens, findings) = tokens::tokenize(text, FileId(0), &options);
    let mut cursor = Cursor::new(text, FileId(0), tokens);
    let odd = findings.into_iter().next().map(Box::new);
    let term = odd.map_or_else(|| parse(&mut cursor, &[]), Err);
    let whole = term.and_then(|term| match cursor.is_at_end() {
        true => Ok(moved(term, place)),
        false => Err(Box::new(errors::no_condition(place, "the end of the condition", &cursor.found()))),
    });
    whole.map_err(|finding| {
        Box::new(Diagnostic { primary: None, secondary: Vec::new(), ..*finding }.at(place, "in this condition"))
    })
}

/// The term with the one place that its text has.
fn moved(term: Term, place: Span) -> Term {
    let inner = |term: Box<Term>| Box::new(moved(*term, place));
    let all = |terms: Vec<Term>| terms.into_iter().map(|term| moved(term, place)).collect();
    let value = match term.value {
        Condition::All(terms) => Condition::All(all(terms)),
        Condition::Any(terms) => Condition::Any(all(terms)),
        Condition::Not(term) => Condition::Not(inner(term)),
        Condition::Compare(comparison, left, right) => Condition::Compare(comparison, inner(left), inner(right)),
        Condition::Field(path) => Condition::Field(FieldPath {
            field: Name::new(path.field.text, place),
            inwards: path.inwards.into_iter().map(|step| step_at(step, place)).collect(),
        }),
        value => value,
    };
    Spanned::new(value, place)
}

fn step_at(step: Step, place: Span) -> Step {
    match step {
        Step::Member(name) => Step::Member(Name::new(name.text, place)),
        Step::Element(element) => Step::Element(Spanned::new(element.value, place)),
    }
}

struct Parser<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    clauses: &'c [&'c str],
    depth: usize,
    values: usize,
}

impl Parser<'_, '_> {
    fn expected(&self, what: &str) -> Box<Diagnostic> {
        Box::new(errors::no_condition(self.cursor.here(), what, &self.cursor.found()))
    }

    fn any(&mut self) -> Read<Term> {
        let term = self.joined("or", Self::all)?;
        Ok(term.map_or_else(|only| only, |(terms, span)| Spanned::new(Condition::Any(terms), span)))
    }

    fn all(&mut self) -> Read<Term> {
        let term = self.joined("and", Self::one)?;
        Ok(term.map_or_else(|only| only, |(terms, span)| Spanned::new(Condition::All(terms), span)))
    }

    /// Several with a word between them, or the only one.
    fn joined(&mut self, word: &str, one: fn(&mut Self) -> Read<Term>) -> Read<Result<(Vec<Term>, Span), Term>> {
        let first = one(self)?;
        if !self.cursor.at(word) {
            return Ok(Err(first));
        }
        let start = first.span;
        let mut terms = vec![first];
        while self.cursor.eat(word) {
            terms.push(one(self)?);
        }
        Ok(Ok((terms, start.to(self.cursor.after_previous()))))
    }

    /// `not` a condition, a comparison, or what is true by itself.
    fn one(&mut self) -> Read<Term> {
        let start = self.cursor.here();
        if self.cursor.eat("not") {
            let inner = self.nested(Self::one)?;
            return Ok(Spanned::new(Condition::Not(Box::new(inner)), start.to(self.cursor.after_previous())));
        }
        let left = self.value()?;
        let Some(comparison) = self.comparison() else { return Ok(left) };
        self.cursor.bump();
        let right = self.value()?;
        if self.comparison().is_some() {
            return Err(self.expected("`and`: `a < b < c` is written `a < b and b < c`"));
        }
        let span = left.span.to(right.span);
        Ok(Spanned::new(Condition::Compare(comparison, Box::new(left), Box::new(right)), span))
    }

    fn comparison(&self) -> Option<Comparison> {
        Comparison::from_word(self.cursor.peek_text()).filter(|_| self.cursor.peek().kind == TokenKind::Punctuator)
    }

    /// What stands within something, unless that is within too much.
    fn nested(&mut self, inner: fn(&mut Self) -> Read<Term>) -> Read<Term> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(Box::new(errors::condition_too_large(
                self.cursor.here(),
                MOST_NESTED,
                "conditions in each other",
            )));
        }
        let term = inner(self)?;
        self.depth -= 1;
        Ok(term)
    }

    fn value(&mut self) -> Read<Term> {
        let token = self.cursor.peek();
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(Box::new(errors::condition_too_large(token.span, MOST_VALUES, "values")));
        }
        if self.cursor.eat("(") {
            let inner = self.nested(Self::any)?;
            if !self.cursor.eat(")") {
                return Err(self.expected("`)`, `and` or `or`"));
            }
            return Ok(inner);
        }
        let value = match token.kind {
            TokenKind::Identifier if self.begins_clause() => return Err(self.expected(VALUE)),
            TokenKind::Identifier => self.word(token)?,
            TokenKind::Text if !has_plain_escapes(self.cursor.text(token)) => {
                return Err(
                    self.expected("a text whose escapes C has, for characters of ASCII (others stand for themselves)")
                );
            }
            TokenKind::Text => Condition::Text(text_content(self.bumped(token))),
            TokenKind::Character => self.character(token)?,
            _ => self.number()?,
        };
        Ok(Spanned::new(value, token.span.to(self.cursor.after_previous())))
    }

    /// Whether a clause begins here: behind its word stands a number or a word, which behind a field goes with `and`, `or` or a clause.
    fn begins_clause(&self) -> bool {
        let next = self.cursor.peek_at(1);
        let joins = |word: &str| matches!(word, "and" | "or") || self.clauses.contains(&word);
        self.clauses.contains(&self.cursor.peek_text())
            && match next.kind {
                TokenKind::Identifier => !joins(self.cursor.text(next)),
                TokenKind::Integer | TokenKind::Float => true,
                _ => false,
            }
    }

    fn bumped(&mut self, token: Token) -> &str {
        self.cursor.bump();
        self.cursor.text(token)
    }

    fn character(&mut self, token: Token) -> Read<Condition> {
        let spelling = self.cursor.text(token);
        let inner = spelling.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or("");
        let mut characters = text_content(&format!("\"{inner}\"")).chars().collect::<Vec<_>>().into_iter();
        match (characters.next(), characters.next()) {
            (Some(character), None) => {
                self.cursor.bump();
                Ok(Condition::Character(character))
            }
            _ => Err(self.expected("one character between `'`")),
        }
    }

    fn word(&mut self, token: Token) -> Read<Condition> {
        let field = match self.bumped(token) {
            "true" => return Ok(Condition::Truth(true)),
            "false" => return Ok(Condition::Truth(false)),
            word => Name::new(word, token.span),
        };
        let mut inwards = Vec::new();
        loop {
            if self.cursor.eat(".") {
                let token = self.cursor.peek();
                if token.kind != TokenKind::Identifier {
                    return Err(self.expected("the name of a member, or `count`"));
                }
                inwards.push(Step::Member(Name::new(self.bumped(token), token.span)));
            } else if self.cursor.eat("[") {
                let token = self.cursor.peek();
                let place = self.whole(token).and_then(|value| u64::try_from(value).ok());
                let Some(place) = place else { return Err(self.expected("the place of an element: a whole number")) };
                self.cursor.bump();
                if !self.cursor.eat("]") {
                    return Err(self.expected("`]`"));
                }
                inwards.push(Step::Element(Spanned::new(place, token.span)));
            } else {
                return Ok(Condition::Field(FieldPath { field, inwards }));
            }
            if inwards.len() > MOST_NESTED {
                return Err(Box::new(errors::condition_too_large(
                    self.cursor.here(),
                    MOST_NESTED,
                    "steps into a field",
                )));
            }
        }
    }

    /// A whole number as people write it: `010` is no octal one here.
    fn whole(&self, token: Token) -> Option<i128> {
        let spelling = self.cursor.text(token);
        let is_whole = token.kind == TokenKind::Integer && !is_octal(spelling);
        let value = tokens::integer_value(spelling).filter(|_| is_whole)?;
        // Beyond any field's, and what is done with it needs room.
        (value <= i128::from(u64::MAX)).then_some(value)
    }

    /// A number with or without a sign.
    fn number(&mut self) -> Read<Condition> {
        let is_negative = self.cursor.at("-");
        let token = self.cursor.peek_at(usize::from(is_negative));
        let spelling = self.cursor.text(token).to_owned();
        let is_finite = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        let value = match token.kind {
            TokenKind::Integer => {
                self.whole(token).map(|value| Condition::Integer(if is_negative { -value } else { value }))
            }
            TokenKind::Float if is_finite(&spelling) => {
                Some(Condition::Float(format!("{}{spelling}", if is_negative { "-" } else { "" })))
            }
            _ => None,
        };
        let Some(value) = value else {
            let is_large = match token.kind {
                TokenKind::Integer => tokens::integer_value(&spelling).is_none_or(|value| value > i128::from(u64::MAX)),
                TokenKind::Float => spelling.parse::<f64>().is_ok_and(f64::is_infinite),
                _ => false,
            };
            return Err(match is_large && !is_octal(&spelling) {
                true => Box::new(errors::number_too_large(token.span, &spelling)),
                false => self.expected(VALUE),
            });
        };
        if is_negative {
            self.cursor.bump();
        }
        self.cursor.bump();
        Ok(value)
    }
}

/// `010`, which C reads as eight and people do not.
fn is_octal(spelling: &str) -> bool {
    spelling.len() > 1 && spelling.starts_with('0') && spelling.bytes().all(|byte| byte.is_ascii_digit())
}
