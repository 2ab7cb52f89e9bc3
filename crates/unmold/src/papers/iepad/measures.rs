//! How regular, dense and large is a pattern?

/// The paper's measures of a pattern (section 3.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Standard deviation of the distances between neighbours, divided by their mean; 0 is
    /// perfectly regular.
    pub regularity: f64,
    /// How much of the distance between neighbours a pattern fills; 1 is back to back.
    pub density: f64,
    /// The share of the page's bytes from the first record to the end of the last.
    pub coverage: f64,
}

impl Measures {
    /// Measures of patterns of a `length` that begin at `starts`, and take `bytes` of a page of
    /// `page` bytes.
    pub fn new(starts: &[usize], length: f64, bytes: usize, page: usize) -> Self {
        let extent = starts
            .last()
            .zip(starts.first())
            .map_or(0, |(last, first)| last - first);
        let gaps = starts.len().saturating_sub(1) as f64;
        Measures {
            regularity: regularity(starts),
            density: if extent == 0 {
                1.0
            } else {
                gaps * length / extent as f64
            },
            coverage: bytes as f64 / page.max(1) as f64,
        }
    }
}

/// Standard deviation of the distances between neighbours, divided by their mean.
pub fn regularity(starts: &[usize]) -> f64 {
    let gaps = starts.windows(2).map(|pair| (pair[1] - pair[0]) as f64);
    let count = gaps.len() as f64;
    let mean = gaps.clone().sum::<f64>() / count;
    let variance = gaps.map(|gap| (gap - mean).powi(2)).sum::<f64>() / count;
    if mean > 0.0 {
        variance.sqrt() / mean
    } else {
        0.0
    }
}
