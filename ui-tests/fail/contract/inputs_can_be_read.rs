use mcp_runtime::contract;

struct CreateTodo {
    title: String,
}

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Creates a todo.
    async fn create(&self, input: CreateTodo);
}

fn main() {}
