//! A crate with strict lints: none fires for what the macro writes.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    non_snake_case,
    single_use_lifetimes,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use mcp_runtime::{prelude::*, settings::Secret};

/// The settings.
#[derive(Debug, Settings)]
#[setting(prefix = "APP")]
pub struct AppSettings {
    /// The folder of `example.com`.
    #[setting(default = ".", kind = "directory")]
    pub root: std::path::PathBuf,
    /// Token.
    #[setting(secret)]
    pub token: Option<Secret<String>>,
}

fn main() {
    assert_eq!(AppSettings::definitions().len(), 2);
}
