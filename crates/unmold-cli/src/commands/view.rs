//! `unmold view`: what a mold finds, as a page to look at and to choose on.

use crate::{
    args::{Global, ViewArgs},
    corpus::Corpus,
    exit::{Failure, Outcome},
    learning,
    molds::read_mold,
    output,
    progress::Progress,
};
use anyhow::Result;
use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};
use tempfile::NamedTempFile;
use unmold::{Learner, Mold, Text};
use unmold_view::Viewer;

pub fn run(args: &ViewArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let Seen {
        texts,
        mold,
        opens_at,
    } = pages_and_mold(args, global, &mut progress)?;
    let save_to = args.output.clone().or_else(|| args.mold.clone());
    let server = Viewer::new(texts, mold)
        .save_to(save_to)
        .opens_at(opens_at)
        .bind(args.port)?;
    progress.begin("extracting");
    server.warm_up();
    progress.end("ready");
    let url = server.url();
    if args.port != 0 && !url.contains(&format!(":{}/", args.port)) {
        progress.warn(&format!("port {} is taken: another one is used", args.port));
    }
    progress.say(
        "open this address in a browser on this machine; it works once. Ctrl-C ends the viewer",
    );
    drop(progress);
    output::write_to(None, false, |out| writeln!(out, "{url}"))?;
    if !args.no_open && has_display() {
        open(&url);
    }
    server.run()?;
    Ok(Outcome::Done)
}

/// What there is to look at, and the page that is looked at first if one was named.
struct Seen {
    texts: Vec<Text>,
    mold: Mold,
    opens_at: Option<usize>,
}

fn pages_and_mold(args: &ViewArgs, global: &Global, progress: &mut Progress) -> Result<Seen> {
    let given = args.mold.as_deref().map(read_mold).transpose()?;
    if args.inputs.inputs.is_empty() {
        let mold = given.unwrap_or_else(Mold::nothing);
        return Ok(Seen {
            texts: Vec::new(),
            mold,
            opens_at: place_of(args.page.as_deref(), &[])?,
        });
    }
    let mut corpus = Corpus::read(&args.inputs, global, progress)?;
    // A name that no page has is said before anything is learned.
    let opens_at = place_of(args.page.as_deref(), &corpus.texts)?;
    let mold = match given {
        Some(mold) => mold,
        None => {
            let mold = learning::learn(&Learner::default(), &mut corpus, progress)?;
            learning::describe(&mold, corpus.texts.len(), progress);
            mold
        }
    };
    Ok(Seen {
        texts: corpus.texts,
        mold,
        opens_at,
    })
}

/// Where the page of a name is: one that is called so, else the first whose file is.
fn place_of(name: Option<&str>, texts: &[Text]) -> Result<Option<usize>> {
    let Some(name) = name else { return Ok(None) };
    let is_it = |text: &Text| text.id() == name || text.url() == Some(name);
    let ends_so = |text: &Text| {
        text.id()
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with('/'))
    };
    let place = texts
        .iter()
        .position(is_it)
        .or_else(|| texts.iter().position(ends_so));
    let unknown = || Failure::Usage(format!("--page {name}: no page is called so"));
    Ok(Some(place.ok_or_else(unknown)?))
}

/// Whether somebody sits before this machine.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_remote = is_set("SSH_CONNECTION");
    !is_remote
        && (cfg!(any(target_os = "macos", windows))
            || is_set("DISPLAY")
            || is_set("WAYLAND_DISPLAY"))
}

/// How long the file that leads to the viewer is kept: a browser that starts cold takes some seconds.
const FILE_LASTS: Duration = Duration::from_secs(30);

/// Opens the browser, if there is one; the address was printed anyway.
///
/// The address holds a token, and all users of a machine see the arguments of programs: what is handed over is
/// a file that only this user can read, and that leads to the address.
fn open(url: &str) {
    let Ok(file) = file_to(url) else { return };
    hand_over(file.path());
    std::thread::spawn(move || {
        std::thread::sleep(FILE_LASTS);
        drop(file);
    });
}

/// A file that only this user can read, and that leads a browser to an address.
fn file_to(url: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("unmold-view-")
        .suffix(".html")
        .tempfile()?;
    write!(
        file,
        "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>Unmold</title>\
         <meta http-equiv=refresh content='0; url={url}'>"
    )?;
    file.flush()?;
    Ok(file)
}

/// Opens a file with the program that the user has for it.
fn hand_over(path: &Path) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    _ = quiet.spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_this_user_can_read_the_address() {
        use std::os::unix::fs::PermissionsExt;
        let file = file_to("http://127.0.0.1:1/?token=secret").unwrap();
        let mode = file.as_file().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        let page = std::fs::read_to_string(file.path()).unwrap();
        assert!(
            page.contains("url=http://127.0.0.1:1/?token=secret"),
            "{page}"
        );
    }

    #[test]
    fn a_page_is_found_by_its_name_or_its_file() {
        let texts =
            ["a/1.html", "b/1.html", "11.html", "1.html"].map(|id| Text::from_string(id, "<p>x"));
        let place = |name| place_of(Some(name), &texts).unwrap();
        assert_eq!((place("1.html"), place("b/1.html")), (Some(3), Some(1)));
        assert_eq!(place_of(Some("1.html"), &texts[..3]).unwrap(), Some(0));
        assert_eq!(place_of(None, &texts).unwrap(), None);
        assert!(
            place_of(Some("2.html"), &texts)
                .unwrap_err()
                .to_string()
                .contains("--page 2.html")
        );
    }
}
