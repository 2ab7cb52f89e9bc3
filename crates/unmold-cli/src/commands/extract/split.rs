//! A file for each template, and one for each list that its pages have.

use super::rows::{Found, Rows};
use crate::{
    args::{ExtractArgs, RowFormat},
    output,
};
use anyhow::Result;
use std::{
    collections::{BTreeMap, HashSet},
    io::Write,
    path::Path,
};
use unmold::{
    Mold,
    report::{records::RecordTable, table::Table},
};
use unmold_io::{
    save::{self, readable_part},
    table::write_parquet,
};

/// The rows of each template. They are held until the end, so that few files are open at a time.
pub struct Split<'a> {
    args: &'a ExtractArgs,
    groups: Vec<Part>,
    /// Pages that fit no group.
    others: Part,
}

struct Part {
    /// What its files are called.
    name: String,
    rows: Rows,
    count: usize,
    lists: BTreeMap<String, RecordTable>,
}

impl Part {
    fn new(name: String, rows: Rows) -> Self {
        Part {
            name,
            rows,
            count: 0,
            lists: BTreeMap::new(),
        }
    }
}

impl<'a> Split<'a> {
    pub fn new(mold: &Mold, args: &'a ExtractArgs) -> Self {
        let groups = mold.groups.iter().enumerate().map(|(number, group)| {
            let name = format!(
                "{number}-{}",
                readable_part(&group.name, output::LONGEST_NAME)
            );
            Part::new(name, Rows::of_group(group, args))
        });
        Split {
            args,
            groups: groups.collect(),
            others: Part::new("none".to_owned(), Rows::new(mold, &[], args)),
        }
    }

    pub fn add(&mut self, found: Vec<Found>) {
        for Found {
            group, row, lists, ..
        } in found
        {
            let part = group.map_or(&mut self.others, |group| &mut self.groups[group]);
            part.rows.add(row);
            part.count += 1;
            for (list, records) in lists {
                part.lists.entry(list).or_default().join(records);
            }
        }
    }

    /// Writes a file for each template that has pages: `0-name.csv`, its lists as
    /// `0-name.posts.csv`, and pages of none as `none.csv`.
    pub fn write(self, folder: &Path) -> Result<()> {
        save::create_folder(folder)?;
        let Split {
            args,
            groups,
            others,
        } = self;
        for mut part in groups
            .into_iter()
            .chain([others])
            .filter(|part| part.count > 0)
        {
            write_file(folder, &part.name, args, |out| Ok(part.rows.finish(out)?))?;
            let mut given = HashSet::new();
            for (list, records) in part.lists {
                let list = output::file_name(&list, &mut given);
                write_file(folder, &format!("{}.{list}", part.name), args, |out| {
                    write_list(&records.finish(), args, out)
                })?;
            }
        }
        Ok(())
    }
}

fn write_list(table: &Table, args: &ExtractArgs, out: &mut (dyn Write + Send)) -> Result<()> {
    match args.format() {
        RowFormat::Parquet => write_parquet(table, out)?,
        _ => args.table.csv().write(table, out)?,
    }
    Ok(())
}

fn write_file(
    folder: &Path,
    name: &str,
    args: &ExtractArgs,
    content: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    let extension = match args.format() {
        RowFormat::Csv => "csv",
        RowFormat::Parquet => "parquet",
        RowFormat::Jsonl | RowFormat::Table => "jsonl",
    };
    output::stream_to(
        Some(&folder.join(format!("{name}.{extension}"))),
        args.overwrite,
        content,
    )
}
