//! `unmold group`: which pages share a template?

use crate::{
    args::{Format, Global, GroupArgs, GroupMethod},
    corpus::{Again, Corpus},
    exit::{Failure, Outcome},
    learning,
    output::{self, Destinations},
    progress::Progress,
    terminal::{bold, clipped, counted, dimmed, visible},
};
use anyhow::{Context, Result};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
};
use unmold::{
    Text,
    group::{self, Group, Grouping, KnownGroup, KnownGroups, Membership},
    read::PageError,
};
use unmold_io::Fault;

const NAME_WIDTH: usize = 60;
const EVIDENCE_WIDTH: usize = 90;
/// Pages without a group are listed up to this many in the table.
const LISTED_ALONE: usize = 10;

pub fn run(args: &GroupArgs, global: &Global) -> Result<Outcome> {
    if args.method == GroupMethod::Amplify && (args.add.is_some() || args.save.is_some()) {
        return Err(Failure::Usage("--add and --save go with --method layout".to_owned()).into());
    }
    // The groups that are added to may be kept in the same file.
    let saved = args.save.as_deref().filter(|&path| args.add.as_deref() != Some(path));
    Destinations::of(&args.inputs, args.output.overwrite)?
        .reads(args.add.as_deref())
        .file(args.output.output.as_deref())?
        .file(saved)?;
    let known = args.add.as_deref().map(read_known).transpose()?.unwrap_or_default();
    let mut progress = Progress::new(global.quiet);
    let mut corpus = match args.method {
        GroupMethod::Layout => Corpus::sampled(&args.inputs, global, true, &mut progress)?,
        GroupMethod::Amplify => Corpus::read(&args.inputs, global, &mut progress)?,
    };
    progress.begin("grouping pages");
    let grouping = match args.method {
        GroupMethod::Layout => group::add(&known, &corpus.texts),
        GroupMethod::Amplify => group::by_peaks(&corpus.texts)?,
    };
    for error in grouping.failed() {
        corpus.refuse(Fault::of_page(&error.page, error.reason()), &progress)?;
    }
    let sorted = Sorted::new(&known, &grouping, &corpus);
    write(args, sorted, corpus.again(&mut progress), progress)
}

/// Writes where each page belongs.
fn write(args: &GroupArgs, mut sorted: Sorted<'_>, mut pages: Again<'_>, mut progress: Progress) -> Result<Outcome> {
    let format = args.output.format;
    if format == Format::Jsonl && args.output.output.is_none() {
        progress.make_way_for_rows();
    }
    output::stream_to(args.output.output.as_deref(), args.output.overwrite, |out| {
        while let Some(texts) = pages.next(&mut progress)? {
            let (places, failed) = sorted.places(&texts);
            for error in failed {
                pages.refuse(Fault::of_page(&error.page, error.reason()), &progress)?;
            }
            if format == Format::Jsonl {
                let mut rows = texts.iter().zip(places).map(|(text, place)| row(text, place, &sorted.known));
                rows.try_for_each(|row| output::jsonl_row(out, &row))?;
            }
        }
        progress.end(&sorted.summary(args.add.is_some()));
        if format == Format::Table {
            progress.make_way_for_rows();
            write_table(out, &sorted)?;
        }
        Ok(())
    })?;
    if let Some(path) = &args.save {
        output::write_json(path, args.output.overwrite || args.add.as_ref() == Some(path), &sorted.known)?;
    }
    pages.close()
}

/// A pile while it is written.
struct Sorted<'g> {
    before: &'g KnownGroups,
    /// With the pages of each group, where all pages were sorted.
    known: KnownGroups,
    groups: &'g [Group],
    /// The id of a page that is like the others of each group.
    representatives: Vec<String>,
    /// Where the pages belong that follow, if they were grouped all at once. Otherwise they are placed as they come.
    memberships: Option<std::slice::Iter<'g, Membership>>,
    /// The pages of each group.
    counts: BTreeMap<usize, usize>,
    pages: usize,
    /// Pages in no group that are nearest to one, with their number.
    alone: Vec<(String, Membership)>,
    count_alone: usize,
}

impl<'g> Sorted<'g> {
    fn new(before: &'g KnownGroups, grouping: &'g Grouping, corpus: &Corpus<'_>) -> Self {
        let mut known = grouping.known().clone();
        if !corpus.is_whole() {
            known.count_from(before);
        }
        let representative = |group: &Group| corpus.texts[group.representative].id().to_owned();
        Sorted {
            before,
            known,
            groups: grouping.groups(),
            representatives: grouping.groups().iter().map(representative).collect(),
            memberships: corpus.is_whole().then(|| grouping.places().iter()),
            counts: BTreeMap::new(),
            pages: 0,
            alone: Vec::new(),
            count_alone: 0,
        }
    }

    /// Where the next pages belong, and on which the program fails.
    fn places(&mut self, texts: &[Text]) -> (Vec<Membership>, Vec<PageError>) {
        let (places, failed) = match &mut self.memberships {
            Some(places) => (places.take(texts.len()).copied().collect(), Vec::new()),
            None => group::place(&mut self.known, texts),
        };
        self.pages += texts.len();
        for (text, place) in texts.iter().zip(&places) {
            match place.group() {
                Some(group) => *self.counts.entry(group).or_default() += 1,
                None => self.alone.push((text.id().to_owned(), *place)),
            }
        }
        self.keep_nearest();
        (places, failed)
    }

    /// Keeps the pages in no group that are listed.
    fn keep_nearest(&mut self) {
        let nearness = |place: &Membership| match place {
            Membership::Alone { nearest: Some((_, similarity)) } => *similarity,
            _ => 0.0,
        };
        self.alone
            .sort_by(|one, other| nearness(&other.1).total_cmp(&nearness(&one.1)).then_with(|| one.0.cmp(&other.0)));
        self.alone.truncate(LISTED_ALONE);
        self.count_alone = self.pages - self.counts.values().sum::<usize>();
    }

    fn summary(&self, is_adding: bool) -> String {
        let groups = counted(self.groups.len(), if is_adding { "new group" } else { "group" });
        learning::story(&groups, self.pages - self.count_alone, self.pages)
    }

    fn count(&self, group: &Group) -> usize {
        self.counts.get(&group.number).copied().unwrap_or_default()
    }

    fn representative(&self, group: &Group) -> &str {
        let at = self.groups.iter().position(|known| known.number == group.number);
        at.map_or("", |at| &self.representatives[at])
    }
}

fn read_known(path: &Path) -> Result<KnownGroups> {
    let refused = |reason: String| Failure::Usage(format!("--add {}: {reason}", path.display()));
    let file = fs::read(path).map_err(|error| refused(error.to_string()))?;
    serde_json::from_slice(&file).map_err(|error| refused(error.to_string())).context("not a file of known groups")
}

/// A page, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    group: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

fn row<'a>(text: &'a Text, place: Membership, known: &'a KnownGroups) -> Row<'a> {
    let known = place.group().and_then(|group| known.groups().get(group));
    Row {
        page: text.id(),
        url: text.url(),
        group: place.group(),
        name: known.map(|group| group.name.as_str()),
        layout: known.map(|group| group.layout),
        site: known.map(|group| group.site),
        why: place.group().is_none().then(|| place.to_string()),
    }
}

fn write_table(out: &mut dyn Write, sorted: &Sorted<'_>) -> io::Result<()> {
    write_joined(out, sorted)?;
    let mut sites: BTreeMap<usize, Vec<&Group>> = BTreeMap::new();
    sorted.groups.iter().for_each(|group| sites.entry(group.site).or_default().push(group));
    let mut in_order: Vec<&Vec<&Group>> = sites.values().collect();
    in_order.sort_by_key(|groups| groups[0].number);
    for groups in in_order {
        write_site(out, groups, sorted)?;
    }
    write_alone(out, sorted)
}

/// What known groups gained.
fn write_joined(out: &mut dyn Write, sorted: &Sorted<'_>) -> io::Result<()> {
    let gained = |(before, after): (&KnownGroup, &KnownGroup)| after.pages - before.pages;
    let both = sorted.before.groups().iter().zip(sorted.known.groups());
    for (number, pair) in both.enumerate().filter(|(_, pair)| gained(*pair) > 0) {
        let name = clipped(&visible(&pair.1.name), NAME_WIDTH).into_owned();
        writeln!(out, "{:>5}  +{} pages, now {:<6} {}", number, gained(pair), pair.1.pages, bold(&name))?;
    }
    Ok(())
}

fn write_site(out: &mut dyn Write, groups: &[&Group], sorted: &Sorted<'_>) -> io::Result<()> {
    let pages: usize = groups.iter().map(|group| sorted.count(group)).sum();
    if groups.len() > 1 {
        writeln!(out, "{}", dimmed(&format!("one site, {} groups, {pages} pages", groups.len())))?;
    }
    for group in groups {
        write_group(out, group, sorted)?;
    }
    writeln!(out)
}

fn write_group(out: &mut dyn Write, group: &Group, sorted: &Sorted<'_>) -> io::Result<()> {
    let name = clipped(&visible(&group.name), NAME_WIDTH).into_owned();
    writeln!(out, "{:>5}  {:>6} pages  {}", group.number, sorted.count(group), bold(&name))?;
    let like = visible(sorted.representative(group)).into_owned();
    writeln!(out, "       like {}", clipped(&like, EVIDENCE_WIDTH))?;
    if !group.evidence.is_empty() {
        let evidence: Vec<String> = group.evidence.iter().map(|string| format!("“{}”", visible(string))).collect();
        writeln!(out, "       {}", dimmed(&format!("all say {}", clipped(&evidence.join(" "), EVIDENCE_WIDTH))))?;
    }
    Ok(())
}

/// Lists pages in no group; what is nearest to one comes first.
fn write_alone(out: &mut dyn Write, sorted: &Sorted<'_>) -> io::Result<()> {
    if sorted.count_alone > 0 {
        writeln!(out, "{} in no group", counted(sorted.count_alone, "page"))?;
    }
    for (id, place) in &sorted.alone {
        writeln!(out, "       {}: {place}", clipped(&visible(id), NAME_WIDTH))?;
    }
    if sorted.count_alone > LISTED_ALONE {
        writeln!(
            out,
            "{}",
            dimmed(&format!("       ... and {} more; -f jsonl has them all", sorted.count_alone - LISTED_ALONE))
        )?;
    }
    Ok(())
}
