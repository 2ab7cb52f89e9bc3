//! Writes JSON with a line for each entry of the two outer levels, so that a change of truth is a
//! readable diff.

use std::fmt::Write;

/// A JSON value; objects keep their order.
pub enum Json {
    /// No value.
    Null,
    /// A number.
    Number(usize),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A string.
    pub fn text(text: &str) -> Json {
        Json::Text(text.to_owned())
    }

    /// An array.
    pub fn list(values: impl IntoIterator<Item = Json>) -> Json {
        Json::List(values.into_iter().collect())
    }

    /// An array of strings.
    pub fn texts<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Json {
        Json::list(texts.into_iter().map(|text| Json::text(text.as_ref())))
    }

    /// An object.
    pub fn object<S: Into<String>>(pairs: impl IntoIterator<Item = (S, Json)>) -> Json {
        Json::Object(
            pairs
                .into_iter()
                .map(|(key, value)| (key.into(), value))
                .collect(),
        )
    }

    /// The file that holds this value, with `deep` levels spread over lines.
    pub fn file(&self, deep: usize) -> Vec<u8> {
        let mut out = String::new();
        self.write(&mut out, deep);
        out.push('\n');
        out.into_bytes()
    }

    fn write(&self, out: &mut String, deep: usize) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Number(number) => write!(out, "{number}").expect("strings take all"),
            Json::Text(text) => write!(out, "\"{}\"", escape(text)).expect("strings take all"),
            Json::List(values) => {
                between(out, deep, '[', ']', values, |out, value| {
                    value.write(out, deep.saturating_sub(1));
                });
            }
            Json::Object(pairs) => between(out, deep, '{', '}', pairs, |out, (key, value)| {
                write!(out, "\"{}\": ", escape(key)).expect("strings take all");
                value.write(out, deep.saturating_sub(1));
            }),
        }
    }
}

fn between<T>(
    out: &mut String,
    deep: usize,
    open: char,
    close: char,
    all: &[T],
    each: impl Fn(&mut String, &T),
) {
    let apart = if deep > 0 && !all.is_empty() {
        "\n"
    } else {
        ""
    };
    out.push(open);
    for (i, one) in all.iter().enumerate() {
        if i > 0 {
            out.push_str(if deep > 0 { "," } else { ", " });
        }
        out.push_str(apart);
        each(out, one);
    }
    out.push_str(apart);
    out.push(close);
}

/// Text as it stands inside a JSON string.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}
