use mcp_runtime::contract;

struct Todo;

/// The todos.
#[contract(resource = "to dos")]
trait Todos {
    fn list(&self) -> Vec<Todo>;

    /// Creates a todo.
    #[method(verb = "PSOT", path = "todos")]
    async fn create(&self, todo: Todo);

    /// Deletes a todo.
    async fn delete(&mut self, id: &str) -> Result<(), Todo>;

    const MOST: usize = 10;
}

fn main() {}
