//! Can a smaller count be chance?
//!
//! Where a field was found on all of ten pages, it is no news that three pages of fifty lack it:
//! ten pages do not say that much. What is expected is therefore no number but a distribution
//! (beta-binomial, with one page more that has it and one that has not), and the question is how
//! likely so few are.

/// How likely no more than `found` of `pages` are where `known` pages had the share `expected`.
///
/// The more pages a mold was learned from, the less is chance.
pub(super) fn of_so_few(expected: f64, known: usize, found: usize, pages: usize) -> f64 {
    let known = known.clamp(1, MOST) as f64;
    let (found, pages) = scaled(found, pages);
    let (a, b) = (expected * known + 1.0, (1.0 - expected) * known + 1.0);
    let mut chance = log_of_none(a, b, pages);
    let mut sum = chance.exp();
    for j in 0..found {
        let (j, n) = (j as f64, pages as f64);
        chance += ((n - j) / (j + 1.0)).ln() + ((a + j) / (b + n - j - 1.0)).ln();
        sum += chance.exp();
    }
    sum.min(1.0)
}

/// More pages than this are no surer: those of a site are no throws of dice.
const MOST: usize = 60;

fn scaled(found: usize, pages: usize) -> (usize, usize) {
    if pages <= MOST {
        (found, pages)
    } else {
        (found * MOST / pages, MOST)
    }
}

/// The logarithm of how likely none of some pages is.
fn log_of_none(a: f64, b: f64, pages: usize) -> f64 {
    (0..pages)
        .map(|at| ((b + at as f64) / (a + b + at as f64)).ln())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_is_no_surprise() {
        assert!(of_so_few(1.0, 20, 10, 10) > 0.99);
        assert!(of_so_few(0.5, 20, 5, 10) > 0.3);
        assert!(of_so_few(0.0, 20, 0, 1_000_000) > 0.2);
    }

    #[test]
    fn a_loss_is_a_surprise_the_more_so_the_more_pages_say_it() {
        let (few, some, many) = (
            of_so_few(1.0, 20, 0, 2),
            of_so_few(1.0, 20, 0, 5),
            of_so_few(1.0, 20, 0, 50),
        );
        assert!(
            few > some && some > many && few < 0.02 && some < 1e-3,
            "{few} {some} {many}"
        );
        assert!(of_so_few(1.0, 3, 0, 5) > some);
    }

    #[test]
    fn all_chances_add_up_to_one() {
        assert!((of_so_few(0.3, 7, 12, 12) - 1.0).abs() < 1e-9);
    }
}
