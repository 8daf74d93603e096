use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Lists the titles.
    async fn list(&self) -> Vec<String>;
}

struct InMemory;

#[contract(resource = "todos")]
impl Todos for InMemory {
    async fn list(&self) -> Vec<String> {
        Vec::new()
    }
}

fn main() {}
