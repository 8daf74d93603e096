use mcp_runtime::prelude::*;

struct Search;

fn main() {
    let _ = tools![Search];
}
