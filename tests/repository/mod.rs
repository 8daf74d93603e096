//! The statements of the repository about itself are true.

mod architecture;
mod book;
mod book_reference;
mod examples;
mod floors;
mod links;
mod names;
mod public_api;
mod readme;
mod sources;
mod uses;

use std::{fs, path::PathBuf};

/// Returns the path of a file in the repository.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}
