//! How many strings are on how many pages, and where does template begin? As a picture.

use crate::papers::documents::{BINS, FrequentStrings};
use std::fmt::Write;

/// The histogram of strings by the share of pages they are on, with the cut, as an SVG.
pub fn histogram_svg(found: &FrequentStrings) -> String {
    const BAR: f64 = 8.0;
    const HEIGHT: f64 = 300.0;
    const MARGIN: f64 = 50.0;
    let bins = found.histogram().bins();
    let highest = bins.iter().copied().max().unwrap_or(1).max(2) as f64;
    let (width, bottom) = (2.0 * MARGIN + BAR * BINS as f64, MARGIN + HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"15\">strings by the share of pages they are on; red is template</text>\n",
        bottom + MARGIN
    );
    for (bin, &count) in bins.iter().enumerate() {
        let height = (count as f64 + 1.0).ln() / (highest + 1.0).ln() * HEIGHT;
        let (x, y) = (MARGIN + bin as f64 * BAR, bottom - height);
        let colour = if bin >= found.cutoff() {
            "#c02"
        } else {
            "#9ab"
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"{colour}\"><title>{} %: {count}</title></rect>",
            BAR - 1.0,
            bin + 1
        );
    }
    let cut = MARGIN + found.cutoff() as f64 * BAR - 0.5;
    let _ = writeln!(
        svg,
        "<path d=\"M{cut} {MARGIN}V{bottom}\" stroke=\"black\" stroke-dasharray=\"4 3\"/>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\">on {} pages or more</text>",
        cut + 4.0,
        MARGIN + 12.0,
        found.cutoff_pages()
    );
    for percent in (0..=BINS).step_by(20) {
        let x = MARGIN + percent as f64 * BAR;
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent} %</text>",
            bottom + 18.0
        );
    }
    svg + "</svg>\n"
}
