//! Where do the links of a list lead?
//!
//! A row stands by itself, away from its page: `/lamp/7` leads nowhere. Where the address of the
//! page is known, links and images get their whole address, by the page's `<base href>` if it has
//! one.

use crate::{
    Text,
    lists::Column,
    read::{html::attribute_text, tree::Tree},
};
use url::Url;

/// What the links of a page are relative to.
pub(super) struct Links(Option<Url>);

impl Links {
    pub fn of(text: &Text) -> Self {
        let Some(address) = text.url().and_then(|url| Url::parse(url).ok()) else {
            return Links(None);
        };
        // Few pages have one; the others need no tree.
        let may_have_base = ["<base", "<BASE", "<Base"]
            .iter()
            .any(|tag| text.as_str().contains(tag));
        let base = if may_have_base {
            written_base(text)
        } else {
            None
        };
        let base = base
            .and_then(|base| address.join(&base).ok())
            .filter(|base| !base.cannot_be_a_base());
        Links(Some(base.unwrap_or(address)))
    }

    /// The value of a column, its whole address if it is one.
    pub fn whole(&self, column: &Column, value: String) -> String {
        let is_address = matches!(column.attribute.as_deref(), Some("href" | "src"));
        let base = self.0.as_ref().filter(|_| is_address && !value.is_empty());
        base.and_then(|base| base.join(&value).ok())
            .map_or(value, String::from)
    }
}

fn written_base(text: &Text) -> Option<String> {
    let tree = Tree::new(text.as_str());
    let base = tree
        .nodes()
        .filter(|&node| tree.name(node) == "base")
        .find_map(|node| tree.attribute(node, "href"));
    base.map(attribute_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Page, lists::Regions, report::records::RecordTable};

    fn first_links(url: Option<&str>, head: &str) -> Vec<String> {
        let rows = [
            "/lamp/7",
            "chair?a=1&amp;b=2",
            "https://b.example/",
            "mailto:x@y.example",
        ];
        // What a link says is something else than where it leads, or it would be one column.
        let words = ["a lamp", "two chairs", "all of it", "ask us"].into_iter();
        let rows = rows.into_iter().zip(words).map(|(link, words)| {
            format!("<li><b>{words}</b> <a href='{link}'>see {words}</a></li>")
        });
        let rows: String = rows.collect();
        let page = Page::new("1", format!("{head}<ul>{rows}</ul>").into_bytes());
        let text = Text::decode(if let Some(url) = url {
            page.with_url(url)
        } else {
            page
        });
        let list = &Regions::default().find(&text)[0];
        let mut table = RecordTable::default();
        table.add(&text, &list.columns, &list.records);
        let table = table.finish();
        let href = list
            .columns
            .iter()
            .position(|column| column.attribute.as_deref() == Some("href"))
            .unwrap();
        let place = table
            .columns
            .iter()
            .position(|column| column.name == list.columns[href].name)
            .unwrap();
        table.rows.iter().map(|row| row[place][0].clone()).collect()
    }

    #[test]
    fn links_are_whole_where_the_address_is_known() {
        let whole = |start: &str| {
            ["lamp/7", "chair?a=1&b=2"]
                .map(|end| format!("{start}{end}"))
                .into_iter()
                .chain(["https://b.example/", "mailto:x@y.example"].map(str::to_owned))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            first_links(Some("https://a.example/"), ""),
            whole("https://a.example/")
        );
        assert_eq!(
            first_links(
                Some("https://c.example/x"),
                "<base href='https://a.example/'>"
            ),
            whole("https://a.example/")
        );
        assert_eq!(first_links(None, "")[0], "/lamp/7");
    }
}
