//! A setting is one value, or a list of values.

use std::collections::HashMap;

use mcp_runtime::prelude::*;

struct Login {
    name: String,
}

enum Mode {
    Fast,
}

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// Who logs in.
    login: Login,
    /// How to search.
    mode: Option<Mode>,
    /// The folder to search.
    root: &'static str,
    /// What to send.
    headers: HashMap<String, String>,
    /// How many.
    limits: (u8, u8),
    /// The names.
    names: Vec<Vec<String>>,
}

fn main() {}
