use mcp_runtime::contract;

struct NoTodo;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Deletes a todo.
    async fn delete(&self, id: u64) -> Result<(), NoTodo>;
}

fn main() {}
