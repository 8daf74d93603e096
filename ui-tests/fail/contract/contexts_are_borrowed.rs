use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Lists the titles.
    async fn list(&self, ctx: mcp_runtime::Ctx) -> Vec<String>;
}

fn main() {}
