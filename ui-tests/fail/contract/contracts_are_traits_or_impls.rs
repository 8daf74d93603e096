use mcp_runtime::contract;

/// Lists the titles.
#[contract(resource = "todos")]
async fn list() -> Vec<String> {
    Vec::new()
}

#[contract(resource = "todos")]
struct Todos;

fn main() {}
