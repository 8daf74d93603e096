use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Returns the titles.
    async fn list(&self) -> impl Iterator<Item = String>;

    /// Returns a title.
    async fn get(&self, id: u64) -> &str;
}

fn main() {}
