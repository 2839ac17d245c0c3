//! Classes of letters and their two cases (`<ctype.h>`, C11 section 7.4), where no locale decides them.
//!
//! In: letters of ASCII, in a program that chooses no locale; digits and hexadecimal digits in any program. Out: what the
//! "C" locale says. The macros of glibc read tables instead, `(*__ctype_b_loc())[letter] & _ISdigit`: each of its functions
//! leads to objects of which the known elements are there, and the residual program calls it where another element is wanted.

use std::collections::BTreeMap;
use std::rc::Rc;

use core_c::{
    Callee, Expression, ExpressionKind, FunctionId, Global, GlobalId, Initial, Linkage, LocalId, LocalKind, Place,
    PlaceBase, Program, Receiver, Shape, StatementKind, Step as PlaceStep, StepKind, TypeId, Types,
};

use crate::engine::Engine;
use crate::linkage;
use crate::memory::Origin;
use crate::report::Cause;
use crate::values::number::{Number, Width};
use crate::values::value::{ObjectId, Value};

/// Classes in the order of glibc's bits.
const CLASSES: [&str; 12] =
    ["upper", "lower", "alpha", "digit", "xdigit", "space", "print", "graph", "blank", "cntrl", "punct", "alnum"];

/// The classes that are the same in all locales (C11 sections 7.4.1.5 and 7.4.1.12).
const FIXED: [&str; 2] = ["digit", "xdigit"];

/// Letters whose classes the "C" locale decides, and EOF.
const LETTERS: std::ops::RangeInclusive<i128> = -1..=127;

/// Letters of which it is known whether they are digits.
const WITH_DIGITS: std::ops::RangeInclusive<i128> = -1..=255;

/// Elements of glibc's tables, and of these the one for the letter 0.
const ELEMENTS: u64 = 384;
const ZERO: i128 = 128;

/// glibc's functions, with the bits and the sign of what their tables hold.
const TABLES: [(&str, u32, bool); 3] =
    [("__ctype_b_loc", 16, false), ("__ctype_tolower_loc", 32, true), ("__ctype_toupper_loc", 32, true)];

/// Whether a letter is of a class; EOF is of none.
fn is_of(class: &str, letter: i128) -> bool {
    let Ok(letter) = u8::try_from(letter) else { return false };
    match class {
        "upper" => letter.is_ascii_uppercase(),
        "lower" => letter.is_ascii_lowercase(),
        "alpha" => letter.is_ascii_alphabetic(),
        "digit" => letter.is_ascii_digit(),
        "xdigit" => letter.is_ascii_hexdigit(),
        "space" => matches!(letter, b' ' | b'\t'..=b'\r'),
        "print" => matches!(letter, b' '..=b'~'),
        "graph" => letter.is_ascii_graphic(),
        "blank" => matches!(letter, b' ' | b'\t'),
        "cntrl" => letter.is_ascii_control(),
        "punct" => letter.is_ascii_punctuation(),
        "alnum" => letter.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// A class's bit in glibc's table on a little-endian machine, which is what its function gives, too.
fn bit(class: usize) -> i128 {
    if class < 8 { 1 << (class + 8) } else { 1 << (class - 8) }
}

/// What `isalpha`, `toupper` and their like give for a letter, where it can be known.
pub(crate) fn known(name: &str, letter: i128, chooses_a_locale: bool) -> Option<i128> {
    let cased = |from: u8, by: i128| {
        let from = i128::from(from);
        letter + if (from..from + 26).contains(&letter) { by } else { 0 }
    };
    if let Some(class) = name.strip_prefix("is").and_then(|name| CLASSES.iter().position(|class| *class == name)) {
        let is_known = LETTERS.contains(&letter) && !chooses_a_locale
            || FIXED.contains(&CLASSES[class]) && WITH_DIGITS.contains(&letter);
        return is_known.then(|| if is_of(CLASSES[class], letter) { bit(class) } else { 0 });
    }
    match name {
        _ if chooses_a_locale || !LETTERS.contains(&letter) => None,
        "tolower" => Some(cased(b'A', 32)),
        "toupper" => Some(cased(b'a', -32)),
        _ => None,
    }
}

/// What one of glibc's tables holds for a letter.
fn element(function: &str, letter: i128) -> i128 {
    match function {
        "__ctype_b_loc" => {
            (0..CLASSES.len()).filter(|class| is_of(CLASSES[*class], letter)).map(bit).fold(0, |bits, bit| bits | bit)
        }
        "__ctype_tolower_loc" => known("tolower", letter, false).unwrap_or(letter),
        _ => known("toupper", letter, false).unwrap_or(letter),
    }
}

/// An object that the specializer has for what a function of the library gives.
#[derive(Clone, Copy, Debug)]
struct Given {
    function: FunctionId,
    /// What the function points to, or what is pointed to there.
    is_table: bool,
}

/// What the letters of a program's run are read by.
#[derive(Debug, Default)]
pub(crate) struct CharacterTables {
    pub(crate) chooses_a_locale: bool,
    objects: BTreeMap<GlobalId, Given>,
    functions: BTreeMap<FunctionId, GlobalId>,
}

impl CharacterTables {
    /// Gives a program the tables that its functions lead to.
    pub(crate) fn of(program: &mut Program) -> CharacterTables {
        let chooses_a_locale = ["setlocale", "uselocale"].into_iter().any(|name| linkage::mentions(program, name));
        let mut letters = CharacterTables { chooses_a_locale, ..CharacterTables::default() };
        if !program.types.table.target.little_endian {
            return letters;
        }
        let functions: Vec<FunctionId> = program.functions.iter().map(|(id, _)| id).collect();
        for function in functions {
            letters.add(program, function);
        }
        letters
    }

    fn add(&mut self, program: &mut Program, function: FunctionId) -> Option<()> {
        let data = &program.functions[function];
        let (name, bits, signed) = *TABLES.iter().find(|(name, ..)| *name == data.name)?;
        let Shape::Function(signature) = program.types.shape_of(data.ty) else { return None };
        let cell = program.types.element(signature.result)?;
        let item = program.types.element(cell)?;
        let expected = Shape::Integer { bits, signed, boolean: false };
        if data.has_body() || *program.types.shape_of(item) != expected {
            return None;
        }
        let long = program.types.scalar(cast::Scalar::Long);
        let number = |value, ty| Expression { kind: ExpressionKind::Integer(value), ty, span: None };
        if self.chooses_a_locale {
            let holder = program.globals.alloc(object(&format!("{name}()"), cell, Vec::new()));
            self.objects.insert(holder, Given { function, is_table: false });
            self.functions.insert(function, holder);
            return Some(());
        }
        let elements = LETTERS.map(|letter| Initial {
            offset: (letter + ZERO) as u64 * u64::from(bits / 8),
            bits: None,
            value: number(element(name, letter), item),
        });
        let ty = array(&mut program.types, item)?;
        let table = program.globals.alloc(object(&format!("*{name}()"), ty, elements.collect()));
        let first = PlaceStep { kind: StepKind::Index(number(ZERO, long).into()), ty: item };
        let first = Place { base: PlaceBase::Global(table), steps: vec![first], ty: item, volatile: false };
        let value = Expression { kind: ExpressionKind::Address(first.into()), ty: cell, span: None };
        let pointer = vec![Initial { offset: 0, bits: None, value }];
        let holder = program.globals.alloc(object(&format!("{name}()"), cell, pointer));
        self.objects.insert(table, Given { function, is_table: true });
        self.objects.insert(holder, Given { function, is_table: false });
        self.functions.insert(function, holder);
        Some(())
    }

    /// True for an object that the residual program cannot have.
    pub(crate) fn has(&self, global: GlobalId) -> bool {
        self.objects.contains_key(&global)
    }

    /// True for one that points to a table of classes.
    fn leads_to_classes(&self, program: &Program, object: ObjectId) -> bool {
        let given = object.global().and_then(|global| self.objects.get(&global));
        given.is_some_and(|given| !given.is_table && program.functions[given.function].name == "__ctype_b_loc")
    }

    /// The object that a function's result points to.
    pub(crate) fn given_by(&self, function: FunctionId) -> Option<GlobalId> {
        self.functions.get(&function).copied()
    }
}

fn array(types: &mut Types, item: TypeId) -> Option<TypeId> {
    let ty = types.get(item).c.clone().array(cast::build::integer(i128::from(ELEMENTS)));
    let ty = types.intern(&ty);
    types.size_of(ty).is_some().then_some(ty)
}

fn object(name: &str, ty: TypeId, initial: Vec<Initial>) -> Global {
    Global {
        name: name.to_owned(),
        ty,
        linkage: Linkage::Internal,
        initial: Some(initial),
        constant: true,
        thread_local: false,
        alignment: 0,
        literal: None,
        scope: None,
        span: None,
    }
}

impl Engine<'_> {
    /// What the residual program has read of such an object is not kept: the library may change it.
    pub(crate) fn note_given(&mut self, object: ObjectId, value: &Value) {
        if !self.letters.leads_to_classes(self.input, object) {
            return;
        }
        let table = self.as_pointer(value).and_then(|table| self.state.memory.get(table.object));
        if let Some(Origin::Pointee(table)) = table.map(|table| table.origin) {
            self.letter_tables.insert(table);
        }
    }

    /// An element of a table of classes was read in the residual program, whose locale may be any: digits are digits.
    pub(crate) fn note_digits(&mut self, table: LocalId, offset: i64, value: &Value) {
        let Value::Dynamic(register) = *value else { return };
        let (letter, rest) = (offset.div_euclid(2), offset.rem_euclid(2));
        let shape = Shape::Integer { bits: 16, signed: false, boolean: false };
        let (Some(width), true) = (Width::of(&shape), *self.types.shape_of(self.residual.locals[register].ty) == shape)
        else {
            return;
        };
        if rest != 0 || !WITH_DIGITS.contains(&letter.into()) || !self.letter_tables.contains(&table) {
            return;
        }
        let (mut zeros, mut ones) = (0, 0);
        for class in (0..CLASSES.len()).filter(|class| FIXED.contains(&CLASSES[*class])) {
            *(if is_of(CLASSES[class], letter.into()) { &mut ones } else { &mut zeros }) |=
                1u64 << bit(class).trailing_zeros();
        }
        if let Some(number) = Number::of_bits(zeros, ones, width) {
            Rc::make_mut(&mut self.state.numbers).insert(register, number);
        }
    }

    /// True for such an object: it is never one of the residual program, which may have another locale.
    pub(crate) fn is_given(&self, object: ObjectId) -> bool {
        object.global().is_some_and(|global| self.letters.has(global))
    }

    /// The residual program asks the library for such an object: a register with its address, and the bytes from the object's start
    /// to there.
    pub(crate) fn ask_for(&mut self, global: GlobalId) -> Option<(LocalId, i64)> {
        let Given { function, is_table } = *self.letters.objects.get(&global)?;
        let Shape::Function(signature) = self.types.shape_of(self.input.functions[function].ty) else { return None };
        let result = signature.result;
        let register = self.residual.local("", result, LocalKind::Register);
        let name = self.input.functions[function].name.clone();
        let blame = self.blame(Cause::Result(name.clone()), format!("the result of `{name}`"));
        self.blames.set(register, Some(blame));
        self.called.insert(function);
        let receiver = Some(Receiver::Register(register));
        self.emit(StatementKind::Call { receiver, callee: Callee::Function(function), arguments: Vec::new() });
        if !is_table {
            return Some((register, 0));
        }
        let cell = self.types.element(result)?;
        let address = Expression { kind: ExpressionKind::Local(register), ty: result, span: None };
        let kind = ExpressionKind::Load(Place::pointee(address, cell).into());
        let table = self.bind_tree(Expression { kind, ty: cell, span: self.span }, "");
        let size = self.types.element(cell).and_then(|item| self.types.size_of(item))?;
        Some((table, i64::try_from(ZERO).ok()? * i64::try_from(size).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::{element, known};

    #[test]
    fn a_locale_leaves_only_digits_known() {
        for (name, letter, anywhere, chosen) in [
            ("isalpha", b'a'.into(), Some(true), None),
            ("isdigit", b'7'.into(), Some(true), Some(true)),
            ("isdigit", 200, Some(false), Some(false)),
            ("isxdigit", b'g'.into(), Some(false), Some(false)),
            ("isspace", 200, None, None),
            ("isspace", 11, Some(true), None),
            ("isspace", -1, Some(false), None),
            ("isdigit", -2, None, None),
            ("isother", 65, None, None),
        ] {
            let truth = |locale| known(name, letter, locale).map(|value| value != 0);
            assert_eq!((truth(false), truth(true)), (anywhere, chosen), "{name} {letter}");
        }
    }

    #[test]
    fn tables_hold_what_glibc_has_in_them() {
        assert_eq!(element("__ctype_b_loc", b'A'.into()), 0xd508);
        assert_eq!(element("__ctype_b_loc", 9), 0x2003);
        assert_eq!(element("__ctype_b_loc", -1), 0);
        assert_eq!(element("__ctype_toupper_loc", b'z'.into()), 90);
    }
}
