//! Do irregular occurrences form regular blocks?

use super::regularity;

/// Cuts occurrences into blocks that are regular, where all together are not (section 3.5).
///
/// A block grows while its regularity stays within `growing`. It counts if it has at least
/// `min_count` occurrences and a regularity of at most `within`.
///
/// The paper's example is a result page of three blocks, each as regular as can be:
///
/// ```
/// use unmold::papers::iepad::{partition, regularity};
///
/// let starts = [0, 10, 20, 30, 200, 210, 220, 500, 510, 520, 530];
/// assert!(regularity(&starts) > 0.5);
/// let blocks = partition(&starts, 0.5, 0.1, 3);
/// assert_eq!(blocks, [vec![0, 10, 20, 30], vec![200, 210, 220], vec![500, 510, 520, 530]]);
/// ```
///
/// Departures: the paper's pseudo-code asks for a regularity *above* the threshold where its text
/// asks for one below, and drops the last block; this follows the text. Cost: linear; sums are kept
/// while a block grows.
pub fn partition(starts: &[usize], growing: f64, within: f64, min_count: usize) -> Vec<Vec<usize>> {
    let mut blocks = Vec::new();
    let mut block = Block::default();
    for &start in starts {
        if !block.takes(start, growing) {
            blocks.push(std::mem::take(&mut block).starts);
        }
        block.add(start);
    }
    blocks.push(block.starts);
    blocks.retain(|block| block.len() >= min_count && regularity(block) <= within);
    blocks
}

/// A block with the sums that its regularity comes from.
#[derive(Default)]
struct Block {
    starts: Vec<usize>,
    sum: f64,
    squares: f64,
}

impl Block {
    fn gap_to(&self, start: usize) -> f64 {
        self.starts
            .last()
            .map_or(0.0, |&last| (start - last) as f64)
    }

    /// Whether the block stays regular with one more.
    fn takes(&self, start: usize, growing: f64) -> bool {
        let gaps = self.starts.len() as f64;
        let (sum, squares) = (
            self.sum + self.gap_to(start),
            self.squares + self.gap_to(start).powi(2),
        );
        let mean = sum / gaps;
        self.starts.is_empty() || (squares / gaps - mean * mean).max(0.0).sqrt() <= growing * mean
    }

    fn add(&mut self, start: usize) {
        let gap = self.gap_to(start);
        self.sum += gap;
        self.squares += gap * gap;
        self.starts.push(start);
    }
}
