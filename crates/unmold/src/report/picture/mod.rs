//! Pictures: SVG for a browser, blocks for a terminal, pages with their template in grey.

mod amplification;
mod histogram;

pub use {amplification::amplification_svg, histogram::histogram_svg};

use crate::{Span, papers::cut_point::CutPoint};
use std::fmt::Write;

/// The alternation counts of a landscape (`rows[n - 2][a - 1]`) with the path that was walked, as
/// an SVG.
///
/// Darker is more; the scale is logarithmic, because counts fall over orders of magnitude.
pub fn landscape_svg(rows: &[[u64; 100]], path: &[CutPoint]) -> String {
    const CELL: usize = 8;
    let (left, top) = (48, 32);
    let (width, height) = (left + 100 * CELL + 16, top + rows.len() * CELL + 48);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{left}\" y=\"18\">alternation count by n (down) and a % (right); darker is more</text>\n"
    );
    let scale = Shades::of(rows);
    for (row, counts) in rows.iter().enumerate() {
        for (at, &count) in counts.iter().enumerate() {
            let shade = 255 - scale.shade(count, 230);
            let (x, y) = (left + at * CELL, top + row * CELL);
            writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"rgb({shade},{shade},{shade})\"><title>({}, {}): {count}</title></rect>", row + 2, at + 1)
                .expect("writing to a string");
        }
    }
    let place = |point: &CutPoint| {
        let x = left + (usize::from(point.a) - 1) * CELL + CELL / 2;
        (x, top + (point.n - 2) * CELL + CELL / 2)
    };
    let points: Vec<String> = path
        .iter()
        .map(|point| format!("{},{}", place(point).0, place(point).1))
        .collect();
    writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#d22\" stroke-width=\"2\"/>",
        points.join(" ")
    )
    .expect("writing to a string");
    if let Some(end) = path.last() {
        let (x, y) = place(end);
        writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"#d22\"/><text x=\"{}\" y=\"{}\" fill=\"#d22\">({}, {}): {}</text>", x + 8, y + 4, end.n, end.a, end.count)
            .expect("writing to a string");
    }
    for n in (2..rows.len() + 2).step_by(5) {
        writeln!(
            svg,
            "<text x=\"8\" y=\"{}\">n = {n}</text>",
            top + (n - 2) * CELL + CELL
        )
        .expect("writing to a string");
    }
    for a in (10..=100).step_by(10) {
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\">{a}</text>",
            left + (a - 1) * CELL - 4,
            top + rows.len() * CELL + 16
        )
        .expect("writing to a string");
    }
    svg.push_str("</svg>\n");
    svg
}

/// The same for a terminal: a character for each cut point, `*` where the path goes, `@` where it
/// ends.
pub fn landscape_text(rows: &[[u64; 100]], path: &[CutPoint]) -> String {
    const SHADES: [char; 6] = [' ', '.', ':', '+', '#', '█'];
    let scale = Shades::of(rows);
    let mut picture = format!("{:>6} a = 1 to 100 %; darker is more alternations\n", "");
    for (row, counts) in rows.iter().enumerate() {
        write!(picture, "n ={:>3} ", row + 2).expect("writing to a string");
        for (at, &count) in counts.iter().enumerate() {
            let here = |point: &CutPoint| point.n == row + 2 && usize::from(point.a) == at + 1;
            picture.push(match path.iter().rposition(here) {
                Some(step) if step + 1 == path.len() => '@',
                Some(_) => '*',
                None => SHADES[usize::from(scale.shade(count, 5))],
            });
        }
        picture.push('\n');
    }
    picture
}

/// Counts to shades, logarithmically.
struct Shades {
    low: f64,
    high: f64,
}

impl Shades {
    fn of(rows: &[[u64; 100]]) -> Self {
        let counts = || {
            rows.iter()
                .flatten()
                .map(|&count| (count as f64 + 1.0).ln())
        };
        Shades {
            low: counts().fold(f64::INFINITY, f64::min),
            high: counts().fold(0.0, f64::max),
        }
    }

    fn shade(&self, count: u64, darkest: u8) -> u8 {
        let range = (self.high - self.low).max(f64::EPSILON);
        (((count as f64 + 1.0).ln() - self.low) / range * f64::from(darkest)).round() as u8
    }
}

/// A page's source with its template in grey, as a page of its own: the evaluation picture of the
/// 2001 paper.
pub fn painted_html(title: &str, page: &str, template: &[Span]) -> String {
    let title = htmlize::escape_text(title);
    let mut html = format!(
        "<!doctype html>\n<meta charset=utf-8>\n<title>{title}</title>\n\
         <style>body {{ font: 13px/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere }} i {{ color: #aaa; font-style: normal }}</style>\n"
    );
    painted(page, template, |piece, is_template| {
        let piece = htmlize::escape_text(piece);
        if is_template {
            write!(html, "<i>{piece}</i>").expect("writing to a string");
        } else {
            html.push_str(&piece);
        }
    });
    html.push('\n');
    html
}

/// Gives the pieces of a page in order, with whether each is template.
pub fn painted<'p>(page: &'p str, template: &[Span], mut paint: impl FnMut(&'p str, bool)) {
    let mut at = 0;
    for span in template {
        if span.start as usize > at {
            paint(&page[at..span.start as usize], false);
        }
        paint(span.of(page), true);
        at = span.end as usize;
    }
    if at < page.len() {
        paint(&page[at..], false);
    }
}
