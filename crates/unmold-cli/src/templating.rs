//! From the options about template strings to templates.

use crate::{
    args::{CleanerOptions, DocumentsOptions},
    exit::Failure,
    molds::read_mold,
    progress::Progress,
    terminal::counted,
};
use anyhow::Result;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};
use unmold::{
    Text,
    learn::NothingToLearn,
    mold::Mold,
    papers::documents::Settings,
    read::mutable::{Mutable, Mutables},
    strings::{Template, apply::Cleaner},
};

/// Learns the template strings of pages, saying how it goes.
pub fn learn(texts: &[Text], options: &DocumentsOptions, progress: &mut Progress) -> Result<Mold> {
    progress.begin("learning");
    let learned = unmold::learn::template_strings(texts, &mutables(options)?, &settings(options));
    let mold = learned.map_err(|error| match error {
        NothingToLearn::Index(error) => anyhow::Error::from(error),
        nothing => Failure::Nothing(nothing.to_string()).into(),
    })?;
    let strings: usize = templates(&mold).map(|template| template.strings.len()).sum();
    progress.end(&format!(
        "learned {} of {}",
        counted(strings, "template string"),
        counted(mold.groups.len(), "group")
    ));
    Ok(mold)
}

/// Drops strings of plain language that other sites have too.
pub fn drop_frequent_elsewhere(mold: &mut Mold, others: &[PathBuf]) -> Result<()> {
    let others = others.iter().map(|path| read_mold(path)).collect::<Result<Vec<Mold>>>()?;
    let strings = |mold| templates(mold).flat_map(|template| &template.strings).map(|string| string.string.as_str());
    let others: Vec<HashSet<&str>> = others.iter().map(|mold| strings(mold).collect()).collect();
    let templates = mold.groups.iter_mut().filter_map(|group| group.template.as_mut());
    templates.for_each(|template| template.drop_frequent_elsewhere(&others));
    Ok(())
}

/// All templates of a mold at once, ready for use.
pub fn cleaner(mold: &Mold, options: &CleanerOptions) -> Result<Cleaner> {
    if templates(mold).next().is_none() {
        return Err(
            Failure::Usage("the mold has no template strings: learn it with --method documents".to_owned()).into()
        );
    }
    Ok(Cleaner::new(templates(mold))?.merge_gap(options.merge_gap).island(options.island))
}

fn templates(mold: &Mold) -> impl Iterator<Item = &Template> {
    mold.groups.iter().filter_map(|group| group.template.as_ref())
}

/// The options as the library knows them.
pub fn settings(options: &DocumentsOptions) -> Settings {
    let settings = Settings::default().min_pages(options.min_pages).min_symbols(options.min_symbols);
    match options.cutoff {
        Some(percent) => settings.cutoff(usize::from(percent) - 1),
        None => settings,
    }
}

/// The common patterns with those of the user before them.
pub fn mutables(options: &DocumentsOptions) -> Result<Mutables> {
    let Some(path) = &options.patterns else { return Ok(Mutables::common()) };
    let lines = fs::read_to_string(path).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let own = lines.lines().enumerate().filter_map(|(at, line)| pattern(path, at + 1, line).transpose());
    Ok(Mutables::common().and(own.collect::<Result<Vec<Mutable>>>()?))
}

/// The pattern of a line, unless it is empty or a comment.
fn pattern(path: &Path, number: usize, line: &str) -> Result<Option<Mutable>> {
    let refused = |reason: &str| Failure::Usage(format!("{}: line {number}: {reason}", path.display()));
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (name, regex) = line.split_once('=').ok_or_else(|| refused("not of the form NAME=REGEX"))?;
    let name = name.trim();
    if name.is_empty() || name.contains(['{', '}']) {
        return Err(refused("a name without curly brackets is needed before the =").into());
    }
    Ok(Some(Mutable::new(name, regex.trim()).map_err(|error| refused(&error.to_string()))?))
}
