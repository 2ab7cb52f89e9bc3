//! Lists in the layouts that pages print them in: one small page for each mechanism, alone and by
//! the rule that was learned from it.

use unmold::{
    Mold, Text,
    lists::{Pattern, Record, Regions, list_rule},
};

/// The texts of some records.
fn texts(page: &Text, records: &[Record]) -> Vec<String> {
    records
        .iter()
        .map(|record| record.text(page.as_str()))
        .collect()
}

/// The lists of a page, the best first.
fn lists(page: &Text) -> Vec<Pattern> {
    Regions::default().find(page)
}

/// The records of the first list; its own rule has to find the same.
fn records(html: &str) -> Vec<String> {
    let page = Text::from_string("page", html);
    let lists = lists(&page);
    let first = lists.first().expect("the page has a list");
    let found = texts(&page, &first.records);
    let reader = Mold::of_list(list_rule(first, &[&page])).reader();
    let read = reader.read(&page).expect("the page is read");
    let again = read.lists().next().expect("the rule finds records").list;
    assert_eq!(texts(&page, &again.records), found, "by its rule");
    found
}

/// Each number from 1 as a piece of a page.
fn repeat(count: usize, piece: impl Fn(usize) -> String) -> String {
    (1..=count).map(piece).collect()
}

/// Words that differ from record to record, in several scripts.
fn words(at: usize) -> String {
    const WORDS: [&str; 6] = [
        "river stone",
        "мост и вода",
        "市場の家",
        "سوق المدينة",
        "ตลาด น้ำ",
        "λίμνη",
    ];
    format!("{} {at}", WORDS[at % WORDS.len()])
}

/// Writes the record of a number.
type RecordWriter = fn(usize) -> String;

/// Four kinds of records, each with two parts.
fn record_kinds() -> [(&'static str, RecordWriter); 4] {
    [
        ("dl", |at| {
            format!("<dl><dt>{}</dt><dd>more of {at}</dd></dl>", words(at))
        }),
        ("div", |at| {
            format!(
                "<div class=post><h3>{}</h3><p>more of {at}</p></div>",
                words(at)
            )
        }),
        ("article", |at| {
            format!(
                "<article><h3><a href=/{at}>{}</a></h3><p>more of {at}</p></article>",
                words(at)
            )
        }),
        ("table", |at| {
            format!(
                "<table class=post><tr><td>{}<td>more of {at}</table>",
                words(at)
            )
        }),
    ]
}

/// What stands between records is no part of them, whatever it is made of, and the first record is
/// one as well.
#[test]
fn separators_belong_to_no_record() {
    let separators = [
        "<hr>",
        "<br>",
        "<img src=/line.png alt=''>",
        "<div class=sep></div>",
        "<p>* * *</p>",
        "<div class=sep><img src=/dot.gif></div>",
    ];
    for (kind, record) in record_kinds() {
        let expected: Vec<String> = (1..=8)
            .map(|at| format!("{} more of {at}", words(at)))
            .collect();
        for separator in separators {
            let between = repeat(8, |at| {
                if at == 8 {
                    record(at)
                } else {
                    record(at) + separator
                }
            });
            let after = repeat(8, |at| record(at) + separator);
            for list in [between, after] {
                let page = format!("<h1>All</h1><div id=list>{list}</div><p>foot of the page</p>");
                assert_eq!(records(&page), expected, "{kind} with {separator}");
            }
        }
    }
}

/// A picture that is another one in each record begins it; the same picture everywhere does not.
#[test]
fn a_picture_of_its_own_begins_a_record() {
    let record = |at: usize| format!("<img src=/p/{at}.jpg><b>{}</b><i>{at} €</i>", words(at));
    let page = format!("<div>{}</div>", repeat(6, record));
    let page = Text::from_string("page", page);
    let list = &lists(&page)[0];
    assert_eq!(list.records.len(), 6);
    assert!(
        list.columns
            .iter()
            .any(|column| column.attribute.as_deref() == Some("src"))
    );
}

/// A title row and a row of details, with a class for the first row, with none, and with an empty
/// row after each record.
#[test]
fn two_table_rows_are_one_record() {
    let title = |class: &str, at: usize| {
        format!(
            "<tr{class}><td>{at}.</td><td><a href=/i{at}>{}</a></td></tr>",
            words(at)
        )
    };
    let details = |at: usize| {
        format!(
            "<tr><td></td><td>{} points by <a href=/u{at}>user {at}</a></td></tr>",
            3 * at
        )
    };
    let wide_details =
        |at: usize| format!("<tr><td colspan=2>{} points by user {at}</td></tr>", 3 * at);
    for class in ["", " class=thing"] {
        for spacer in [
            "",
            "<tr class=spacer style='height:5px'></tr>",
            "<tr><td colspan=2></td></tr>",
        ] {
            let rows = repeat(12, |at| title(class, at) + &details(at) + spacer);
            let expected: Vec<String> = (1..=12)
                .map(|at| format!("{at}. {} {} points by user {at}", words(at), 3 * at))
                .collect();
            let page = format!("<table>{rows}</table>");
            assert_eq!(
                records(&page),
                expected,
                "class {class:?}, spacer {spacer:?}"
            );
            let rows = repeat(12, |at| title(class, at) + &wide_details(at) + spacer);
            let page = format!("<table>{rows}</table>");
            assert_eq!(
                records(&page),
                expected,
                "wide, class {class:?}, spacer {spacer:?}"
            );
        }
    }
}

/// Rows of two colours are records each, and so are rows that alternate by chance.
#[test]
fn striped_rows_are_records_each() {
    let row = |at: usize| {
        let class = if at.is_multiple_of(2) {
            " class=even"
        } else {
            ""
        };
        format!(
            "<tr{class}><td>{at}.</td><td><a href=/i{at}>{}</a></td></tr>",
            words(at)
        )
    };
    assert_eq!(
        records(&format!("<table>{}</table>", repeat(12, row))).len(),
        12
    );
    let row = |at: usize| {
        let name = if at * at % 7 < 3 {
            words(at)
        } else {
            format!("<a href=/{at}>{}</a>", words(at))
        };
        format!("<tr><td>{at}.</td><td>{name}</td></tr>")
    };
    assert_eq!(
        records(&format!("<table>{}</table>", repeat(12, row))).len(),
        12
    );
}

/// An empty row keeps rows apart and is none of them.
#[test]
fn empty_rows_are_no_records() {
    let row = |at: usize| {
        format!(
            "<tr><td>{}</td><td>more of {at}</td></tr><tr class=sp><td colspan=2></td></tr>",
            words(at)
        )
    };
    let found = records(&format!("<h1>x</h1><table>{}</table>", repeat(8, row)));
    let expected: Vec<String> = (1..=8)
        .map(|at| format!("{} more of {at}", words(at)))
        .collect();
    assert_eq!(found, expected);
}

/// The values of the first list by column.
fn columns(html: &str) -> Vec<(String, Vec<String>)> {
    let page = Text::from_string("page", html);
    let list = lists(&page).swap_remove(0);
    let value = |record: &unmold::lists::Record, column: usize| {
        let found = record.value(page.as_str(), &list.columns, column);
        found.unwrap_or_default()
    };
    let named = list.columns.iter().enumerate().map(|(at, column)| {
        let values = list.records.iter().map(|record| value(record, at));
        (column.name.clone(), values.collect())
    });
    named.collect()
}

/// Links and pictures of plain cells are columns beside the text, links that are the same in all
/// rows are not, and a cell over two rows has its link in both.
#[test]
fn cells_keep_their_links() {
    let row = |at: usize| {
        format!(
            "<tr><td><a href=/p/{at}>{}</a> <a href=/help>?</a><td>{at}0 €<td><img src=/i/{at}.png alt=''>",
            words(at)
        )
    };
    let page = format!(
        "<table><tr><th>Name<th>Price<th>Picture{}</table>",
        repeat(4, row)
    );
    let found = columns(&page);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["Name", "Name href", "Price", "Picture", "Picture src"]
    );
    assert_eq!(found[1].1, ["/p/1", "/p/2", "/p/3", "/p/4"]);
    assert_eq!(found[4].1[2], "/i/3.png");

    let spanned = "<table><tr><th>Town<th>Train<tr><td rowspan=2><a href=/ulm>Ulm</a><td><a href=/t/7>7:00</a>\
        <tr><td><a href=/t/8>8:00</a><tr><td><a href=/bonn>Bonn</a><td><a href=/t/9>9:00</a></table>";
    let found = columns(spanned);
    assert_eq!(
        found[1],
        (
            "Town href".into(),
            vec!["/ulm".into(), "/ulm".into(), "/bonn".into()]
        )
    );
    assert_eq!(found[3].1, ["/t/7", "/t/8", "/t/9"]);
}

/// A first row of plain cells is the header where the rows below have digits or links and it has
/// not, or where it is bold; a first row like the others is a record.
#[test]
fn a_header_of_plain_cells_is_told_by_the_rows_below() {
    let row = |at: usize| format!("<tr><td>{}<td>2{at}.5.2024", words(at));
    for header in ["Name|Date", "Имя|Дата", "名前|日付", "الاسم|التاريخ"] {
        let (name, date) = header.split_once('|').unwrap();
        let page = format!("<table><tr><td>{name}<td>{date}{}</table>", repeat(5, row));
        let found = columns(&page);
        assert_eq!((found[0].0.as_str(), found[1].0.as_str()), (name, date));
        assert_eq!(found[0].1.len(), 5, "{header}");
    }
    let page = "<table><tr><td><b>Town</b><td><b>River</b><tr><td>Ulm<td>Donau<tr><td>Bonn<td>Rhein<tr><td>Kiel<td>Eider</table>";
    assert_eq!(
        columns(page)[1],
        (
            "River".into(),
            vec!["Donau".into(), "Rhein".into(), "Eider".into()]
        )
    );
    let page = "<table><tr><td>Town<td>River<tr><td>Ulm<td>Donau<tr><td>Bonn<td>Rhein<tr><td>Kiel<td>Eider</table>";
    assert_eq!(
        columns(page)[1].1.len(),
        4,
        "nothing says that the first row is another"
    );
}

/// Rows of one cell above others are headings and no records.
#[test]
fn headings_in_a_table_are_no_records() {
    let month = |at: usize| {
        let rows = repeat(3, |row| {
            format!("<tr><td>{}<td>{row}.{at}.2024", words(at + row))
        });
        format!("<tr><td colspan=2>Month {at}{rows}")
    };
    let page = format!("<table><tr><th>Name<th>Day{}</table>", repeat(4, month));
    let found = columns(&page);
    assert_eq!(found[0].1.len(), 12);
    assert_eq!(found[1].1[3], "1.2.2024");
}

/// A table cannot claim more output than its cells are worth.
#[test]
fn claims_of_rowspan_are_bounded() {
    for rows in [1_000, 4_000] {
        let page = format!(
            "<table>{}</table>",
            "<tr><td rowspan=65534>a<td>b</tr>".repeat(rows)
        );
        let page = Text::from_string("page", page);
        let fields: usize = lists(&page)
            .iter()
            .flat_map(|list| &list.records)
            .map(|record| record.fields.len())
            .sum();
        assert!(
            fields <= 20 * 2 * rows,
            "{fields} fields of {rows} rows of two cells"
        );
    }
}

/// Rows without a letter that readers see are no records.
#[test]
fn what_nobody_sees_is_no_record() {
    let rows = repeat(6, |at| format!("<tr><td>{}<td>{at}", words(at)));
    let long = words(1).repeat(300);
    let hidden = format!("<noscript><table>{rows}</table></noscript><p>{long}</p>");
    assert!(lists(&Text::from_string("page", hidden)).is_empty());
    let rows = repeat(6, |at| {
        format!("<tr><td><img src=/{at}.png><td><a href=/{at}></a>")
    });
    let pictures = format!("<table>{rows}</table>");
    assert!(lists(&Text::from_string("page", pictures)).is_empty());
}

/// What stands under the days of a calendar are the records, not the days.
#[test]
fn groups_under_headings_are_no_records() {
    let day = |at: usize| {
        let item = |number: usize| {
            format!(
                "<div class=item><b>{}</b> <a href=/{at}/{number}>paper {at}{number}</a><i>by {number}</i></div>",
                words(at * number)
            )
        };
        format!(
            "<div class=day><h3>{at} May</h3><div class=items>{}</div></div>",
            repeat(2 + at % 3, item)
        )
    };
    let page = format!("<div id=all>{}</div>", repeat(7, day));
    let items: usize = (1..=7).map(|at| 2 + at % 3).sum();
    assert_eq!(records(&page).len(), items);
}

/// A header of which only some cells are `<th>`, as a program for case files prints it.
#[test]
fn one_th_makes_a_header() {
    let entries = repeat(4, |at| {
        format!(
            "<tr><td>0{at}/03/2024<td><a href=/d/{at}>{at}</a><td>Letter {}",
            words(at)
        )
    });
    let html = format!(
        "<table><tr><td><b>Day</b><th>#<td><b>What was filed</b>{entries}</table>
         <table><tr><th>Fee<td>0.30<tr><th>Pages<td>7</table>"
    );
    let page = Text::from_string("page", html);
    let list = &lists(&page)[0];
    assert_eq!(list.records.len(), 4);
    let names: Vec<&str> = list
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names, ["Day", "#", "# href", "What was filed"]);
}

/// The table whose columns are named is what the page is for, however long the list of people before it.
#[test]
fn a_table_with_named_columns_comes_before_a_layout_table() {
    let people = repeat(9, |at| {
        format!(
            "<tr><td><b>Person {at}</b><td align=right>represented by<td><b>Counsel {at}</b><br>
             {} Road {at}<br><i>lead counsel</i>",
            words(at)
        )
    });
    let entries = repeat(5, |at| {
        format!(
            "<tr><td>0{at}/03/2024<td>{at}<td>Motion {} filed by counsel",
            words(at)
        )
    });
    let html = format!(
        "<table>{people}</table><table><tr><td>Date<th>No.<td>Docket text{entries}</table>"
    );
    let page = Text::from_string("page", html);
    let list = &lists(&page)[0];
    assert_eq!(list.columns[0].name, "Date");
    assert_eq!(list.records.len(), 5);
}

/// A record is a block of rows, each with its label: Number, Parties, Day, and again from Number.
#[test]
fn rows_with_labels_are_one_record() {
    let record = |at: usize| {
        format!(
            "<tr><td colspan=2><a href=/{at}><b>2024 No. {at}</b></a>
             <tr><td><b>Number</b><td>K-{at}0{at}
             <tr><td><b>Parties</b><td>{} against others
             <tr><td><b>Day</b><td>{at} May",
            words(at)
        )
    };
    let found = records(&format!("<table>{}</table>", repeat(5, record)));
    assert_eq!(found.len(), 5);
    assert!(
        found[1].starts_with("2024 No. 2") && found[1].ends_with("2 May"),
        "{found:?}"
    );
}

/// Labelled lines of a card are parts of it, although all lines look alike.
#[test]
fn labelled_lines_are_parts_of_a_record() {
    let record = |at: usize| {
        format!(
            "<div class=card><div class=row><span>Number</span> <b>K-{at}0{at}</b></div>
             <div class=row><span>Name</span> <b>{}</b></div>
             <div class=row><span>Released</span> <b>{at} May</b></div></div>",
            words(at)
        )
    };
    let found = records(&format!("<div>{}</div>", repeat(6, record)));
    assert_eq!(found.len(), 6);
    assert!(found[2].starts_with("Number K-303"), "{found:?}");
}

/// What stands before each part of a list is a column of its records: headings, captions of tables,
/// rows of one cell.
#[test]
fn headings_are_a_column() {
    let item = |at: usize| format!("<li><a href=/{at}>Item {at}</a> {}", words(at));
    let row = |at: usize| format!("<tr><td>K-{at}<td>{}<td>{at} May", words(at));
    let parts = |part: &dyn Fn(&str, usize) -> String| -> String {
        [("January", 1), ("February", 4), ("March", 7)]
            .iter()
            .map(|(month, at)| part(month, *at))
            .collect()
    };
    let three =
        |of: &dyn Fn(usize) -> String, at: usize| -> String { (at..at + 3).map(of).collect() };
    let header = "<tr><th>Number<th>Name<th>Day";
    let layouts = [
        (
            "headings",
            parts(&|month, at| format!("<h3>{month}</h3><ul>{}</ul>", three(&item, at))),
        ),
        (
            "bold paragraphs",
            parts(&|month, at| format!("<p><b>{month}</b></p><ul>{}</ul>", three(&item, at))),
        ),
        (
            "captions",
            parts(&|month, at| {
                format!(
                    "<table><caption>{month}</caption>{header}{}</table>",
                    three(&row, at)
                )
            }),
        ),
        (
            "rows of one cell",
            format!(
                "<table>{header}{}</table>",
                parts(&|month, at| format!("<tr><td colspan=3>{month}{}", three(&row, at)))
            ),
        ),
    ];
    for (name, html) in layouts {
        let found = columns(&html);
        let heading = found.iter().find(|(column, _)| column == "heading");
        let values = heading.map(|(_, values)| values.join(" "));
        let expected = "January January January February February February March March March";
        assert_eq!(values.as_deref(), Some(expected), "{name}: {found:?}");
    }
}
