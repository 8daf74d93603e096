//! The actions that the tests call.

use std::sync::Mutex;

use mcp_runtime::{
    Result,
    actions::{Actions, Catalog, CatalogEntry, CatalogParam},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) struct Pipelines {
    runs: Mutex<Vec<Run>>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Depth {
    Xs,
    S,
    M,
    L,
}

#[action_output]
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Run {
    id: u32,
    pipeline: String,
    depth: Depth,
    #[summary(skip)]
    trace: Vec<String>,
    #[internal]
    lease: Option<String>,
}

pub(crate) fn pipelines() -> Actions {
    let run = Run {
        id: 1,
        pipeline: "research".to_owned(),
        depth: Depth::M,
        trace: vec!["read".to_owned(), "sorted".to_owned()],
        lease: Some("L-77".to_owned()),
    };
    Pipelines { runs: Mutex::new(vec![run]) }.into_actions()
}

/// Runs data pipelines.
#[mcp_actions(catalog, instructions = "Prefer short pipelines.")]
impl Pipelines {
    /// Lists the runs. The newest comes first.
    #[action(list)]
    async fn runs(
        &self,
        /// How many runs.
        #[serde(default = 10)]
        #[schemars(range(min = 1, max = 50))]
        #[param(hint = "Ask for few.")]
        limit: usize,
    ) -> Json<Vec<Run>> {
        Json(self.runs.lock().unwrap().iter().take(limit).cloned().collect())
    }

    /// Returns a run.
    #[action(alias = "show", alias("result", include_trace = true))]
    async fn status(&self, id: u32, #[serde(default)] include_trace: bool) -> Result<Json<Run>> {
        let run = self.runs.lock().unwrap().iter().find(|run| run.id == id).cloned();
        let mut run = run.ok_or_else(|| format!("there is no run {id}"))?;
        if !include_trace {
            run.trace.clear();
        }
        Ok(Json(run))
    }

    /// Starts a pipeline.
    #[action]
    async fn start(
        &self,
        ctx: &Ctx,
        /// The name of the pipeline.
        pipeline: String,
        #[param(hint = "Use xs for fast drafts.")] depth: Depth,
        #[serde(default)] inputs: Option<Value>,
    ) -> Result<Json<Value>> {
        ctx.log(Level::Info, "starting");
        let entry = self.entry(&pipeline).await?.ok_or("no such pipeline")?;
        let inputs = entry.check(&inputs.unwrap_or_else(|| json!({})))?;
        Ok(Json(json!({ "pipeline": pipeline, "depth": depth, "inputs": inputs })))
    }

    /// Says hello to a team.
    #[action]
    async fn greet(&self, team: &Team) -> String {
        format!("hello {}", team.0)
    }

    /// Does nothing.
    #[action(name = "no-op")]
    async fn noop(&self) {}

    /// Panics.
    #[action]
    async fn panics(&self) {
        panic!("_token: hidden in a panic")
    }

    /// Asks the user.
    #[action]
    async fn asks(&self, ctx: &Ctx<Questions>) -> Result<String> {
        Ok(ctx.elicit::<Name>("Which name?").strict().await?.name)
    }
}

/// Shared state of a server.
pub(crate) struct Team(pub(crate) &'static str);

#[elicits]
pub(crate) enum Questions {
    Name { name: String },
}

impl Catalog for Pipelines {
    async fn names(&self) -> Result<Vec<(String, String)>> {
        Ok(vec![("research".to_owned(), "Researches a topic.".to_owned())])
    }

    async fn entry(&self, name: &str) -> Result<Option<CatalogEntry>> {
        let entry = CatalogEntry::new("research", "Researches a topic. Slowly.")
            .param(CatalogParam::new("topic", json!({ "type": "string" })).required())
            .param(CatalogParam::new("pages", json!({ "type": "integer", "minimum": 1, "maximum": 9 })).default(3))
            .param(CatalogParam::new("tone", json!({ "enum": ["dry", "warm"] })).hint("Warm is longer."));
        Ok(Some(entry).filter(|_| name == "research"))
    }
}
