//! A way to a value that CSS or XPath can say, in one form for both.
//!
//! ```
//! use unmold::export::selector::{Axis, Selector, Step, Take, Test};
//!
//! let cell = Selector {
//!     steps: vec![
//!         Step::new("table").with(Test::Class("spec".into())),
//!         Step::new("td").on(Axis::Child).with(Test::Nth(2)),
//!     ],
//!     ..Selector::default()
//! };
//! assert_eq!(cell.css().unwrap(), "table.spec > td:nth-of-type(2)");
//! assert_eq!(cell.xpath(), "//table[contains(concat(' ', normalize-space(@class), ' '), ' spec ')]/td[2]");
//!
//! let label = Selector {
//!     steps: vec![Step::new("th").with(Test::Says("Weight:".into())), Step::new("td").on(Axis::Next)],
//!     take: Take::OwnText(0),
//!     ..Selector::default()
//! };
//! assert_eq!(label.css(), None);
//! assert_eq!(
//!     label.xpath(),
//!     r#"//th[normalize-space()="Weight:"]/following-sibling::*[1][self::td]/text()[normalize-space()][1]"#
//! );
//! ```

use std::fmt::Write;

/// A way to values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector {
    /// The elements on the way, the outermost first.
    pub steps: Vec<Step>,
    /// What of the last element is the value.
    pub take: Take,
    /// Which of all that are found, from 0, if it is not simply the first or all.
    pub nth: Option<u32>,
}

/// An element on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where it stands.
    pub axis: Axis,
    /// Its name, or `*`.
    pub tag: String,
    /// What else is true of it.
    pub tests: Vec<Test>,
}

/// Where an element stands, seen from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Anywhere in it.
    Inside,
    /// Directly in it.
    Child,
    /// Right behind it, in the same element.
    Next,
}

/// What is true of an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// It has this id.
    Id(String),
    /// It has this class.
    Class(String),
    /// It has this attribute with this value.
    Attribute(String, String),
    /// It is that one, from 1, of the children of its name.
    Nth(u32),
    /// This is all that it says, white space folded as XPath does.
    Says(String),
    /// What it says begins so.
    Starts(String),
}

/// What of an element is the value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Take {
    /// All that it says, as it stands.
    #[default]
    Text,
    /// All its texts, with a space between.
    Texts,
    /// That one, from 0, of the texts directly in it that are more than white space.
    OwnText(u32),
    /// Each of these.
    OwnTexts,
    /// The first text behind it in the same element.
    NextText,
    /// The first text behind it on the page.
    FollowingText,
    /// An attribute.
    Attribute(String),
}

impl Step {
    /// An element of a name anywhere.
    pub fn new(tag: &str) -> Self {
        Step {
            axis: Axis::Inside,
            tag: tag.to_owned(),
            tests: Vec::new(),
        }
    }

    /// The same in another place.
    #[must_use]
    pub fn on(self, axis: Axis) -> Self {
        Step { axis, ..self }
    }

    /// The same with one more test.
    #[must_use]
    pub fn with(mut self, test: Test) -> Self {
        self.tests.push(test);
        self
    }
}

impl Take {
    /// In words: `text`, `@href`.
    pub fn words(&self) -> String {
        match self {
            Take::Text => "text".to_owned(),
            Take::Texts => "texts".to_owned(),
            Take::OwnText(0) => "own text".to_owned(),
            Take::OwnText(nth) => format!("own text {}", nth + 1),
            Take::OwnTexts => "own texts".to_owned(),
            Take::NextText => "next text".to_owned(),
            Take::FollowingText => "following text".to_owned(),
            Take::Attribute(name) => format!("@{name}"),
        }
    }
}

impl Selector {
    /// The elements as a CSS selector; `None` if CSS cannot say it.
    pub fn css(&self) -> Option<String> {
        if self.nth.is_some() || matches!(self.take, Take::NextText | Take::FollowingText) {
            return None;
        }
        let mut css = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            css.push_str(match (at, step.axis) {
                (0, Axis::Inside) => "",
                (0, _) => return None,
                (_, Axis::Inside) => " ",
                (_, Axis::Child) => " > ",
                (_, Axis::Next) => " + ",
            });
            push_css_step(&mut css, step)?;
        }
        Some(css)
    }

    /// The whole way as an XPath expression from the root.
    pub fn xpath(&self) -> String {
        let way = format!("{}{}", self.element_xpath("//"), self.take_xpath());
        self.nth
            .map_or(way.clone(), |nth| format!("({way})[{}]", nth + 1))
    }

    /// The same from an element on, for what stands in it.
    pub fn relative_xpath(&self) -> String {
        let way = format!("{}{}", self.element_xpath(".//"), self.take_xpath());
        self.nth
            .map_or(way.clone(), |nth| format!("({way})[{}]", nth + 1))
    }

    /// The elements alone.
    pub fn element_xpath(&self, start: &str) -> String {
        if self.steps.is_empty() {
            return ".".to_owned();
        }
        let mut xpath = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            let axis = match (at, step.axis) {
                (0, Axis::Inside) => start,
                (0, _) => start
                    .trim_end_matches('/')
                    .strip_suffix('.')
                    .map_or("/", |_| "./"),
                (_, Axis::Inside) => "//",
                (_, Axis::Child) => "/",
                (_, Axis::Next) => "/following-sibling::*[1][self::",
            };
            xpath.push_str(axis);
            xpath.push_str(&step.tag);
            if step.axis == Axis::Next && at > 0 {
                xpath.push(']');
            }
            push_xpath_tests(&mut xpath, &step.tests);
        }
        xpath
    }

    fn take_xpath(&self) -> String {
        match &self.take {
            Take::Text => String::new(),
            Take::Texts => "//text()".to_owned(),
            Take::OwnText(nth) => format!("/text()[normalize-space()][{}]", nth + 1),
            Take::OwnTexts => "/text()[normalize-space()]".to_owned(),
            Take::NextText => "/following-sibling::text()[normalize-space()][1]".to_owned(),
            Take::FollowingText => {
                "/following::text()[normalize-space() and not(parent::script or parent::style)][1]"
                    .to_owned()
            }
            Take::Attribute(name) => format!("/@{name}"),
        }
    }

    /// The same with one thing less that is no name: each number left out, and each element that
    /// has no name. What is named stays, since names outlive changes.
    pub(super) fn shorter(&self) -> impl Iterator<Item = Selector> + '_ {
        let unnumbered = (0..self.steps.len()).filter_map(|at| self.without_number(at));
        unnumbered
            .chain((0..self.steps.len().saturating_sub(1)).filter_map(|at| self.without_step(at)))
    }

    fn without_number(&self, at: usize) -> Option<Selector> {
        let mut shorter = self.clone();
        let tests = &mut shorter.steps[at].tests;
        tests.retain(|test| !matches!(test, Test::Nth(_)));
        (tests.len() < self.steps[at].tests.len()).then_some(shorter)
    }

    fn without_step(&self, at: usize) -> Option<Selector> {
        let (step, next) = (&self.steps[at], &self.steps[at + 1]);
        if !step.tests.is_empty() || step.axis == Axis::Next || next.axis == Axis::Next {
            return None;
        }
        let mut shorter = self.clone();
        shorter.steps.remove(at);
        shorter.steps[at].axis = Axis::Inside;
        Some(shorter)
    }

    /// Whether only the place among others says which element is meant.
    pub fn is_by_position(&self) -> bool {
        self.nth.is_some()
            || self
                .steps
                .iter()
                .flat_map(|step| &step.tests)
                .any(|test| matches!(test, Test::Nth(_)))
    }
}

fn push_css_step(css: &mut String, step: &Step) -> Option<()> {
    let start = css.len();
    if step.tag != "*" {
        css.push_str(&step.tag);
    }
    for test in &step.tests {
        match test {
            Test::Id(id) if is_identifier(id) => _ = write!(css, "#{id}"),
            Test::Class(class) if is_identifier(class) => _ = write!(css, ".{class}"),
            Test::Id(id) => _ = write!(css, "[id={}]", css_string(id)),
            Test::Class(class) => _ = write!(css, "[class~={}]", css_string(class)),
            Test::Attribute(name, value) => _ = write!(css, "[{name}={}]", css_string(value)),
            Test::Nth(nth) => _ = write!(css, ":nth-of-type({nth})"),
            Test::Says(_) | Test::Starts(_) => return None,
        }
    }
    if css.len() == start {
        css.push('*');
    }
    Some(())
}

fn push_xpath_tests(xpath: &mut String, tests: &[Test]) {
    // A number counts before anything else is asked.
    let (numbers, others): (Vec<&Test>, Vec<&Test>) =
        tests.iter().partition(|test| matches!(test, Test::Nth(_)));
    for test in numbers.into_iter().chain(others) {
        _ = match test {
            Test::Nth(nth) => write!(xpath, "[{nth}]"),
            Test::Id(id) => write!(xpath, "[@id={}]", xpath_string(id)),
            Test::Class(class) => {
                let padded = xpath_string_or(&format!(" {class} "), '\'');
                write!(
                    xpath,
                    "[contains(concat(' ', normalize-space(@class), ' '), {padded})]"
                )
            }
            Test::Attribute(name, value) => write!(xpath, "[@{name}={}]", xpath_string(value)),
            Test::Says(text) => write!(xpath, "[normalize-space()={}]", xpath_string(text)),
            Test::Starts(text) => write!(
                xpath,
                "[starts-with(normalize-space(), {})]",
                xpath_string(text)
            ),
        };
    }
}

/// Whether a name needs no quotes in CSS.
fn is_identifier(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let start = name.trim_start_matches('-');
    name.chars().all(is_letter)
        && start.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.len() - start.len() < 2
}

fn css_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => _ = write!(quoted, "\\{:x} ", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn xpath_string(text: &str) -> String {
    xpath_string_or(text, '"')
}

/// A string in XPath, which knows no escapes.
fn xpath_string_or(text: &str, quote: char) -> String {
    let other = if quote == '"' { '\'' } else { '"' };
    match (text.contains(quote), text.contains(other)) {
        (false, _) => format!("{quote}{text}{quote}"),
        (true, false) => format!("{other}{text}{other}"),
        (true, true) => {
            let pieces: Vec<String> = text
                .split('"')
                .map(|piece| format!("\"{piece}\""))
                .collect();
            format!("concat({})", pieces.join(", '\"', "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_identifiers_are_quoted() {
        let step = |test| Selector {
            steps: vec![Step::new("*").with(test)],
            ..Selector::default()
        };
        assert_eq!(step(Test::Id("a-1".into())).css().unwrap(), "#a-1");
        assert_eq!(
            step(Test::Id("1\"a".into())).css().unwrap(),
            r#"[id="1\"a"]"#
        );
        assert_eq!(
            step(Test::Class("md:w-1/2".into())).css().unwrap(),
            r#"[class~="md:w-1/2"]"#
        );
        assert_eq!(
            step(Test::Attribute("data-x".into(), "\n".into()))
                .css()
                .unwrap(),
            r#"[data-x="\a "]"#
        );
        assert_eq!(
            step(Test::Says("a\"b'c".into())).xpath(),
            r#"//*[normalize-space()=concat("a", '"', "b'c")]"#
        );
    }

    #[test]
    fn numbers_and_nameless_elements_can_be_left_out_and_names_cannot() {
        let step = |tag: &str| Step::new(tag).on(Axis::Child);
        let named = Step::new("div").with(Test::Id("a".into()));
        let steps = vec![named, step("tr").with(Test::Nth(3)), step("td")];
        let shorter: Vec<String> = Selector {
            steps,
            ..Selector::default()
        }
        .shorter()
        .filter_map(|s| s.css())
        .collect();
        assert_eq!(shorter, ["div#a > tr > td"]);
        let steps = vec![
            Step::new("body"),
            step("tr"),
            step("td").with(Test::Class("b".into())),
        ];
        let shorter: Vec<String> = Selector {
            steps,
            ..Selector::default()
        }
        .shorter()
        .filter_map(|s| s.css())
        .collect();
        assert_eq!(shorter, ["tr > td.b", "body td.b"]);
    }

    #[test]
    fn a_number_is_counted_before_other_tests() {
        let step = Step::new("td")
            .with(Test::Class("a".into()))
            .with(Test::Nth(2));
        let selector = Selector {
            steps: vec![step],
            nth: Some(1),
            ..Selector::default()
        };
        assert_eq!(selector.css(), None);
        assert_eq!(
            selector.xpath(),
            "(//td[2][contains(concat(' ', normalize-space(@class), ' '), ' a ')])[2]"
        );
    }
}
