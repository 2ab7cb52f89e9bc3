//! What is found on all pages?

use crate::page::{FIRST, doubt_in_words};
use rayon::prelude::*;
use unmold::{Extraction, Reader, Text, read::PageError};

/// What is found on all pages.
pub struct Overview {
    pub pages: Vec<PageFound>,
    /// The pages of each group; those of none stand behind them.
    pub of_group: Vec<Vec<usize>>,
}

/// What is found on a page.
#[derive(Clone, Default)]
pub struct PageFound {
    pub group: Option<usize>,
    /// The wanted fields of its group, in the order of the mold.
    pub cells: Vec<Cell>,
    pub records: usize,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// What a page has of a field.
#[derive(Clone, Default)]
pub struct Cell {
    /// Its first values, and how many more there are.
    pub values: Vec<String>,
    pub more: usize,
    pub agreement: f64,
    pub doubt: Option<&'static str>,
}

impl Overview {
    pub fn of(reader: &Reader, texts: &[Text]) -> Self {
        let pages: Vec<PageFound> = texts
            .par_iter()
            .map(|text| PageFound::of(reader.read(text)))
            .collect();
        let groups = reader.mold().groups.len();
        let mut of_group = vec![Vec::new(); groups + 1];
        pages
            .iter()
            .enumerate()
            .for_each(|(at, page)| of_group[page.group.unwrap_or(groups)].push(at));
        Overview { pages, of_group }
    }

    /// The same values with the fields of a group in another order, or fewer of them.
    pub fn rearranged(&self, group: usize, order: &[usize]) -> Self {
        let mut pages = self.pages.clone();
        for &page in &self.of_group[group] {
            let mut cells: Vec<Option<Cell>> = std::mem::take(&mut pages[page].cells)
                .into_iter()
                .map(Some)
                .collect();
            let in_order = |&at: &usize| cells.get_mut(at)?.take();
            pages[page].cells = order.iter().filter_map(in_order).collect();
        }
        Overview {
            pages,
            of_group: self.of_group.clone(),
        }
    }

    /// How many pages of a group have a field, and on which it is in doubt.
    pub fn counts(&self, group: usize, field: usize) -> (usize, Vec<usize>) {
        let (mut filled, mut doubtful) = (0, Vec::new());
        for &page in &self.of_group[group] {
            let Some(cell) = self.pages[page].cells.get(field) else {
                continue;
            };
            filled += usize::from(!cell.values.is_empty());
            if cell.doubt.is_some() {
                doubtful.push(page);
            }
        }
        (filled, doubtful)
    }

    /// The pages of a group, those first on which a field is in doubt or missing.
    pub fn by_doubt(&self, group: usize, field: usize) -> Vec<usize> {
        let mut pages = self.of_group[group].clone();
        pages.sort_by_key(|&page| match self.pages[page].cells.get(field) {
            Some(cell) if cell.doubt.is_some() => 0,
            Some(cell) if !cell.values.is_empty() => 2,
            _ => 1,
        });
        pages
    }
}

impl PageFound {
    fn of(found: Result<Extraction<'_>, PageError>) -> Self {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                return PageFound {
                    error: Some(error.reason()),
                    ..PageFound::default()
                };
            }
        };
        let cells = found.fields().map(|field| Cell {
            values: field
                .values()
                .take(FIRST)
                .map(|value| value.text().to_owned())
                .collect(),
            more: field.values().len().saturating_sub(FIRST),
            agreement: field.agreement(),
            doubt: field.doubt().map(doubt_in_words),
        });
        PageFound {
            group: found.group(),
            cells: cells.collect(),
            records: found.lists().map(|list| list.list.records.len()).sum(),
            error: None,
        }
    }
}
