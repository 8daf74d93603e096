//! Installers and documents show the default.

use mcp_runtime::prelude::*;

const ROOT: &str = ".";

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(default = ROOT)]
    root: String,
    /// How many results there are.
    #[setting(default)]
    limit: u8,
    /// How large files are.
    #[setting(default = 999999999999999999999999999999999999999999)]
    size: u64,
}

fn main() {}
