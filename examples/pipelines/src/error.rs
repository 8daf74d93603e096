//! Why a pipeline cannot run, in words for the model that started it.

use std::io;

/// Why a pipeline is not valid, or a step of it failed.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The path leads out of the folder.
    #[error("`{0}` is not a path inside the data folder; use names and `/`, without `..` and without a leading `/`")]
    Path(String),
    /// The name of a file ends with neither `.csv` nor `.json`.
    #[error("`{0}` is neither a CSV nor a JSON file; its name must end with `.csv` or `.json`")]
    Format(String),
    /// No file matches.
    #[error("no file matches `{0}`")]
    NoFile(String),
    /// The pattern is not a glob.
    #[error("`{pattern}` is not a glob: {reason}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {doing} `{file}`: {reason}")]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        file: String,
        /// The reason of the operating system, or of the format.
        reason: String,
    },
    /// The files of a run hold more rows than a run may have.
    #[error("the files hold more than {0} rows; narrow the glob")]
    TooManyRows(usize),
    /// There is no such column.
    #[error("there is no column `{column}`; the columns are: {known}")]
    Column {
        /// The column.
        column: String,
        /// The columns that there are.
        known: String,
    },
    /// Both sides of a join have a column of this name.
    #[error("both sides have a column `{0}`; list the columns to add under `columns`, without it")]
    SameColumn(String),
    /// A value is not a number.
    #[error("the column `{column}` must have numbers (got {value})")]
    NotANumber {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// The definition of a pipeline is not valid.
    #[error("the pipeline `{name}` is not valid: {reason}")]
    Definition {
        /// The name of the pipeline.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A step failed.
    #[error("step {number} ({kind}) failed: {reason}")]
    Step {
        /// The number of the step, which starts at 1.
        number: usize,
        /// The kind of the step.
        kind: &'static str,
        /// What is wrong.
        reason: Box<PipelineError>,
    },
    /// The user wants to keep the file that exists.
    #[error("`{0}` exists and was kept; send another name, or `\"overwrite\": true` if the user agrees")]
    Kept(String),
}

impl PipelineError {
    pub(crate) fn reading(file: &str, reason: impl ToString) -> Self {
        Self::File { doing: "read", file: file.to_owned(), reason: reason.to_string() }
    }

    pub(crate) fn writing(file: &str, reason: &io::Error) -> Self {
        Self::File { doing: "write", file: file.to_owned(), reason: reason.to_string() }
    }
}
