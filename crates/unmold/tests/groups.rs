//! Grouping: the project's own sites in one pile, promises about order and batches, and floors on
//! labelled pages.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};
use unmold::{
    Page, Text,
    group::{Grouping, KnownGroups, Membership, add, by_peaks, group},
};
use unmold_invariants::labelled_pages;

fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "html")
    });
    files.sort();
    files
}

fn text(id: String, file: &Path) -> Text {
    Text::decode(Page::new(id, fs::read(file).unwrap()))
}

fn stem(file: &Path) -> &str {
    file.file_stem().unwrap().to_str().unwrap()
}

type Labels = HashMap<String, Option<String>>;

fn own_sites() -> (Vec<Text>, Labels) {
    let sites = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites");
    let labels: Labels =
        serde_json::from_str(&fs::read_to_string(sites.join("groups.json")).unwrap()).unwrap();
    let mut folders: Vec<PathBuf> = fs::read_dir(&sites)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    let site = |folder: &PathBuf| folder.file_name().unwrap().to_str().unwrap().to_owned();
    let pages = |folder: &PathBuf| {
        let site = site(folder);
        html_files(&folder.join("pages"))
            .into_iter()
            .map(move |file| text(format!("{site}/{}", stem(&file)), &file))
            .collect::<Vec<_>>()
    };
    (folders.iter().flat_map(pages).collect(), labels)
}

/// B-cubed F1 and the adjusted Rand index; a page without a group stands alone.
fn scores(grouping: &Grouping, texts: &[Text], labels: &Labels) -> (f64, f64) {
    let alone = |id: &str| format!("alone: {id}");
    let pages: Vec<(String, String)> = texts
        .iter()
        .zip(grouping.places())
        .map(|(text, place)| {
            let given = place
                .group()
                .map_or_else(|| alone(text.id()), |group| group.to_string());
            (
                given,
                labels[text.id()]
                    .clone()
                    .unwrap_or_else(|| alone(text.id())),
            )
        })
        .collect();
    let mut given: HashMap<&str, f64> = HashMap::new();
    let mut truth: HashMap<&str, f64> = HashMap::new();
    let mut both: HashMap<(&str, &str), f64> = HashMap::new();
    for (g, t) in &pages {
        *given.entry(g).or_default() += 1.0;
        *truth.entry(t).or_default() += 1.0;
        *both.entry((g, t)).or_default() += 1.0;
    }
    let n = pages.len() as f64;
    let precision: f64 = both
        .iter()
        .map(|(&(g, _), &count)| count * count / given[g])
        .sum::<f64>()
        / n;
    let recall: f64 = both
        .iter()
        .map(|(&(_, t), &count)| count * count / truth[t])
        .sum::<f64>()
        / n;
    let pairs = |count: f64| count * (count - 1.0) / 2.0;
    let together: f64 = both.values().map(|&count| pairs(count)).sum();
    let (a, b): (f64, f64) = (
        given.values().map(|&c| pairs(c)).sum(),
        truth.values().map(|&c| pairs(c)).sum(),
    );
    let chance = a * b / pairs(n);
    (
        2.0 * precision * recall / (precision + recall),
        (together - chance) / ((a + b) / 2.0 - chance),
    )
}

#[test]
fn own_sites_in_one_pile_are_sorted_by_template() {
    let (texts, labels) = own_sites();
    let grouping = group(&texts);
    assert_eq!(scores(&grouping, &texts, &labels), (1.0, 1.0));
    let odd = texts
        .iter()
        .position(|text| text.id() == "shop-en/0021")
        .unwrap();
    assert!(matches!(
        grouping.places()[odd],
        Membership::Alone { nearest: Some(_) }
    ));
    // Products and categories are pages of one site; all others are sites of their own.
    let mut sites: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for group in grouping.groups() {
        let site = texts[group.representative].id().split('/').next().unwrap();
        sites.entry(group.site).or_default().push(site);
    }
    assert!(
        sites
            .values()
            .all(|site| site.iter().all(|name| *name == site[0])),
        "{sites:?}"
    );
    assert!(sites.values().any(|site| site.len() == 2), "{sites:?}");
    assert!(
        grouping
            .groups()
            .iter()
            .all(|group| !group.evidence.is_empty() && !group.name.is_empty())
    );
}

/// The groups by page id, with all that is said of them.
fn told(grouping: &Grouping, texts: &[Text]) -> String {
    let mut lines: Vec<String> = texts
        .iter()
        .zip(grouping.places())
        .map(|(text, place)| format!("{} {place}", text.id()))
        .collect();
    lines.sort();
    for group in grouping.groups() {
        let like = texts[group.representative].id();
        lines.push(format!(
            "{} {} {like} {:?} {} {}",
            group.number, group.name, group.evidence, group.layout, group.site
        ));
    }
    lines.join("\n") + &serde_json::to_string(grouping.known()).unwrap()
}

/// The same pages in other orders.
fn shuffled(texts: &[Text], seed: usize) -> Vec<Text> {
    let mut shuffled = texts.to_vec();
    let mut state = seed as u64 + 1;
    for at in (1..shuffled.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        shuffled.swap(at, (state >> 33) as usize % (at + 1));
    }
    shuffled
}

#[test]
fn the_order_of_pages_changes_nothing() {
    let (texts, _) = own_sites();
    let expected = told(&group(&texts), &texts);
    let peaks = told(&by_peaks(&texts).unwrap(), &texts);
    for seed in 0..5 {
        let texts = shuffled(&texts, seed);
        assert_eq!(told(&group(&texts), &texts), expected);
        assert_eq!(told(&by_peaks(&texts).unwrap(), &texts), peaks);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (texts, _) = own_sites();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| told(&group(&texts), &texts))
    };
    assert_eq!(with(1), with(5));
}

#[test]
fn later_pages_join_known_groups_in_any_number_of_steps() {
    let (texts, labels) = own_sites();
    // Every third page comes later; the groups survive being written and read.
    let (later, first): (Vec<_>, Vec<_>) = texts
        .into_iter()
        .enumerate()
        .partition(|(at, _)| at % 3 == 2);
    let unnumbered = |pages: Vec<(usize, Text)>| {
        pages
            .into_iter()
            .map(|(_, text)| text)
            .collect::<Vec<Text>>()
    };
    let (later, first) = (unnumbered(later), unnumbered(first));
    let found = group(&first);
    let known: KnownGroups =
        serde_json::from_str(&serde_json::to_string(found.known()).unwrap()).unwrap();
    let at_once = add(&known, &later);
    let label_of =
        |number: usize| labels[first[found.groups()[number].representative].id()].clone();
    for (text, place) in later.iter().zip(at_once.places()) {
        // Of the two category pages one came first, and one page is no group.
        let expected = labels[text.id()]
            .clone()
            .filter(|label| label != "shop-en/category");
        assert_eq!(place.group().and_then(label_of), expected, "{}", text.id());
    }
    let (one, two) = later.split_at(later.len() / 2);
    let half = add(&known, one);
    let rest = add(half.known(), two);
    let in_steps: Vec<Membership> = half.places().iter().chain(rest.places()).copied().collect();
    assert_eq!(in_steps, at_once.places());
    assert_eq!(
        serde_json::to_string(rest.known()).unwrap(),
        serde_json::to_string(at_once.known()).unwrap()
    );
}

#[test]
fn pages_that_fit_no_known_group_make_new_ones() {
    let (texts, _) = own_sites();
    let (news, others): (Vec<Text>, Vec<Text>) = texts
        .into_iter()
        .partition(|text| text.id().starts_with("news-de"));
    let known = group(&others);
    let grouping = add(known.known(), &news);
    assert_eq!(grouping.groups().len(), 1);
    assert_eq!(grouping.groups()[0].number, known.groups().len());
    assert_eq!(grouping.known().groups().len(), known.groups().len() + 1);
    assert_eq!(
        grouping.known().groups()[known.groups().len()].pages,
        news.len()
    );
}

#[test]
fn files_of_known_groups_that_make_no_sense_are_refused() {
    let page = |n: usize| Text::from_string(n.to_string(), format!("<div class=a><p class=b>{n}"));
    let good = serde_json::to_value(group(&[page(1), page(2)]).known()).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut file = good.clone();
        change(&mut file);
        serde_json::from_value::<KnownGroups>(file)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&|file| file["unmold_groups"] = 9.into()).contains("version 9"));
    assert!(refused(&|file| file["groups"][0]["scale"] = 7.into()).contains("group 0"));
    assert!(
        refused(&|file| file["groups"][0]["exemplars"][0]["paths"][0] = 4_000_000.into())
            .contains("group 0")
    );
    assert!(refused(&|file| file["scales"][0][0][0] = "no hash".into()).contains("no hash"));
    assert!(refused(&|file| file["surprise"] = 1.into()).contains("surprise"));
}

#[test]
fn strange_piles_are_grouped_without_fuss() {
    let of = |pages: &[&str]| {
        let texts: Vec<Text> = pages
            .iter()
            .enumerate()
            .map(|(n, page)| Text::from_string(n.to_string(), *page))
            .collect();
        group(&texts)
            .places()
            .iter()
            .map(|place| place.group())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&[]), []);
    assert_eq!(of(&["<p>one page"]), [None]);
    assert_eq!(of(&["", "just words", "  "]), [None, None, None]);
    assert_eq!(of(&["<p>same"; 5]), [Some(0); 5]);
    assert_eq!(of(&["<p>", "<b><i>", "<table><tr><td>"]), [None; 3]);
}

#[test]
fn pages_that_were_cut_short_are_placed_but_teach_nothing() {
    let (texts, _) = own_sites();
    let cut: Vec<Text> = texts
        .iter()
        .filter(|text| text.id().starts_with("library-ar"))
        .map(|text| Text::decode(Page::new(text.id(), text.as_str().into()).with_truncated(true)))
        .collect();
    assert!(group(&cut).groups().is_empty());
    let known = group(&texts);
    let library = texts
        .iter()
        .position(|text| text.id() == cut[0].id())
        .and_then(|at| known.places()[at].group());
    assert!(library.is_some());
    assert!(
        add(known.known(), &cut)
            .places()
            .iter()
            .all(|place| place.group() == library)
    );
}

#[test]
fn sampling_finds_what_comparing_all_pages_finds() {
    // Beyond a thousand pages only a sample is compared.
    let kinds = ["a", "b", "c", "d", "e", "f", "g"];
    let page = |n: usize| {
        let kind = kinds[n % kinds.len()];
        let rows = format!("<li class='{kind}1'><i class={kind}2></i></li>").repeat(1 + n % 3);
        Text::from_string(
            format!("{n:05}"),
            format!("<body class={kind}><ul class='{kind}3'>{rows}</ul><p class='{kind}4'><b>"),
        )
    };
    let texts: Vec<Text> = (0..2500).map(page).collect();
    let grouping = group(&texts);
    assert_eq!(grouping.groups().len(), kinds.len());
    for (n, place) in grouping.places().iter().enumerate() {
        assert_eq!(*place, grouping.places()[n % kinds.len()]);
    }
}

/// A quality gate: raise the floors when grouping gets better, never lower them.
#[test]
fn labelled_page_types_among_noise() {
    let Some(data) = labelled_pages("groups") else {
        return;
    };
    let labels: Labels =
        serde_json::from_str(&fs::read_to_string(data.join("labels.json")).unwrap()).unwrap();
    let texts: Vec<Text> = html_files(&data.join("pages"))
        .iter()
        .map(|file| text(stem(file).to_owned(), file))
        .collect();
    let (f1, rand) = scores(&group(&texts), &texts, &labels);
    assert!(
        f1 >= 0.95 && rand >= 0.93,
        "B-cubed F1 {f1:.4}, adjusted Rand index {rand:.4}"
    );
}

#[test]
fn labelled_sites_in_one_pile() {
    let Some(data) = labelled_pages("fields") else {
        return;
    };
    let (mut texts, mut labels) = (Vec::new(), Labels::new());
    for site in fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        for file in html_files(&site.join("pages")) {
            let id = format!("{}/{}", stem(&site), stem(&file));
            labels.insert(id.clone(), Some(stem(&site).to_owned()));
            texts.push(text(id, &file));
        }
    }
    let (f1, rand) = scores(&group(&texts), &texts, &labels);
    assert!(
        f1 >= 0.99 && rand >= 0.99,
        "B-cubed F1 {f1:.4}, adjusted Rand index {rand:.4}"
    );
}

#[test]
fn known_groups_recognise_the_pages_they_were_found_with() {
    let (pile, _) = own_sites();
    let of_site = |text: &&Text| text.id().split('/').next().unwrap_or_default().to_owned();
    let mut sites: BTreeMap<String, Vec<Text>> = BTreeMap::new();
    pile.iter()
        .for_each(|text| sites.entry(of_site(&text)).or_default().push(text.clone()));
    for (site, texts) in sites {
        let found = group(&texts);
        let json = serde_json::to_string(found.known()).unwrap();
        let known: KnownGroups = serde_json::from_str(&json).unwrap();
        let again = add(&known, &texts);
        assert!(again.groups().is_empty(), "{site}: {:?}", again.groups());
        assert_eq!(found.places(), again.places(), "{site}");
    }
}
