//! The actions.

use mcp_runtime::{
    Result,
    actions::{Catalog, CatalogEntry},
    prelude::*,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use crate::{
    DataFolder, Definition, RunChart,
    runner::{Questions, RunOutput, Runner},
};

/// The pipelines of a data folder.
pub struct Pipelines {
    folder: DataFolder,
}

/// A pipeline in a list.
#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    name: String,
    description: String,
    /// The names of its parameters; `describe` with its `name` shows them in full.
    inputs: Vec<String>,
}

impl Pipelines {
    /// Creates the actions over this folder.
    pub fn new(folder: DataFolder) -> Self {
        Self { folder }
    }

    /// Reads a pipeline. Its file is read each time, so a change of it counts at once.
    async fn definition(&self, name: &str) -> Result<Option<Definition>> {
        let (folder, name) = (self.folder.clone(), name.to_owned());
        let read = move || match folder.definition(&name)? {
            Some(text) => Definition::read(&name, &text).map(Some),
            None => Ok(None),
        };
        Ok(spawn_blocking(read).await??)
    }

    async fn definitions(&self) -> Result<Vec<Definition>> {
        let folder = self.folder.clone();
        let names = spawn_blocking(move || folder.definitions()).await??;
        let mut all = Vec::new();
        for name in names {
            all.extend(self.definition(&name).await?);
        }
        Ok(all)
    }
}

/// Runs data pipelines over CSV and JSON files, and writes reports.
#[mcp_actions(catalog, destructive, open_world = false, view = RunChart)]
impl Pipelines {
    /// Lists the pipelines.
    #[action(list)]
    async fn list(&self) -> Result<Json<Vec<Listed>>> {
        let listed = |definition: Definition| Listed {
            inputs: definition.parameter_names().map(str::to_owned).collect(),
            name: definition.name,
            description: definition.description,
        };
        Ok(Json(self.definitions().await?.into_iter().map(listed).collect()))
    }

    /// Runs a pipeline.
    #[action(run, alias = "start")]
    async fn run(
        &self,
        ctx: &Ctx<Questions>,
        /// The name of the pipeline.
        #[schemars(example = &"top_customers")]
        #[param(hint = "`list` shows the names.")]
        name: String,
        /// The values of the pipeline's parameters, by their names.
        #[serde(default)]
        #[param(hint = "`describe` with the `name` of the pipeline shows its parameters.", inputs_of = name)]
        inputs: Map<String, Value>,
        /// Replace a report that exists without asking the user.
        #[serde(default = false)]
        overwrite: bool,
    ) -> Result<Json<RunOutput>> {
        let definition = self.definition(&name).await?;
        let definition = definition.ok_or_else(|| format!("the pipeline '{name}' was removed"))?;
        let inputs = Value::Object(inputs);
        let steps = definition.steps(&inputs)?;
        let runner = Runner { ctx, folder: self.folder.clone(), overwrite };
        let finished = runner.run(steps).await?;
        Ok(Json(RunOutput::new(&name, inputs, &finished)))
    }
}

impl Catalog for Pipelines {
    async fn names(&self) -> Result<Vec<(String, String)>> {
        let named = |definition: Definition| (definition.name, definition.description);
        Ok(self.definitions().await?.into_iter().map(named).collect())
    }

    async fn entry(&self, name: &str) -> Result<Option<CatalogEntry>> {
        Ok(self.definition(name).await?.map(|definition| definition.entry()).transpose()?)
    }
}
