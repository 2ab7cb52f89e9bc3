//! What do the lines of a header say?
//!
//! WARC took its headers from HTTP, which took them from mail: `Name: value`, names without case,
//! and a line that starts with a space continues the one before it. What is none of these is passed
//! over.

/// The fields of a header.
#[derive(Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds one line, without its end.
    pub(crate) fn add(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if text.starts_with([' ', '\t']) {
            self.continue_last(text.trim());
        } else if let Some((name, value)) = text.split_once(':') {
            self.0
                .push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    fn continue_last(&mut self, more: &str) {
        if let Some((_, value)) = self.0.last_mut() {
            value.push(' ');
            value.push_str(more);
        }
    }

    /// The first value of a field whose name is given in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.as_str())
    }
}
