//! Records: the paper's examples, layouts that hide them, hostile pages, and how good the answers
//! are.

use proptest::prelude::*;
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};
use unmold::{
    Mold, Page, Text,
    lists::{Pattern, Record, Regions, list_rule},
    papers::iepad::Iepad,
    symbols::encode::tags::Level,
};
use unmold_invariants::labelled_pages;
use unmold_invariants::{records_hold, tree_nests};

fn page(html: &str) -> Text {
    Text::from_string("page", html)
}

fn texts(page: &Text, records: &[Record]) -> Vec<String> {
    records
        .iter()
        .map(|record| record.text(page.as_str()))
        .collect()
}

/// The texts of the records that are found first.
fn best(html: &str) -> Vec<String> {
    let page = page(html);
    Regions::default()
        .find(&page)
        .first()
        .map(|best| texts(&page, &best.records))
        .unwrap_or_default()
}

fn repeat(count: usize, html: impl Fn(usize) -> String) -> String {
    (1..=count).map(html).collect()
}

#[test]
fn a_page_of_three_blocks_is_three_patterns() {
    let block = |from: usize| repeat(5, |at| format!("<dt>name {}<dd>words", from + at));
    let filler = |words: usize| "<p>other</p><hr>".repeat(words);
    let html = format!(
        "<dl>{}</dl>{}<dl>{}</dl>{}<dl>{}</dl>",
        block(0),
        filler(9),
        block(10),
        filler(40),
        block(20)
    );
    let page = page(&html);
    let iepad = Iepad::default().max_patterns(50).density(0.25, 3.0);
    let repeats = iepad.repeats(&page).unwrap();
    assert!(
        repeats.iter().any(|repeat| repeat.starts.len() == 15),
        "one repeat is in all blocks: {repeats:?}"
    );
    let starts: Vec<usize> = (0..3)
        .flat_map(|block| (0..5).map(move |at| block * 100 + at * 4))
        .collect();
    assert_eq!(
        unmold::papers::iepad::partition(&starts, 0.5, 0.1, 5).len(),
        3
    );
    assert!(
        iepad
            .find(&page)
            .unwrap()
            .iter()
            .any(|pattern| pattern.records.len() == 15)
    );
}

#[test]
fn iepad_finds_records_whose_tags_vary() {
    let row = |at: usize| {
        let extra = if at.is_multiple_of(3) {
            "<em>new</em>"
        } else {
            ""
        };
        format!("<tr><td>name {at}</td><td>{at}</td>{extra}</tr>")
    };
    let page = page(&format!("<h1>List</h1><table>{}</table>", repeat(9, row)));
    let patterns = Pattern::by_iepad(Iepad::default().level(Level::All), &page).unwrap();
    let best = &patterns[0];
    assert!(best.notation.contains("|-]"), "{}", best.notation);
    assert!(
        best.records.len() >= 8,
        "{} records by {}",
        best.records.len(),
        best.notation
    );
}

#[test]
fn two_rows_are_one_record() {
    let rows = repeat(6, |at| {
        format!(
            "<tr><td><b>Title {at}</b></td><td>{at}</td></tr><tr><td colspan=2><p>Words about {at}</p></td></tr>"
        )
    });
    assert_eq!(
        best(&format!("<table>{rows}</table>"))[1],
        "Title 2 2 Words about 2"
    );
}

#[test]
fn terms_and_their_definitions_are_records() {
    let terms = repeat(5, |at| {
        format!("<dt>Term {at}<dd>First meaning {at}<dd>Second meaning {at}")
    });
    assert_eq!(
        best(&format!("<dl>{terms}</dl>"))[0],
        "Term 1 First meaning 1 Second meaning 1"
    );
}

#[test]
fn flat_records_need_no_element_around_them() {
    let records = repeat(5, |at| format!("<b>Country {at}</b> <i>{at}</i><br>"));
    assert_eq!(best(&format!("<body>{records}</body>"))[4], "Country 5 5");
}

#[test]
fn odd_and_even_rows_are_one_list() {
    let rows = repeat(8, |at| {
        let class = if at.is_multiple_of(2) { "even" } else { "odd" };
        format!("<tr class={class}><td>{at}</td><td>Words {at}</td></tr>")
    });
    assert_eq!(best(&format!("<table>{rows}</table>")).len(), 8);
}

#[test]
fn a_grid_is_read_by_cells() {
    let cell = |at: usize| {
        format!(
            "<td><a href=/{at}>User {at}</a> <span>from Town {at}</span><p>{at} points</p></td>"
        )
    };
    let rows = repeat(3, |row| {
        format!("<tr>{}</tr>", repeat(4, |at| cell(row * 4 + at)))
    });
    assert_eq!(best(&format!("<table>{rows}</table>")).len(), 12);
}

#[test]
fn a_list_goes_on_under_another_parent() {
    let item = |at: usize| {
        format!(
            "<li class=thread><h3>Thread {at}</h3><p>by author {at}</p><i>{at} answers</i></li>"
        )
    };
    let html = format!(
        "<ol class=sticky>{}</ol><p>Some words between</p><ol class=threads>{}</ol>",
        repeat(2, item),
        repeat(7, |at| item(at + 2))
    );
    assert_eq!(best(&html).len(), 9);
}

#[test]
fn answers_inside_comments_are_records_of_their_own() {
    let comment = |name: &str, inside: &str| {
        format!(
            "<div class=comment><b>{name}</b><p>{name} says something</p><i>today</i>{inside}</div>"
        )
    };
    let html = [
        comment("Ada", &comment("Ben", &comment("Cy", ""))),
        comment("Dee", ""),
        comment("Eve", &comment("Flo", "")),
    ]
    .concat();
    let found = best(&html);
    let expected = ["Ada", "Ben", "Cy", "Dee", "Eve", "Flo"]
        .map(|name| format!("{name} {name} says something today"));
    assert_eq!(found, expected);
}

#[test]
fn quotes_inside_posts_are_not_the_records() {
    let post = |at: usize| {
        let quote = if at.is_multiple_of(2) {
            "<blockquote>An earlier post</blockquote>".repeat(3)
        } else {
            String::new()
        };
        format!(
            "<div class=post><b>Author {at}</b><i>{at} May</i><div>{quote}Words of post {at}</div><p>Reply</p></div>"
        )
    };
    assert_eq!(best(&repeat(6, post)).len(), 6);
}

#[test]
fn advertisements_are_left_out_and_the_first_post_is_taken_in() {
    let post = |at: usize| {
        format!(
            "<div class=head><b class=author>Author {at}</b><i class=date>{at} May</i></div>\
             <div class=body><p class=text>Words of post {at}</p></div><div class=foot><a class=reply>Reply</a></div>"
        )
    };
    let html = format!(
        "<article>{}</article><ul><li>{}</li><li>{}</li><li><div><p>Buy this</p></div></li><li>{}</li></ul>",
        post(1),
        post(2),
        post(3),
        post(4)
    );
    let found = best(&html);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].contains("post 1"));
}

#[test]
fn results_come_before_the_menu_and_the_menu_is_there_too() {
    let results = repeat(6, |at| {
        format!(
            "<div class=r><h3><a href=/{at}>Result {at}</a></h3><p>Words that explain result {at} at length</p></div>"
        )
    });
    let menu = repeat(30, |at| format!("<li><a href=/m{at}>Menu {at}</a></li>"));
    let page = page(&format!("<ul>{menu}</ul><div>{results}</div>"));
    let patterns = Regions::default().find(&page);
    assert_eq!(patterns[0].records.len(), 6);
    assert!(patterns.iter().any(|pattern| pattern.records.len() == 30));
}

#[test]
fn a_missing_field_is_absent_and_attributes_are_fields() {
    let item = |at: usize| {
        let price = if at == 2 {
            String::new()
        } else {
            format!("<span class=price>{at} €</span>")
        };
        format!(
            "<li><a href=/{at}>Name {at}</a>{price}<img src={at}.png alt='Picture {at}'><time datetime=2020-0{at}>May</time></li>"
        )
    };
    let page = page(&format!("<ul>{}</ul>", repeat(4, item)));
    let best = &Regions::default().find(&page)[0];
    let column = |name: &str| {
        best.columns
            .iter()
            .position(|column| column.name == name)
            .unwrap()
    };
    let values = |name: &str| -> Vec<Option<String>> {
        best.records
            .iter()
            .map(|record| record.value(page.as_str(), &best.columns, column(name)))
            .collect()
    };
    assert_eq!(
        values("price"),
        [
            Some("1 €".to_owned()),
            None,
            Some("3 €".to_owned()),
            Some("4 €".to_owned())
        ]
    );
    assert_eq!(values("a href")[1].as_deref(), Some("/2"));
    assert_eq!(values("img alt")[1].as_deref(), Some("Picture 2"));
    assert_eq!(values("time datetime")[3].as_deref(), Some("2020-04"));
    assert_eq!(
        best.columns[column("img src")].attribute.as_deref(),
        Some("src")
    );
}

#[test]
fn labels_name_their_fields() {
    let item = |at: usize| {
        format!("<li><p>Item {at}</p><b>ISBN:</b> <i>97{at}</i><div>Price: {at} €</div></li>")
    };
    let page = page(&format!("<ul>{}</ul>", repeat(4, item)));
    let best = &Regions::default().find(&page)[0];
    let names: Vec<&str> = best
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names, ["p", "ISBN", "Price"]);
}

#[test]
fn nothing_is_made_of_nothing() {
    for html in [
        "",
        " ",
        "<p>",
        "word",
        "<script>x</script>",
        "<ul></ul>",
        "<p></p><p></p><p></p>",
    ] {
        assert!(Regions::default().find(&page(html)).is_empty(), "{html}");
        assert!(
            Iepad::default().find(&page(html)).unwrap().is_empty(),
            "{html}"
        );
    }
}

#[test]
fn hostile_pages_are_survived() {
    let many_kinds = repeat(20_000, |at| {
        format!("<x{at}>a</x{at}><y{}>b</y{}>", at / 2, at / 2)
    });
    let pages = [
        "<div>".repeat(64_000),
        "<ul><li>x".repeat(64_000),
        "<p>a".repeat(100_000),
        format!("<{}>x", "n".repeat(1_000_000)),
        format!("<a {}>x</a>", "b=c ".repeat(64_000)),
        format!("<p title='{}'>x", "y".repeat(1_000_000)),
        format!("<b>x</b><{}", "i ".repeat(10_000)),
        "<iframe/>".repeat(20_000),
        many_kinds,
    ];
    for html in pages {
        let page = page(&html);
        Regions::default().find(&page);
        Iepad::default().find(&page).unwrap();
    }
}

/// Pages of pieces that repeat, nest and break.
fn listed_page() -> impl Strategy<Value = String> {
    let pieces = [
        "<ul>",
        "</ul>",
        "<li>",
        "</li>",
        "<li class=a>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<div class='a b'>",
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<br>",
        "<hr/>",
        "<span/>",
        "<a href='/x&amp;y'>",
        "</a>",
        "word",
        "Label: value",
        "&nbsp;",
        "日本語",
        "<img src=x alt=''>",
        "<dl><dt>",
        "<dd>",
        "<!-- c -->",
        "<svg><path/></svg>",
        "<i",
        "<textarea/>",
        "é &eacute",
        "<time datetime=2020>",
    ];
    let some = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat());
    prop::collection::vec((some, 1..6usize), 0..6).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(part, times)| part.repeat(times))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn trees_nest_on_any_page(page in listed_page()) {
        tree_nests(&page);
    }

    #[test]
    fn records_hold_on_any_page(page in listed_page()) {
        records_hold(&page);
    }

    #[test]
    fn any_text_is_survived(page in any::<String>()) {
        tree_nests(&page);
        records_hold(&page);
    }
}

#[test]
fn an_empty_element_elsewhere_that_looks_like_a_record_does_not_say_where_records_are() {
    let nested = "<li class=a></li><dl><dt><ul>".repeat(2);
    let items = "<li class=a>word".repeat(3);
    records_hold(&format!("{nested}{items}<div class='a b'><ul>"));
}

#[test]
fn a_wrapper_that_has_only_the_text_of_records_inside_it_is_no_record() {
    let wrapped = "<div class='a b'><dl><dt><time datetime=2020>word</li>".repeat(2);
    let empty = "<div class='a b'><div>";
    records_hold(&format!("<dl><dt><li>{empty}<li>{empty}{wrapped}"));
}

#[test]
fn empty_elements_among_records_do_not_say_what_records_look_like() {
    let items = "<div class='a b'><li class=a><div><li class=a>word".repeat(2);
    let before = "<li class=a></li><div class='a b'>".repeat(2);
    records_hold(&format!(
        "{before}word{items}<div class='a b'><li class=a><div><li class=a>"
    ));
}

/// How many records were found, given and true: `score` in the terms of the paper.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    retrieval: f64,
    accuracy: f64,
}

impl Score {
    fn mean(scores: &[Score]) -> Score {
        let count = scores.len() as f64;
        let sum = |part: fn(&Score) -> f64| scores.iter().map(part).sum::<f64>() / count;
        Score {
            retrieval: sum(|score| score.retrieval),
            accuracy: sum(|score| score.accuracy),
        }
    }

    fn reaches(self, retrieval: f64, accuracy: f64) -> bool {
        self.retrieval >= retrieval && self.accuracy >= accuracy
    }
}

fn words(text: &str) -> HashMap<&str, usize> {
    let mut words = HashMap::new();
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_inside(c))
        .filter(|word| !word.is_empty())
        .for_each(|word| *words.entry(word).or_default() += 1);
    words
}

/// Whether 80 % of the words of a true record are in a given one.
fn is_found(truth: &HashMap<&str, usize>, given: &HashMap<&str, usize>) -> bool {
    let size: usize = truth.values().sum();
    let shared: usize = truth
        .iter()
        .map(|(word, times)| *times.min(given.get(word).unwrap_or(&0)))
        .sum();
    size > 0 && shared as f64 >= 0.8 * size as f64
}

/// The most pairs of true and given records, one to one and in the order of the page.
fn pairs(truth: &[String], given: &[String]) -> usize {
    let given: Vec<_> = given.iter().map(|text| words(text)).collect();
    let mut row = vec![0; given.len() + 1];
    for text in truth {
        let text = words(text);
        let mut next = vec![0];
        for (at, given) in given.iter().enumerate() {
            let paired = if is_found(&text, given) {
                row[at] + 1
            } else {
                0
            };
            next.push(row[at + 1].max(next[at]).max(paired));
        }
        row = next;
    }
    row[given.len()]
}

fn score(page: &Text, lists: &[&[Record]], truth: &[String]) -> Score {
    let scores = lists.iter().map(|records| {
        let given = texts(page, records);
        (pairs(truth, &given), std::cmp::Reverse(given.len()))
    });
    let (found, std::cmp::Reverse(given)) = scores.max().unwrap_or_default();
    Score {
        retrieval: found as f64 / truth.len() as f64,
        accuracy: found as f64 / given.max(1) as f64,
    }
}

/// The labelled pages of a site: `pages/ID.html` and `TRUTH/ID.json`.
fn labelled(site: &Path, truth: &str) -> Vec<(Text, Vec<String>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(site.join(truth))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        let truth: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let records: Vec<String> = serde_json::from_value(truth["records"].clone()).unwrap();
        let id = file.file_stem().unwrap().to_str().unwrap();
        let bytes = fs::read(site.join("pages").join(format!("{id}.html"))).unwrap();
        (Text::decode(Page::new(id, bytes)), records)
    };
    files
        .iter()
        .map(read)
        .filter(|(_, records)| !records.is_empty())
        .collect()
}

/// The score of a site when each page is learned from.
fn learned(pages: &[(Text, Vec<String>)], top: usize) -> Score {
    let scores = pages.iter().map(|(page, truth)| {
        let patterns = Regions::default().find(page);
        let lists: Vec<&[Record]> = patterns
            .iter()
            .take(top)
            .map(|pattern| pattern.records.as_slice())
            .collect();
        score(page, &lists, truth)
    });
    Score::mean(&scores.collect::<Vec<_>>())
}

/// The score of a site when one page is learned from and the rule is applied to the others.
fn applied(pages: &[(Text, Vec<String>)]) -> Score {
    let first = &pages[0].0;
    let rule = list_rule(&Regions::default().find(first)[0], &[first]);
    let reader = Mold::of_list(rule).reader();
    let scores = pages[1..].iter().map(|(page, truth)| {
        let found = reader.read(page).unwrap();
        let lists: Vec<&[Record]> = found
            .lists()
            .map(|found| found.list.records.as_slice())
            .collect();
        score(page, &lists, truth)
    });
    Score::mean(&scores.collect::<Vec<_>>())
}

#[test]
fn own_sites_are_read_without_a_fault() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites");
    for site in ["search-zh", "forum-ru", "shop-en"] {
        let pages = labelled(&sites.join(site), "records");
        assert!(
            learned(&pages, 1).reaches(1.0, 1.0),
            "{site}: {:?}",
            learned(&pages, 1)
        );
        // `search-zh` has two templates; a rule of one says nothing about the other.
        let same_template = if site == "search-zh" {
            &pages[..12]
        } else {
            &pages
        };
        assert!(
            applied(same_template).reaches(1.0, 1.0),
            "{site}: {:?}",
            applied(same_template)
        );
    }
}

/// The floors are what the current state reaches, less a page or two; they may go up.
#[test]
fn quality_does_not_fall() {
    let Some(folder) = labelled_pages("records") else {
        return;
    };
    let (mut first, mut of_three, mut learned_rest, mut applied_rest) =
        (vec![], vec![], vec![], vec![]);
    for site in fs::read_dir(folder).unwrap() {
        let pages = labelled(&site.unwrap().path(), "truth");
        first.push(learned(&pages, 1));
        of_three.push(learned(&pages, 3));
        if pages.len() > 1 {
            learned_rest.push(learned(&pages[1..], 1));
            applied_rest.push(applied(&pages));
        }
    }
    let [first, of_three, learned, applied] =
        [&first, &of_three, &learned_rest, &applied_rest].map(|scores| Score::mean(scores));
    eprintln!(
        "first {first:?}, best of three {of_three:?}, by a rule {applied:?} against {learned:?}"
    );
    assert!(first.reaches(0.98, 0.97), "{first:?}");
    assert!(of_three.reaches(0.98, 0.97), "{of_three:?}");
    assert!(
        applied.reaches(learned.retrieval - 0.02, learned.accuracy - 0.02),
        "{applied:?} against {learned:?}"
    );
}

/// The tables of `testdata/tables/ten.html`, as `pandas.read_html` reads them with all cells as
/// text. Where a table has no header, columns are called by number there.
#[test]
fn ten_plain_tables_come_out_cell_by_cell() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tables");
    let page = page(&fs::read_to_string(folder.join("ten.html")).unwrap());
    let wanted: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("ten.json")).unwrap()).unwrap();
    let mut tables = Regions::default().max_patterns(30).find(&page);
    tables.retain(|table| table.notation.starts_with("<tr"));
    tables.sort_by_key(|table| table.records[0].span.start);
    assert_eq!(tables.len(), 10);
    for (number, (table, wanted)) in tables.iter().zip(wanted.as_array().unwrap()).enumerate() {
        // The addresses of links are columns of their own, which pandas does not read.
        let texts: Vec<usize> = (0..table.columns.len())
            .filter(|&column| table.columns[column].attribute.is_none())
            .collect();
        let row = |record: &Record| {
            let cell = |column| {
                record
                    .value(page.as_str(), &table.columns, column)
                    .unwrap_or_default()
            };
            texts.iter().copied().map(cell).collect::<Vec<_>>()
        };
        let rows: Vec<_> = table.records.iter().map(row).collect();
        assert_eq!(serde_json::json!(rows), wanted["rows"], "table {number}");
        if wanted["columns"][0] != "0" {
            let names: Vec<_> = texts
                .iter()
                .map(|&column| &table.columns[column].name)
                .collect();
            assert_eq!(
                serde_json::json!(names),
                wanted["columns"],
                "table {number}"
            );
        }
    }
}

#[test]
fn text_in_noscript_counts_where_it_is_the_pages_own() {
    let post = |at: usize| {
        format!("<div class=post><b>User {at}</b><p>What user {at} has to say</p></div>")
    };
    let menu = "<ul><li><a href=1>One</a><li><a href=2>Two</a></ul>";
    assert_eq!(
        best(&format!("{menu}<noscript>{}</noscript>", repeat(4, post))).len(),
        4
    );
    let advert = "<noscript><p class=ad><b>Buy</b> this<p class=ad><b>Buy</b> that</noscript>";
    assert_eq!(
        best(&format!("{}{advert}", repeat(4, post)))[0],
        "User 1 What user 1 has to say"
    );
}

#[test]
fn answers_in_wrappers_of_their_own_are_records() {
    let post = |name: &str| {
        format!(
            "<div class=item><div class=head><b class=who>{name}</b><i class=when>today</i></div>\
             <p class=said>{name} has something to say</p><span class=likes>3</span></div>"
        )
    };
    let reply = |name: &str, inside: &str| format!("<div class=reply>{}{inside}</div>", post(name));
    let top = |name: &str, inside: &str| {
        format!("<section class=thread>{}{inside}</section>", post(name))
    };
    let html = [
        top("Ada", &reply("Ben", &reply("Cy", &reply("Dee", "")))),
        top("Eve", &[reply("Flo", ""), reply("Gus", "")].concat()),
    ];
    let found = best(&format!("<div class=list>{}</div>", html.concat()));
    assert_eq!(found.len(), 7, "{found:?}");
    assert_eq!(found[3], "Dee today Dee has something to say 3");
}

/// The class names of a post, whatever elements they stand on.
fn post_parts(at: usize) -> String {
    format!(
        "<div class=author><a class=name href=/u{at}>User {at}</a><span class=rank>Member</span></div>\
         <div class=meta><time class=when>{at} May</time></div>\
         <div class=body><div class=words>What user {at} has to say about it all, at some length</div></div>"
    )
}

#[test]
fn the_first_post_in_other_markup_is_a_record() {
    let replies = repeat(4, |at| {
        format!(
            "<li class=comment><div class=box>{}</div></li>",
            post_parts(at + 1)
        )
    });
    let html = format!(
        "<div class=page><div class=opening><h1>Title</h1><div><div class=question>{}</div></div></div><ul>{replies}</ul></div>",
        post_parts(1)
    );
    let found = best(&html);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found[0].contains("User 1"), "{found:?}");
}

#[test]
fn the_same_two_parts_of_every_record_are_no_records() {
    let records = repeat(5, |at| {
        format!(
            "<li><div><h3>Name {at}</h3><img src={at}.png></div><div><p>Words about {at}</p><ul><li>a{at}<li>b{at}</ul></div></li>"
        )
    });
    assert_eq!(best(&format!("<ul>{records}</ul>")).len(), 5);
}

#[test]
fn navigation_is_not_the_list() {
    let entry =
        |at: usize| format!("<li><h3>Goods {at}</h3><p>All goods of the kind number {at}</p></li>");
    let items = repeat(3, |at| {
        format!("<li class=offer><h3>Lamp {at}</h3><p>Brass, {at} left</p></li>")
    });
    let html = format!("<nav><ul>{}</ul></nav><ol>{items}</ol>", repeat(9, entry));
    assert_eq!(best(&html)[0], "Lamp 1 Brass, 1 left");
}

/// The columns of the records that are found first: name and values.
fn columns(html: &str) -> Vec<(String, Vec<String>)> {
    let page = page(html);
    let best = Regions::default().find(&page).swap_remove(0);
    let values = |column| best.records.iter().map(move |record| (record, column));
    let value =
        |(record, column): (&Record, usize)| record.value(page.as_str(), &best.columns, column);
    let column = |at: usize| {
        (
            best.columns[at].name.clone(),
            values(at)
                .map(value)
                .map(Option::unwrap_or_default)
                .collect(),
        )
    };
    (0..best.columns.len()).map(column).collect()
}

#[test]
fn running_text_is_one_column() {
    let posts = repeat(6, |at| {
        let words = repeat(1 + at % 3, |line| {
            format!("<p>Line {line} of post {at}</p>")
        });
        let quote = if at == 2 {
            "<blockquote>as was said</blockquote>"
        } else {
            ""
        };
        format!(
            "<div class=post><b class=who>User {at}</b><div class=words>{quote}{words}</div></div>"
        )
    });
    let columns = columns(&posts);
    let names: Vec<_> = columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["who", "words"]);
    assert_eq!(
        columns[1].1[1],
        "as was said Line 1 of post 2 Line 2 of post 2 Line 3 of post 2"
    );
}

#[test]
fn classes_that_vary_by_row_split_no_column() {
    let rows = repeat(6, |at| {
        let parity = if at.is_multiple_of(2) { "even" } else { "odd" };
        let name = if at == 3 {
            "<a class=admin>Ada</a>".to_owned()
        } else {
            format!("<a class=style{at}>User {at}</a>")
        };
        format!("<tr class={parity}><td>{name}</td><td>{at} posts</td></tr>")
    });
    let columns = columns(&format!("<table>{rows}</table>"));
    assert_eq!(columns.len(), 2, "{columns:?}");
    assert_eq!(
        columns[0].1,
        ["User 1", "User 2", "Ada", "User 4", "User 5", "User 6"]
    );
}

#[test]
fn a_date_with_its_time_and_a_price_with_its_cents_are_one_value() {
    let rows = repeat(4, |at| {
        format!(
            "<li class=row><span class=on>{at}.5.2020, <i>05:3{at}</i></span><b class=price>£{at}<sup>.50</sup></b></li>"
        )
    });
    let columns = columns(&format!("<ul>{rows}</ul>"));
    assert_eq!(
        columns[0],
        (
            "on".to_owned(),
            (1..5).map(|at| format!("{at}.5.2020, 05:3{at}")).collect()
        )
    );
    assert_eq!(
        columns[1],
        (
            "price".to_owned(),
            (1..5).map(|at| format!("£{at}.50")).collect()
        )
    );
}

#[test]
fn names_come_from_headers_and_labels_but_not_from_buttons_or_content() {
    let rows = repeat(4, |at| {
        format!(
            "<tr><td><div><a href=/quote{at}>Quote</a> <span>user{at}</span></div></td><td><div>at 05:3{at}</div></td></tr>"
        )
    });
    let columns = columns(&format!(
        "<table><tr><th>Who</th><th>When</th></tr>{rows}</table>"
    ));
    let names: Vec<_> = columns.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"When")
            && !names.contains(&"Quote")
            && !names.iter().any(|name| name.contains("at 05")),
        "{names:?}"
    );
}
