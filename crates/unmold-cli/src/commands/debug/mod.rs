//! `unmold debug`: look at any stage of the work.

mod amplify;
mod content;
mod cut_point;
mod declared;
mod histogram;
mod index;
mod repeats;
mod symbols;

use crate::{
    args::{Debug, Encoding, Global, Level, Reading},
    exit::{Failure, Outcome},
    output::{self, Destinations},
};
use anyhow::Result;
use regex::Regex;
use unmold::{
    Text,
    read::mutable::{Mutable, Mutables},
    symbols::encode::{Symbols, Tags, Words, bytes, chars, tags},
};

pub fn run(debug: &Debug, global: &Global) -> Result<Outcome> {
    destinations(debug)?;
    match debug {
        Debug::Symbols(args) => symbols::run(args, global),
        Debug::Index(args) => index::run(args, global),
        Debug::Repeats(args) => repeats::run(args, global),
        Debug::Histogram(args) => histogram::run(args, global),
        Debug::CutPoint(args) => cut_point::run(args, global),
        Debug::Amplify(args) => amplify::run(args, global),
        Debug::Declared(args) => declared::run(args, global),
        Debug::Content(args) => content::run(args, global),
    }
}

/// Looks at where results are going to be written.
fn destinations(debug: &Debug) -> Result<()> {
    let (inputs, output, picture) = match debug {
        Debug::Symbols(args) => (&args.inputs, &args.output, None),
        Debug::Index(args) => (&args.inputs, &args.output, None),
        Debug::Repeats(args) => (&args.inputs, &args.output, None),
        Debug::Histogram(args) => (&args.inputs, &args.output, args.svg.as_deref()),
        Debug::Amplify(args) => (&args.inputs, &args.output, args.svg.as_deref()),
        Debug::Declared(args) => (&args.inputs, &args.output, None),
        // It writes to standard output only.
        Debug::Content(_) => return Ok(()),
        Debug::CutPoint(args) => {
            let destinations = Destinations::of(&args.inputs, args.overwrite)?;
            destinations
                .file(args.svg.as_deref())?
                .folder(args.html.as_deref())?;
            return Ok(());
        }
    };
    let file = output.output.as_deref();
    output::check_extension(output.format(), output.format.is_some(), false, file)?;
    Destinations::of(inputs, output.overwrite)?
        .file(file)?
        .file(picture)?;
    Ok(())
}

/// Reads pages as the options say.
fn encode(texts: &[Text], reading: &Reading) -> Result<Symbols> {
    Ok(match reading.encoding {
        Encoding::Bytes => bytes::encode(texts),
        Encoding::Chars => chars::encode(texts),
        Encoding::FoldedChars => chars::encode_folding_space(texts),
        Encoding::Words => words(reading)?.encode(texts),
        Encoding::Tags => Tags::default()
            .level(level(reading.level))
            .with_classes(reading.classes)
            .encode(texts),
    })
}

fn words(reading: &Reading) -> Result<Words> {
    let mut words = Words::default().with_mutables(mutables(reading)?);
    if let Some(token) = &reading.token {
        let regex =
            Regex::new(token).map_err(|error| Failure::Usage(format!("--token: {error}")))?;
        words = words.split_by(regex);
    }
    Ok(words)
}

fn mutables(reading: &Reading) -> Result<Mutables> {
    let common = if reading.mutable {
        Mutables::common()
    } else {
        Mutables::none()
    };
    let own = reading
        .pattern
        .iter()
        .map(|pattern| own_mutable(pattern))
        .collect::<Result<Vec<_>>>()?;
    Ok(if own.is_empty() {
        common
    } else {
        common.and(own)
    })
}

fn own_mutable(pattern: &str) -> Result<Mutable> {
    let usage = |reason: String| Failure::Usage(format!("--pattern {pattern:?}: {reason}"));
    let (name, regex) = pattern
        .split_once('=')
        .ok_or_else(|| usage("not of the form NAME=REGEX".to_owned()))?;
    Mutable::new(name, regex).map_err(|error| usage(error.to_string()).into())
}

pub fn level(level: Level) -> tags::Level {
    match level {
        Level::All => tags::Level::All,
        Level::NoPhysical => tags::Level::NoPhysical,
        Level::NoSpecial => tags::Level::NoSpecial,
        Level::Block => tags::Level::Block,
    }
}
