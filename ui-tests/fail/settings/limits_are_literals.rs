//! `min` and `max` are numbers that documents can show.

use mcp_runtime::prelude::*;

const MOST: u8 = 100;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// How many results there are.
    #[setting(max = MOST)]
    limit: u8,
    /// The number of tries.
    #[setting(min = "one")]
    tries: u8,
    /// How sure a match must be.
    #[setting(range = "0..1")]
    threshold: f64,
    /// The port.
    #[setting(min)]
    port: u16,
}

fn main() {}
