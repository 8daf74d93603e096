//! A struct of settings has no parameters.

use mcp_runtime::prelude::*;

#[derive(Settings)]
struct AppSettings<T: Send + Sync + 'static> {
    /// The folder to search.
    root: T,
}

fn main() {}
