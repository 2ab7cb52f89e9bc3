//! `unmold group`: which pages share a template?

use crate::{
    args::{Format, Global, GroupArgs, GroupMethod},
    corpus::{Chunks, Corpus},
    exit::{Failure, Outcome},
    learning,
    molds::{FileKind, read_file},
    output::{self, Destinations},
    progress::Progress,
    terminal::{bold, clipped, counted, dimmed, visible},
};
use anyhow::Result;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};
use unmold::{
    Text,
    group::{self, Grouper, Grouping, KnownGroup, KnownGroups, Membership, PageGroup},
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
    output::check_extension(
        args.output.format(),
        args.output.format.is_some(),
        false,
        args.output.output.as_deref(),
    )?;
    // The groups that are added to may be kept in the same file.
    let saved = args
        .save
        .as_deref()
        .filter(|&path| args.add.as_deref() != Some(path));
    Destinations::of(&args.inputs, args.output.overwrite)?
        .reads(args.add.as_deref())
        .file(args.output.output.as_deref())?
        .file(saved)?;
    let known = args
        .add
        .as_deref()
        .map(read_known)
        .transpose()?
        .unwrap_or_default();
    let mut progress = Progress::new(global.quiet);
    let (grouping, names, outcome) = match args.method {
        GroupMethod::Layout => by_layout(args, global, &known, &mut progress)?,
        GroupMethod::Amplify => by_peaks(args, global, &mut progress)?,
    };
    drop(progress);
    if let Some(path) = &args.save {
        output::write_json(
            path,
            args.output.overwrite || args.add.as_ref() == Some(path),
            grouping.known(),
        )?;
    }
    output::write(&args.output, |out| match args.output.format() {
        Format::Table => write_table(out, &grouping, &names, &known),
        Format::Jsonl => rows(&grouping, &names).try_for_each(|row| output::jsonl_row(out, &row)),
    })?;
    Ok(outcome)
}

/// What pages are called: all that is kept of them to say where they belong.
struct PageName {
    id: String,
    url: Option<String>,
}

impl PageName {
    fn of(text: &Text) -> Self {
        PageName {
            id: text.id().to_owned(),
            url: text.url().map(str::to_owned),
        }
    }
}

/// Groups pages that are read some at a time, so that no more than what they are made of is held.
fn by_layout(
    args: &GroupArgs,
    global: &Global,
    known: &KnownGroups,
    progress: &mut Progress,
) -> Result<(Grouping, Vec<PageName>, Outcome)> {
    let mut chunks = Chunks::open(&args.inputs, global, progress);
    let (mut pile, mut names) = (Grouper::default(), Vec::new());
    while let Some(texts) = chunks.next(progress)? {
        pile.read(&texts);
        names.extend(texts.iter().map(PageName::of));
    }
    chunks.all_read(progress)?;
    progress.begin("grouping pages");
    let grouping = pile.add_to(known);
    for error in grouping.failed() {
        chunks.refuse(Fault::of_page_error(error), progress)?;
    }
    progress.end(&summary(&grouping, args.add.is_some()));
    Ok((grouping, names, chunks.outcome()?))
}

/// Groups pages by substring amplification, which needs all of them at once.
fn by_peaks(
    args: &GroupArgs,
    global: &Global,
    progress: &mut Progress,
) -> Result<(Grouping, Vec<PageName>, Outcome)> {
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    progress.begin("grouping pages");
    let grouping = group::by_peaks(&corpus.texts)?;
    for error in grouping.failed() {
        corpus.refuse(Fault::of_page_error(error), progress)?;
    }
    progress.end(&summary(&grouping, false));
    let names = corpus.texts.iter().map(PageName::of).collect();
    Ok((grouping, names, corpus.close()?))
}

fn read_known(path: &Path) -> Result<KnownGroups> {
    let json = read_file(path)?;
    Ok(serde_json::from_str(&json).map_err(|error| {
        FileKind::KnownGroups.refuse(
            path,
            &json,
            &format_args!("not a file of known groups: {error}"),
        )
    })?)
}

fn summary(grouping: &Grouping, is_adding: bool) -> String {
    let grouped = grouping
        .places()
        .iter()
        .filter(|place| place.group().is_some())
        .count();
    let groups = counted(
        grouping.groups().len(),
        if is_adding { "new group" } else { "group" },
    );
    learning::story(&groups, grouped, grouping.places().len())
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

/// A row for each page, in the order of the input.
fn rows<'a>(grouping: &'a Grouping, names: &'a [PageName]) -> impl Iterator<Item = Row<'a>> {
    names
        .iter()
        .zip(grouping.places())
        .map(|(name, place)| row(name, *place, grouping))
}

fn row<'a>(page: &'a PageName, place: Membership, grouping: &'a Grouping) -> Row<'a> {
    let known = place
        .group()
        .and_then(|group| grouping.known().groups().get(group));
    Row {
        page: &page.id,
        url: page.url.as_deref(),
        group: place.group(),
        name: known.map(|group| group.name.as_str()),
        layout: known.map(|group| group.layout),
        site: known.map(|group| group.site),
        why: place.group().is_none().then(|| place.to_string()),
    }
}

fn write_table(
    out: &mut dyn Write,
    grouping: &Grouping,
    names: &[PageName],
    known: &KnownGroups,
) -> io::Result<()> {
    write_joined(out, grouping, known)?;
    let mut sites: BTreeMap<usize, Vec<&PageGroup>> = BTreeMap::new();
    grouping
        .groups()
        .iter()
        .for_each(|group| sites.entry(group.site).or_default().push(group));
    let mut in_order: Vec<&Vec<&PageGroup>> = sites.values().collect();
    in_order.sort_by_key(|groups| groups[0].number);
    for groups in in_order {
        write_site(out, groups, names)?;
    }
    write_alone(out, grouping, names)
}

/// What known groups gained.
fn write_joined(out: &mut dyn Write, grouping: &Grouping, known: &KnownGroups) -> io::Result<()> {
    let gained = |(before, after): (&KnownGroup, &KnownGroup)| after.pages - before.pages;
    let both = known.groups().iter().zip(grouping.known().groups());
    for (number, pair) in both.enumerate().filter(|(_, pair)| gained(*pair) > 0) {
        let name = clipped(&visible(&pair.1.name), NAME_WIDTH).into_owned();
        writeln!(
            out,
            "{:>5}  +{} pages, now {:<6} {}",
            number,
            gained(pair),
            pair.1.pages,
            bold(&name)
        )?;
    }
    Ok(())
}

fn write_site(out: &mut dyn Write, groups: &[&PageGroup], names: &[PageName]) -> io::Result<()> {
    let pages: usize = groups.iter().map(|group| group.pages.len()).sum();
    if groups.len() > 1 {
        writeln!(
            out,
            "{}",
            dimmed(&format!("one site, {} groups, {pages} pages", groups.len()))
        )?;
    }
    for group in groups {
        write_group(out, group, names)?;
    }
    writeln!(out)
}

fn write_group(out: &mut dyn Write, group: &PageGroup, names: &[PageName]) -> io::Result<()> {
    let name = clipped(&visible(&group.name), NAME_WIDTH).into_owned();
    writeln!(
        out,
        "{:>5}  {:>6} pages  {}",
        group.number,
        group.pages.len(),
        bold(&name)
    )?;
    let like = visible(&names[group.representative].id).into_owned();
    writeln!(out, "       like {}", clipped(&like, EVIDENCE_WIDTH))?;
    if !group.evidence.is_empty() {
        let evidence: Vec<String> = group
            .evidence
            .iter()
            .map(|string| format!("“{}”", visible(string)))
            .collect();
        writeln!(
            out,
            "       {}",
            dimmed(&format!(
                "all say {}",
                clipped(&evidence.join(" "), EVIDENCE_WIDTH)
            ))
        )?;
    }
    Ok(())
}

fn write_alone(out: &mut dyn Write, grouping: &Grouping, names: &[PageName]) -> io::Result<()> {
    let mut alone: Vec<(&str, Membership)> = names
        .iter()
        .map(|name| name.id.as_str())
        .zip(grouping.places().iter().copied())
        .filter(|(_, p)| p.group().is_none())
        .collect();
    // What is nearest to a group is listed first.
    let nearness = |place: &Membership| match place {
        Membership::Alone {
            nearest: Some((_, similarity)),
        } => *similarity,
        _ => 0.0,
    };
    alone.sort_by(|one, other| {
        nearness(&other.1)
            .total_cmp(&nearness(&one.1))
            .then_with(|| one.0.cmp(other.0))
    });
    if !alone.is_empty() {
        writeln!(out, "{} in no group", counted(alone.len(), "page"))?;
    }
    for (id, place) in alone.iter().take(LISTED_ALONE) {
        writeln!(out, "       {}: {place}", clipped(&visible(id), NAME_WIDTH))?;
    }
    if alone.len() > LISTED_ALONE {
        writeln!(
            out,
            "{}",
            dimmed(&format!(
                "       ... and {} more; -f jsonl has them all",
                alone.len() - LISTED_ALONE
            ))
        )?;
    }
    Ok(())
}
