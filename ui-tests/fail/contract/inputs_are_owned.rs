use mcp_runtime::contract;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct CreateTodo {
    title: String,
}

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Creates a todo.
    async fn create(&self, input: &CreateTodo);

    /// Finds todos.
    async fn search(&self, text: &str);
}

fn main() {}
