//! Scores as a page: a picture of each measure, a bar for each data set, the lowest first, and the
//! pages that came out worst.
//!
//! Names and notes come from other people's pages: all are escaped. The page loads nothing, runs
//! nothing, and forbids both, so that it can be sent around; a link to a page's file works where
//! the files are. A worst page opens in the viewer by the command beside it, since the viewer is a
//! program and no address that would still be there tomorrow.

use super::{
    picture::{bars, escaped, small_bar},
    score::{PageScore, Score},
    table::{blocks, mean_of, shown},
};
use std::{
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::Path,
};

/// So many of the worst pages are shown for each measure.
const WORST: usize = 30;
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;width:100%;margin:1rem 0}\
td,th{text-align:right;padding:.2rem .6rem;border-bottom:1px solid #8884}\
td:first-child,th:first-child,td.note,th.note{text-align:left}\
td.note{max-width:34rem;overflow-wrap:anywhere;color:#666}\
td.note code{display:block;user-select:all;color:#222}\
a{color:#1b5e9e}tr.mean{font-weight:600}\
figure{margin:1rem 0}figcaption{color:#666}\
svg{width:100%;font-size:12px}svg text{fill:currentColor}\
rect{fill:#4a7fb5}rect:hover{fill:#d1495b}.track{fill:#8883}.scale{stroke:#8886}\
svg.small{width:8rem;height:.7em;margin-right:.5rem}\
@media(max-width:50rem){table{display:block;overflow-x:auto}td.note{min-width:16rem}svg.small{display:none}}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td.note,figcaption{color:#999}td.note code{color:#ddd}\
a{color:#8ab8e6}rect{fill:#6a9fd5}}";

pub fn write(out: &mut dyn Write, scores: &[Score]) -> io::Result<()> {
    writeln!(out, "<!doctype html><html lang=en><meta charset=utf-8>")?;
    writeln!(
        out,
        "<meta http-equiv=Content-Security-Policy content=\"{POLICY}\">"
    )?;
    writeln!(out, "<meta name=viewport content=\"width=device-width\">")?;
    writeln!(
        out,
        "<title>unmold eval</title><style>{STYLE}</style><h1>unmold eval</h1>"
    )?;
    for block in blocks(scores) {
        writeln!(out, "<h2>{}</h2>", block[0].measure.name())?;
        write_pictures(out, &block)?;
        write_figures(out, &block)?;
        write_worst(out, &block)?;
    }
    writeln!(out, "</html>")
}

/// The first figure of each data set, and of each page or attribute, where there are several.
fn write_pictures(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let first = &block[0].figures[0].0;
    let sets = block
        .iter()
        .map(|score| (score.dataset.clone(), score.figures[0].1));
    write_picture(
        out,
        sets.collect(),
        &format!("{} of data sets", readable(first)),
    )?;
    let of_pages = worst_first(block);
    let what = if of_pages
        .first()
        .is_some_and(|(_, page)| !page.about.is_empty())
    {
        "attributes"
    } else {
        "pages"
    };
    let pages = of_pages
        .iter()
        .map(|(score, page)| (format!("{} {}", score.dataset, called(page)), page.figure));
    write_picture(out, pages.collect(), &format!("figures of {what}"))
}

fn write_picture(
    out: &mut dyn Write,
    mut shares: Vec<(String, f64)>,
    what: &str,
) -> io::Result<()> {
    shares.sort_by(|one, other| one.1.total_cmp(&other.1));
    if shares.len() > 1 {
        out.write_all(bars(&shares, what).as_bytes())
    } else {
        Ok(())
    }
}

fn write_figures(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let names: Vec<&str> = block[0]
        .figures
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    write!(out, "<table><tr><th>data set<th>pages")?;
    names
        .iter()
        .try_for_each(|name| write!(out, "<th>{}", escaped(&readable(name))))?;
    let mut lowest_first = block.to_vec();
    lowest_first.sort_by(|one, other| one.figures[0].1.total_cmp(&other.figures[0].1));
    for score in lowest_first {
        write!(
            out,
            "\n<tr><td>{}<td>{}",
            escaped(&score.dataset),
            score.pages
        )?;
        write_row(
            out,
            score
                .figures
                .iter()
                .map(|(name, figure)| (name.as_str(), *figure)),
        )?;
    }
    if block.len() > 1 {
        let pages: usize = block.iter().map(|score| score.pages).sum();
        write!(
            out,
            "\n<tr class=mean><td>mean of {}<td>{pages}",
            block.len()
        )?;
        write_row(out, names.iter().map(|name| (*name, mean_of(block, name))))?;
    }
    writeln!(out, "</table>")
}

fn readable(name: &str) -> String {
    name.replace('_', " ")
}

/// Figures of a row, the first as a bar too.
fn write_row<'n>(
    out: &mut dyn Write,
    figures: impl Iterator<Item = (&'n str, f64)>,
) -> io::Result<()> {
    for (place, (name, figure)) in figures.enumerate() {
        let bar = if place == 0 {
            small_bar(figure)
        } else {
            String::new()
        };
        write!(out, "<td>{bar}{}", shown(name, figure))?;
    }
    Ok(())
}

/// All pages, or attributes, that are not as they should be come before those that are.
fn worst_first<'s>(block: &[&'s Score]) -> Vec<(&'s Score, &'s PageScore)> {
    let mut pages: Vec<_> = block
        .iter()
        .flat_map(|score| score.by_page.iter().map(move |page| (*score, page)))
        .collect();
    pages.sort_by(|one, other| one.1.figure.total_cmp(&other.1.figure));
    pages
}

fn write_worst(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let pages = worst_first(block);
    let wrong = pages
        .iter()
        .take_while(|(_, page)| page.figure < 1.0)
        .take(WORST);
    if wrong.clone().next().is_none() {
        return if pages.is_empty() {
            Ok(())
        } else {
            writeln!(out, "<p>Nothing is wrong on any page.</p>")
        };
    }
    writeln!(
        out,
        "<h3>Worst first</h3><table><tr><th>where<th>figure<th class=note>what, and how to look at it"
    )?;
    for (score, page) in wrong {
        write!(
            out,
            "<tr><td>{} {}<td>{}",
            escaped(&score.dataset),
            linked(score, page),
            shown("", page.figure)
        )?;
        writeln!(
            out,
            "<td class=note>{}<code>{}</code>",
            escaped(&page.note),
            escaped(&view_command(score, page))
        )?;
    }
    writeln!(out, "</table>")
}

fn called(page: &PageScore) -> String {
    format!("{} {}", page.about, page.page).trim().to_owned()
}

/// The name of a page, as a link where it is a file.
fn linked(score: &Score, page: &PageScore) -> String {
    match file_address(&score.folder.join(&page.page)) {
        Some(address) => format!(
            "{} <a href=\"{address}\">{}</a>",
            escaped(&page.about),
            escaped(&page.page)
        ),
        None => escaped(&called(page)),
    }
}

/// The address of a file that is there: bytes that mean something in addresses and in HTML are
/// written as numbers.
fn file_address(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok().filter(|path| path.is_file())?;
    let mut address = "file://".to_owned();
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            _ = write!(address, "%{byte:02X}");
        }
    }
    Some(address)
}

/// What to type to see a page in the viewer, in the folder where the scores were made.
fn view_command(score: &Score, page: &PageScore) -> String {
    format!(
        "unmold view {} --page {}",
        quoted(&score.folder.to_string_lossy()),
        quoted(&page.page)
    )
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@%,".contains(letter);
    let starts_plain = !word.is_empty() && !word.starts_with('-');
    if starts_plain && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Measure;
    use std::path::PathBuf;

    fn score(folder: PathBuf, page: &str, figure: f64) -> Score {
        let page = PageScore {
            page: page.to_owned(),
            about: String::new(),
            figure,
            note: "misses <b>".to_owned(),
        };
        Score {
            dataset: "shop".to_owned(),
            measure: Measure::Content,
            pages: 1,
            digest: String::new(),
            folder,
            figures: vec![("f1".to_owned(), figure)],
            by_page: vec![page],
        }
    }

    fn written(score: Score) -> String {
        let mut page = Vec::new();
        write(&mut page, &[score]).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn a_worst_page_is_linked_and_opens_in_the_viewer() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a \"b\" #1.html"), "").unwrap();
        let html = written(score(folder.path().to_owned(), "a \"b\" #1.html", 0.5));
        assert!(
            html.contains("/a%20%22b%22%20%231.html\">a &quot;b&quot; #1.html</a>"),
            "{html}"
        );
        assert!(
            html.contains("--page &#39;a &quot;b&quot; #1.html&#39;</code>"),
            "{html}"
        );
        assert!(html.contains("misses &lt;b&gt;"), "{html}");
    }

    #[test]
    fn a_page_that_is_no_file_has_no_link_and_a_right_one_no_row() {
        let nowhere = || PathBuf::from("nowhere");
        let html = written(score(nowhere(), "https://a.example/<x>", 0.5));
        assert!(
            !html.contains("<a ") && html.contains("https://a.example/&lt;x&gt;"),
            "{html}"
        );
        assert!(written(score(nowhere(), "1.html", 1.0)).contains("Nothing is wrong"));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("sites/shop-en/1.html"), "sites/shop-en/1.html");
        assert_eq!(quoted("it's; rm"), r"'it'\''s; rm'");
        assert_eq!(quoted("-x"), "'-x'");
    }
}
