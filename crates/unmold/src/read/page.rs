//! What is one page, before anything is known about it?
//!
//! A [`Page`] is an id, the raw bytes, and what the source said about them: an address, a charset,
//! a media type, a time. It makes no claim about the bytes; [`decode`](crate::read::decode) turns
//! them into text.
//!
//! ```
//! use unmold::Page;
//!
//! let page = Page::new("0001.html", b"<p>hello".to_vec())
//!     .with_url("https://example.org/1")
//!     .with_charset("utf-8");
//! assert_eq!(page.id(), "0001.html");
//! assert_eq!(page.url(), Some("https://example.org/1"));
//! ```

/// One page as it came from a file, an archive record or a table row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    id: String,
    url: Option<String>,
    bytes: Vec<u8>,
    charset: Option<String>,
    media_type: Option<String>,
    fetch_time: Option<String>,
    truncated: bool,
}

impl Page {
    /// A page with nothing declared about it.
    ///
    /// The id names the page in every output; it is unique within one input
    /// (a path relative to the folder that was given, `file.warc.gz#offset`, `file.jsonl#line`).
    pub fn new(id: impl Into<String>, bytes: Vec<u8>) -> Self {
        Page {
            id: id.into(),
            url: None,
            bytes,
            charset: None,
            media_type: None,
            fetch_time: None,
            truncated: false,
        }
    }

    /// Adds the address the page was fetched from.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Adds the charset that a transport header declared. A `<meta>` inside the page is not a
    /// declaration of the source.
    #[must_use]
    pub fn with_charset(mut self, charset: impl Into<String>) -> Self {
        self.charset = Some(charset.into());
        self
    }

    /// Adds the media type that a transport header declared, such as `text/html`.
    #[must_use]
    pub fn with_media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    /// Adds when the page was fetched, as an archive says it: in ISO 8601.
    #[must_use]
    pub fn with_fetch_time(mut self, time: impl Into<String>) -> Self {
        self.fetch_time = Some(time.into());
        self
    }

    /// Marks the page as cut short, by its source or by a size limit.
    #[must_use]
    pub fn with_truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }

    /// The name of the page, unique within one input.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The address of the page, where the source knew it.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The raw bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The raw bytes, taken out of the page.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The charset that the source declared.
    pub fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    /// The media type that the source declared.
    pub fn media_type(&self) -> Option<&str> {
        self.media_type.as_deref()
    }

    /// When the page was fetched, where the source knew it.
    pub fn fetch_time(&self) -> Option<&str> {
        self.fetch_time.as_deref()
    }

    /// Whether the page is known to be cut short. Such pages can be applied to, but nothing is
    /// learned from them.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
}
