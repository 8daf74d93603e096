//! The name of a skill is that of its folder.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/other-name"]);
}
