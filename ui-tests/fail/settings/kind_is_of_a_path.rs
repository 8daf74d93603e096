//! `kind` says what a path leads to.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The port.
    #[setting(kind = "file")]
    port: u16,
    /// The folder to search.
    #[setting(kind = "folder")]
    root: std::path::PathBuf,
    /// The rules.
    #[setting(kind = "path")]
    rules: std::path::PathBuf,
    /// Whether to follow links.
    #[setting(kind = "boolean")]
    links: bool,
    /// The index.
    #[setting(kind = "files")]
    index: std::path::PathBuf,
}

fn main() {}
