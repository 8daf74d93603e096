//! What the repository says of itself is true.

mod architecture;
mod dependencies;
#[path = "../support/example.rs"]
mod example;
mod examples;
mod floors;
mod links;
mod names;
mod readme;
mod sources;

use std::{fs, path::PathBuf};

/// A file of the repository.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}
