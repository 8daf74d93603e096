use mcp_runtime::contract;

/// The todos.
#[contract(resorce = "todos")]
trait Todos {
    /// Marks a todo as done.
    #[method(titel = "Finish")]
    async fn finish(&self, id: u64);

    /// Reads a todo.
    #[method]
    async fn read(&self, id: u64);
}

fn main() {}
