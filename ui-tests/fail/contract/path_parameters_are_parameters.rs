use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(path = "/todos/{id}/done")]
    async fn finish(&self, number: u64);
}

fn main() {}
