//! `min` and `max` belong to numbers, and are in the range of the type.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(min = 1)]
    root: std::path::PathBuf,
    /// Whether to follow links.
    #[setting(max = 1)]
    links: bool,
    /// The port.
    #[setting(min = 1024, max = 70000)]
    port: u16,
    /// How many results there are.
    #[setting(min = 0.5)]
    limit: u8,
    /// The names to skip.
    #[setting(max = 3)]
    skip: Vec<String>,
}

fn main() {}
