//! How do the papers' methods see the pages of a group?

use crate::answer::{Answer, Problem};
use unmold::{
    Text,
    papers::{
        amplify::{Amplification, Threshold},
        cut_point::{Cut, Landscape, Settings},
        documents,
    },
    read::mutable::Mutables,
    report::picture::{amplification_svg, histogram_svg, landscape_svg},
    symbols::{
        encode::{Flat, Words},
        index::{Index, IndexError},
    },
};

/// Pictures are drawn of no more pages,
const MOST_PAGES: usize = 60;
/// and of no more bytes: more look the same.
const MOST_BYTES: usize = 4 << 20;
/// The risk at which a frequency is a peak, as on the command line.
const RISK: f64 = 0.001;

/// A picture of some pages by its name, as an SVG.
pub fn draw(name: &str, texts: &[&Text]) -> Answer<String> {
    let texts = sample(texts);
    if texts.len() < 2 {
        return Err(Problem::Refused(
            "one page alone has nothing to compare with".to_owned(),
        ));
    }
    let drawn = match name {
        "histogram" => histogram(&texts),
        "amplification" => amplification(&texts),
        "landscape" => landscape(&texts),
        _ => return Err(Problem::Unknown),
    };
    drawn.map_err(|error| Problem::Refused(error.to_string()))
}

/// Pages spread evenly, as many as may be drawn.
fn sample(texts: &[&Text]) -> Vec<Text> {
    let count = texts.len().min(MOST_PAGES);
    let mut bytes = 0;
    let spread = (0..count).map(|at| texts[at * texts.len() / count]);
    let within = spread.enumerate().take_while(|(at, text)| {
        bytes += text.as_str().len();
        *at < 2 || bytes <= MOST_BYTES
    });
    within.map(|(_, text)| text.clone()).collect()
}

fn histogram(texts: &[Text]) -> Result<String, IndexError> {
    let index = Index::new(
        Flat::default()
            .with_mutables(Mutables::common())
            .encode(texts),
    )?;
    Ok(histogram_svg(&documents::find(
        &index,
        &documents::Settings::default(),
    )))
}

fn amplification(texts: &[Text]) -> Result<String, IndexError> {
    let index = Index::new(Words::default().encode(texts))?;
    let amplification = Amplification::of(&index);
    let peaks = amplification.peaks(Threshold::Risk(RISK));
    Ok(amplification_svg(&amplification, &peaks))
}

fn landscape(texts: &[Text]) -> Result<String, IndexError> {
    /// Rows beyond the path.
    const BEYOND: usize = 5;
    const LEAST: usize = 20;
    let cut = Cut::find(texts, Settings::default(), false)?;
    let path = cut.found.path();
    let mut landscape = Landscape::new(&cut.index, Settings::default());
    let last = (path.iter().map(|point| point.n).max().unwrap_or(2) + BEYOND).max(LEAST);
    let rows: Vec<[u64; 100]> = (2..=last.min(landscape.longest_page().max(2)))
        .map(|n| *landscape.row(n))
        .collect();
    Ok(landscape_svg(&rows, path))
}
