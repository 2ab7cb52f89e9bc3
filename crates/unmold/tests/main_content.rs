//! What is no content, and what is: a small page for each rule, in four scripts.

use unmold::{Learner, Mold, Text};

/// A language in which pages are written.
struct Language {
    title: &'static str,
    /// What the article says, and what somebody else says; each long enough for a paragraph.
    article: &'static str,
    other: &'static str,
    name: &'static str,
}

const LANGUAGES: [Language; 4] = [
    Language {
        title: "Harbour bridge closed to lorries",
        article: "The bridge over the harbour stays closed to lorries for a week, as engineers have found a crack in it",
        other: "What somebody else thinks of this is told here at a length that could be that of a paragraph",
        name: "Ann Miller",
    },
    Language {
        title: "Κλειστή η γέφυρα του λιμανιού",
        article: "Η γέφυρα του λιμανιού μένει κλειστή για τα φορτηγά, καθώς οι μηχανικοί βρήκαν μια ρωγμή",
        other: "Εδώ λέει κάποιος άλλος τι σκέφτεται για όλα αυτά, τόσο πολύ που μοιάζει με παράγραφο",
        name: "Άννα Μίλλερ",
    },
    Language {
        title: "港の橋が通行止めになりました",
        article: "港の橋は亀裂が見つかったため、一週間のあいだトラックの通行が止められると市の技術者が説明しました",
        other: "ここには別の人がこの出来事についてどう考えているのかが段落と同じくらいの長さで書かれています",
        name: "山田花子",
    },
    Language {
        title: "إغلاق جسر الميناء أمام الشاحنات",
        article: "يبقى جسر الميناء مغلقا أمام الشاحنات لمدة أسبوع بعد أن عثر المهندسون على شق فيه",
        other: "هنا يقول شخص آخر ما يفكر فيه حول كل هذا بكلام طويل يشبه فقرة من المقال",
        name: "آنا ميلر",
    },
];

impl Language {
    /// Paragraphs of the article, from one number to another.
    fn paragraphs(&self, numbers: std::ops::Range<usize>) -> String {
        numbers
            .map(|number| format!("<p>{} ({number}).</p>", self.article))
            .collect()
    }

    fn page(&self, body: &str) -> String {
        let title = self.title;
        format!("<html><head><title>{title}</title></head><body>{body}</body></html>")
    }

    /// A page whose article has eight paragraphs, with something behind it.
    fn article(&self, behind: &str) -> String {
        let (title, paragraphs) = (self.title, self.paragraphs(0..8));
        self.page(&format!(
            "<main><article><h1>{title}</h1><div class=story>{paragraphs}</div></article>{behind}</main>"
        ))
    }

    /// How often a page alone gives what the article says, and what somebody else says.
    fn given(&self, page: &str) -> (usize, usize) {
        let text = content(page);
        let times = |said: &str| text.matches(said).count();
        (times(self.article), times(self.other))
    }
}

fn content(page: &str) -> String {
    let text = Text::from_string("1", page);
    let reader = Mold::nothing().reader();
    let found = reader.read_alone(&text).unwrap();
    found.content().text()
}

#[test]
fn comments_in_articles_are_told_by_their_footers() {
    for language in &LANGUAGES {
        let comment = |number: usize| {
            let (name, other) = (language.name, language.other);
            format!(
                "<li id=comment-{number}><article class=comment><footer><b>{name}</b> \
                 <a href='#comment-{number}'><time datetime=2023-05-0{number}>{number}.5.2023</time></a></footer>\
                 <div class=said><p>{other} ({number}).</p></div></article></li>"
            )
        };
        let comments: String = (1..4).map(comment).collect();
        let page = language.article(&format!("<div id=talk><h2>3</h2><ol>{comments}</ol></div>"));
        assert_eq!(language.given(&page), (8, 0), "{}", language.title);
    }
}

#[test]
fn entries_that_say_the_hour_alone_are_no_comments() {
    for language in &LANGUAGES {
        let entry = |number: usize| {
            let (name, other) = (language.name, language.other);
            format!(
                "<div class=entry><div class=info><time>{}:05</time> <b>{name}</b></div>\
                 <div class=said><p>{other} ({number}).</p></div></div>",
                9 + number
            )
        };
        let entries: String = (0..6).map(entry).collect();
        let (title, paragraphs) = (language.title, language.paragraphs(0..8));
        let page = language.page(&format!(
            "<main><article><h1>{title}</h1>{paragraphs}<div class=entries>{entries}</div></article></main>"
        ));
        assert_eq!(language.given(&page), (8, 6), "{title}");
    }
}

#[test]
fn what_declares_itself_the_article_is_no_comment() {
    for language in &LANGUAGES {
        let reply = |number: usize| {
            let (name, other) = (language.name, language.other);
            format!(
                "<div class=reply><div class=info>{name}, {number}.5.2023</div>\
                 <div class=said><p>{other} ({number}).</p></div></div>"
            )
        };
        let replies: String = (1..6).map(reply).collect();
        let page = |body: &str, head: &str| {
            let (title, paragraphs) = (language.title, language.paragraphs(0..8));
            language.page(&format!(
                "{head}<main><h1>{title}</h1><div {body}><div>{paragraphs}</div>{replies}</div></main>"
            ))
        };
        assert_eq!(language.given(&page("", "")), (8, 0), "{}", language.title);
        let declared = page("itemprop=articleBody", "");
        assert_eq!(language.given(&declared), (8, 5), "{}", language.title);
        let live = "<script type=application/ld+json>{\"@type\":\"LiveBlogPosting\"}</script>";
        let declared = page("", live);
        assert_eq!(language.given(&declared), (8, 5), "{}", language.title);
    }
}

#[test]
fn hidden_text_is_left_out_unless_it_is_the_page() {
    for language in &LANGUAGES {
        let hidden = |how: &str| {
            let other = format!("<p>{}.</p>", language.other);
            let title = language.title;
            let (before, behind) = (language.paragraphs(0..4), language.paragraphs(4..8));
            language.page(&format!(
                "<main><h1>{title}</h1>{before}<div {how}>{other}</div>{behind}</main>"
            ))
        };
        for how in ["hidden", "style='display: none'", "aria-hidden=true"] {
            assert_eq!(language.given(&hidden(how)), (8, 0), "{how}");
        }
        // Frameworks send a page hidden, and their scripts show it.
        let (title, paragraphs) = (language.title, language.paragraphs(0..8));
        let sent = language.page(&format!(
            "<p>{}</p><div hidden><h1>{title}</h1>{paragraphs}</div>",
            language.name
        ));
        assert_eq!(language.given(&sent).0, 8, "{title}");
        // So do those that have an article paid for.
        let opening = language.paragraphs(8..9);
        let paid = language.page(&format!(
            "<article><h1>{title}</h1>{opening}<div hidden>{paragraphs}</div></article>\
             <div><p>{}</p></div>",
            language.other
        ));
        assert_eq!(language.given(&paid).0, 9, "{title}");
    }
}

#[test]
fn what_a_heading_or_a_tab_unfolds_is_content() {
    for language in &LANGUAGES {
        let (title, other) = (language.title, language.other);
        let folded = |number: usize, opening: &str, panel: &str| {
            let paragraph = format!("<p>{} ({number}).</p>", language.article);
            format!(
                "{}<div id=panel-{number} {panel}>{paragraph}</div>",
                opening
                    .replace("NUMBER", &number.to_string())
                    .replace("NAME", &format!("{other} {number}"))
            )
        };
        let opening =
            "<h3><button aria-controls=panel-NUMBER aria-expanded=false>NAME</button></h3>";
        let accordion: String = (0..6).map(|at| folded(at, opening, "hidden")).collect();
        let page = |body: &str| {
            let paragraphs = language.paragraphs(6..8);
            language.page(&format!("<main><h1>{title}</h1>{paragraphs}{body}</main>"))
        };
        let given = content(&page(&accordion));
        assert_eq!(given.matches(language.article).count(), 8, "{title}");
        assert!(
            given.contains(other),
            "{title}: what is pressed is a heading"
        );
        let opening = "<a role=tab href=#panel-NUMBER>NAME</a>";
        let tabs: String = (0..6)
            .map(|at| folded(at, opening, "role=tabpanel"))
            .collect();
        let tabs = page(&format!("<div role=tablist>{tabs}</div>"));
        assert_eq!(language.given(&tabs), (8, 0), "{title}");
    }
}

#[test]
fn pages_that_are_announced_behind_the_article_are_not_its_content() {
    for language in &LANGUAGES {
        let card = |number: usize| {
            let (title, other) = (language.title, language.other);
            format!(
                "<div class=card><a href=/story/{number}><h3>{title} {number}</h3><p>{other} ({number}).</p></a></div>"
            )
        };
        let cards: String = (0..4).map(card).collect();
        let (title, paragraphs) = (language.title, language.paragraphs(0..24));
        let page = |cards: &str| {
            language.page(&format!(
                "<main><h1>{title}</h1><div>{paragraphs}<div class=cards>{cards}</div></div></main>"
            ))
        };
        assert_eq!(language.given(&page(&cards)), (24, 0), "{title}");
        // One page that is announced between paragraphs is a part of the article, after them it is not.
        let between = format!("{}{}", card(0), language.paragraphs(24..36));
        assert_eq!(language.given(&page(&between)), (36, 1), "{title}");
        assert_eq!(language.given(&page(&card(0))), (24, 0), "{title}");
        // Where there is little else, they are what the page is for.
        let list = language.page(&format!(
            "<main><h1>{title}</h1><p>{}.</p>{cards}</main>",
            language.article
        ));
        assert_eq!(language.given(&list), (1, 4), "{title}");
    }
}

#[test]
fn a_link_to_a_page_of_the_same_name_is_no_headline() {
    for language in &LANGUAGES {
        let (title, paragraphs) = (language.title, language.paragraphs(0..8));
        let comment = |number: usize| {
            let (name, other) = (language.name, language.other);
            format!(
                "<div class=comment><div class=who>{name} {number}.5.2023</div><p class=said>{other} ({number}).</p></div>"
            )
        };
        let comments: String = (1..6).map(comment).collect();
        let page = language.page(&format!(
            "<div id=all><h1>{title} <span>15</span></h1><div class=story>{paragraphs}</div>\
             <div class=beside><h3><a href=/other>{title}</a></h3></div><div>{comments}</div></div>"
        ));
        assert_eq!(language.given(&page), (8, 0), "{title}");
    }
}

#[test]
fn what_a_figure_says_is_its_caption() {
    for language in &LANGUAGES {
        let (title, other) = (language.title, language.other);
        let page = |figure: &str| {
            language.page(&format!(
                "<main><h1>{title}</h1>{}<figure>{figure}<div>{other}</div></figure>{}</main>",
                language.paragraphs(0..4),
                language.paragraphs(4..8)
            ))
        };
        assert_eq!(language.given(&page("<img src=a.png>")), (8, 0), "{title}");
        let quote = page("<blockquote>1</blockquote>");
        assert_eq!(language.given(&quote), (8, 1), "{title}");
    }
}

/// A chant repeats itself and quotes nobody.
#[test]
fn a_paragraph_that_says_one_thing_again_and_again_is_kept() {
    for language in &LANGUAGES {
        let chant = vec![language.article; 40].join(" ");
        let page = language.page(&format!(
            "<h1>{}</h1><div><p>{chant}</p></div>",
            language.title
        ));
        let kept = content(&page).matches(language.article).count();
        assert_eq!(kept, 40, "{}", language.title);
    }
}

/// Versions of one page over the years: one paragraph is new, the others are as before.
#[test]
fn what_versions_of_a_page_share_is_their_content() {
    for language in &LANGUAGES {
        let version = |year: usize| {
            let (title, paragraphs) = (language.title, language.paragraphs(0..12));
            let news = LANGUAGES[year % LANGUAGES.len()].other;
            let page = language.page(&format!(
                "<div class=menu><a href=/>1</a> <a href=/2>2</a></div>\
                 <div class=terms><h1>{title}</h1>{paragraphs}<p>{news} ({year}).</p></div>\
                 <div class=foot>{}</div>",
                language.name
            ));
            Text::from_string(format!("{year}"), page)
        };
        let versions: Vec<Text> = (0..5).map(version).collect();
        let mold = Learner::default().learn(&versions[..4]).unwrap();
        let reader = mold.reader();
        let found = reader.read(&versions[4]).unwrap();
        let text = found.content().text();
        let kept = text.matches(language.article).count();
        assert_eq!(kept, 12, "{}", language.title);
    }
}

#[test]
fn cards_beside_the_main_part_do_not_outweigh_it() {
    for language in LANGUAGES {
        let card = |number: usize| {
            let (name, title) = (language.name, language.title);
            format!("<a href=/{number}><div>{title} {number}</div><div>{name}</div></a>")
        };
        let cards: String = (0..80).map(card).collect();
        let page = format!(
            "<div class=programme>{cards}</div><main><h1>{}</h1>{}</main>",
            language.title,
            language.paragraphs(0..8)
        );
        let text = content(&language.page(&page));
        assert!(text.contains(language.article), "{text}");
        assert!(!text.contains(language.name), "{text}");
    }
}

#[test]
fn a_box_is_not_taken_for_the_text_around_it() {
    for language in LANGUAGES {
        let boxed = format!("<p>{} 7, {0} 8, {0} 9.</p>", language.other).repeat(3);
        let page = format!(
            "<div class=story>{}<div class=box><div class=inner>{boxed}</div></div></div>",
            language.paragraphs(0..6)
        );
        let text = content(&language.page(&page));
        assert!(text.contains(language.article), "{text}");
    }
}

#[test]
fn versions_of_a_document_on_one_page_are_all_kept() {
    for language in LANGUAGES {
        let version = |name: &str| -> String {
            let paragraph = |number: usize| {
                let (article, other) = (language.article, language.other);
                // Digits of long sentences count: no two paragraphs of a version are the same.
                let said = format!("<p>{number}: {article}; {other}</p>");
                match number % 20 {
                    7 => format!("{said}<p>{name} {number}: {other}; {name} {other}</p>"),
                    _ => said,
                }
            };
            (0..80).map(paragraph).collect()
        };
        let page = format!("<main>{}{}</main>", version("A"), version("B"));
        let text = content(&language.page(&page));
        assert_eq!(text.matches(language.article).count(), 160);
        // A copy for narrow screens says nothing new.
        let page = format!("<main>{}{}</main>", version("A"), version("A"));
        let text = content(&language.page(&page));
        assert_eq!(text.matches(language.article).count(), 80);
    }
}

#[test]
fn a_shell_gives_what_it_states_and_says_so() {
    for language in LANGUAGES {
        let said: String = (0..12)
            .map(|number| format!("{number} {} ", language.article))
            .collect();
        let page = format!(
            "<title>{0} | News</title><div id=app></div><script>q.push({{\"state\": {{\"title\": \"{0}\", \"body\": \"{said}\"}}}})</script>",
            language.title
        );
        let page = Text::from_string("1", page);
        let reader = Mold::nothing().reader();
        let found = reader.read_alone(&page).unwrap();
        let content = found.content();
        assert!(content.is_stated() && content.spans().is_empty());
        assert!(content.text().starts_with(language.title));
        assert!(content.markdown().contains(language.article));
        assert_eq!(found.about().title.as_deref(), Some(language.title));
    }
}
