//! The shapes of hostile pages: a new one is one line of [`ALL`].

use unmold::Text;

/// What is repeated on a page.
pub struct Family {
    pub name: &'static str,
    /// What stands before,
    before: &'static str,
    /// what is repeated,
    open: &'static str,
    /// what stands in the middle,
    middle: &'static str,
    /// and what is repeated as often after it, to close what was opened.
    close: &'static str,
    /// What stands at the end.
    after: &'static str,
}

/// Which pages of a family are read together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pile {
    Alone,
    Equal,
    Differing,
}

impl Pile {
    pub const ALL: [Pile; 3] = [Pile::Alone, Pile::Equal, Pile::Differing];

    pub fn name(self) -> &'static str {
        match self {
            Pile::Alone => "alone",
            Pile::Equal => "equal",
            Pile::Differing => "differ",
        }
    }
}

const fn flat(
    name: &'static str,
    before: &'static str,
    open: &'static str,
    after: &'static str,
) -> Family {
    Family {
        name,
        before,
        open,
        middle: "",
        close: "",
        after,
    }
}

const fn deep(
    name: &'static str,
    open: &'static str,
    middle: &'static str,
    close: &'static str,
) -> Family {
    Family {
        name,
        before: "",
        open,
        middle,
        close,
        after: "",
    }
}

/// `#` is a number: that of the repeat, and where pages differ another one on each page.
pub const ALL: &[Family] = &[
    flat("cells of a row", "<table><tr>", "<td>a", "</table>"),
    flat(
        "cells of a row that differ",
        "<table><tr>",
        "<td>a#",
        "</table>",
    ),
    flat("rows of a table", "<table>", "<tr><td>a#<td>b", "</table>"),
    flat(
        "rows of three cells with a header",
        "<table><tr><th>A<th>B<th>C",
        "<tr><td>a#<td>b#<td>c",
        "</table>",
    ),
    flat(
        "rowspan",
        "<table>",
        "<tr><td rowspan=65534>a<td>b</tr>",
        "</table>",
    ),
    flat(
        "rowspan that differs",
        "<table>",
        "<tr><td rowspan=#>a#<td>b</tr>",
        "</table>",
    ),
    flat(
        "colspan",
        "<table>",
        "<tr><td colspan=1000>a<td>b</tr>",
        "</table>",
    ),
    flat(
        "both spans",
        "<table>",
        "<tr><td rowspan=65534 colspan=1000>a<td>b#</tr>",
        "</table>",
    ),
    flat(
        "header cells",
        "<table><tr>",
        "<th>h#",
        "</tr><tr><td>a</table>",
    ),
    flat("tables", "", "<table><tr><td>a#</table>", ""),
    deep("tables in tables", "<table><tr><td>", "x", "</table>"),
    flat("rowgroups", "<table>", "<tbody><tr><td>a#", "</table>"),
    flat(
        "columns of a colgroup",
        "<table>",
        "<col>",
        "<tr><td>a</table>",
    ),
    flat(
        "cells that are ragged",
        "<table>",
        "<tr><td>a#<td>b<tr><td>c",
        "</table>",
    ),
    flat("paragraphs", "", "<p>a#", ""),
    flat(
        "paragraphs of words",
        "",
        "<p>the word is #, and the next",
        "",
    ),
    flat("one word paragraphs", "", "<p>a", ""),
    flat("breaks", "<p>", "a#<br>", "</p>"),
    flat("breaks alone", "<p>", "<br>", "</p>"),
    flat("rules", "", "<hr>", ""),
    flat("words", "<p>", "word# ", "</p>"),
    flat("one word", "<p>", "word ", "</p>"),
    flat("one long word", "<p>", "w", "</p>"),
    flat("blanks", "<p>a", " ", "b</p>"),
    flat("line ends", "<pre>", "\n", "</pre>"),
    flat(
        "lines of code",
        "<pre><code>",
        "let a# = 1;\n",
        "</code></pre>",
    ),
    flat("numbers", "<p>", "# ", "</p>"),
    flat("dates", "", "<p>2024-01-02 a#", ""),
    flat(
        "times",
        "",
        "<p><time datetime=2024-01-02>2 Jan</time> said a#",
        "",
    ),
    flat("prices", "", "<div><b>£#.50</b></div>", ""),
    flat("labels and values", "", "<b>Label#:</b> value# <br>", ""),
    flat("one label", "", "<b>Label:</b> value# <br>", ""),
    flat("images", "", "<img src=a.png alt=x#>", ""),
    flat("images of equal sources", "", "<img src=a.png alt=x>", ""),
    flat(
        "images with many attributes",
        "",
        "<img src=a# alt=b# title=c# data-a=#>",
        "",
    ),
    flat("links", "", "<a href=/a/#>a#</a>", ""),
    flat("links in one paragraph", "<p>", "<a href=#>a</a> ", "</p>"),
    flat("links without text", "", "<a href=/a/#></a>", ""),
    flat("links to the same", "", "<a href=/>a</a>", ""),
    flat("named anchors", "", "<a name=n#>", ""),
    flat("items", "<ul>", "<li>a#", "</ul>"),
    flat(
        "items of two parts",
        "<ul>",
        "<li><a href=/#>a#</a> <b>b#</b>",
        "</ul>",
    ),
    flat(
        "items of a menu",
        "<nav><ul>",
        "<li><a href=/#>a</a>",
        "</ul></nav><p>Text.",
    ),
    flat("lists", "", "<ul><li>a#</ul>", ""),
    flat("terms", "<dl>", "<dt>a#<dd>b#", "</dl>"),
    flat("terms without values", "<dl>", "<dt>a#", "</dl>"),
    flat("options", "<select>", "<option value=#>a#", "</select>"),
    flat("selects", "", "<select><option>a#</select>", ""),
    flat("inputs", "<form>", "<input name=a# value=#>", "</form>"),
    flat("buttons", "", "<button>a#", ""),
    flat("forms", "", "<form action=#><input>", ""),
    flat("headings", "", "<h2>a#</h2>", ""),
    flat("headings with paragraphs", "", "<h2>a#</h2><p>b#", ""),
    flat(
        "headings that differ in level",
        "",
        "<h1>a#</h1><h3>b</h3><h2>c</h2>",
        "",
    ),
    flat(
        "articles",
        "",
        "<article><h2>a#</h2><p>b# and more of it</article>",
        "",
    ),
    flat(
        "comments of a discussion",
        "<ol>",
        "<li><b>name#</b> <time>2024-01-02</time><p>said # and more",
        "</ol>",
    ),
    flat(
        "figures",
        "",
        "<figure><img src=#><figcaption>a#</figcaption></figure>",
        "",
    ),
    flat("videos", "", "<video src=#></video>", ""),
    flat("frames", "", "<iframe src=#></iframe>", ""),
    flat("emphasis", "", "<i>a#</i>", ""),
    flat("emphasis that overlaps", "", "<b>a#<i>b</b>c</i>", ""),
    flat("font", "", "<font color=#>a#</font>", ""),
    flat("classes that differ", "", "<div class=c#>a</div>", ""),
    flat("ids", "", "<div id=i#>a#</div>", ""),
    flat("one class", "", "<div class=c>a#</div>", ""),
    flat("classes of one element", "<div class='", "c# ", "'>a</div>"),
    flat("attributes of one element", "<div ", "a#=b ", ">a</div>"),
    flat("one long attribute", "<div title='", "word# ", "'>a</div>"),
    flat("attributes without values", "<div ", "a ", ">a</div>"),
    flat("element names that differ", "", "<x-#>a</x-#>", ""),
    flat("hidden elements", "", "<div hidden>a#</div>", ""),
    flat("styled elements", "", "<p style='display:none'>a#", ""),
    deep("deep div", "<div>", "x", "</div>"),
    deep("deep div with text", "<div>a#", "x", "</div>"),
    deep("deep div with classes", "<div class=c#>", "x", "</div>"),
    deep("deep dl", "<dl><dd>", "x", "</dd></dl>"),
    deep("deep lists", "<ul><li>a#", "x", "</ul>"),
    deep("deep quotes", "<blockquote>a#", "x", "</blockquote>"),
    deep("deep font", "<font>", "x", "</font>"),
    deep("deep button", "<button>", "x", "</button>"),
    deep("deep emphasis", "<b>a<i>", "x", "</i></b>"),
    deep("deep spans", "<span>", "x", "</span>"),
    flat("unclosed div", "", "<div>", ""),
    flat("unclosed div with text", "", "<div>a#", ""),
    flat("unclosed spans", "", "<span>a", ""),
    flat("unclosed font", "", "<font>a#", ""),
    flat("unclosed links", "", "<a href=#>a", ""),
    flat("unclosed dl", "", "<dl><dt>a#", ""),
    flat("unclosed headings", "", "<h2>a#", ""),
    flat("end tags of nothing", "", "</div>", ""),
    flat("end tags of paragraphs", "", "</p>", ""),
    flat("end tags that differ", "", "</x#>", ""),
    flat("half tags", "", "<", ""),
    flat("half tags with names", "", "<a", ""),
    flat("half comments", "", "<!-", ""),
    flat("remarks", "", "<!-- a# -->", ""),
    flat("an open remark", "<!--", "a# ", ""),
    flat("entities", "<p>", "&amp;", "</p>"),
    flat("entities that are none", "<p>", "&a#;", "</p>"),
    flat("numbered entities", "<p>", "&#x41;", "</p>"),
    flat("ampersands", "<p>", "&", "</p>"),
    flat("svg", "", "<svg><path d=#></svg>", ""),
    flat("shapes of a drawing", "<svg>", "<path d='M#'/>", "</svg>"),
    flat("texts of a drawing", "<svg>", "<text>a#</text>", "</svg>"),
    flat("formulas", "<math>", "<mi>a#</mi>", "</math>"),
    flat("foreign and back", "", "<svg><foreignObject><p>a#", ""),
    flat("templates", "", "<template><p>a#</template>", ""),
    flat("scripts", "", "<script>a#</script>", ""),
    flat("an open script", "<script>", "a# ", ""),
    flat("styles", "", "<style>a#{}</style>", ""),
    flat("noscript", "", "<noscript><p>a#</noscript>", ""),
    flat("metas", "", "<meta name=a# content=b#>", "<p>a"),
    flat(
        "metas of one name",
        "",
        "<meta property=og:title content=b#>",
        "<p>a",
    ),
    flat("titles", "", "<title>a#</title>", "<p>a"),
    flat("a long title", "<title>", "a# ", "</title><h1>a</h1>"),
    flat("bases", "", "<base href=/#/>", "<p><a href=b>a</a>"),
    flat(
        "JSON-LD blocks",
        "",
        "<script type=application/ld+json>{\"@type\":\"Thing\",\"name\":\"a#\"}</script>",
        "<p>a",
    ),
    flat(
        "one JSON-LD list",
        "<script type=application/ld+json>[",
        "{\"@type\":\"Thing\",\"name\":\"a#\"},",
        "{}]</script><p>a",
    ),
    flat(
        "one JSON-LD object",
        "<script type=application/ld+json>{",
        "\"a#\":\"b#\",",
        "\"@type\":\"Thing\"}</script><p>a",
    ),
    flat(
        "references of JSON-LD",
        "<script type=application/ld+json>{\"@graph\":[",
        "{\"@id\":\"i#\",\"next\":{\"@id\":\"i1\"}},",
        "{}]}</script><p>a",
    ),
    Family {
        name: "deep JSON-LD",
        before: "<script type=application/ld+json>",
        open: "{\"a\":",
        middle: "1",
        close: "}",
        after: "</script><p>a",
    },
    flat(
        "a state of an application",
        "<script id=__NEXT_DATA__ type=application/json>[",
        "{\"a\":\"b#\"},",
        "{}]</script><p>a",
    ),
    flat(
        "broken JSON",
        "<script type=application/ld+json>",
        "{\"a\":",
        "</script><p>a",
    ),
    flat(
        "microdata",
        "",
        "<div itemscope itemtype=http://schema.org/Thing><b itemprop=name>a#</b></div>",
        "",
    ),
    flat(
        "properties of one item",
        "<div itemscope>",
        "<b itemprop=p#>a#</b>",
        "</div>",
    ),
    deep(
        "items in items",
        "<div itemscope itemprop=a>",
        "x",
        "</div>",
    ),
    flat(
        "rdfa",
        "",
        "<div typeof=Thing><b property=name>a#</b></div>",
        "",
    ),
    flat("control characters", "<p>", "\u{1}", "</p>"),
    flat("marks of direction", "<p>", "\u{202E}a", "</p>"),
    flat("combining marks", "<p>a", "\u{301}", "</p>"),
    flat("Chinese", "<p>", "字#，", "</p>"),
    flat("Arabic", "", "<p>كلمة #", ""),
    flat("emails", "", "<p>a#@example.org", ""),
    flat("addresses", "<p>", "https://example.org/a/# ", "</p>"),
    flat("pipes", "<p>", "a# | ", "</p>"),
    flat("stars and underscores", "<p>", "*a_b# ", "</p>"),
    flat("brackets", "<p>", "[a](b#) ", "</p>"),
    flat("hyphens", "<p>", "- ", "</p>"),
    flat("plaintext", "<plaintext>", "a# <b>", ""),
    flat("listings", "<xmp>", "<b>a#", "</xmp>"),
    flat("framesets", "", "<frameset><frame src=#>", ""),
    flat("ruby", "<ruby>", "a#<rt>b", "</ruby>"),
    flat("slots", "", "<div slot=s#>a</div>", ""),
    flat(
        "details",
        "",
        "<details><summary>a#</summary>b#</details>",
        "",
    ),
    flat(
        "records of three lines",
        "",
        "<div><h3>a#</h3><p>b#</p><a href=/#>c</a></div>",
        "",
    ),
    flat("records beside each other", "", "<h3>a#</h3><p>b#<p>c#", ""),
];

impl Family {
    /// Pages of about this many bytes.
    pub fn pages(&self, pile: Pile, bytes: usize) -> Vec<Text> {
        let repeats = bytes / (self.repeat(self.open, 1, 1000).len() + self.close.len()).max(1);
        let count = match pile {
            Pile::Alone => 1,
            Pile::Equal | Pile::Differing => 3,
        };
        let page = |number: usize| {
            let offset = match pile {
                Pile::Alone | Pile::Equal => 1000,
                Pile::Differing => 1000 + 100_000 * (number + 1),
            };
            Text::from_string(number.to_string(), self.page(repeats, offset))
        };
        (0..count).map(page).collect()
    }

    fn page(&self, repeats: usize, offset: usize) -> String {
        let open = self.repeat(self.open, repeats, offset);
        let close = self.repeat(self.close, repeats, offset);
        format!("{}{open}{}{close}{}", self.before, self.middle, self.after)
    }

    fn repeat(&self, pattern: &str, repeats: usize, offset: usize) -> String {
        // `&#x41;` is no number.
        let has_number = pattern.contains('#') && !pattern.contains("&#");
        let mut page = String::new();
        for at in 0..repeats {
            if has_number {
                page += &pattern.replace('#', &(offset + at).to_string());
            } else {
                page += pattern;
            }
        }
        page
    }
}
