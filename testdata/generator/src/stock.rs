//! The sentences: a text file of blocks, and the pen that fills the slots in them.
//!
//! ```text
//! @town: Aachen | Bonn            a list for the slot {town}
//!
//! category: Sport                 a block: lines of `key: value`, ended by an empty line
//! text: In {town} kamen {n:80-90} Leute.
//! ```
//!
//! A slot keeps its value through a page; `{town2}` is another town than `{town}`. `{n:80-90}` is a
//! new number each time; `{n:2-9|года|лет}` is one with its noun. A topic with two stories has
//! `text1`, `text2` and, for both, `text`.

use crate::dice::Dice;
use std::collections::BTreeMap;

/// All that is written for a site.
#[derive(Default)]
pub struct Stock<'a> {
    lists: BTreeMap<&'a str, Vec<&'a str>>,
    /// The blocks, in the order of the file.
    pub blocks: Vec<Block<'a>>,
}

/// Lines that belong together.
#[derive(Default)]
pub struct Block<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Block<'a> {
    /// The values of a key.
    pub fn all(&self, key: &str) -> Vec<&'a str> {
        self.0
            .iter()
            .filter(|pair| pair.0 == key)
            .map(|pair| pair.1)
            .collect()
    }

    /// The texts for the first or the second story of a topic (`text1`, `text2`) and for both
    /// (`text`), in their order.
    pub fn texts_of(&self, story: usize) -> Vec<&'a str> {
        let own = format!("text{}", story + 1);
        self.0
            .iter()
            .filter(|pair| pair.0 == "text" || pair.0 == own)
            .map(|pair| pair.1)
            .collect()
    }

    /// The value of a key, if it has one.
    pub fn maybe(&self, key: &str) -> Option<&'a str> {
        self.all(key).first().copied()
    }

    /// The value of a key that must be there.
    pub fn one(&self, key: &str) -> &'a str {
        self.maybe(key)
            .unwrap_or_else(|| panic!("a block without {key}: {:?}", self.0))
    }
}

impl<'a> Stock<'a> {
    /// Reads a text file.
    pub fn read(file: &'a str) -> Stock<'a> {
        let mut stock = Stock::default();
        let mut block = Block::default();
        for line in file.lines().chain([""]) {
            match line.split_once(": ") {
                Some((key, value)) if key.starts_with('@') => {
                    stock.lists.insert(&key[1..], value.split(" | ").collect());
                }
                Some(pair) => block.0.push(pair),
                None if block.0.is_empty() => {}
                None => stock.blocks.push(std::mem::take(&mut block)),
            }
        }
        stock
    }

    /// The list of a slot.
    pub fn list(&self, name: &str) -> &[&'a str] {
        self.lists
            .get(name)
            .unwrap_or_else(|| panic!("no list {name}"))
    }

    /// The blocks that have a key.
    pub fn with(&self, key: &str) -> Vec<&Block<'a>> {
        self.blocks
            .iter()
            .filter(|block| block.maybe(key).is_some())
            .collect()
    }

    /// A pen for one page.
    pub fn pen(&self, page: &str) -> Pen<'_, 'a> {
        Pen {
            stock: self,
            dice: Dice::named(page),
            bound: BTreeMap::new(),
            numbers: None,
        }
    }
}

/// Writes sentences for one page.
pub struct Pen<'s, 'a> {
    stock: &'s Stock<'a>,
    /// The page's choices.
    pub dice: Dice,
    bound: BTreeMap<String, &'a str>,
    numbers: Option<BTreeMap<String, String>>,
}

impl Pen<'_, '_> {
    /// The sentence with its slots filled.
    pub fn write(&mut self, sentence: &str) -> String {
        let mut out = String::new();
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').expect("slots end");
            out.push_str(before);
            out.push_str(&self.slot(slot));
            rest = after;
        }
        out + rest
    }

    /// Two sentences about the same thing: numbers of the same range are the same number.
    pub fn write_both(&mut self, one: &str, other: &str) -> (String, String) {
        self.numbers = Some(BTreeMap::new());
        let written = (self.write(one), self.write(other));
        self.numbers = None;
        written
    }

    /// A sentence that is not about this page: its slots keep nothing.
    pub fn write_aside(&mut self, sentence: &str) -> String {
        let kept = std::mem::take(&mut self.bound);
        let written = self.write(sentence);
        self.bound = kept;
        written
    }

    fn slot(&mut self, slot: &str) -> String {
        if let Some(number) = slot.strip_prefix("n:") {
            return self.number(number);
        }
        if !self.bound.contains_key(slot) {
            let list = self
                .stock
                .list(slot.trim_end_matches(|c: char| c.is_ascii_digit()));
            let free: Vec<_> = list
                .iter()
                .copied()
                .filter(|word| !self.bound.values().any(|b| b == word))
                .collect();
            let word = self.dice.one(if free.is_empty() { list } else { &free });
            self.bound.insert(slot.to_owned(), word);
        }
        self.bound[slot].to_owned()
    }

    /// A number of `low-high`, or, with its noun, of `low-high|few|many`, where the noun's form
    /// follows the Russian rule.
    fn number(&mut self, slot: &str) -> String {
        if let Some(kept) = self.numbers.as_ref().and_then(|numbers| numbers.get(slot)) {
            return kept.clone();
        }
        let mut words = slot.split('|');
        let (low, high) = words
            .next()
            .and_then(|range| range.split_once('-'))
            .expect("a range");
        let (low, high) = (
            low.parse().expect("a number"),
            high.parse().expect("a number"),
        );
        let mut number = self.dice.between(low, high);
        let written = match (words.next(), words.next()) {
            (Some(few), Some(many)) => {
                // Twenty-one takes the singular, whose case the sentence would have to know: not
                // used.
                while number % 10 == 1 && number % 100 != 11 {
                    number = self.dice.between(low, high);
                }
                format!(
                    "{number} {}",
                    if (2..5).contains(&(number % 10)) && number % 100 / 10 != 1 {
                        few
                    } else {
                        many
                    }
                )
            }
            _ => number.to_string(),
        };
        if let Some(numbers) = &mut self.numbers {
            numbers.insert(slot.to_owned(), written.clone());
        }
        written
    }
}
