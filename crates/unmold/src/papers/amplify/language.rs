//! How much text has a frequency by nature?
//!
//! In samples of natural language, the share F'(f) of strings that occur exactly f times falls like
//! 1/f, in much the same way whatever the language. The table holds mean and standard deviation of
//! f·F'(f) over samples of 12 languages; `eval/language-baseline` computes it from translated
//! manual pages that anyone can install, and draws the figures.
//!
//! ```
//! use unmold::papers::amplify::language;
//!
//! // Between 40 and 60 occurrences, a hundredth of all text would already be suspicious.
//! assert!(language::border(50, 0.001) < 0.01);
//! // The less one wants to risk, the higher the border.
//! assert!(language::border(50, 0.0001) > language::border(50, 0.01));
//! ```

mod table;

use table::TABLE;

/// A row of the table: what holds from this frequency to that of the next row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The lowest frequency.
    pub frequency: usize,
    /// The mean of f·F'(f) over samples of all languages.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// The table, the lowest frequencies first. It starts at 1.
pub fn table() -> &'static [Row] {
    TABLE
}

/// The share F'(f) that natural language exceeds with probability `risk`: mean + z·s, the one-sided
/// test of the paper.
pub fn border(frequency: usize, risk: f64) -> f64 {
    let row = TABLE[TABLE.partition_point(|row| row.frequency <= frequency.max(1)) - 1];
    (row.mean + normal_quantile(risk) * row.deviation) / frequency.max(1) as f64
}

/// The z that a standard normal variable exceeds with probability `risk`.
///
/// Formula 26.2.23 of Abramowitz and Stegun, *Handbook of Mathematical Functions*; the error is
/// below 0.00045.
pub fn normal_quantile(risk: f64) -> f64 {
    let risk = risk.clamp(1e-300, 1.0 - 1e-16);
    if risk > 0.5 {
        return -normal_quantile(1.0 - risk);
    }
    let t = (-2.0 * risk.ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_textbooks() {
        for (risk, z) in [
            (0.5, 0.0),
            (0.05, 1.6449),
            (0.025, 1.96),
            (0.001, 3.0902),
            (0.95, -1.6449),
        ] {
            assert!(
                (normal_quantile(risk) - z).abs() < 0.001,
                "{risk}: {}",
                normal_quantile(risk)
            );
        }
    }

    #[test]
    fn the_table_is_in_order() {
        assert_eq!(TABLE[0].frequency, 1);
        assert!(
            TABLE
                .windows(2)
                .all(|rows| rows[0].frequency < rows[1].frequency)
        );
        assert!(
            TABLE
                .iter()
                .all(|row| row.mean > 0.0 && row.deviation > 0.0)
        );
    }
}
