//! What calls share is in the service.

use std::sync::Arc;

use mcp_runtime::contract;

struct Database;

type Shared = Arc<Database>;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    /// Lists the titles.
    async fn list(&self, database: Arc<Database>) -> Vec<String>;

    /// Deletes all todos.
    async fn delete(&self, database: &Shared);

    /// Counts the todos.
    async fn count(&self, database: &mut Database) -> u32;
}

struct Clock;

/// The clock.
#[contract(resource = "clock")]
impl Clock {
    /// Returns the time.
    async fn now(self: Arc<Self>) -> u64 {
        0
    }
}

fn main() {}
