//! The chart of a run: a page, and the tool that gives it rows.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::{DataFolder, Definition, PipelineError, Table, steps::Step};

/// How many rows the chart shows.
const SHOWN: usize = 50;

/// The page: a bar for each row. It gets the result of an action, and calls `chart_rows` for more rows.
#[mcp_view("ui://pipelines/chart", html = "chart.html", title = "Chart of a run")]
pub struct RunChart;

/// The rows of a pipeline.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChartRows {
    /// The name of the pipeline.
    name: String,
    /// The first rows.
    rows: Vec<Value>,
    /// The number of all rows.
    total: usize,
}

/// Computes the rows of a pipeline from the files as they are now, without writing its reports.
#[mcp_tool(title = "Rows of a chart", visibility = "app", read_only, open_world = false)]
pub async fn chart_rows(
    folder: &DataFolder,
    /// The name of the pipeline.
    #[schemars(length(max = 200))]
    name: String,
    /// The values of its parameters, as the text of a JSON object. Which ones there are depends on the pipeline.
    #[schemars(length(max = 100_000))]
    #[serde(default = "no_inputs")]
    inputs: String,
) -> Result<Json<ChartRows>> {
    let folder = folder.clone();
    let rows = move || -> Result<ChartRows> {
        let text = folder.definition(&name)?.ok_or_else(|| PipelineError::NoFile(format!("pipelines/{name}.json")))?;
        let definition = Definition::read(&name, &text)?;
        let inputs =
            serde_json::from_str(&inputs).map_err(|error| format!("`inputs` is not a JSON object: {error}"))?;
        let inputs = definition.entry()?.check(&inputs)?;
        let mut table = Table::default();
        for step in definition.steps(&inputs)?.iter().filter(|step| !matches!(step, Step::Write(_))) {
            (table, _) = step.apply(table, &folder)?;
        }
        Ok(ChartRows { name, rows: table.objects(SHOWN), total: table.rows.len() })
    };
    // Files and sorting block, so they have a thread of their own.
    Ok(Json(spawn_blocking(rows).await??))
}

fn no_inputs() -> String {
    "{}".to_owned()
}
