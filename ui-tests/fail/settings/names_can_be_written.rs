//! Names can be written in a settings file, in an environment and on a command line.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "my-app")]
struct AppSettings {
    /// The folder to search.
    #[setting(rename = "search root")]
    root: String,
    /// How many results there are.
    #[setting(env = "app-limit")]
    limit: u8,
    /// The name.
    #[setting(flag = "--name")]
    name: String,
    /// The title.
    #[setting(flag = "Title")]
    title: String,
    /// The count.
    #[setting(flag = "n")]
    count: u8,
}

fn main() {}
