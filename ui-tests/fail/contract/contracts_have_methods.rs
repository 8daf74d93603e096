use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {}

fn main() {}
