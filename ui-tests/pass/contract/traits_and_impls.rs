//! Contracts on traits and on `impl` blocks, with everything that a method can have.

use mcp_runtime::{Result, contract::Contract, prelude::*};

type Found = Vec<String>;

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Page {
    pub from: u32,
}

#[elicits]
pub enum Questions {
    /// Delete it?
    Confirm { sure: bool },
}

/// The todos.
#[mcp_runtime::contract(resource = "todo_lists")]
pub trait Todos: std::fmt::Debug {
    /// Lists the titles.
    async fn list(&self) -> Found;

    /// Reads a page.
    async fn page(&self, ctx: &Ctx, input: Page) -> Result<Found>;

    /// Reads a page by a whole object of another name.
    async fn page_of(&self, #[params] page: Page) -> Result<Found, std::fmt::Error>;

    /// Deletes a title.
    #[method(verb = "POST", path = "/todo_lists/{id}/end", status = 202, open_world = false)]
    async fn delete(&self, ctx: &Ctx<Questions>, id: u64);

    /// Clears the list, by default.
    #[method(name = "empty", destructive, timeout = "5s", title = "Empty the list")]
    async fn clear(
        &self,
        /// Only these.
        #[serde(default)]
        _only: Vec<String>,
    ) -> String {
        String::from("nothing to do")
    }

    #[method(hidden)]
    async fn secret(&self, of: &str) -> usize {
        of.len()
    }

    #[method(hidden)]
    fn helper() -> u8
    where
        Self: Sized;
}

#[derive(Debug)]
struct Memory;

impl Todos for Memory {
    async fn list(&self) -> Found {
        Vec::new()
    }

    async fn page(&self, ctx: &Ctx, input: Page) -> Result<Found> {
        ctx.log(Level::Info, "read");
        Ok(vec![input.from.to_string()])
    }

    async fn page_of(&self, page: Page) -> Result<Found, std::fmt::Error> {
        Ok(vec![page.from.to_string()])
    }

    async fn delete(&self, _ctx: &Ctx<Questions>, _id: u64) {}

    fn helper() -> u8 {
        0
    }
}

struct Clock {
    start: u64,
}

/// The clock.
#[mcp_runtime::contract(resource = "clock", description = "Tells the time.")]
impl Clock {
    /// Returns the time.
    async fn now(&self) -> u64 {
        self.start
    }

    /// Returns the clock itself, by another name.
    async fn copy(self: &Self, times: u8) -> Result<Copied, CopyError> {
        Ok(Copied { times })
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Copied {
    times: u8,
}

#[derive(Debug)]
struct CopyError;

impl std::fmt::Display for CopyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no copy")
    }
}

impl std::error::Error for CopyError {}

fn main() {
    let contract = Contract::builder("all").resource(Memory.into_resource()).resource(Clock { start: 1 }.into_resource());
    let contract = contract.build().unwrap();
    let service = Server::new("all", "1.0.0").contract(&contract).build().unwrap();
    let manifest = service.manifest();
    let tools = manifest["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = [
        "todo_lists_list",
        "todo_lists_page",
        "todo_lists_page_of",
        "todo_lists_delete",
        "todo_lists_empty",
        "clock_now",
        "clock_copy",
    ];
    assert_eq!(names, expected);
    let _ = (Memory::helper(), Memory.secret("x"));
}
