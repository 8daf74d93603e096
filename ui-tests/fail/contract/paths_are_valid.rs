use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(path = "todos/{id}/done")]
    async fn finish(&self, id: u64);

    /// Reopens a todo.
    #[method(path = "/todos/<id>")]
    async fn reopen(&self, id: u64);

    /// Moves a todo.
    #[method(path = "/todos/{id}/before/{id}")]
    async fn move_before(&self, id: u64);
}

fn main() {}
