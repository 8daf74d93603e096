//! The files of a skill have at most 16 MiB.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/generated/large"]);
}
