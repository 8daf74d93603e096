//! Actions with everything that they can have.

use mcp_runtime::{
    CallToolResult, Content, Result as Outcome,
    actions::{Actions, Catalog, CatalogEntry},
    prelude::*,
};

type Found = Vec<String>;

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Start {
    pub depth: u8,
}

pub struct Db(pub u64);

#[elicits]
pub enum Questions {
    /// Delete it?
    Confirm { sure: bool },
}

#[action_output]
#[derive(serde::Serialize, schemars::JsonSchema)]
pub enum Event {
    Started {
        id: u64,
        #[summary(skip)]
        trace: Found,
        #[internal]
        #[serde(rename = "key")]
        r#type: Option<String>,
    },
    Done,
}

pub struct Pipelines {
    pub names: Found,
}

/// Runs pipelines.
#[mcp_actions(
    name = "flows",
    title = "Pipelines",
    instructions = "Prefer short pipelines.",
    catalog,
    read_only = false,
    open_world,
    optional(sampling),
    scopes("flows"),
    timeout = "30s",
    meta("example.com/kind" = "actions"),
    crate = ::mcp_runtime
)]
impl Pipelines {
    pub const MOST: usize = 10;

    /// Lists events.
    #[action(list, name = "events", alias = "log", alias("trace", limit = -1, of = "all", is_full = true, ratio = 0.5))]
    pub async fn list(
        &self,
        #[serde(default = -1)] limit: i64,
        #[serde(default)]
        #[param(hint = "Use all to see everything.")]
        of: String,
        #[serde(default)] is_full: bool,
        #[serde(default)] ratio: Option<f64>,
    ) -> Json<Vec<Event>> {
        let _ = (limit, of, is_full, ratio);
        Json(vec![Event::Done])
    }

    #[action(description = "Starts one.")]
    async fn start(&self, #[params] start: Start, db: &Db) -> Outcome<Text<u64>> {
        Ok(Text(u64::from(start.depth) + db.0))
    }

    /// Runs one.
    #[action(run)]
    async fn run(
        &self,
        #[serde(rename = "pipeline")] of: String,
        #[param(hint = "`describe` shows them.", inputs_of = of)] inputs: serde_json::Value,
    ) -> String {
        format!("{of}: {inputs}")
    }

    /// Deletes one.
    #[action]
    async fn delete(self: &Self, ctx: &Ctx<Questions>, id: u64) -> Result<CallToolResult, std::fmt::Error> {
        let _ = (ctx, id);
        Ok(CallToolResult::new([Content::text("deleted")]))
    }

    /// Finds none.
    #[action]
    async fn none(&self, call: Option<Found>, arguments: Found, this: Found) -> mcp_runtime::Result<()> {
        let _ = (call, arguments, this);
        Self::helper();
        Ok(())
    }

    fn helper() {}
}

impl Catalog for Pipelines {
    async fn names(&self) -> Outcome<Vec<(String, String)>> {
        Ok(self.names.iter().map(|name| (name.clone(), String::new())).collect())
    }

    async fn entry(&self, _: &str) -> Outcome<Option<CatalogEntry>> {
        Ok(None)
    }
}

fn main() {
    let actions: Actions = Pipelines { names: Vec::new() }.into_actions().instructions("Wait.");
    let service = Server::new("s", "1.0.0").state(Db(1)).tool(actions).build().unwrap();
    let tool = &service.manifest()["tools"][0];
    assert_eq!(tool["name"], "flows");
}
