use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Finds todos.
    async fn search(&self, text: String);

    /// Finds a todo by its number.
    #[method(name = "search")]
    async fn find(&self, id: u64);
}

fn main() {}
