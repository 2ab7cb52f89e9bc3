//! A site: its pages in their charsets, and the truth files beside them.

use crate::dice::Dice;
use crate::files::Files;
use crate::item::Item;
use crate::json::Json;
use crate::page::{Page, Span};
use crate::{forum_ru, library_ar, news_de, news_ja, search_zh, shop_en};
use encoding_rs::{Encoding, UTF_8};

/// Some pages and what is true of all of them.
pub struct Site {
    /// The folder.
    pub name: &'static str,
    /// The language, as in `lang`.
    pub language: &'static str,
    /// The fields, in the order of the truth file.
    pub fields: &'static [&'static str],
    /// The text that stands before a field's value.
    pub labels: &'static [(&'static str, &'static str)],
    /// The pages.
    pub sheets: Vec<Sheet>,
}

/// A page with the charset it is sent in.
pub struct Sheet {
    /// The page and its truth.
    pub page: Page,
    /// Its template, if it shares one.
    pub group: Option<&'static str>,
    /// What its bytes are, whatever the page says.
    pub encoding: &'static Encoding,
    /// Whether a byte order mark stands before it.
    pub bom: bool,
}

/// How a page names its charset, and what it is.
#[derive(Clone, Copy)]
pub struct Charset {
    /// What the page says, if it says anything.
    pub declared: Option<&'static str>,
    /// What is true.
    pub encoding: &'static Encoding,
}

/// UTF-8, and says so.
pub const PLAIN: Charset = Charset {
    declared: Some("utf-8"),
    encoding: UTF_8,
};

impl Charset {
    /// A charset that is what the page says.
    pub fn honest(declared: &'static str, encoding: &'static Encoding) -> Charset {
        Charset {
            declared: Some(declared),
            encoding,
        }
    }
}

impl Sheet {
    /// Prints a page; the layout's hole for the charset is `charset`.
    pub fn print(
        name: &str,
        group: Option<&'static str>,
        layout: &str,
        item: Item,
        charset: Charset,
    ) -> Sheet {
        let item = item.maybe("charset", charset.declared);
        let page = Page::print(layout, &item, &mut Dice::named(&format!("{name}/noise")));
        Sheet {
            page,
            group,
            encoding: charset.encoding,
            bom: false,
        }
    }

    /// The bytes that a server would send.
    pub fn bytes(&self) -> Vec<u8> {
        let (bytes, _, unmapped) = self.encoding.encode(&self.page.text);
        assert!(
            !unmapped,
            "a letter that {} does not have",
            self.encoding.name()
        );
        assert_eq!(
            self.encoding.decode_without_bom_handling(&bytes).0,
            self.page.text,
            "{}",
            self.encoding.name()
        );
        if self.bom {
            [&b"\xef\xbb\xbf"[..], &bytes].concat()
        } else {
            bytes.into_owned()
        }
    }

    fn spans(&self) -> Json {
        let page = &self.page;
        let fields = page
            .field_spans
            .iter()
            .map(|(field, spans)| (field.as_str(), span_list(spans)));
        Json::object([
            (
                "encoding",
                Json::text(&self.encoding.name().to_ascii_lowercase()),
            ),
            ("template", span_list(&page.template())),
            ("content", span_list(&page.content())),
            ("main", span_list(&page.main_spans())),
            (
                "records",
                span_list(
                    &page
                        .records
                        .iter()
                        .map(|record| record.span)
                        .collect::<Vec<_>>(),
                ),
            ),
            ("fields", Json::object(fields)),
        ])
    }

    fn records(&self) -> Json {
        let fields = |record: &crate::page::Record| {
            Json::object(
                record
                    .fields
                    .iter()
                    .map(|(key, values)| (key.as_str(), Json::texts(values))),
            )
        };
        Json::object([
            (
                "records",
                Json::texts(self.page.records.iter().map(|record| &record.text)),
            ),
            ("fields", Json::list(self.page.records.iter().map(fields))),
        ])
    }
}

fn span_list(spans: &[Span]) -> Json {
    Json::list(
        spans
            .iter()
            .map(|&(start, end)| Json::list([Json::Number(start), Json::Number(end)])),
    )
}

/// The name of a page, from its place.
pub fn page_name(index: usize) -> String {
    format!("{:04}", index + 1)
}

impl Site {
    fn truth(&self) -> Json {
        let page = |(index, sheet): (usize, &Sheet)| {
            let known = self
                .fields
                .iter()
                .filter_map(|&field| Some((field, Json::texts(sheet.page.fields.get(field)?))));
            (page_name(index), Json::object(known))
        };
        let labelled = self
            .sheets
            .iter()
            .enumerate()
            .filter(|(_, sheet)| !sheet.page.fields.is_empty());
        Json::object([
            ("site", Json::text(self.name)),
            ("language", Json::text(self.language)),
            ("fields", Json::texts(self.fields)),
            (
                "labels",
                Json::object(
                    self.labels
                        .iter()
                        .map(|&(field, label)| (field, Json::text(label))),
                ),
            ),
            ("pages", Json::object(labelled.map(page))),
        ])
    }

    fn files(&self, files: &mut Files) {
        files.insert(format!("{}/truth.json", self.name), self.truth().file(2));
        for (index, sheet) in self.sheets.iter().enumerate() {
            let mut add = |folder, ending, bytes| {
                files.insert(
                    format!("{}/{folder}/{}.{ending}", self.name, page_name(index)),
                    bytes,
                );
            };
            add("pages", "html", sheet.bytes());
            add("spans", "json", sheet.spans().file(1));
            let main = sheet.page.main_text();
            if !main.is_empty() {
                add("truth", "txt", (main.join("\n") + "\n").into_bytes());
            }
            if !sheet.page.records.is_empty() {
                add("records", "json", sheet.records().file(2));
            }
        }
    }

    fn groups(&self) -> impl Iterator<Item = (String, Json)> {
        self.sheets.iter().enumerate().map(|(index, sheet)| {
            let label = sheet.group.map_or(Json::Null, |group| {
                Json::text(&format!("{}/{group}", self.name))
            });
            (format!("{}/{}", self.name, page_name(index)), label)
        })
    }
}

/// All sites.
pub fn all() -> Vec<Site> {
    vec![
        news_ja::site(),
        news_de::site(),
        shop_en::site(),
        search_zh::site(),
        forum_ru::site(),
        library_ar::site(),
    ]
}

/// Every file of every site.
pub fn all_files() -> Files {
    let sites = all();
    let mut files = Files::new();
    for site in &sites {
        site.files(&mut files);
    }
    files.insert(
        "groups.json".to_owned(),
        Json::object(sites.iter().flat_map(Site::groups)).file(1),
    );
    files
}
