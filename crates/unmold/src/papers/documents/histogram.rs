//! How many strings are on how many pages, and where does template begin?

/// How many bins a histogram has.
pub const BINS: usize = 100;

/// Strings by the share of pages that they are on.
///
/// ```
/// use unmold::papers::documents::Histogram;
///
/// // Of 50 pages: 900 strings on two or three of them, 40 on nearly all.
/// let pages_of_strings = (0..900).map(|n| 2 + n % 2).chain((0..40).map(|n| 47 + n % 4));
/// let histogram = Histogram::of(50, pages_of_strings);
/// assert_eq!(histogram.bins()[3], 450);
/// assert_eq!(histogram.cutoff(), 50);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    bins: [u64; BINS],
}

impl Histogram {
    /// Counts strings by the number of pages that each is on, of so many pages.
    pub fn of(pages: usize, pages_of_strings: impl IntoIterator<Item = usize>) -> Self {
        let mut bins = [0; BINS];
        pages_of_strings
            .into_iter()
            .for_each(|df| bins[Self::bin(pages, df)] += 1);
        Histogram { bins }
    }

    /// The bin of strings that are on `df` of the pages: the last one if they are on all, whatever
    /// the number of pages.
    pub fn bin(pages: usize, df: usize) -> usize {
        (df * BINS).div_ceil(pages.max(1)).clamp(1, BINS) - 1
    }

    /// The number of strings in each bin.
    pub fn bins(&self) -> &[u64; BINS] {
        &self.bins
    }

    /// E(b) of equation 3.1: how badly two clusters explain the histogram that is cut before a bin.
    ///
    /// The clusters have their centres x and y at equal distances of the cut. For a given cut, E is
    /// a quadratic function of x alone, whose minimum is the mean of the bins with those on the
    /// right mirrored at the cut.
    pub fn energy(&self, cutoff: usize) -> f64 {
        let strings = self.bins.iter().sum::<u64>().max(1) as f64;
        let mirrored = |bin: usize| {
            if bin < cutoff {
                bin as f64
            } else {
                2.0 * cutoff as f64 - bin as f64
            }
        };
        let weighted = || {
            self.bins
                .iter()
                .enumerate()
                .map(|(bin, &count)| (mirrored(bin), count as f64))
        };
        let x = weighted().map(|(place, count)| place * count).sum::<f64>() / strings;
        weighted()
            .map(|(place, count)| (place - x).powi(2) * count)
            .sum()
    }

    /// The bin at which template begins: the cut with the least [`energy`](Self::energy), and of
    /// equals the one nearest to the middle.
    ///
    /// So where all strings are in one bin, they are template if it is one of the upper half, and
    /// none is otherwise.
    pub fn cutoff(&self) -> usize {
        let from_middle = |cutoff: &usize| cutoff.abs_diff(BINS / 2);
        let cuts = (1..BINS).map(|cutoff| (self.energy(cutoff), cutoff));
        cuts.min_by(|(a, at), (b, other)| {
            a.total_cmp(b)
                .then(from_middle(at).cmp(&from_middle(other)))
        })
        .map_or(BINS / 2, |(_, cutoff)| cutoff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Equation 3.1 with x tried in steps of a tenth.
    fn energy_by_trying(bins: &[u64; BINS], cutoff: usize) -> f64 {
        let energy = |x: f64| -> f64 {
            let y = 2.0 * cutoff as f64 - x;
            let far = |bin: usize| (bin as f64 - if bin < cutoff { x } else { y }).powi(2);
            bins.iter()
                .enumerate()
                .map(|(bin, &count)| far(bin) * count as f64)
                .sum()
        };
        (-1000..=1000)
            .map(|tenths| energy(f64::from(tenths) / 10.0))
            .fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn the_solution_is_the_best_that_trying_finds(
            dfs in prop::collection::vec(1usize..=200, 1..200),
            cutoff in 1..BINS,
        ) {
            let histogram = Histogram::of(200, dfs.iter().copied());
            let (solved, tried) = (histogram.energy(cutoff), energy_by_trying(histogram.bins(), cutoff));
            let strings = dfs.len() as f64;
            prop_assert!(solved <= tried + 1e-6 && tried <= solved + strings * 0.05 * 0.05 + 1e-6);
        }
    }

    #[test]
    fn one_bin_is_template_or_it_is_not() {
        let everywhere = Histogram::of(7, [7; 30]);
        assert!(everywhere.cutoff() < BINS - 1 && everywhere.bins()[BINS - 1] == 30);
        let few_pages = Histogram::of(1000, [3; 30]);
        assert!(few_pages.cutoff() > Histogram::bin(1000, 3));
        assert_eq!(Histogram::of(0, []).cutoff(), BINS / 2);
    }

    #[test]
    fn a_power_law_with_a_mode_at_the_end_is_cut_in_the_valley() {
        let language = (2..60).flat_map(|df| std::iter::repeat_n(df, 40_000 / (df * df)));
        let template = (90..=100).flat_map(|df| std::iter::repeat_n(df, 30));
        let cutoff = Histogram::of(100, language.chain(template)).cutoff();
        assert!((30..80).contains(&cutoff), "{cutoff}");
    }
}
