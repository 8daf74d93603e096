use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(verb = "POST", path = "/todos/{id}/done")]
    async fn finish(&self, id: u64);

    /// Marks a todo as done at a time.
    #[method(verb = "POST", path = "/todos/{number}/done")]
    async fn finish_at(&self, number: u64, time: u64);
}

fn main() {}
