//! Random numbers from a seed alone (xorshift64*, Vigna 2016).

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        let mut random = Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 };
        // Neighbouring seeds part ways in the first steps.
        (0..8).for_each(|_| _ = random.word());
        random
    }

    /// Any 64 bits.
    pub fn word(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number less than `limit`, or 0 where `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        (self.word() >> 11) % limit.max(1)
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several; `None` only where there is none.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let index = self.below(all.len() as u64);
        all.get(usize::try_from(index).unwrap_or(0))
    }

    /// An index into `weights`, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return index;
            }
            rest -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_seed_others() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..8).map(|_| random.word()).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }

    #[test]
    fn weights_of_zero_are_never_taken() {
        let mut random = Random::new(1);
        assert!((0..1000).all(|_| random.weighted(&[0, 3, 0, 5]) % 2 == 1));
    }
}
