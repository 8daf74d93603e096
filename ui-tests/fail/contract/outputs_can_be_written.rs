use mcp_runtime::contract;

struct Todo {
    title: String,
}

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Returns a todo.
    async fn get(&self, id: u64) -> Todo;

    /// Returns all todos.
    async fn list(&self) -> Result<Vec<Todo>, std::io::Error>;
}

fn main() {}
