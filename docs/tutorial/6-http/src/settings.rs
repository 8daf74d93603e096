//! What the operator of the server chooses.

use std::path::PathBuf;

use mcp_runtime::prelude::*;

/// The settings of the desk: options, variables or a file.
#[derive(Debug, Settings)]
pub struct DeskSettings {
    /// The folder with the database of the library.
    #[setting(default = ".", kind = "directory")]
    pub folder: PathBuf,
    /// How many days a book is lent.
    #[setting(default = 28, min = 1, max = 90)]
    pub loan_days: u16,
}
