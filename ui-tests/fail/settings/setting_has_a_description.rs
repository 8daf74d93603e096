//! Each setting is described where users set it.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    root: String,
    #[setting(description = " ")]
    name: String,
}

fn main() {}
