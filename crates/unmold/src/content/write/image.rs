//! Which picture does an `<img>` show, and is it one that belongs to the text?
//!
//! Many pages load pictures late: `src` holds a placeholder, and the address stands in another
//! attribute until a script puts it there. Pictures of a pixel or two measure or fill something;
//! small ones are signs for something to press.

use super::address::Base;
use crate::read::{
    html::attribute_text,
    tree::{NodeId, Tree},
};

/// Where scripts find the address of a picture that is loaded late, the more usual first.
const LATE: [&str; 4] = ["data-src", "data-lazy-src", "data-original", "data-lazy"];
/// Attributes that name a picture in several sizes.
const SIZES: [&str; 3] = ["srcset", "data-srcset", "data-lazy-srcset"];

/// The address of the picture that an `<img>` shows; its `<picture>` may say more.
pub(super) fn source(tree: &Tree<'_>, image: NodeId, base: &Base) -> Option<String> {
    let late = LATE
        .iter()
        .filter_map(|name| tree.attribute(image, name))
        .find(|value| looks_like_address(value));
    let plain = late.or_else(|| tree.attribute(image, "src"));
    let written = plain.and_then(|address| base.address(address));
    written
        .or_else(|| in_sizes(tree, image, base))
        .or_else(|| in_picture(tree, image, base))
}

/// Scripts keep other things than addresses in such attributes too.
fn looks_like_address(value: &str) -> bool {
    let value = value.trim();
    value.contains(['/', '.']) && !value.starts_with(['{', '[', '<']) && !value.starts_with("data:")
}

/// The largest of the pictures that an element names in several sizes.
fn in_sizes(tree: &Tree<'_>, node: NodeId, base: &Base) -> Option<String> {
    let sizes = SIZES.iter().find_map(|name| tree.attribute(node, name))?;
    largest(&attribute_text(sizes)).and_then(|address| base.address(address))
}

fn in_picture(tree: &Tree<'_>, image: NodeId, base: &Base) -> Option<String> {
    let picture = tree
        .parent(image)
        .filter(|&parent| tree.name(parent) == "picture")?;
    tree.elements(picture)
        .find_map(|source| in_sizes(tree, source, base))
}

/// Of `a.png 1x, b.png 2x` the one with the largest number; addresses may have commas in them, but
/// no spaces.
fn largest(sizes: &str) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    let mut words = sizes.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let is_alone = word.ends_with(',');
        let size = if is_alone {
            None
        } else {
            words.next_if(|next| next.starts_with(|c: char| c.is_ascii_digit()))
        };
        let number = size
            .and_then(|size| {
                size.trim_end_matches(|c: char| !c.is_ascii_digit())
                    .parse()
                    .ok()
            })
            .unwrap_or(1.0);
        if best.is_none_or(|(_, known)| number > known) {
            best = Some((word.trim_end_matches(','), number));
        }
    }
    best.map(|(address, _)| address)
}

/// What an `<img>` shows, in words.
pub(super) fn alternative(tree: &Tree<'_>, image: NodeId) -> String {
    tree.attribute(image, "alt")
        .map(attribute_text)
        .unwrap_or_default()
}

/// Whether a picture is no larger than so many pixels both ways, by what its attributes say.
pub(super) fn is_within(tree: &Tree<'_>, image: NodeId, pixels: u32) -> bool {
    let sides = ["width", "height"].map(|side| tree.attribute(image, side).and_then(pixel_count));
    sides.iter().flatten().count() > 0 && sides.iter().flatten().all(|&side| side <= pixels)
}

/// Whether a picture is a pixel that counts readers, or a strip that keeps a distance.
pub(super) fn is_spacer(tree: &Tree<'_>, image: NodeId) -> bool {
    let sides = ["width", "height"].map(|side| tree.attribute(image, side).and_then(pixel_count));
    sides.iter().flatten().any(|&side| side <= 2)
}

/// Whether a picture says that it says nothing, and is drawn rather than taken: a mark, a line, a
/// background.
pub(super) fn is_ornament(tree: &Tree<'_>, image: NodeId, is_repeated: bool) -> bool {
    let says_nothing = tree
        .attribute(image, "alt")
        .is_none_or(|alt| alt.trim().is_empty());
    let source = tree.attribute(image, "src").unwrap_or_default();
    let path = source.split(['?', '#']).next().unwrap_or_default();
    says_nothing && (is_repeated || path.to_ascii_lowercase().ends_with(".svg"))
}

/// A number of pixels; shares (`100%`) are none.
fn pixel_count(value: &str) -> Option<u32> {
    let value = value.trim();
    value
        .strip_suffix("px")
        .unwrap_or(value)
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &str) -> Option<String> {
        let tree = Tree::new(page);
        let image = tree.nodes().find(|&node| tree.name(node) == "img").unwrap();
        source(&tree, image, &Base::default())
    }

    #[test]
    fn pictures_that_are_loaded_late_are_found() {
        for (page, expected) in [
            ("<img src=a.png>", Some("a.png")),
            (
                "<img src='data:image/gif;base64,R0' data-src=/b.jpg>",
                Some("/b.jpg"),
            ),
            ("<img src=blank.gif data-original=c.jpg>", Some("c.jpg")),
            ("<img src=d.jpg data-src=12>", Some("d.jpg")),
            ("<img srcset='a.png 1x, b,c.png 2x'>", Some("b,c.png")),
            ("<img srcset='a.png 640w, b.png 320w'>", Some("a.png")),
            (
                "<picture><source srcset=e.webp><img src='data:,'></picture>",
                Some("e.webp"),
            ),
            ("<img src='data:image/gif;base64,R0'>", None),
            ("<img>", None),
        ] {
            assert_eq!(shown(page).as_deref(), expected, "{page}");
        }
    }

    #[test]
    fn sizes_are_what_attributes_say() {
        let of = |page: &str| {
            let tree = Tree::new(page);
            let image = tree.nodes().next().unwrap();
            (is_spacer(&tree, image), is_within(&tree, image, 32))
        };
        assert_eq!(of("<img width=1 height=1>"), (true, true));
        assert_eq!(of("<img width=500 height=2>"), (true, false));
        assert_eq!(of("<img width=16px height=16>"), (false, true));
        assert_eq!(of("<img width=100%>"), (false, false));
        assert_eq!(of("<img>"), (false, false));
    }
}
