use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(status = 404)]
    async fn finish(&self, id: u64);

    /// Reads a todo.
    #[method(status = "200")]
    async fn read(&self, id: u64);
}

fn main() {}
