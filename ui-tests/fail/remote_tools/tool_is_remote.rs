//! Only a remote tool has a name on the other server.

use mcp_runtime::remote::RemoteTool;
use serde::Serialize;

#[derive(Serialize)]
struct Search {
    text: String,
}

fn name<T: RemoteTool>(_: T) -> &'static str {
    T::NAME
}

fn main() {
    name(Search { text: "tea".to_owned() });
}
