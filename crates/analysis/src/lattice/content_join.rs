//! What an object holds where ways meet, and copies of parts of objects.

use super::{Content, FAR, Offsets, Part, Range, Segment, Smear, Value};

impl Content {
    /// What holds where either may be.
    pub(crate) fn join(&self, other: &Content, widen: bool) -> Content {
        if self == other {
            return self.clone();
        }
        let mut joined = Content {
            default: self.default.join(&other.default, widen),
            segments: Vec::new(),
            smears: self.smears.clone(),
            many: self.many || other.many,
            pristine: self.pristine && other.pristine,
            clobbered: self.clobbered && other.clobbered,
            low_bits: self.low_bits.filter(|bits| other.low_bits == Some(*bits)),
            private: self.private && other.private,
        };
        for smear in &other.smears {
            joined.smear_joined(smear, widen);
        }
        let mut bounds: Vec<i64> = self.bounds().chain(other.bounds()).collect();
        bounds.sort_unstable();
        bounds.dedup();
        for pair in bounds.windows(2) {
            let (start, end) = (pair[0], pair[1]);
            let (left, right) = (self.piece(start, end), other.piece(start, end));
            if left.is_none() && right.is_none() {
                continue;
            }
            let value = left.unwrap_or_else(|| self.default.clone());
            let value = value.join(&right.unwrap_or_else(|| other.default.clone()), widen);
            joined.segments.push(Segment { start, end, value });
        }
        joined.tidy();
        joined
    }

    fn smear_joined(&mut self, smear: &Smear, widen: bool) {
        let same = |known: &Smear| {
            known.part == smear.part && known.range.step == smear.range.step && known.range.phase == smear.range.phase
        };
        match self.smears.iter_mut().find(|known| same(known)) {
            Some(known) => {
                let (low, high) = (known.range.low.min(smear.range.low), known.range.high.max(smear.range.high));
                known.range.low = if widen && low < known.range.low { -FAR } else { low };
                known.range.high = if widen && high > known.range.high { FAR } else { high };
                known.value = known.value.join(&smear.value, widen);
            }
            None => self.smear(smear.clone()),
        }
    }

    fn bounds(&self) -> impl Iterator<Item = i64> + '_ {
        self.segments.iter().flat_map(|segment| [segment.start, segment.end])
    }

    /// The value of these bits, which lie in one segment or in none.
    fn piece(&self, start: i64, end: i64) -> Option<Value> {
        let segment = self.overlapping(start, end).next()?;
        let whole = segment.start == start && segment.end == end;
        Some(if whole { segment.value.clone() } else { segment.value.blurred() })
    }

    /// Drops segments that say what the default says.
    fn tidy(&mut self) {
        let default = &self.default;
        if *default == default.blurred() {
            self.segments.retain(|segment| segment.value != *default);
        }
    }

    /// The bits from each of the offsets on, as an object of their own.
    pub(crate) fn window(&self, offsets: &Offsets, width: i64) -> Content {
        let places = match offsets {
            Offsets::Points(points) => Some(points.clone()),
            Offsets::Range(range) => range.few(8),
        };
        if let Some(places) = places {
            let mut slices = places.iter().map(|place| self.slice(place * 8, width));
            let first = slices.next().unwrap_or_else(|| Content::of(Value::nothing()));
            return slices.fold(first, |all, slice| all.join(&slice, false));
        }
        self.window_of_range(&offsets.range(), width)
    }

    fn slice(&self, start: i64, width: i64) -> Content {
        let mut slice = Content::of(self.default.clone());
        for segment in self.overlapping(start, start + width) {
            let (from, to) = (segment.start.max(start), segment.end.min(start + width));
            let whole = from == segment.start && to == segment.end;
            let value = if whole { segment.value.clone() } else { segment.value.blurred() };
            slice.segments.push(Segment { start: from - start, end: to - start, value });
        }
        let bytes = start.div_euclid(8);
        for smear in self.smears.iter().filter(|smear| smear.touches(start, start + width)) {
            let moved = Offsets::Range(smear.range).shifted(-bytes);
            slice.smears.push(Smear { range: moved.range(), ..smear.clone() });
        }
        slice
    }

    /// Every place of the range at once: each segment is added wherever it may lie in the window.
    fn window_of_range(&self, range: &Range, width: i64) -> Content {
        let mut window = Content::of(self.default.clone());
        let step = range.step * 8;
        for segment in &self.segments {
            let length = segment.end - segment.start;
            if step < width || length >= step {
                window.add(0, width, &segment.value.blurred());
                continue;
            }
            // Where the segment starts in the window of the last place that is not beyond it; then of the one after.
            let mut start = (segment.start - range.phase * 8).rem_euclid(step);
            while start + length > 0 {
                if start < width {
                    window.add(start.max(0), (start + length).min(width), &segment.value);
                }
                start -= step;
            }
        }
        for smear in &self.smears {
            let everywhere = Part { first: 0, width: width.min(8) };
            window.smear(Smear { range: Offsets::anywhere().range(), part: everywhere, value: smear.value.blurred() });
        }
        window
    }

    /// Stores a copy of another object's bits, as [`Content::window`] gives them.
    pub(crate) fn store_window(&mut self, offsets: &Offsets, window: &Content, width: i64, strong: bool) {
        if strong
            && !self.many
            && let Some(offset) = offsets.single()
        {
            let start = offset * 8;
            self.replace(start, start + width, window.default.clone());
            for segment in &window.segments {
                self.replace(start + segment.start, start + segment.end, segment.value.clone());
            }
        } else {
            let mut at = 0;
            for segment in &window.segments {
                if segment.start > at {
                    self.store(
                        offsets,
                        Part { first: at, width: segment.start - at },
                        &window.default.blurred(),
                        false,
                    );
                }
                let part = Part { first: segment.start, width: segment.end - segment.start };
                self.store(offsets, part, &segment.value, false);
                at = segment.end;
            }
            if at < width {
                self.store(offsets, Part { first: at, width: width - at }, &window.default.blurred(), false);
            }
        }
        for smear in &window.smears {
            let (first, last) = (smear.range.low.max(0), smear.range.high.min(width / 8));
            let range = match offsets.single() {
                Some(offset) => Range { low: first, high: last, ..smear.range }.moved(offset),
                None => Offsets::anywhere().range(),
            };
            self.smear(Smear { range, part: smear.part, value: smear.value.clone() });
        }
    }

    /// All values in it.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        let segments = self.segments.iter().map(|segment| &segment.value);
        segments.chain(self.smears.iter().map(|smear| &smear.value)).chain([&self.default])
    }

    /// The same content, each value changed.
    pub(crate) fn map(&self, change: impl Fn(&Value) -> Value) -> Content {
        let segments = self.segments.iter().map(|segment| Segment { value: change(&segment.value), ..*segment });
        let smears = self.smears.iter().map(|smear| Smear { value: change(&smear.value), ..*smear });
        Content { default: change(&self.default), segments: segments.collect(), smears: smears.collect(), ..*self }
    }
}

impl Range {
    fn moved(self, by: i64) -> Range {
        Offsets::Range(self).shifted(by).range()
    }
}

/// One smear that stands for all.
pub(super) fn coalesced(smears: &[Smear]) -> Vec<Smear> {
    let Some((first, rest)) = smears.split_first() else { return Vec::new() };
    let mut all = first.clone();
    let mut end = all.part.first + all.part.width;
    for smear in rest {
        all.range.low = all.range.low.min(smear.range.low);
        all.range.high = all.range.high.max(smear.range.high);
        end = end.max(smear.part.first + smear.part.width);
        all.value = all.value.join(&smear.value, false);
    }
    all.range = Range { step: 1, phase: 0, ..all.range };
    all.part = Part { first: 0, width: end };
    all.value = all.value.blurred();
    vec![all]
}
