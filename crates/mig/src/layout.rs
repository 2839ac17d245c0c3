//! What a request and an answer hold, item by item, and where.

use crate::{Argument, Length, Routine, Type, TypeName, Word};

/// Bytes of a message's header.
fn header(word: Word) -> u64 {
    match word {
        Word::Bits32 => 24,
        Word::Bits64 => 32,
    }
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The argument's value.
    Value,
    /// How much room the user has for the argument.
    Count,
}

/// A descriptor and what it describes.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// The member's name; the descriptor's is this and `Type`.
    pub name: String,
    pub argument: &'a Argument,
    pub content: Content,
    /// Where the descriptor stands if all that varies before it is as long as it can be.
    pub offset: u64,
    /// How many items before it may have any length: which pointer leads to it.
    pub shift: usize,
}

/// Whether a message holds rights, or data that stands elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Complexity {
    Never,
    Always,
    /// It depends on the values.
    Perhaps,
}

/// A request or an answer.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    pub items: Vec<Item<'a>>,
    /// Bytes if all that varies is empty.
    pub least: u64,
    /// Bytes if all that varies is as long as it can be in the message.
    pub most: u64,
    /// As its sender knows it before it is made.
    pub sent: Complexity,
    /// As its receiver expects it.
    pub received: Complexity,
}

impl<'a> Message<'a> {
    /// What the user sends.
    pub fn request(routine: &'a Routine, word: Word) -> Message<'a> {
        let mut message = Message::empty(header(word));
        for argument in &routine.arguments {
            if argument.is_in() {
                message.push(argument, Content::Value, word);
            } else if argument.has_count_in {
                message.push(argument, Content::Count, word);
            }
        }
        message
    }

    /// What the server answers; the return code is no item.
    pub fn reply(routine: &'a Routine, word: Word, is_from_kernel: bool) -> Message<'a> {
        let mut message = Message::empty(header(word) + descriptor(false, word) + word.bytes());
        for argument in routine.arguments.iter().filter(|argument| argument.is_out()) {
            message.push(argument, Content::Value, word);
        }
        let before = Complexity::Never;
        message.sent =
            message.items.iter().fold(before, |sent, item| with(sent, item.ty().leaves_as(is_from_kernel), item.ty()));
        message
    }

    fn empty(bytes: u64) -> Message<'a> {
        Message { items: Vec::new(), least: bytes, most: bytes, sent: Complexity::Never, received: Complexity::Never }
    }

    /// Whether its size is known before it is made.
    pub fn is_fixed(&self) -> bool {
        self.least == self.most
    }

    fn push(&mut self, argument: &'a Argument, content: Content, word: Word) {
        let shift = self.items.last().map_or(0, |last| last.shift + usize::from(last.is_variable()));
        let name = match content {
            Content::Value => argument.name.clone(),
            Content::Count => format!("{}Cnt", argument.name),
        };
        let item = Item { name, argument, content, offset: self.most, shift };
        let head = descriptor(item.is_long(), word);
        self.most += head + item.room(word);
        self.least += head + if item.is_variable() { 0 } else { item.room(word) };
        if content == Content::Value {
            self.sent = with(self.sent, argument.ty.sent, &argument.ty);
            self.received = with(self.received, argument.ty.received, &argument.ty);
        }
        self.items.push(item);
    }
}

/// Bytes of a descriptor.
fn descriptor(is_long: bool, word: Word) -> u64 {
    match (word, is_long) {
        (Word::Bits64, _) => 8,
        (Word::Bits32, false) => 4,
        (Word::Bits32, true) => 12,
    }
}

/// What a value of this type, under the name that one side knows, adds to a message.
fn with(before: Complexity, name: TypeName, ty: &Type) -> Complexity {
    let is_certain = !ty.is_inline || name.is_right();
    let is_possible = ty.is_any() || name == TypeName::Polymorphic;
    match before {
        _ if is_certain => Complexity::Always,
        Complexity::Never if is_possible => Complexity::Perhaps,
        before => before,
    }
}

impl Item<'_> {
    /// The type, of a value.
    pub fn ty(&self) -> &Type {
        &self.argument.ty
    }

    pub fn is_variable(&self) -> bool {
        self.content == Content::Value && self.ty().moves_what_follows()
    }

    pub fn is_long(&self) -> bool {
        self.content == Content::Value && self.ty().is_long()
    }

    /// Bytes after the descriptor, at most.
    pub fn room(&self, word: Word) -> u64 {
        match self.content {
            Content::Value => self.ty().room(word),
            Content::Count => word.bytes(),
        }
    }

    /// Bytes that fill the value up to a word, where its length does not vary.
    pub fn padding(&self, word: Word) -> u64 {
        let value = match self.content {
            Content::Count => 4,
            Content::Value if !self.ty().is_inline => word.bytes(),
            Content::Value => match self.ty().length {
                Length::Fixed => self.ty().bytes(),
                Length::AtMost(most) | Length::Any(most) => self.ty().bytes() * most,
            },
        };
        self.room(word).saturating_sub(value)
    }
}
