//! What an object holds: values at bit ranges, and values that may stand at any of many places.
//!
//! Positions are in bits, so that bit-fields are cells of their own. What is stored at a known place replaces what was
//! there; what is stored at one of several places joins it (`smears` where these are many).

use super::content_join::coalesced;
use super::{FAR, Offsets, Range, Value};

/// What one object holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    /// Where nothing else is said.
    pub(crate) default: Value,
    pub(crate) segments: Vec<Segment>,
    pub(crate) smears: Vec<Smear>,
    /// The name may stand for several objects at a time: nothing is ever replaced.
    pub(crate) many: bool,
    /// Memory from outside in which nothing was changed but what is said here: its pointers lead to objects that can
    /// be named.
    pub(crate) pristine: bool,
    /// It was replaced by unknown code: what it held before does not matter.
    pub(crate) clobbered: bool,
    /// What is known of the object's address: its number, masked with the first, is the second.
    pub(crate) low_bits: Option<(i64, i64)>,
    /// No other pointer leads here, on the scenario's word.
    pub(crate) private: bool,
}

/// A value that was stored as a whole. Segments are in order and apart from each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) value: Value,
}

/// A value that may stand at any place of a range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Smear {
    pub(crate) range: Range,
    pub(crate) part: Part,
    pub(crate) value: Value,
}

/// Which bits from a byte offset on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) first: i64,
    pub(crate) width: i64,
}

/// A range of that few places is treated place by place.
const PLACES_FEW: i64 = 8;
/// More smears become one.
const SMEARS_MOST: usize = 8;

impl Smear {
    /// True where some place of it touches these bits.
    pub(crate) fn touches(&self, start: i64, end: i64) -> bool {
        range_touches(&self.range, self.part, start, end)
    }

    fn lies_within(&self, start: i64, end: i64) -> bool {
        self.range.low > -FAR
            && self.range.high < FAR
            && self.range.low * 8 + self.part.first >= start
            && self.range.high * 8 + self.part.first + self.part.width <= end
    }
}

/// True where a part at some offset of the range touches the bits.
fn range_touches(range: &Range, part: Part, start: i64, end: i64) -> bool {
    // An offset `o` does if `8 o + first < end` and `8 o + first + width > start`.
    let first = (start - part.first - part.width).div_euclid(8) + 1;
    let last = (end - part.first - 1).div_euclid(8);
    range.meets(first, last)
}

impl Content {
    pub(crate) fn of(default: Value) -> Content {
        Content {
            default,
            segments: Vec::new(),
            smears: Vec::new(),
            many: false,
            pristine: false,
            clobbered: false,
            low_bits: None,
            private: false,
        }
    }

    /// True where it was replaced by unknown code and nothing was stored since.
    pub(crate) fn is_unknown(&self) -> bool {
        self.clobbered && self.segments.is_empty() && self.smears.is_empty()
    }

    /// True where nothing was stored in these bits.
    pub(crate) fn is_untouched(&self, start: i64, width: i64) -> bool {
        self.overlapping(start, start + width).next().is_none()
            && !self.smears.iter().any(|smear| smear.touches(start, start + width))
    }

    /// What is read.
    pub(crate) fn load(&self, offsets: &Offsets, part: Part) -> Value {
        let places = match offsets {
            Offsets::Points(points) => Some(points.clone()),
            Offsets::Range(range) => range.few(PLACES_FEW),
        };
        if let Some(places) = places {
            let mut values = places.iter().map(|place| self.load_at(place * 8 + part.first, part.width));
            let first = values.next().unwrap_or_else(Value::nothing);
            return values.fold(first, |all, value| all.join(&value, false));
        }
        let range = offsets.range();
        let mut all = self.default.clone();
        for segment in &self.segments {
            if range_touches(&range, part, segment.start, segment.end) {
                let whole = segment.end - segment.start == part.width
                    && range.holds((segment.start - part.first).div_euclid(8))
                    && range.step * 8 >= part.width;
                let value = if whole { segment.value.clone() } else { segment.value.blurred() };
                all = all.join(&value, false);
            }
        }
        let touched = self.smears.iter().filter(|smear| smear.meets(&range, part));
        touched.fold(all, |all, smear| all.join(&smear.value.blurred(), false))
    }

    fn load_at(&self, start: i64, width: i64) -> Value {
        let end = start + width;
        let mut covered = start;
        let mut found: Option<Value> = None;
        let mut add = |piece: &Value, whole: bool| {
            found = Some(match &found {
                None if whole => piece.clone(),
                None => piece.blurred(),
                Some(found) => found.beside(piece),
            });
        };
        for segment in self.overlapping(start, end) {
            if segment.start > covered {
                add(&self.default, false);
            }
            add(&segment.value, segment.start == start && segment.end == end);
            covered = segment.end;
        }
        if covered < end {
            add(&self.default, covered == start);
        }
        let own = found.unwrap_or_else(Value::nothing);
        let touched = self.smears.iter().filter(|smear| smear.touches(start, end));
        touched.fold(own, |all, smear| {
            let aligned = smear.part.width == width
                && smear.range.step * 8 >= width
                && smear.range.holds((start - smear.part.first).div_euclid(8))
                && (start - smear.part.first) % 8 == 0;
            let value = if aligned { smear.value.clone() } else { smear.value.blurred() };
            all.join(&value, false)
        })
    }

    pub(crate) fn overlapping(&self, start: i64, end: i64) -> impl Iterator<Item = &Segment> {
        let from = self.segments.partition_point(|segment| segment.end <= start);
        self.segments[from..].iter().take_while(move |segment| segment.start < end)
    }

    /// Stores a value: `strong` where it certainly replaces what was there.
    pub(crate) fn store(&mut self, offsets: &Offsets, part: Part, value: &Value, strong: bool) {
        if strong
            && !self.many
            && let Some(offset) = offsets.single()
        {
            self.replace(offset * 8 + part.first, offset * 8 + part.first + part.width, value.clone());
            return;
        }
        let places = match offsets {
            Offsets::Points(points) => Some(points.clone()),
            Offsets::Range(range) => range.few(PLACES_FEW),
        };
        match places {
            Some(places) => {
                for place in places {
                    self.add(place * 8 + part.first, place * 8 + part.first + part.width, value);
                }
            }
            None => self.smear(Smear { range: offsets.range(), part, value: value.clone() }),
        }
    }

    /// Puts a value in the place of what was there.
    pub(crate) fn replace(&mut self, start: i64, end: i64, value: Value) {
        self.smears.retain(|smear| !smear.lies_within(start, end));
        self.cut(start, end);
        let at = self.segments.partition_point(|segment| segment.start < start);
        self.segments.insert(at, Segment { start, end, value });
    }

    /// Takes the segments in a range of bits out; those that reach over its ends are shortened.
    pub(crate) fn cut(&mut self, start: i64, end: i64) {
        let from = self.segments.partition_point(|segment| segment.end <= start);
        let to = from + self.segments[from..].partition_point(|segment| segment.start < end);
        if from == to {
            return;
        }
        let mut rest = Vec::new();
        let (first, last) = (&self.segments[from], &self.segments[to - 1]);
        if first.start < start {
            rest.push(Segment { end: start, value: first.value.blurred(), ..*first });
        }
        if last.end > end {
            rest.push(Segment { start: end, value: last.value.blurred(), ..*last });
        }
        self.segments.splice(from..to, rest);
    }

    /// Adds a value to what may be there.
    pub(crate) fn add(&mut self, start: i64, end: i64, value: &Value) {
        let old: Vec<Segment> = self.overlapping(start, end).cloned().collect();
        let mut new = Vec::new();
        let mut at = start;
        let whole = |from: i64, to: i64| from == start && to == end;
        let mut put = |from: i64, to: i64, old: &Value| {
            let value =
                if whole(from, to) { old.join(value, false) } else { old.blurred().join(&value.blurred(), false) };
            new.push(Segment { start: from, end: to, value });
        };
        for segment in &old {
            if segment.start > at {
                put(at, segment.start, &self.default);
            }
            if segment.start >= start && segment.end <= end {
                put(segment.start, segment.end, &segment.value);
            } else {
                put(segment.start.max(start), segment.end.min(end), &segment.value.blurred());
            }
            at = segment.end;
        }
        if at < end {
            put(at, end, &self.default);
        }
        self.cut(start, end);
        let at = self.segments.partition_point(|segment| segment.start < start);
        self.segments.splice(at..at, new);
    }

    /// True where a smear would change nothing.
    pub(crate) fn says(&self, smear: &Smear) -> bool {
        let same = |known: &Smear| {
            known.part == smear.part
                && known.range == smear.range
                && known.value.join(&smear.value, false) == known.value
        };
        (self.segments.is_empty() && self.default.join(&smear.value, false) == self.default)
            || self.smears.iter().any(same)
    }

    /// Adds a value that may stand at many places.
    pub(crate) fn smear(&mut self, smear: Smear) {
        if self.says(&smear) {
            return;
        }
        match self.smears.iter_mut().find(|known| {
            known.part == smear.part && known.range.step == smear.range.step && known.range.phase == smear.range.phase
        }) {
            Some(known) => {
                known.range.low = known.range.low.min(smear.range.low);
                known.range.high = known.range.high.max(smear.range.high);
                known.value = known.value.join(&smear.value, false);
            }
            None => {
                let at = self.smears.partition_point(|known| known.key() < smear.key());
                self.smears.insert(at, smear);
            }
        }
        if self.smears.len() > SMEARS_MOST {
            self.smears = coalesced(&self.smears);
        }
    }
}

impl Smear {
    fn key(&self) -> (i64, i64, i64, i64) {
        (self.range.step, self.range.phase, self.part.first, self.part.width)
    }

    /// True where some place of it may touch a part at some offset of the range.
    fn meets(&self, range: &Range, part: Part) -> bool {
        let low = range.low.max(self.range.low - part.width / 8 - 1);
        let high = range.high.min(self.range.high + self.part.width / 8 + 1);
        if low > high {
            return false;
        }
        // Both are periodic: what matters is the distance of the phases modulo the common step.
        let step = super::gcd(range.step, self.range.step) * 8;
        let distance = (self.range.phase * 8 + self.part.first - range.phase * 8 - part.first).rem_euclid(step);
        distance < part.width || distance + self.part.width > step
    }
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
