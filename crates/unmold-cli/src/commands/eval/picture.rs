//! Figures as pictures: drawn into the page itself, in the colours of its text, so that they are
//! read by day and by night.

use std::fmt::Write;

/// So many bars are drawn, the lowest first: more could not be told apart.
const BARS: usize = 200;
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 150.0;
/// Room for the scale on the left, and for half a line of text above and below.
const LEFT: f64 = 34.0;
const EDGE: f64 = 8.0;

/// Bars of shares, which are sorted: each tells its name when it is pointed at. `what` says what
/// the bars are.
pub fn bars(shares: &[(String, f64)], what: &str) -> String {
    let shown = &shares[..shares.len().min(BARS)];
    let of_all = if shown.len() < shares.len() {
        format!(", {} of {}", shown.len(), shares.len())
    } else {
        String::new()
    };
    let mut svg = format!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {}\" role=img aria-label=\"{}\">",
        HEIGHT + 2.0 * EDGE,
        escaped(what)
    );
    svg += &scale();
    let step = (WIDTH - LEFT) / shown.len().max(1) as f64;
    for (place, (name, share)) in shown.iter().enumerate() {
        svg += &bar(LEFT + place as f64 * step, step, name, *share);
    }
    format!(
        "{svg}</svg><figcaption>{}, the lowest first{of_all}</figcaption></figure>\n",
        escaped(what)
    )
}

/// How high a share stands in the picture.
fn height(share: f64) -> f64 {
    EDGE + (1.0 - share.clamp(0.0, 1.0)) * HEIGHT
}

/// Lines at nothing, half and all.
fn scale() -> String {
    let mut lines = String::new();
    for share in [0.0, 0.5, 1.0] {
        let y = height(share);
        _ = write!(
            lines,
            "<line class=scale x1={LEFT} x2={WIDTH} y1={y} y2={y} />"
        );
        _ = write!(
            lines,
            "<text x={} y={} text-anchor=end>{share}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    lines
}

/// A bar, never so low that it cannot be seen.
fn bar(x: f64, step: f64, name: &str, share: f64) -> String {
    let (y, width) = (height(share).min(height(0.0) - 1.0), (step * 0.8).min(40.0));
    let tall = height(0.0) - y;
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{tall:.1}\"><title>{} {share:.3}</title></rect>",
        escaped(name)
    )
}

/// A share as a bar beside its figure.
pub fn small_bar(share: f64) -> String {
    let percent = (share.clamp(0.0, 1.0) * 100.0).round();
    format!(
        "<svg class=small viewBox=\"0 0 100 10\" preserveAspectRatio=none aria-hidden=true>\
         <rect class=track width=100 height=10 /><rect width={percent} height=10 /></svg>"
    )
}

/// A text as it may stand in HTML, between quotes too.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_share_with_its_name() {
        let svg = bars(
            &[("<a>".to_owned(), 0.0), ("b".to_owned(), 1.0)],
            "f1 of sets",
        );
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(
            svg.contains("<title>&lt;a&gt; 0.000</title>")
                && svg.contains("<title>b 1.000</title>"),
            "{svg}"
        );
        assert!(
            svg.contains("f1 of sets, the lowest first</figcaption>"),
            "{svg}"
        );
    }

    #[test]
    fn of_many_the_lowest_are_drawn() {
        let svg = bars(&vec![("page".to_owned(), 0.5); 300], "f1 of pages");
        assert_eq!(svg.matches("<rect").count(), BARS);
        assert!(svg.contains("the lowest first, 200 of 300"), "{svg}");
    }
}
