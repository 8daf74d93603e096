//! The compiler warns, and this crate denies the warning.
#![deny(deprecated)]

use mcp_runtime::prelude::*;

/// Lists the files of a folder.
#[mcp_tool(name = "files.list")]
async fn list() {}

/// Guesses which file the user has in mind.
#[mcp_tool]
async fn find_the_first_of_all_files_in_the_folder_that_was_named_last_of_all() {}

fn main() {
    let _ = tools![list, find_the_first_of_all_files_in_the_folder_that_was_named_last_of_all];
}
