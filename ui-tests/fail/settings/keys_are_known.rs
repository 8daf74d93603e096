//! An unknown key is not ignored.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(env_prefix = "APP", prefixes = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(defualt = ".")]
    root: String,
    /// How many results there are.
    #[setting(required, long = "limit", short = 'l')]
    limit: u8,
    /// The name.
    #[setting]
    name: String,
    /// The title.
    #[setting(title = "Title", title = "Again")]
    title: String,
}

fn main() {}
