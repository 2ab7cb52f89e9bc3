//! Which frequencies stand out? As a picture.

use crate::papers::amplify::{Amplification, Peak};
use std::{cmp::Reverse, fmt::Write};

const WIDTH: f64 = 960.0;
const PANEL: f64 = 300.0;
const MARGIN: f64 = 60.0;

/// The plots of F and G, one above the other, with the peaks marked, as an SVG.
pub fn amplification_svg(amplification: &Amplification, peaks: &[Peak]) -> String {
    let last = amplification
        .masses()
        .last()
        .map_or(1, |(frequency, _)| frequency);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2.0 * PANEL
    );
    let masses: Vec<(usize, f64)> = amplification
        .masses()
        .map(|(f, mass)| (f, mass as f64))
        .collect();
    let heights: Vec<(usize, f64)> = masses
        .iter()
        .map(|&(f, _)| (f, amplification.height(f)))
        .collect();
    panel(
        &mut svg,
        "F(f): occurrences of all strings that occur f times",
        0.0,
        &masses,
        peaks,
        last,
    );
    panel(
        &mut svg,
        "G(f): F(f) against its neighbours",
        PANEL,
        &heights,
        peaks,
        last,
    );
    svg + "</svg>\n"
}

fn panel(
    svg: &mut String,
    title: &str,
    top: f64,
    values: &[(usize, f64)],
    peaks: &[Peak],
    last: usize,
) {
    let highest = values.iter().map(|&(_, value)| value).fold(2.0, f64::max);
    let x = |f: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * (f as f64).ln() / ((last + 1) as f64).ln();
    let y = |value: f64| {
        top + PANEL - MARGIN - (PANEL - 2.0 * MARGIN) * (value.max(1.0)).ln() / highest.ln()
    };
    let (bottom, right) = (y(1.0), WIDTH - MARGIN);
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{}\" font-size=\"15\">{title}</text>",
        top + 28.0
    );
    let _ = writeln!(
        svg,
        "<path d=\"M{MARGIN} {}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>",
        y(highest)
    );
    let mut lines = String::new();
    for &(f, value) in values {
        let _ = write!(lines, "M{:.1} {bottom:.1}V{:.1}", x(f), y(value));
    }
    let _ = writeln!(svg, "<path d=\"{lines}\" fill=\"none\" stroke=\"#9ab\"/>");
    for (at, value) in (0..)
        .map(|power| 10f64.powi(power))
        .take_while(|value| *value <= highest)
        .enumerate()
    {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">10^{at}</text>",
            MARGIN - 6.0,
            y(value)
        );
    }
    for peak in peaks {
        let value = values
            .binary_search_by_key(&peak.frequency, |&(f, _)| f)
            .map_or(1.0, |at| values[at].1);
        let colour = if peak.multiple_of.is_some() {
            "#e9a"
        } else {
            "#c02"
        };
        let (x, y) = (x(peak.frequency), y(value));
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {bottom:.1}V{y:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }
    for peak in labelled(peaks) {
        let label = match peak.multiple_of {
            Some(base) => format!("{}×{base}", peak.frequency / base),
            None => format!("f={}", peak.frequency),
        };
        let value = values
            .binary_search_by_key(&peak.frequency, |&(f, _)| f)
            .map_or(1.0, |at| values[at].1);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
            x(peak.frequency) + 3.0,
            y(value) - 3.0
        );
    }
}

/// The heaviest peaks; more labels than these would cover each other.
fn labelled(peaks: &[Peak]) -> Vec<Peak> {
    let mut heaviest = peaks.to_vec();
    heaviest.sort_by_key(|peak| (Reverse(peak.mass), peak.frequency));
    heaviest.truncate(8);
    heaviest
}
