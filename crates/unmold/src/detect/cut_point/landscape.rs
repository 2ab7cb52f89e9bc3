//! The alternation counts of all cut points, a row (one n) at a time.

use super::{Settings, Ties};
use crate::{
    Span,
    encode::Symbols,
    index::{Index, NgramClass},
};
use rayon::prelude::*;

/// The bucket of letters that no n-gram covers: they are content whatever a is.
const NEVER: u8 = u8::MAX;

/// Alternation counts of an index, worked out row by row and kept.
pub struct Landscape<'i> {
    index: &'i Index,
    settings: Settings,
    /// How many symbols are left on the page, by row of the index: read once for each n.
    left: Vec<u32>,
    /// Delimiters before each position, where they matter.
    delimiters: Option<Vec<u32>>,
    /// `counts[n - 2][a - 1]`.
    counts: Vec<[u64; 100]>,
    longest_page: usize,
}

impl<'i> Landscape<'i> {
    /// A landscape with nothing worked out yet.
    pub fn new(index: &'i Index, settings: Settings) -> Self {
        let pages = index.symbols().pages();
        let left = (0..index.len()).into_par_iter().map(|row| {
            let position = index.suffix(row);
            (pages.end(pages.sequence_of(position)) - position) as u32
        });
        let left = left.collect();
        let delimiters =
            (!settings.delimiters.is_empty()).then(|| count_delimiters(index.symbols(), &settings.delimiters));
        let longest_page = pages.ranges().map(|page| page.len()).max().unwrap_or(0);
        Landscape { index, settings, left, delimiters, counts: Vec::new(), longest_page }
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The length of the longest page; there are no longer n-grams.
    pub fn longest_page(&self) -> usize {
        self.longest_page
    }

    /// The alternation counts for n and a = 1 to 100.
    ///
    /// # Panics
    /// When n is less than 2: the papers begin there.
    pub fn row(&mut self, n: usize) -> &[u64; 100] {
        assert!(n >= 2, "cut points begin at n = 2");
        while self.counts.len() < n - 1 {
            self.work_out_more();
        }
        &self.counts[n - 2]
    }

    /// The alternation count of a cut point.
    ///
    /// # Panics
    /// When n is less than 2 or a is not 1 to 100.
    pub fn count(&mut self, n: usize, a: u8) -> u64 {
        self.row(n)[usize::from(a) - 1]
    }

    /// Works out the next rows, one for each thread: a search nearly always wants them all.
    fn work_out_more(&mut self) {
        let next = self.counts.len() + 2;
        let rows = (next..next + rayon::current_num_threads()).into_par_iter();
        let rows: Vec<[u64; 100]> = rows.map(|n| self.alternations(&self.coverage(n))).collect();
        self.counts.extend(rows);
    }

    /// The stretches of each page that are template at a cut point.
    pub fn template(&self, n: usize, a: u8) -> Vec<Vec<Span>> {
        let symbols = self.index.symbols();
        let coverage = self.coverage(n);
        let spans = |page| template_of_page(symbols, page, &coverage, a);
        (0..symbols.pages().count()).into_par_iter().map(spans).collect()
    }

    /// For each position, the smallest a at which an n-gram that covers it is taken.
    fn coverage(&self, n: usize) -> Vec<u8> {
        smallest_in_windows(self.buckets(n), n)
    }

    /// For each position, the smallest a at which the n-gram that begins there is taken.
    fn buckets(&self, n: usize) -> Vec<u8> {
        let repeated = self.repeated(n);
        let once = self.settings.ties == Ties::Split || self.delimiters.is_some();
        let once: Option<Vec<usize>> = once.then(|| self.occurring_once(n));
        let number_once = once.as_ref().map_or_else(|| self.number_once(n, &repeated), Vec::len);
        let mut ranks = Ranks::new(&repeated, number_once, self.settings.ties);
        let mut buckets = match &once {
            Some(_) => vec![NEVER; self.index.len()],
            // All n-grams that occur once fare alike, so they need not be looked at one by one.
            None => self.filled(n, ranks.next(1)),
        };
        for class in &repeated {
            let bucket = ranks.next(class.count);
            class.rows().for_each(|row| buckets[self.index.suffix(row)] = bucket);
        }
        for row in once.into_iter().flatten() {
            buckets[self.index.suffix(row)] = ranks.next(1);
        }
        buckets
    }

    /// The n-grams that occur more than once, in order.
    fn repeated(&self, n: usize) -> Vec<NgramClass> {
        let mut classes = Vec::new();
        let mut row = 1;
        while row < self.index.len() {
            if self.index.lcp(row) < n {
                row += 1;
                continue;
            }
            let first = row - 1;
            while row < self.index.len() && self.index.lcp(row) >= n {
                row += 1;
            }
            if self.is_grammatical(first, n) {
                classes.push(NgramClass { first, count: row - first });
            }
        }
        classes
    }

    /// The rows of the n-grams that occur once.
    fn occurring_once(&self, n: usize) -> Vec<usize> {
        let shares = |row: usize| row < self.index.len() && self.index.lcp(row) >= n;
        let counts = |row: &usize| self.left[*row] as usize >= n && self.is_grammatical(*row, n);
        (0..self.index.len()).filter(|&row| !shares(row) && !shares(row + 1)).filter(counts).collect()
    }

    /// How many n-grams occur once: as many as places are left by those that repeat.
    fn number_once(&self, n: usize, repeated: &[NgramClass]) -> usize {
        let places: usize = self.index.symbols().pages().ranges().map(|page| (page.len() + 1).saturating_sub(n)).sum();
        places - repeated.iter().map(|class| class.count).sum::<usize>()
    }

    /// The same bucket wherever an n-gram can begin.
    fn filled(&self, n: usize, bucket: u8) -> Vec<u8> {
        let mut buckets = vec![bucket; self.index.len()];
        for page in self.index.symbols().pages().ranges() {
            let last = (page.end + 1).saturating_sub(n).max(page.start);
            buckets[last..page.end].fill(NEVER);
        }
        buckets
    }

    /// Whether the n-gram has no delimiter but at its ends.
    fn is_grammatical(&self, row: usize, n: usize) -> bool {
        let Some(before) = &self.delimiters else { return true };
        let start = self.index.suffix(row);
        before[start + n - 1] == before[start + 1]
    }

    /// Counts, for every a, the boundaries inside pages between letters taken and not taken.
    fn alternations(&self, coverage: &[u8]) -> [u64; 100] {
        let mut changes = [0i64; 256];
        for page in self.index.symbols().pages().ranges() {
            for pair in coverage[page].windows(2).filter(|pair| pair[0] != pair[1]) {
                changes[usize::from(pair[0].min(pair[1]))] += 1;
                changes[usize::from(pair[0].max(pair[1]))] -= 1;
            }
        }
        let mut counts = [0u64; 100];
        let mut open = changes[0];
        for (count, change) in counts.iter_mut().zip(&changes[1..]) {
            open += change;
            *count = open as u64;
        }
        counts
    }
}

fn count_delimiters(symbols: &Symbols, delimiters: &str) -> Vec<u32> {
    let mut before = 0;
    let mut counts = Vec::with_capacity(symbols.len() + 1);
    for position in 0..symbols.len() {
        counts.push(before);
        before += u32::from(delimiters.contains(symbols.name(position).as_ref()));
    }
    counts.push(before);
    counts
}

/// Hands out, n-gram by n-gram in sorted order, the smallest a at which each is taken.
struct Ranks {
    ties: Ties,
    /// How many n-grams are more frequent, by frequency; where ties are split, also those handed out before.
    ahead: Vec<usize>,
    /// The bucket of the most frequent of equals, by frequency.
    buckets: Vec<u8>,
    /// `taken[a - 1]` n-grams are taken at a.
    taken: [usize; 100],
}

impl Ranks {
    fn new(repeated: &[NgramClass], once: usize, ties: Ties) -> Self {
        let most = repeated.iter().map(|class| class.count).max().unwrap_or(1);
        let mut ahead = vec![0; most + 1];
        ahead[1] = once;
        repeated.iter().for_each(|class| ahead[class.count] += 1);
        let mut more_frequent = 0;
        for entry in ahead.iter_mut().rev() {
            more_frequent += std::mem::replace(entry, more_frequent);
        }
        let taken = std::array::from_fn(|at| (more_frequent * (at + 1) / 100).max(1));
        let buckets = ahead.iter().map(|&rank| bucket(&taken, rank)).collect();
        Ranks { ties, ahead, buckets, taken }
    }

    /// The bucket of the next n-gram, which occurs `count` times.
    #[inline]
    fn next(&mut self, count: usize) -> u8 {
        match self.ties {
            Ties::Whole => self.buckets[count],
            Ties::Split => {
                let rank = self.ahead[count];
                self.ahead[count] += 1;
                bucket(&self.taken, rank)
            }
        }
    }
}

/// The smallest a that takes more n-grams than stand before a rank.
fn bucket(taken: &[usize; 100], rank: usize) -> u8 {
    taken.partition_point(|&taken| taken <= rank) as u8 + 1
}

/// For each place, the smallest value in the window of `width` that ends there.
///
/// Windows are doubled and then brought to their width, which goes over the values log₂(width) times, many at once.
/// They reach over page ends, but there they only meet starts of n-grams that would cross the end, which have no bucket.
fn smallest_in_windows(mut values: Vec<u8>, width: usize) -> Vec<u8> {
    let mut smallest = values.clone();
    let mut reached = 1;
    while reached < width.min(values.len()) {
        let step = reached.min(width - reached);
        values.copy_from_slice(&smallest);
        for (value, earlier) in smallest[step..].iter_mut().zip(&values) {
            *value = (*value).min(*earlier);
        }
        reached += step;
    }
    smallest
}

fn template_of_page(symbols: &Symbols, page: usize, coverage: &[u8], a: u8) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for position in symbols.page(page).filter(|&position| coverage[position] <= a) {
        let span = symbols.span(position);
        match spans.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => spans.push(span),
        }
    }
    spans
}
