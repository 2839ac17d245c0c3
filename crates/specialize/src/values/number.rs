//! What is known of a number that only the residual program has: a range, single bits, and a few numbers that it is not.
//!
//! In: ranges and bits of operands, and operations of C on integers of up to 64 bits and addresses. Out: what holds of every
//! result. Nothing is assumed of overflow: what may wrap may be anything of its type. Source: Cousot, Cousot, "Static
//! determination of dynamic properties of programs" (1976) for ranges; Regehr, Duongsaa, "Deriving abstract transfer functions for
//! analyzing embedded software" (2006) for bits.

use core_c::{BinaryOperator, Shape};

use crate::values::except::Except;

/// A set of numbers of one type: those in the range that have the bits, but for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) least: i128,
    pub(crate) most: i128,
    /// Bits that are 0, and bits that are 1, of the number's representation.
    zeros: u64,
    ones: u64,
    except: Except,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    bits: u32,
    signed: bool,
}

impl Width {
    /// Of integers and addresses of up to 64 bits.
    pub(crate) fn of(shape: &Shape) -> Option<Width> {
        match *shape {
            Shape::Integer { boolean: true, .. } => Some(Width { bits: 1, signed: false }),
            Shape::Integer { bits, signed, .. } if (1..=64).contains(&bits) => Some(Width { bits, signed }),
            Shape::Pointer(_) => Some(Width { bits: 64, signed: false }),
            _ => None,
        }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn least(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    fn most(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// Any number of the type.
    pub(crate) fn any(self) -> Number {
        Number { least: self.least(), most: self.most(), zeros: 0, ones: 0, except: Except::default() }
    }

    fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// A number as the type has it, wrapped.
    fn wrap(self, value: i128) -> i128 {
        let all = 1i128 << self.bits;
        let inside = value.rem_euclid(all);
        if inside > self.most() { inside - all } else { inside }
    }
}

impl Number {
    pub(crate) fn exactly(value: i128, width: Width) -> Number {
        let bits = value as u64 & width.mask();
        Number { least: value, most: value, zeros: !bits & width.mask(), ones: bits, except: Except::default() }
    }

    /// Numbers of a range; none where there are none.
    pub(crate) fn between(least: i128, most: i128, width: Width) -> Option<Number> {
        let any = width.any();
        Number { least: least.max(any.least), most: most.min(any.most), ..any }.settled(width)
    }

    pub(crate) fn of_bits(zeros: u64, ones: u64, width: Width) -> Option<Number> {
        let mask = width.mask();
        Number { zeros: zeros & mask, ones: ones & mask, ..width.any() }.settled(width)
    }

    /// The only number that it can be.
    pub(crate) fn only(self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }

    /// How many numbers it may be at most.
    pub(crate) fn count(self) -> i128 {
        self.most - self.least + 1
    }

    /// True where more is known than the type says.
    pub(crate) fn says_something(self, width: Width) -> bool {
        self != width.any()
    }

    pub(crate) fn may_be(self, value: i128, width: Width) -> bool {
        self.is_inside(value, width) && !self.except.has(value)
    }

    /// True where range and bits allow a number.
    fn is_inside(self, value: i128, width: Width) -> bool {
        let bits = value as u64 & width.mask();
        self.least <= value && value <= self.most && bits & self.zeros == 0 && !bits & self.ones == 0
    }

    /// All but one number; none where no other is left.
    fn but(mut self, value: i128, width: Width) -> Option<Number> {
        self.except.add(value);
        self.settled(width)
    }

    /// The same numbers, and none of those that another set leaves out in its range, each moved by so much as the type wraps.
    pub(crate) fn but_those_of(self, other: Number, by: i128, width: Width) -> Option<Number> {
        self.leaving_out(other.except, by, width)
    }

    fn leaving_out(mut self, other: Except, by: i128, width: Width) -> Option<Number> {
        other.values().for_each(|value| self.except.add(width.wrap(value + by)));
        self.settled(width)
    }

    /// Range and bits teach each other; none where no number is left.
    fn settled(mut self, width: Width) -> Option<Number> {
        while self.least <= self.most && self.except.has(self.least) {
            self.least += 1;
        }
        while self.least <= self.most && self.except.has(self.most) {
            self.most -= 1;
        }
        self = self.settled_bits(width)?;
        if self.except != Except::default() {
            let settled = self;
            self.except.retain(|value| settled.is_inside(value, width));
        }
        (self.least != self.most || !self.except.has(self.least)).then_some(self)
    }

    fn settled_bits(mut self, width: Width) -> Option<Number> {
        let sign = width.sign();
        if self.ones & self.zeros != 0 {
            return None;
        }
        for _ in 0..2 {
            // What bits say of the range.
            let free = width.mask() & !(self.zeros | self.ones);
            let (mut low, mut high) = (self.ones, self.ones | free);
            if width.signed {
                // The least number has the sign if it may, the greatest only if it must.
                (low, high) = (low | free & sign, if self.ones & sign == 0 { high & !sign } else { high });
                low = if low & sign == 0 { low } else { self.ones | sign };
            }
            let value = |bits: u64| match width.signed && bits & sign != 0 {
                true => i128::from(bits) - (1i128 << width.bits),
                false => i128::from(bits),
            };
            self.least = self.least.max(value(low));
            self.most = self.most.min(value(high));
            if self.least > self.most {
                return None;
            }
            // What the range says of bits: those above the highest in which its ends differ.
            let (first, last) = (self.least as u64 & width.mask(), self.most as u64 & width.mask());
            if (self.least < 0) == (self.most < 0) {
                let differing = first ^ last;
                let same = if differing == 0 { width.mask() } else { !(u64::MAX >> differing.leading_zeros()) };
                self.ones |= first & same;
                self.zeros |= !first & same & width.mask();
            }
            if self.ones & self.zeros != 0 {
                return None;
            }
        }
        Some(self)
    }

    /// Numbers of both sets; none where there are none.
    pub(crate) fn and(self, other: Number, width: Width) -> Option<Number> {
        let both = Number {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            except: self.except,
        };
        both.leaving_out(other.except, 0, width)
    }

    /// Numbers of either set.
    pub(crate) fn or(self, other: Number, width: Width) -> Number {
        let mut either = Number {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            except: Except::default(),
        };
        for value in self.except.values().chain(other.except.values()) {
            if !self.may_be(value, width) && !other.may_be(value, width) && either.is_inside(value, width) {
                either.except.add(value);
            }
        }
        either
    }

    /// Every number of this set is one of the other.
    pub(crate) fn is_within(self, other: Number, width: Width) -> bool {
        let range = self.least >= other.least && self.most <= other.most;
        let bits = other.zeros & !self.zeros == 0 && other.ones & !self.ones == 0;
        range && bits && other.except.values().all(|value| !self.may_be(value, width))
    }

    /// That an address is aligned, and nothing else; none where it is not known to be.
    pub(crate) fn alignment(self) -> Option<Number> {
        let width = Width { bits: 64, signed: false };
        let low = self.zeros.trailing_ones().min(63);
        (low > 0).then(|| Number::of_bits((1 << low) - 1, 0, width)).flatten()
    }

    /// How many of the lowest bits are known.
    fn low_bits(self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }

    /// What a conversion between integers gives.
    pub(crate) fn converted(self, to: &Shape) -> Option<Number> {
        let width = Width::of(to)?;
        if let Shape::Integer { boolean: true, .. } = to {
            let truth = match (self.may_be_zero(), self.only()) {
                (false, _) => 1..=1,
                (true, Some(_)) => 0..=0,
                (true, None) => 0..=1,
            };
            return Number::between(*truth.start(), *truth.end(), width);
        }
        if self.least >= width.least() && self.most <= width.most() {
            // The value stays; bits above those that are known of the narrower type follow the sign.
            return Number::between(self.least, self.most, width)?.and_low(self, width)?.leaving_out(
                self.except,
                0,
                width,
            );
        }
        Number::of_bits(self.zeros, self.ones, width)
    }

    fn may_be_zero(self) -> bool {
        self.least <= 0 && self.most >= 0 && self.ones == 0 && !self.except.has(0)
    }

    /// The low bits are those of another number, as far as both agree in which are known.
    fn and_low(self, other: Number, width: Width) -> Option<Number> {
        let low = other.low_bits().min(63);
        let mask = ((1u64 << low) - 1) & width.mask();
        let (zeros, ones) = (self.zeros | other.zeros & mask, self.ones | other.ones & mask);
        // Of numbers that are not negative all bits stay.
        let (zeros, ones) = match other.least >= 0 {
            true => (zeros | other.zeros & width.mask(), ones | other.ones),
            false => (zeros, ones),
        };
        Number { zeros, ones, ..self }.settled(width)
    }

    /// What is known of a number from what is known of it under a mask.
    pub(crate) fn under_mask(self, mask: i128, width: Width) -> Option<Number> {
        let mask = mask as u64 & width.mask();
        Number::of_bits(self.zeros & mask, self.ones & mask, width)
    }

    /// What a comparison of two numbers gives, where all of them agree.
    pub(crate) fn compare(self, operator: BinaryOperator, other: Number) -> Option<bool> {
        use BinaryOperator as B;
        let is_less = |a: Number, b: Number| match () {
            () if a.most < b.least => Some(true),
            () if a.least >= b.most => Some(false),
            () => None,
        };
        let is_not = |a: Number, b: Number| a.only().is_some_and(|only| b.except.has(only));
        let differs = self.most < other.least
            || other.most < self.least
            || is_not(self, other)
            || is_not(other, self)
            || self.ones & other.zeros != 0
            || self.zeros & other.ones != 0;
        let equal = match (self.only(), other.only()) {
            _ if differs => Some(false),
            (Some(a), Some(b)) => Some(a == b),
            _ => None,
        };
        match operator {
            B::Less => is_less(self, other),
            B::Greater => is_less(other, self),
            B::LessEqual => is_less(other, self).map(|greater| !greater),
            B::GreaterEqual => is_less(self, other).map(|less| !less),
            B::Equal => equal,
            B::NotEqual => equal.map(|equal| !equal),
            _ => None,
        }
    }

    /// What is known of `self` where its comparison with `other` has come out true; none where that cannot be.
    pub(crate) fn where_it(self, operator: BinaryOperator, other: Number, width: Width) -> Option<Number> {
        use BinaryOperator as B;
        let (mut least, mut most) = (self.least, self.most);
        match operator {
            B::Less => most = most.min(other.most - 1),
            B::LessEqual => most = most.min(other.most),
            B::Greater => least = least.max(other.least + 1),
            B::GreaterEqual => least = least.max(other.least),
            B::Equal => return self.and(other, width),
            B::NotEqual => {
                return match other.only() {
                    Some(value) => self.but(value, width),
                    None => Some(self),
                };
            }
            _ => return Some(self),
        }
        if least > most {
            return None;
        }
        Number { least, most, ..self }.settled(width)
    }

    /// True where a mask of the lowest bits leaves all numbers as they are.
    fn fits_under(self, mask: i128) -> bool {
        mask >= 0 && mask & (mask + 1) == 0 && self.least >= 0 && self.most <= mask
    }

    /// What an operation gives; `width` is its operands' type and its result's.
    pub(crate) fn operate(self, operator: BinaryOperator, other: Number, width: Width) -> Option<Number> {
        use BinaryOperator as B;
        match operator {
            B::Add => self.sum(self.least + other.least, self.most + other.most, (other, true), width),
            B::Subtract => self.sum(self.least - other.most, self.most - other.least, (other, false), width),
            B::And if other.only().is_some_and(|mask| self.fits_under(mask)) => Some(self),
            B::And => {
                let most = [self, other].iter().filter(|side| side.least >= 0).map(|side| side.most).min();
                let bits = Number::of_bits(self.zeros | other.zeros, self.ones & other.ones, width)?;
                most.map_or(Some(bits), |most| bits.and(Number::between(0, most, width)?, width))
            }
            B::Or => Number::of_bits(self.zeros & other.zeros, self.ones | other.ones, width),
            B::Xor => {
                let zeros = self.zeros & other.zeros | self.ones & other.ones;
                Number::of_bits(zeros, self.zeros & other.ones | self.ones & other.zeros, width)
            }
            B::Multiply => {
                let ends = [self.least, self.most].map(|a| [other.least, other.most].map(|b| a.checked_mul(b)));
                let ends = ends.concat().into_iter().collect::<Option<Vec<i128>>>()?;
                let (least, most) = (*ends.iter().min()?, *ends.iter().max()?);
                fitting(least, most, width)
            }
            B::Divide if other.least > 0 => {
                let ends = [
                    self.least / other.least,
                    self.least / other.most,
                    self.most / other.least,
                    self.most / other.most,
                ];
                fitting(*ends.iter().min()?, *ends.iter().max()?, width)
            }
            B::Remainder if other.least > 0 => {
                let most = other.most - 1;
                let low = if self.least >= 0 { 0 } else { (-most).max(self.least) };
                fitting(low, most.min(self.most.max(0)), width)
            }
            B::ShiftLeft => self.shifted_left(other.only()?, width),
            B::ShiftRight => {
                let by = u32::try_from(other.only()?).ok().filter(|by| *by < width.bits)?;
                fitting(self.least >> by, self.most >> by, width)?.and(self.bits_shifted_right(by, width)?, width)
            }
            _ => None,
        }
    }

    fn sum(self, least: i128, most: i128, (other, adds): (Number, bool), width: Width) -> Option<Number> {
        let range = fitting(least, most, width).unwrap_or(width.any());
        let known = self.low_bits().min(other.low_bits()).min(width.bits).min(63);
        let mask = (1u64 << known) - 1;
        let low = if adds { self.ones.wrapping_add(other.ones) } else { self.ones.wrapping_sub(other.ones) };
        let sum = Number { zeros: range.zeros | !low & mask, ones: range.ones | low & mask, ..range }.settled(width)?;
        match other.only() {
            Some(by) => sum.leaving_out(self.except, if adds { by } else { -by }, width),
            None => Some(sum),
        }
    }

    /// The bits of a number that is shifted to the right; the highest follow the sign.
    fn bits_shifted_right(self, by: u32, width: Width) -> Option<Number> {
        let high = width.mask() & !(width.mask() >> by);
        let is_positive = !width.signed || self.zeros & width.sign() != 0;
        let is_negative = width.signed && self.ones & width.sign() != 0;
        let zeros = self.zeros >> by | if is_positive { high } else { 0 };
        Number::of_bits(zeros, self.ones >> by | if is_negative { high } else { 0 }, width)
    }

    fn shifted_left(self, by: i128, width: Width) -> Option<Number> {
        let by = u32::try_from(by).ok().filter(|by| *by < width.bits)?;
        let bits = Number::of_bits(self.zeros << by | ((1 << by) - 1), self.ones << by, width)?;
        match fitting(self.least.checked_shl(by)?, self.most.checked_shl(by)?, width) {
            Some(range) if self.most < 1 << 62 && self.least > -(1 << 62) => range.and(bits, width),
            _ => Some(bits),
        }
    }
}

/// A range, where no number of it is beyond the type.
fn fitting(least: i128, most: i128, width: Width) -> Option<Number> {
    (least >= width.least() && most <= width.most()).then(|| Number::between(least, most, width))?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small numbers of a random generator that needs no library.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, end: u64) -> u64 {
            self.next() % end
        }
    }

    fn wrapped(value: i128, width: Width) -> i128 {
        crate::values::fold::wrap(value, width.bits, width.signed)
    }

    /// A set around a number, and the number.
    fn around(random: &mut Random, width: Width) -> (Number, i128) {
        let value = wrapped(i128::from(random.next() >> random.below(64)), width);
        let mut number = Number::exactly(value, width);
        for _ in 0..random.below(3) {
            let other = wrapped(i128::from(random.next() >> random.below(64)), width);
            number = number.or(Number::exactly(other, width), width);
        }
        if random.below(3) == 0 {
            number = Number::between(number.least, number.most, width).unwrap();
        }
        for _ in 0..random.below(9) {
            let near = wrapped(value.wrapping_add(i128::from(random.below(7)) - 3), width);
            if near != value {
                number = number.but(near, width).unwrap();
            }
        }
        (number, value)
    }

    #[test]
    fn what_is_computed_of_sets_holds_of_their_numbers() {
        use BinaryOperator as B;
        let mut random = Random(0x1234_5678_9abc_def1);
        let operators = [
            B::Add,
            B::Subtract,
            B::And,
            B::Or,
            B::Xor,
            B::Multiply,
            B::Divide,
            B::Remainder,
            B::ShiftLeft,
            B::ShiftRight,
        ];
        let comparisons = [B::Less, B::LessEqual, B::Greater, B::GreaterEqual, B::Equal, B::NotEqual];
        for round in 0..200_000 {
            let width = Width { bits: [8, 16, 32, 64][round % 4], signed: round % 8 < 4 };
            let ((a, x), (mut b, mut y)) = (around(&mut random, width), around(&mut random, width));
            let operator = operators[random.below(10) as usize];
            if matches!(operator, B::ShiftLeft | B::ShiftRight) {
                y = i128::from(random.below(width.bits.into()));
                b = Number::exactly(y, width);
            }
            let shape = Shape::Integer { bits: width.bits, signed: width.signed, boolean: false };
            if let (Some(result), Some(set)) =
                (crate::values::fold::integers(operator, &shape, x, y), a.operate(operator, b, width))
            {
                assert!(set.may_be(result, width), "{x} {operator:?} {y} = {result}: {a:?} {b:?} {set:?}");
            }
            let comparison = comparisons[random.below(6) as usize];
            let truth = crate::values::fold::integers(comparison, &shape, x, y).unwrap() != 0;
            assert!(a.compare(comparison, b).is_none_or(|known| known == truth), "{x} {comparison:?} {y}: {a:?} {b:?}");
            if truth {
                assert!(
                    a.where_it(comparison, b, width).unwrap().may_be(x, width),
                    "{x} {comparison:?} {y}: {a:?} {b:?}"
                );
            }
            let to = Width { bits: [8, 16, 32, 64][random.below(4) as usize], signed: random.below(2) == 0 };
            let shape = Shape::Integer { bits: to.bits, signed: to.signed, boolean: false };
            let converted = a.converted(&shape).unwrap();
            assert!(converted.may_be(wrapped(x, to), to), "{x} as {to:?}: {a:?} {converted:?}");
            let both = a.or(b, width);
            assert!(
                both.may_be(x, width) && both.may_be(y, width) && a.is_within(both, width) && b.is_within(both, width)
            );
            if let Some(common) = a.and(b, width) {
                assert!(x != y || common.may_be(x, width), "{x}: {a:?} {b:?} {common:?}");
            }
        }
    }

    #[test]
    fn sets_are_as_small_as_people_expect() {
        let int = Width { bits: 32, signed: true };
        let any = int.any();
        let masked = any.operate(BinaryOperator::And, Number::exactly(3, int), int).unwrap();
        assert_eq!((masked.least, masked.most), (0, 3));
        let eight = Number::of_bits(7, 0, int).unwrap();
        let four = eight.operate(BinaryOperator::Add, Number::exactly(4, int), int).unwrap();
        assert_eq!(four.operate(BinaryOperator::And, Number::exactly(3, int), int).unwrap().only(), Some(0));
        let positive = any.where_it(BinaryOperator::Greater, Number::exactly(5, int), int).unwrap();
        assert_eq!(positive.compare(BinaryOperator::Greater, Number::exactly(3, int)), Some(true));
        assert_eq!(positive.compare(BinaryOperator::Less, Number::exactly(10, int)), None);
        let rest = any.operate(BinaryOperator::Remainder, Number::exactly(10, int), int).unwrap();
        assert_eq!((rest.least, rest.most), (-9, 9));
        let other = any.where_it(BinaryOperator::NotEqual, Number::exactly(97, int), int).unwrap();
        assert_eq!(other.compare(BinaryOperator::Equal, Number::exactly(97, int)), Some(false));
        let next = other.operate(BinaryOperator::Add, Number::exactly(1, int), int).unwrap();
        assert!(!next.may_be(98, int) && next.may_be(97, int));
    }
}
