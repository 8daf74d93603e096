//! A name has small letters, digits and hyphens.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/Upper"]);
}
