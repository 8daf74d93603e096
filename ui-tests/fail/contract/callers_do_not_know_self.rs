use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos: Sized {
    /// Copies the todos.
    async fn copy(&self, from: Box<Self>) -> Self;
}

fn main() {}
