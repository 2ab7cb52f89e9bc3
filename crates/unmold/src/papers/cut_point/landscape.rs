//! The alternation counts of all cut points, a row (one n) at a time.

use super::{Settings, Ties, occurrences::Occurrences};
use crate::{
    Span,
    symbols::{
        encode::Symbols,
        index::{Index, NgramClass},
    },
};
use rayon::prelude::*;
use std::ops::Range;
use unmold_suffix::Boundaries;

/// The bucket of letters that no n-gram covers: they are content whatever a is.
const NEVER: u8 = u8::MAX;

/// Alternation counts of an index, worked out row by row and kept.
pub struct Landscape<'i> {
    index: &'i Index,
    settings: Settings,
    /// Where equally frequent n-grams fare alike, all that counts.
    occurrences: Option<Occurrences<'i>>,
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
        let delimiters = (!settings.delimiters.is_empty())
            .then(|| count_delimiters(index.symbols(), &settings.delimiters));
        let longest_page = pages.ranges().map(|page| page.len()).max().unwrap_or(0);
        let are_alike = settings.ties == Ties::Whole && delimiters.is_none();
        let fits = u32::try_from(index.len()).is_ok();
        let occurrences = (are_alike && fits).then(|| Occurrences::new(index));
        Landscape {
            index,
            settings,
            occurrences,
            delimiters,
            counts: Vec::new(),
            longest_page,
        }
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

    /// Works out the next row, or several.
    fn work_out_more(&mut self) {
        let next = self.counts.len() + 2;
        if let Some(occurrences) = &mut self.occurrences {
            occurrences.grow(next);
            self.counts.push(alternations_by_occurrence(
                occurrences,
                self.index.symbols().pages(),
                next,
            ));
            return;
        }
        // One for each thread: a search nearly always wants them all.
        let rows = (next..next + rayon::current_num_threads()).into_par_iter();
        let rows: Vec<[u64; 100]> = rows.map(|n| self.alternations(&self.coverage(n))).collect();
        self.counts.extend(rows);
    }

    /// The stretches of each page that are template at a cut point.
    pub fn template(&self, n: usize, a: u8) -> Vec<Vec<Span>> {
        let symbols = self.index.symbols();
        let coverage = self.coverage(n);
        let spans = |page| template_of_page(symbols, page, &coverage, a);
        (0..symbols.pages().count())
            .into_par_iter()
            .map(spans)
            .collect()
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
        let repeats = repeated.iter().map(|class| class.count).sum::<usize>();
        let number_once = once.as_ref().map_or_else(
            || places(self.index.symbols().pages(), n) - repeats,
            Vec::len,
        );
        let frequencies = repeated
            .iter()
            .map(|class| (class.count, 1))
            .chain([(1, number_once)]);
        let mut ranks = Ranks::new(frequencies, self.settings.ties);
        let mut buckets = match &once {
            Some(_) => vec![NEVER; self.index.len()],
            // All n-grams that occur once fare alike, so they need not be looked at one by one.
            None => self.filled(n, ranks.next(1)),
        };
        for class in &repeated {
            let bucket = ranks.next(class.count);
            class
                .rows()
                .for_each(|row| buckets[self.index.suffix(row)] = bucket);
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
                classes.push(NgramClass {
                    first,
                    count: row - first,
                });
            }
        }
        classes
    }

    /// The rows of the n-grams that occur once.
    fn occurring_once(&self, n: usize) -> Vec<usize> {
        let shares = |row: usize| row < self.index.len() && self.index.lcp(row) >= n;
        let pages = self.index.symbols().pages();
        let left = |position: usize| pages.end(pages.sequence_of(position)) - position;
        let counts =
            |row: &usize| left(self.index.suffix(*row)) >= n && self.is_grammatical(*row, n);
        (0..self.index.len())
            .filter(|&row| !shares(row) && !shares(row + 1))
            .filter(counts)
            .collect()
    }

    /// The same bucket wherever an n-gram can begin.
    fn filled(&self, n: usize, bucket: u8) -> Vec<u8> {
        let mut buckets = vec![bucket; self.index.len()];
        for page in self.index.symbols().pages().ranges() {
            close_page(&mut buckets[page], n);
        }
        buckets
    }

    /// Whether the n-gram has no delimiter but at its ends.
    fn is_grammatical(&self, row: usize, n: usize) -> bool {
        let Some(before) = &self.delimiters else {
            return true;
        };
        let start = self.index.suffix(row);
        before[start + n - 1] == before[start + 1]
    }

    /// Counts, for every a, the boundaries inside pages between letters taken and not taken.
    fn alternations(&self, coverage: &[u8]) -> [u64; 100] {
        let mut changes = Changes::default();
        self.index
            .symbols()
            .pages()
            .ranges()
            .for_each(|page| changes.add(&coverage[page]));
        changes.counts()
    }
}

/// The alternation counts for one n, page by page: what is worked out for a page stays in the
/// processor's caches.
fn alternations_by_occurrence(
    occurrences: &Occurrences<'_>,
    pages: &Boundaries,
    n: usize,
) -> [u64; 100] {
    let buckets_by_times = buckets_by_times(occurrences, places(pages, n));
    let add_page = |mut changes: Changes, page: Range<usize>| {
        let times = occurrences.times()[page].iter();
        let mut buckets: Vec<u8> = times
            .map(|&times| buckets_by_times[times as usize])
            .collect();
        close_page(&mut buckets, n);
        changes.add(&smallest_in_windows(buckets, n));
        changes
    };
    let ranges: Vec<Range<usize>> = pages.ranges().collect();
    ranges
        .into_par_iter()
        .fold(Changes::default, add_page)
        .reduce(Changes::default, Changes::with)
        .counts()
}

/// The smallest a at which n-grams are taken that occur so often, given how many places have one.
fn buckets_by_times(occurrences: &Occurrences<'_>, places: usize) -> Vec<u8> {
    let (repeats, different) = occurrences
        .repeated()
        .fold((0, 0), |(repeats, different), (times, number)| {
            (repeats + times * number, different + number)
        });
    let once = places - repeats;
    let taken = taken(different + once);
    let most = occurrences
        .repeated()
        .next_back()
        .map_or(1, |(times, _)| times);
    let mut buckets = vec![NEVER; most + 1];
    let mut ahead = 0;
    for (times, number) in occurrences.repeated().rev().chain([(1, once)]) {
        buckets[times] = bucket(&taken, ahead);
        ahead += number;
    }
    buckets
}

/// How many n-grams begin on all pages.
fn places(pages: &Boundaries, n: usize) -> usize {
    pages
        .ranges()
        .map(|page| (page.len() + 1).saturating_sub(n))
        .sum()
}

/// Takes their buckets from the last letters of a page, at which no n-gram begins.
fn close_page(buckets: &mut [u8], n: usize) {
    let last = (buckets.len() + 1).saturating_sub(n);
    buckets[last..].fill(NEVER);
}

/// Where neighbouring letters are taken at a different a: by a, how many boundaries begin to count,
/// less those that cease to.
#[derive(Clone, Copy)]
struct Changes([i64; 256]);

impl Default for Changes {
    fn default() -> Self {
        Changes([0; 256])
    }
}

impl Changes {
    /// Adds the boundaries inside a page.
    fn add(&mut self, coverage: &[u8]) {
        let (Some((_, later)), Some((_, earlier))) =
            (coverage.split_first(), coverage.split_last())
        else {
            return;
        };
        // Boundaries are few: most stretches are passed over at once.
        let ((earlier, last_earlier), (later, last_later)) =
            (earlier.as_chunks::<16>(), later.as_chunks::<16>());
        for (earlier, later) in earlier
            .iter()
            .zip(later)
            .filter(|(earlier, later)| earlier != later)
        {
            self.add_pairs(earlier, later);
        }
        self.add_pairs(last_earlier, last_later);
    }

    fn add_pairs(&mut self, earlier: &[u8], later: &[u8]) {
        for (one, other) in earlier
            .iter()
            .zip(later)
            .filter(|(one, other)| one != other)
        {
            self.0[usize::from(*one.min(other))] += 1;
            self.0[usize::from(*one.max(other))] -= 1;
        }
    }

    fn with(mut self, other: Self) -> Self {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(sum, change)| *sum += change);
        self
    }

    /// For a = 1 to 100, how many boundaries count.
    fn counts(&self) -> [u64; 100] {
        let mut open = self.0[0];
        std::array::from_fn(|at| {
            open += self.0[at + 1];
            open as u64
        })
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
    /// How many n-grams are more frequent, by frequency; where ties are split, also those handed
    /// out before.
    ahead: Vec<usize>,
    /// The bucket of the most frequent of equals, by frequency.
    buckets: Vec<u8>,
    /// `taken[a - 1]` n-grams are taken at a.
    taken: [usize; 100],
}

impl Ranks {
    /// For n-grams given by how often they occur, and how many do.
    fn new(frequencies: impl Iterator<Item = (usize, usize)> + Clone, ties: Ties) -> Self {
        let most = frequencies
            .clone()
            .map(|(count, _)| count)
            .max()
            .unwrap_or(1);
        let mut ahead = vec![0; most + 1];
        frequencies.for_each(|(count, number)| ahead[count] += number);
        let mut more_frequent = 0;
        for entry in ahead.iter_mut().rev() {
            more_frequent += std::mem::replace(entry, more_frequent);
        }
        let taken = taken(more_frequent);
        let buckets = ahead.iter().map(|&rank| bucket(&taken, rank)).collect();
        Ranks {
            ties,
            ahead,
            buckets,
            taken,
        }
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

/// For a = 1 to 100, how many of so many n-grams are taken.
fn taken(different: usize) -> [usize; 100] {
    std::array::from_fn(|at| (different * (at + 1) / 100).max(1))
}

/// The smallest a that takes more n-grams than stand before a rank.
fn bucket(taken: &[usize; 100], rank: usize) -> u8 {
    taken.partition_point(|&taken| taken <= rank) as u8 + 1
}

/// For each place, the smallest value in the window of `width` that ends there.
///
/// Windows are doubled and then brought to their width, which goes over the values log₂(width)
/// times, many at once. They reach over page ends, but there they only meet starts of n-grams that
/// would cross the end, which have no bucket.
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
    for position in symbols
        .page(page)
        .filter(|&position| coverage[position] <= a)
    {
        let span = symbols.span(position);
        match spans.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => spans.push(span),
        }
    }
    spans
}
