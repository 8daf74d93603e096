use mcp_runtime::contract;

#[contract(resource = "todos")]
trait Todos {
    async fn list(&self) -> Vec<String>;
}

fn main() {}
