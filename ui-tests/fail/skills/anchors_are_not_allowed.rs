//! A frontmatter has no anchors.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/anchor"]);
}
