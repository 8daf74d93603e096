//! Tools whose calls are tasks.

use std::time::Duration;

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::{Serialize, Serializer, ser::Error as _};

#[elicits]
pub(crate) enum Questions {
    Confirm { confirm: bool },
    FirstName { name: String },
    LastName { name: String },
    UserName { name: String },
}

/// Greets a person. Its calls are no tasks.
#[mcp_tool]
pub(crate) async fn greet(
    /// Whom to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Computes slowly.
#[mcp_tool(task)]
pub(crate) async fn slow_compute(
    /// How long to compute.
    #[schemars(range(min = 0.0, max = 3600.0))]
    seconds: f64,
    /// What the result is called.
    #[serde(default)]
    label: String,
) -> String {
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    format!("{label} computed in {seconds} s")
}

/// Fails after a second.
#[mcp_tool(task, requires(tasks))]
pub(crate) async fn failing_job() -> Result<String> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err("the job failed".into())
}

/// Ends with an error of the protocol, because its result cannot be written as JSON.
#[mcp_tool(task)]
pub(crate) async fn protocol_error_job() -> Json<Unwritable> {
    Json(Unwritable {})
}

/// A result that cannot be written.
#[derive(JsonSchema)]
pub(crate) struct Unwritable {}

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("this result cannot be written"))
    }
}

/// Deletes a file, after the user has confirmed it.
#[mcp_tool(task)]
pub(crate) async fn confirm_delete(
    ctx: &Ctx<Questions>,
    /// The file to delete.
    filename: String,
) -> Result<String> {
    let Confirm { confirm } = ctx.elicit::<Confirm>(format!("Delete {filename}?")).strict().await?;
    Ok(if confirm { format!("deleted {filename}") } else { format!("kept {filename}") })
}

/// Asks for two names at once.
#[mcp_tool(task)]
pub(crate) async fn multi_input(ctx: &Ctx<Questions>) -> Result<String> {
    let first = ctx.elicit::<FirstName>("Your first name?").strict();
    let last = ctx.elicit::<LastName>("Your last name?").strict();
    let (first, last) = tokio::join!(first, last);
    Ok(format!("{} {}", first?.name, last?.name))
}

/// Asks before it becomes a task.
pub(crate) struct TestToolWithTask;

/// Asks for a name, and then works as a task.
#[handoff(task, requires(tasks))]
impl TestToolWithTask {
    async fn before(&self) {}

    async fn client(ctx: &Ctx<Questions>, _nothing: &()) -> Result<String> {
        Ok(ctx.elicit::<UserName>("What is your name?").key("user_name").strict().await?.name)
    }

    async fn after(&self, _nothing: (), name: String) -> String {
        format!("Hello, {name}!")
    }
}
