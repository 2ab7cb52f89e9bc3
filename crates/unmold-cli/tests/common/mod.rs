//! What the tests of the command line share: running it, and reading what it says.

use assert_cmd::{Command, assert::Assert};
use serde_json::Value;
use std::path::PathBuf;

pub fn unmold(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("unmold").unwrap();
    command.args(args);
    command
}

/// The pages of one of the project's own sites.
pub fn pages(site: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/sites")
        .join(site)
        .join("pages")
}

/// What a command prints, which must succeed.
pub fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// What a command prints, a row of JSON a line.
pub fn rows(command: &mut Command) -> Vec<Value> {
    stdout(command)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
