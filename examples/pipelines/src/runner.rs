//! Runs the steps of a pipeline: with progress and a trace, and with a question before a report is replaced.

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::{DataFolder, PipelineError, Table, steps::Step};

/// How many rows the result of a run shows.
const SHOWN: usize = 5;

/// What a run asks its user.
#[elicits]
pub enum Questions {
    /// Replace the report?
    Replace {
        /// If not, the run ends and the report stays as it is.
        replace: bool,
    },
}

/// The result of a run.
#[action_output]
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunOutput {
    /// The values of the pipeline's parameters, with the defaults.
    pub inputs: Value,
    /// The reports that the run wrote.
    pub written: Vec<String>,
    /// The number of rows after the last step.
    pub rows: usize,
    /// The first of them.
    pub first_rows: Vec<Value>,
    /// The path of the definition on the server.
    #[internal]
    pub definition: String,
}

/// A run in progress.
pub(crate) struct Runner<'r> {
    pub(crate) ctx: &'r Ctx<Questions>,
    pub(crate) folder: DataFolder,
    /// Whether reports are replaced without a question.
    pub(crate) overwrite: bool,
}

/// The rows after the last step, and the reports.
pub(crate) struct Finished {
    pub(crate) table: Table,
    pub(crate) written: Vec<String>,
}

impl Runner<'_> {
    /// Runs the steps one after another.
    pub(crate) async fn run(&self, steps: Vec<Step>) -> Result<Finished> {
        let (mut table, mut written) = (Table::default(), Vec::new());
        let total = steps.len();
        // A name that cannot be written fails before the work, not after it.
        for (number, step) in (1..).zip(&steps) {
            if let Step::Write(name) = step {
                let failed =
                    |reason: PipelineError| PipelineError::Step { number, kind: step.kind(), reason: reason.into() };
                self.folder.report(name).map_err(failed)?;
            }
        }
        for (number, step) in (1..).zip(steps) {
            let kind = step.kind();
            let failed = |reason: PipelineError| PipelineError::Step { number, kind, reason: reason.into() };
            self.ctx.progress((number - 1) as f64).total(total as f64).message(format!("step {number}: {kind}"));
            if let Step::Write(name) = &step {
                self.agree(name).await?;
            }
            let (folder, is_write) = (self.folder.clone(), matches!(step, Step::Write(_)));
            // Files and sorting block, so they have a thread of their own.
            let (after, files) = spawn_blocking(move || step.apply(table, &folder)).await?.map_err(failed)?;
            table = after;
            self.ctx
                .log(Level::Info, json!({ "step": number, "kind": kind, "rows": table.rows.len(), "files": files }));
            if is_write {
                written.extend(files);
            }
        }
        self.ctx.progress(total as f64).total(total as f64).message("done");
        Ok(Finished { table, written })
    }

    /// Asks the user before a report is replaced.
    async fn agree(&self, name: &str) -> Result<()> {
        let (path, exists) = self.folder.report(name)?;
        if !exists || self.overwrite {
            return Ok(());
        }
        let question = format!("`{path}` exists. Replace it?");
        match self.ctx.elicit::<Replace>(question).await {
            Ok(Elicited::Accept(Replace { replace: true })) => Ok(()),
            Ok(_) | Err(AskError::Capability(_)) => Err(PipelineError::Kept(path).into()),
            Err(error) => Err(error.into()),
        }
    }
}

impl RunOutput {
    pub(crate) fn new(name: &str, inputs: Value, finished: &Finished) -> Self {
        let Finished { table, written } = finished;
        Self {
            inputs,
            written: written.clone(),
            rows: table.rows.len(),
            first_rows: table.objects(SHOWN),
            definition: format!("pipelines/{name}.json"),
        }
    }
}
