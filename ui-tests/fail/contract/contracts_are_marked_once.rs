use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
#[contract(resource = "todos")]
trait Todos {
    /// Lists the titles.
    async fn list(&self) -> Vec<String>;
}

fn main() {}
