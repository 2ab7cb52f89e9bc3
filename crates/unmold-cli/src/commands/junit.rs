//! A check as JUnit XML, which continuous integration shows as tests that failed.

use std::io::{self, Write};
use unmold::check::{GroupReport, Report, Verdict};

/// A test that passed, or why it failed.
struct Test {
    name: String,
    failure: Option<String>,
    /// Whether no page said anything about it.
    is_skipped: bool,
}

/// Writes a test suite for the site and for each template.
pub fn write(report: &Report, out: &mut (dyn Write + Send)) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"unmold check\">")?;
    let site = Test {
        name: "pages fit a template".to_owned(),
        failure: failure(&report.reasons),
        is_skipped: false,
    };
    write_suite("site", &[site], out)?;
    for group in &report.groups {
        write_suite(&group.name, &tests_of(group), out)?;
    }
    writeln!(out, "</testsuites>")
}

/// The tests of a template: how it is built, its fields, its lists.
fn tests_of(group: &GroupReport) -> Vec<Test> {
    let is_skipped = group.verdict == Verdict::Unseen;
    let mut tests = vec![Test {
        name: "template".to_owned(),
        failure: failure(&group.template.reasons),
        is_skipped,
    }];
    for field in &group.fields {
        tests.push(Test {
            name: format!("field {}", field.name),
            failure: failure(&field.reasons),
            is_skipped,
        });
    }
    for list in &group.lists {
        let (found, was) = (100.0 * list.fill.found, 100.0 * list.fill.expected);
        let reason = format!("on {found:.0} % of the pages, was on {was:.0} %");
        tests.push(Test {
            name: format!("list {}", list.name),
            failure: (list.verdict >= Verdict::Drifted).then_some(reason),
            is_skipped,
        });
    }
    tests
}

fn failure(reasons: &[String]) -> Option<String> {
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn write_suite(name: &str, tests: &[Test], out: &mut (dyn Write + Send)) -> io::Result<()> {
    let name = escaped(name);
    let failures = tests
        .iter()
        .filter(|test| !test.is_skipped && test.failure.is_some())
        .count();
    let skipped = tests.iter().filter(|test| test.is_skipped).count();
    writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">",
        tests.len()
    )?;
    for test in tests {
        let case = escaped(&test.name);
        write!(out, "    <testcase classname=\"{name}\" name=\"{case}\"")?;
        match &test.failure {
            _ if test.is_skipped => writeln!(out, "><skipped/></testcase>")?,
            Some(failure) => {
                let failure = escaped(failure);
                writeln!(out, "><failure message=\"{failure}\"/></testcase>")?;
            }
            None => writeln!(out, "/>")?,
        }
    }
    writeln!(out, "  </testsuite>")
}

/// A text as XML can hold it: control characters, which XML forbids, become spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            other if other.is_control() => escaped.push(' '),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages_are_escaped() {
        let mut report = Report::default();
        report.reasons = vec!["<b> & \"c\"\u{1}".to_owned()];
        let mut out: Vec<u8> = Vec::new();
        write(&report, &mut out).unwrap();
        let xml = String::from_utf8(out).unwrap();
        assert!(
            xml.contains("message=\"&lt;b&gt; &amp; &quot;c&quot; \""),
            "{xml}"
        );
        assert!(
            xml.contains("tests=\"1\" failures=\"1\" skipped=\"0\""),
            "{xml}"
        );
    }
}
