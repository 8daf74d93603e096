//! What a pipeline does with rows, step by step.

mod aggregate;
mod filter;
mod join;
mod sort;

use serde::Deserialize;

pub use self::{
    aggregate::{Aggregate, Compute},
    filter::{Filter, Test},
    join::{Join, JoinKind},
    sort::Sort,
};
use crate::{DataFolder, PipelineError, Table};

/// A step of a pipeline, with the values of the parameters.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Reads the files that match a glob: `orders/*.csv`.
    Read(String),
    /// Keeps the rows that pass a test.
    Filter(Filter),
    /// Sorts the rows.
    Sort(Sort),
    /// Computes one row for each group of rows.
    Aggregate(Aggregate),
    /// Adds the columns of other files.
    Join(Join),
    /// Writes a report: `revenue.csv`.
    Write(String),
}

impl Step {
    /// All kinds of steps.
    pub const KINDS: [&str; 6] = ["read", "filter", "sort", "aggregate", "join", "write"];

    /// Returns the kind of the step, as a pipeline names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Read(_) => "read",
            Self::Filter(_) => "filter",
            Self::Sort(_) => "sort",
            Self::Aggregate(_) => "aggregate",
            Self::Join(_) => "join",
            Self::Write(_) => "write",
        }
    }

    /// Runs the step. Returns the rows after it, and the files that it read or wrote.
    ///
    /// # Errors
    /// Fails if the step does not fit the rows, or a file cannot be read or written.
    pub fn apply(&self, mut table: Table, folder: &DataFolder) -> Result<(Table, Vec<String>), PipelineError> {
        match self {
            Self::Read(pattern) => {
                let (read, files) = folder.read_tables(pattern)?;
                table.append(read);
                Ok((table, files))
            }
            Self::Filter(filter) => Ok((filter.apply(table)?, Vec::new())),
            Self::Sort(sort) => Ok((sort.apply(table)?, Vec::new())),
            Self::Aggregate(aggregate) => Ok((aggregate.apply(&table)?, Vec::new())),
            Self::Join(join) => {
                let (other, files) = folder.read_tables(&join.files)?;
                Ok((join.apply(table, &other)?, files))
            }
            Self::Write(name) => {
                folder.write_report(name, &table)?;
                Ok((table, vec![folder.report(name)?.0]))
            }
        }
    }
}
