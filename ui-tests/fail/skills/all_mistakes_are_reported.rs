//! All mistakes are reported at once, each at its folder.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/fine", "files/missing", files, "files/no-name"]);
}
