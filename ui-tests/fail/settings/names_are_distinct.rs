//! Two settings share no name.

use mcp_runtime::{prelude::*, settings::Secret};

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    root: String,
    /// The folder to write.
    #[setting(rename = "root")]
    target: String,
    /// The first name.
    #[setting(env = "APP_NAME")]
    first: String,
    /// The last name.
    #[setting(env = "APP_NAME")]
    last: String,
    /// How many results there are.
    #[setting(flag = "limit")]
    results: u8,
    /// How many errors there are.
    #[setting(flag = "limit")]
    errors: u8,
    /// The token of the service.
    token: Secret<String>,
    /// Where the token is.
    token_file: String,
}

fn main() {}
