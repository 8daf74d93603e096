//! A server takes settings that are declared.

use mcp_runtime::prelude::*;

struct AppSettings {
    root: String,
}

fn main() {
    let server = Server::new("app", "1.0.0").settings::<AppSettings>();
}
