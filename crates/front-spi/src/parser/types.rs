//! Fields of packets, and their types.

use super::Parser;
use crate::{errors, keywords};
use xip::{Extent, Field, FieldType, Spanned};

impl Parser<'_> {
    /// `type NAME [array] [unit "U"] [range A to B] [id N];`
    pub(super) fn field(&mut self) -> Option<Field> {
        let ty = self.field_type()?;
        let name = self.name("a name for the field")?;
        let array = if self.cursor.at("[") { Some(self.array()?) } else { None };
        if self.cursor.at("[") {
            let finding = errors::two_dimensions(self.cursor.peek().span);
            self.report(finding);
            return None;
        }
        let mut unit = None;
        if self.cursor.at("unit") {
            self.cursor.bump();
            unit = Some(self.quoted("the name of a unit in quotes")?);
        }
        let mut range = None;
        if self.cursor.eat("range") {
            range = Some(self.number_range()?);
        }
        let mut id = None;
        if self.cursor.eat("id") {
            id = Some(self.count("the number of a field in protobuf")?);
        }
        if self.cursor.at(",") {
            let finding = errors::several_names(self.cursor.peek().span);
            self.report(finding);
            self.skip_statement();
        } else {
            self.expect_semicolon("the field");
        }
        Some(Field { name, ty, array, unit, range, id })
    }

    fn field_type(&mut self) -> Option<FieldType> {
        let word = self.cursor.peek_text();
        let number = word.trim_start_matches(|character: char| !character.is_ascii_digit());
        let bits = number.parse().unwrap_or(0);
        let ty = match word {
            "bool" => FieldType::Boolean,
            "octet" => FieldType::Octet,
            "char" => FieldType::Character,
            "int8" | "int16" | "int32" | "int64" => FieldType::Integer { bits, signed: true },
            "uint8" | "uint16" | "uint32" | "uint64" => FieldType::Integer { bits, signed: false },
            "float" => FieldType::Float { bits: 32 },
            "double" => FieldType::Float { bits: 64 },
            "string" => return self.string(),
            _ => {
                self.refuse_type_of_others()?;
                return self.name("a type").map(FieldType::Named);
            }
        };
        // What is spelled like a type may still be a text or a number.
        self.name("a type").map(|_| ty)
    }

    /// Reports `int` and its like, which other languages have.
    pub(super) fn refuse_type_of_others(&mut self) -> Option<()> {
        let token = self.cursor.peek();
        let word = self.cursor.text(token);
        let Some(meant) = keywords::type_of_others(word).filter(|_| self.is_word(0)) else { return Some(()) };
        let finding = errors::type_of_others(token.span, word, meant);
        self.report(finding);
        None
    }

    /// `string <= N`
    fn string(&mut self) -> Option<FieldType> {
        self.cursor.bump();
        if !self.cursor.eat("<=") {
            let finding = errors::string_without_bound(self.cursor.after_previous(), &self.cursor.found());
            self.report(finding);
            return None;
        }
        let bound = self.count("a bound of the string")?;
        Some(FieldType::Text { bound })
    }

    /// `[N]`, `[<= N]` or `[<= N used FIELD]`
    fn array(&mut self) -> Option<Extent> {
        self.cursor.bump();
        let is_bounded = self.cursor.eat("<=");
        let length: Spanned<u64> =
            self.count(if is_bounded { "a bound of the array" } else { "a length of the array" })?;
        if self.cursor.at("used") && !is_bounded {
            let finding = errors::used_of_fixed(self.cursor.peek().span, self.cursor.text_of(length.span));
            self.report(finding);
            return None;
        }
        let mut used = None;
        if self.cursor.eat("used") {
            used = Some(self.name("the field that says how many elements are used")?);
        }
        self.expect("]")?;
        Some(if is_bounded { Extent::Bounded { bound: length, used } } else { Extent::Fixed(length) })
    }
}
