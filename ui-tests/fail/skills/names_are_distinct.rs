//! Two skills in a list have different names.

use mcp_runtime::{Server, skills};

fn main() {
    let _ = Server::new("shop", "1.0.0").skills(skills!["files/fine", "files/again/fine"]);
}
