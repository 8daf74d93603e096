//! A description has at most 1,024 characters.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/long-description"]);
}
