//! Where the parser goes on behind what it did not understand.

use super::Parser;
use crate::keywords;
use source::near_miss;
use tokens::TokenKind;

impl Parser<'_> {
    /// True where a declaration of the file starts, which means that a brace before was not closed.
    pub(super) fn at_declaration(&self) -> bool {
        if self.cursor.at("import") {
            return self.cursor.peek_at(1).kind == TokenKind::Text;
        }
        self.cursor.at_any(&keywords::DECLARATIONS) && self.is_word(1) && self.cursor.at_ahead(2, "{")
    }

    /// True where the list in braces can only be over.
    pub(super) fn at_end_of_body(&self) -> bool {
        self.cursor.is_at_end() || self.cursor.at("}") || self.at_declaration()
    }

    /// True where the present token is the first one of its line.
    pub(super) fn begins_line(&self) -> bool {
        let between = self.cursor.after_previous().end as usize..self.cursor.peek().span.start as usize;
        self.text.get(between).is_some_and(|between| between.contains('\n'))
    }

    /// True where the clauses of an edge or the needs of a port are over. A missing semicolon does not hide the next
    /// statement; a misspelled word does not look like one.
    pub(super) fn at_end_of_clauses(&self, known: &[&str]) -> bool {
        if self.cursor.at(";") || self.at_end_of_body() || (self.is_line && self.cursor.at("->")) {
            return true;
        }
        let word = self.cursor.peek_text();
        let is_path = self.cursor.at_ahead(1, ".") || self.cursor.at_ahead(1, "->");
        if !self.is_word(0) || !self.begins_line() || (known.contains(&word) && !is_path) {
            return false;
        }
        let is_clause = !self.pipes.contains(word) && near_miss(word, known).is_some();
        is_path || (self.is_word(1) && !is_clause)
    }

    /// Steps over the rest of a broken statement, its semicolon included.
    pub(super) fn skip_statement(&mut self) {
        while !self.cursor.at(";") && !self.at_end_of_body() {
            if self.cursor.eat("{") {
                self.cursor.skip_until(&[]);
            }
            self.cursor.bump();
        }
        self.cursor.eat(";");
    }

    /// Steps over the rest of a broken clause, up to the next one. Gets on, unless the clauses are over.
    pub(super) fn skip_clause(&mut self, known: &[&str], start: usize) {
        while !self.at_end_of_clauses(known) {
            if self.cursor.position() > start && self.cursor.at_any(known) {
                return;
            }
            self.cursor.bump();
        }
    }

    /// Steps over a broken declaration: to where the next one starts. Gets on.
    pub(super) fn skip_declaration(&mut self) {
        let start = self.cursor.position();
        while !self.cursor.is_at_end() {
            if self.cursor.position() > start && self.at_declaration() {
                return;
            }
            if self.cursor.eat("{") {
                self.cursor.skip_until(&[]);
                self.cursor.eat("}");
                return;
            }
            if self.cursor.eat(";") {
                return;
            }
            self.cursor.bump();
        }
    }
}
