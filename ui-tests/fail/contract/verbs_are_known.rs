use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(verb = "post")]
    async fn finish(&self, id: u64);

    /// Reads a todo.
    #[method(verb = "FETCH")]
    async fn read(&self, id: u64);
}

fn main() {}
