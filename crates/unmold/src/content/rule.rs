//! What a content rule says: which elements hold the content, and what in them is none.

use super::path::{ClassNames, column, written};
use crate::{
    Span,
    read::{html::breaks_line, tree::Tree},
};
use serde::{Deserialize, Serialize};

/// Where the content of a site's pages is. Paths are written from the outside in,
/// `html body div#main`, without digits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The classes and ids that count in paths, as `.class` and `#id`; all if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The elements that hold the content; the first that a page has counts.
    pub regions: Vec<Region>,
    /// Paths of headlines that stand before them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headlines: Vec<String>,
    /// Paths inside them that are not content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asides: Vec<String>,
    /// Paths of what readers wrote, which is not content either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Whether what repeats from page to page is part of the content nevertheless.
    #[serde(default, rename = "woven")]
    pub keep_repeats: bool,
    /// What repeats from page to page.
    #[serde(default)]
    pub repeats: Repeats,
}

/// Elements that hold content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Their path; an empty one is the whole page.
    pub path: String,
    /// Whether all elements with the path count, or only the one with most text.
    #[serde(default, rename = "many", skip_serializing_if = "std::ops::Not::not")]
    pub multiple: bool,
}

/// Sentences and words that stand inside the regions of many pages, as in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Repeats {
    /// Those outside of links.
    pub text: Vec<String>,
    /// Those inside.
    pub links: Vec<String>,
}

impl Rule {
    /// The classes and ids that count in paths.
    pub(crate) fn class_names(&self) -> ClassNames {
        if self.names.is_empty() {
            ClassNames::default()
        } else {
            ClassNames::of(&self.names)
        }
    }

    /// The path of the innermost element around some bytes of a page, as this rule writes it among
    /// its [`asides`](Self::asides); `None` if no element is around them.
    ///
    /// ```
    /// use unmold::{Span, content::Rule};
    ///
    /// let page = "<body><div id=main><p>Text<div class=share><b>Share</b></div></div>";
    /// let share = Span::new(46, 51);
    /// assert_eq!(share.of(page), "Share");
    /// assert_eq!(Rule::default().path_around(page, share).unwrap(), "body div#main div.share");
    /// ```
    pub fn path_around(&self, page: &str, place: Span) -> Option<String> {
        let tree = Tree::new(page);
        let is_around = |span: Span| span.start <= place.start && place.end <= span.end;
        let mut elements = tree
            .nodes()
            .rev()
            .filter(|&node| tree.is_element(node) && breaks_line(tree.name(node)));
        let node = elements.find(|&node| is_around(tree.span(node)))?;
        let names = self.class_names();
        Some(written(&tree, node, &names, |cell| column(&tree, cell)))
    }

    /// Says what makes no sense in a rule that was read.
    pub(crate) fn check(&self) -> Result<(), String> {
        const MOST: usize = 100_000;
        if self.regions.is_empty() {
            return Err("a content rule needs a region".to_owned());
        }
        let sizes = [
            self.headlines.len(),
            self.asides.len(),
            self.comments.len(),
            self.names.len(),
            self.repeats.text.len(),
            self.repeats.links.len(),
        ];
        if self.regions.len() > MOST || sizes.into_iter().any(|size| size > MOST) {
            return Err(format!("a list has more than {MOST} entries"));
        }
        let regions = self.regions.iter().map(|region| &region.path);
        let mut paths = regions
            .chain(&self.headlines)
            .chain(&self.asides)
            .chain(&self.comments);
        match paths.find(|path| path.chars().any(|c| c.is_whitespace() && c != ' ')) {
            Some(path) => Err(format!("{path:?} is not a path")),
            None => Ok(()),
        }
    }
}
