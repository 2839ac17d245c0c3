//! From text to PLAN: operations. Places are read in the order in which the writer wrote them.

use cast::Type;
use pres::text::c_types::read_type;
use pres::text::terms::{read_bound, read_labels, scalar_type, word_scalar};
use sexpr::{Cursor, Sexpr};

use super::places::{array_type, bytes_type, is_path};
use super::read::Reader;
use super::{bits, owner_word, word_of};
use crate::plan::{
    Access, Arm, Clear, Count, Item, Layout, Op, Otherwise, Owner, Part, Place, State, Step, Storage, Word, item_name,
};

impl Reader<'_> {
    fn external(&mut self, mut parts: Cursor) -> Option<Op> {
        let routine = word(&mut parts)?;
        let place = self.place(&mut parts, None)?;
        let mut arguments = Vec::new();
        while let Some(argument) = parts.number() {
            arguments.push(u64::try_from(argument).ok()?);
        }
        let state = match parts.list("state") {
            Some(mut of) => {
                let (routine, ty) = (word(&mut of)?, read_type(of.form()?)?);
                let ids: Vec<String> = std::iter::from_fn(|| of.text().map(str::to_string)).collect();
                (!ids.is_empty()).then_some(State { routine, ty, ids })
            }
            None => None,
        };
        Some(Op::External { routine, arguments, place, storage: self.storage(&mut parts)?, state })
    }

    pub(super) fn op(&mut self, form: &Sexpr) -> Option<Op> {
        let mut parts = Cursor::new(form.as_list()?);
        let head = parts.atom()?;
        let op = match head {
            "ensure" => Op::Ensure(size(&mut parts)?),
            "align" => {
                let to = size(&mut parts)?;
                let when = match parts.list("when") {
                    Some(mut when) => Some(self.count(&mut when)?),
                    None => None,
                };
                Op::Align { to, when, more: named_size(&mut parts, "more")?.unwrap_or(0) }
            }
            "chunk" => self.chunk(parts)?,
            "ahead" => {
                let index = word(&mut parts)?;
                Op::Ahead { index, item: read_type(parts.form()?)?, likely: size(&mut parts)? }
            }
            "check" => {
                let count = self.count(&mut parts)?;
                let bound = read_bound(&mut parts)?;
                let data = match parts.list("data") {
                    Some(mut data) => Some(self.place(&mut data, None)?),
                    None => None,
                };
                Op::Check { count, bound, data }
            }
            "call" => {
                let routine = word(&mut parts)?;
                let place = self.place(&mut parts, Some(Type::named(routine.as_str())))?;
                Op::Call { routine, place }
            }
            "external" => self.external(parts)?,
            "allocate" => {
                let Pointer { pointer, target, storage, .. } = self.pointer(&mut parts)?;
                Op::Allocate { pointer, target, storage }
            }
            "capacity" => {
                let (maximum, release) = (self.place(&mut parts, None)?, self.place(&mut parts, None)?);
                Op::Capacity { maximum, release, count: word(&mut parts)? }
            }
            "claim" => claim(&mut parts)?,
            "owe" => Op::Owe(size(&mut parts)?),
            "pay" => Op::Pay(size(&mut parts)?),
            "free" => {
                let pointer = self.place(&mut parts, None)?;
                let owner = owner(&mut parts);
                let when = match parts.list("when") {
                    Some(mut when) => Some(self.place(&mut when, None)?),
                    None => None,
                };
                Op::Free { pointer, owner, when }
            }
            "member" => {
                let value = self.place(&mut parts, Some(Type::INT))?;
                Op::Member { value, members: read_labels(&mut parts)? }
            }
            _ => match self.moved(head, &mut parts) {
                Some(op) => op,
                None => self.compound(head, parts)?,
            },
        };
        Some(op)
    }

    /// Operations that check for what they move.
    fn moved(&mut self, head: &str, parts: &mut Cursor) -> Option<Op> {
        match head {
            "bytes" => {
                let place = self.place(parts, None)?;
                Some(Op::Bytes { place, length: self.count(parts)? })
            }
            "text" => {
                let place = self.place(parts, Some(Type::CHAR.pointer()))?;
                let counted = self.counted(parts, "uint32_t")?;
                let length = named_word(parts, "length")?;
                let bound = read_bound(parts)?;
                let align = named_size(parts, "align")?.unwrap_or(1);
                Some(Op::Text { place, counted, length, bound, align, more: named_size(parts, "more")?.unwrap_or(0) })
            }
            "counted-bytes" => {
                let data = self.place(parts, Some(Type::CHAR.pointer()))?;
                let length = self.place(parts, Some(Type::named("u_int")))?;
                Some(Op::CountedBytes { data, length, count: word(parts)? })
            }
            _ => match (word_of(head, "order"), word_of(head, "counted-order")) {
                (Some(width), _) => {
                    let place = self.place(parts, None)?;
                    let count = self.count(parts)?;
                    Some(Op::Order { word: width, place, count, words: named_size(parts, "each")?.unwrap_or(1) })
                }
                (_, Some(width)) => self.counted_order(width, parts),
                _ => None,
            },
        }
    }

    fn counted_order(&mut self, width: Word, parts: &mut Cursor) -> Option<Op> {
        // The item's type, which says what the pointer's is, comes last.
        let item = read_type(parts.rest().get(3)?)?;
        let data = self.place(parts, Some(item.clone().pointer()))?;
        let length = self.place(parts, Some(Type::named("u_int")))?;
        let count = word(parts)?;
        parts.form()?;
        let words = named_size(parts, "each")?.unwrap_or(1);
        Some(Op::CountedOrder { data, length, count, item, word: width, words })
    }

    /// Operations with bodies.
    fn compound(&mut self, head: &str, mut parts: Cursor) -> Option<Op> {
        match head {
            "aggregate" => {
                let place = self.place(&mut parts, None)?;
                Some(Op::Aggregate { place, layout: layout(&mut parts)?, body: self.body(parts) })
            }
            "loop" => self.counted_loop(parts),
            "items" => self.items(parts),
            "optional" => {
                let Pointer { pointer, target, counted, flag, storage } = self.pointer(&mut parts)?;
                Some(Op::Optional { pointer, target, counted, flag, storage, body: self.body(parts) })
            }
            "again" => {
                let Pointer { pointer, target, counted, flag, storage } = self.pointer(&mut parts)?;
                Some(Op::Again { pointer, target, counted, flag, storage })
            }
            "switch" => {
                let value = self.place(&mut parts, Some(Type::INT))?;
                let mut arms = Vec::new();
                while let Some(mut arm) = parts.list("arm") {
                    arms.push(Arm { labels: read_labels(&mut arm)?, body: self.body(arm) });
                }
                let default = parts.list("default").map(|default| self.body(default));
                Some(Op::Switch { value, arms, otherwise: default.map_or(Otherwise::Fail, Otherwise::Body) })
            }
            _ => None,
        }
    }

    fn counted_loop(&mut self, mut parts: Cursor) -> Option<Op> {
        let index = word(&mut parts)?;
        let count = self.count(&mut parts)?;
        let bound = parts.list("bind");
        let bind = bound.is_some();
        let mut over = match bound {
            Some(over) => over,
            None => parts.list("over")?,
        };
        let ty = read_type(over.rest().get(1)?)?;
        let data = self.place(&mut over, array_type(&ty, &count, bind))?;
        over.form()?;
        let over = Item { data, ty, is_array: over.keyword("array") };
        self.places.learn_item(&index, &over, bind);
        let (layout, strip) = (layout(&mut parts)?, named_size(&mut parts, "strip")?);
        Some(Op::Loop { index, count, over, bind, layout, strip, body: self.body(parts) })
    }

    fn items(&mut self, mut parts: Cursor) -> Option<Op> {
        let (index, count) = (word(&mut parts)?, word(&mut parts)?);
        let item = read_type(parts.rest().get(2)?)?;
        let data = self.place(&mut parts, Some(item.clone().pointer()))?;
        let length = self.place(&mut parts, Some(Type::named("u_int")))?;
        parts.form()?;
        let layout = layout(&mut parts)?;
        let least = named_size(&mut parts, "least")?.unwrap_or(0);
        let strip = named_size(&mut parts, "strip")?;
        let storage = self.storage(&mut parts)?;
        self.places.learn(&item_name(&index), &[Step::Target], &item);
        let body = self.body(parts);
        Some(Op::Items { index, count, data, length, item, layout, least, strip, storage, body })
    }

    fn pointer(&mut self, parts: &mut Cursor) -> Option<Pointer> {
        let target = read_type(parts.rest().get(1)?)?;
        let pointer = self.place(parts, Some(target.clone().pointer()))?;
        parts.form()?;
        let counted = self.counted(parts, "u_int")?;
        let flag = named_word(parts, "flag")?;
        Some(Pointer { pointer, target, counted, flag, storage: self.storage(parts)? })
    }

    /// `(counted PLACE)`, if it stands next; the place is taken to be of the type of that name.
    fn counted(&mut self, parts: &mut Cursor, guess: &str) -> Option<Option<Place>> {
        match parts.list("counted") {
            Some(mut inside) => self.place(&mut inside, Some(Type::named(guess))).map(Some),
            None => Some(None),
        }
    }

    fn storage(&mut self, parts: &mut Cursor) -> Option<Storage> {
        let path = |word: &str| match word.strip_prefix('.') {
            Some("") => Some(Vec::new()),
            Some(path) => Some(path.split('.').map(str::to_string).collect()),
            None => None,
        };
        let of = owner(parts);
        let clear = match parts.list("clear") {
            None => Clear::Nothing,
            Some(mut clear) => {
                if clear.keyword("all") {
                    Clear::Everything
                } else {
                    let paths = clear.rest().iter().map(|form| path(form.as_atom()?));
                    Clear::Pointers(paths.collect::<Option<_>>()?)
                }
            }
        };
        let owner = match parts.list("owner") {
            Some(mut owner) => Some((self.place(&mut owner, None)?, word(&mut owner)?)),
            None => None,
        };
        Some(Storage { of, clear, owner, item: named_word(parts, "item")? })
    }

    fn chunk(&mut self, mut parts: Cursor) -> Option<Op> {
        let size = size(&mut parts)?;
        let parts = parts.rest().iter().map(|part| self.part(Cursor::new(part.as_list()?))).collect::<Option<_>>()?;
        Some(Op::Chunk { size, parts })
    }

    fn part(&mut self, mut parts: Cursor) -> Option<Part> {
        let head = parts.atom()?;
        let access = match head {
            "count" => Access::Count(self.count(&mut parts)?),
            "flag" => Access::Flag(self.place(&mut parts, None)?),
            "local" => Access::Local(word(&mut parts)?),
            "copy" => {
                let length = Cursor::new(parts.rest().get(1..)?).number().and_then(|n| u64::try_from(n).ok())?;
                let place = self.place(&mut parts, Some(bytes_type(length)))?;
                parts.form()?;
                Access::Copy { place, length }
            }
            "zero" => Access::Zero { length: size(&mut parts)? },
            _ => match (word_of(head, "order"), word_scalar(head)) {
                (Some(word), _) => {
                    let place = self.place(&mut parts, None)?;
                    Access::Order { word, place, words: size(&mut parts)? }
                }
                (_, Some(kind)) => Access::Scalar { kind, place: self.place(&mut parts, Some(scalar_type(kind)))? },
                _ => return None,
            },
        };
        Some(Part { offset: parts.atom()?.strip_prefix('@')?.parse().ok()?, access })
    }

    fn place(&mut self, parts: &mut Cursor, guess: Option<Type>) -> Option<Place> {
        self.places.read(parts.form()?, guess)
    }

    fn count(&mut self, parts: &mut Cursor) -> Option<Count> {
        if let Some(mut symbol) = parts.list("symbol") {
            return Some(Count::Symbol(word(&mut symbol)?));
        }
        let guess = Some(Type::named("u_int"));
        if let Some(mut value) = parts.list("value") {
            return Some(Count::Value(self.place(&mut value, guess)?));
        }
        match parts.peek()?.as_atom() {
            Some(text) if text.parse::<u64>().is_ok() => Some(Count::Known(size(parts)?)),
            Some(text) if !is_path(text) => Some(Count::Local(word(parts)?)),
            _ => Some(Count::Value(self.place(parts, guess)?)),
        }
    }
}

/// A pointer that may be NULL, and what is said of it.
struct Pointer {
    pointer: Place,
    target: Type,
    counted: Option<Place>,
    flag: Option<String>,
    storage: Storage,
}

fn owner(parts: &mut Cursor) -> Owner {
    let mut words = [Owner::Managed, Owner::Caller].into_iter();
    words.find(|owner| owner_word(*owner).is_some_and(|word| parts.keyword(word))).unwrap_or_default()
}

fn word(parts: &mut Cursor) -> Option<String> {
    parts.atom().map(str::to_string)
}

/// A name is no number.
fn claim(parts: &mut Cursor) -> Option<Op> {
    let at_once = size(parts);
    let flag = if at_once.is_none() { Some(word(parts)?) } else { None };
    Some(Op::Claim { flag, bytes: at_once.or_else(|| size(parts))? })
}

fn size(parts: &mut Cursor) -> Option<u64> {
    parts.number().and_then(|number| u64::try_from(number).ok())
}

/// `(name WORD)`, if it stands next: an absent one is `Some(None)`, a malformed one `None`.
fn named_word(parts: &mut Cursor, name: &str) -> Option<Option<String>> {
    match parts.list(name) {
        Some(mut inner) => word(&mut inner).map(Some),
        None => Some(None),
    }
}

/// `(name NUMBER)`, likewise.
fn named_size(parts: &mut Cursor, name: &str) -> Option<Option<u64>> {
    match parts.list(name) {
        Some(mut inner) => size(&mut inner).map(Some),
        None => Some(None),
    }
}

/// `(words32 NUMBER)`, likewise.
fn layout(parts: &mut Cursor) -> Option<Option<Layout>> {
    for word in [Word::One, Word::Two, Word::Four, Word::Eight] {
        if let Some(mut inner) = parts.list(&format!("words{}", bits(word))) {
            let words = size(&mut inner)?;
            let alignment = if inner.rest().is_empty() { 1 } else { size(&mut inner)? };
            return Some(Some(Layout { word, words, alignment }));
        }
    }
    Some(None)
}
