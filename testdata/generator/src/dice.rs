//! Where do the choices come from? From a seeded splitmix64 (Steele, Lea and Flood, 2014), so that
//! they never change.

/// A stream of choices.
pub struct Dice(u64);

impl Dice {
    /// The stream that belongs to a name, such as `news-ja/0003`.
    pub fn named(name: &str) -> Dice {
        // FNV-1a: any spread of short names over 64 bits will do.
        Dice(name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }

    /// True in `percent` of a hundred throws.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of the list.
    pub fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.between(0, list.len() - 1)]
    }

    /// The list in another order.
    pub fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for i in (1..list.len()).rev() {
            list.swap(i, self.between(0, i));
        }
        list
    }

    /// `count` of the numbers below `size`, rising.
    pub fn some(&mut self, count: usize, size: usize) -> Vec<usize> {
        let mut chosen = self.shuffled((0..size).collect());
        chosen.truncate(count);
        chosen.sort_unstable();
        chosen
    }
}
