//! Begins a call within a call: finds the tool, asks the guard, and creates the future.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    task::Poll,
};

use super::runs_on::RunsOn;
use crate::{
    base::error::{Result, ToolError},
    engine::{
        call::{
            Call, call_target::CallTarget, limits::Deadline, nested::MOST_LEVELS, once::Recorded, rounds::panicked,
            running::CallFuture,
        },
        layer::Layers,
        tool::{guard::Pass, live_registry::LiveRegistry, registered::RegisteredTool},
    },
    wire::protocol::{error::CallRefusal, result::CallToolResult},
};

/// Begins a call of the tool that `find` returns, within `outer`. `arguments` is JSON text.
///
/// The path of the call is reserved here and not in the first poll, because `select!` polls in random order.
pub(super) fn begin(
    outer: &Call,
    find: impl FnOnce(&LiveRegistry) -> Result<Arc<RegisteredTool>>,
    arguments: serde_json::Result<String>,
) -> Result<RunsOn> {
    let registry = outer.0.server.get::<LiveRegistry>().expect("every server has a registry");
    let tool = find(registry)?;
    let arguments = arguments
        .map_err(|error| format!("the arguments for the {} cannot be written as JSON: {error}", tool.described()))?;
    let call = outer.nest(Arc::clone(&tool) as Arc<dyn CallTarget>).ok_or_else(|| {
        format!(
            "the {} is called within more than {MOST_LEVELS} other calls; do the tools call each other?",
            tool.described()
        )
    })?;
    let pass = tool.admit_within(&call.0).map_err(|denied| CallRefusal(denied.error(&tool)))?;
    if tool.may_ask() && !tool.is_replayable() && outer.0.tool.is_replayable() {
        return Err(ToolError::from(format!(
            "the {} can ask and is not `replayable`, so the {}, which is, cannot call it; make it `replayable` or a \
             handoff",
            tool.described(),
            outer.target().described()
        )));
    }
    let is_step = !tool.may_ask() && !tool.may_run_again();
    let hold = if is_step { RunsOn::in_step } else { RunsOn::new };
    let runs = run(call.clone(), tool, pass, arguments, hold);
    if !is_step {
        return Ok(RunsOn::new(Box::pin(runs), call));
    }
    let once = call.clone();
    Ok(RunsOn::new(Box::pin(async move { once.once("call", Box::pin(runs), &Recorded::RESULT).await }), call))
}

/// Runs the tool with the layers around it, within its time.
async fn run(
    call: Call,
    tool: Arc<RegisteredTool>,
    pass: Pass,
    arguments: String,
    hold: fn(CallFuture, Call) -> RunsOn,
) -> Result<CallToolResult> {
    let mut deadline = Deadline::new(tool.timeout());
    let mut calling: Option<RunsOn> = None;
    poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| {
            if calling.is_none() {
                match layered(&call, &tool, pass, &arguments) {
                    Ok(begun) => calling = Some(hold(begun, call.clone())),
                    Err(refused) => return Poll::Ready(Ok(refused)),
                }
            }
            calling.as_mut().map_or(Poll::Pending, |calling| calling.poll_calling(cx))
        }));
        match polled {
            Ok(Poll::Pending) if call.0.conversation.is_waiting_for_client() => {
                deadline.pause();
                Poll::Pending
            }
            Ok(Poll::Pending) => deadline.poll(cx).map(|timeout| {
                Ok(CallToolResult::error(format!("the {} did not finish within {timeout:?}", tool.described())))
            }),
            Ok(ready) => ready,
            Err(_) => Poll::Ready(Ok(panicked(&tool.described()))),
        }
    })
    .await
}

/// Creates the future of the tool and of the layers around it.
///
/// # Errors
/// Returns the result of the call if its arguments are invalid.
fn layered(
    call: &Call,
    tool: &RegisteredTool,
    pass: Pass,
    arguments: &str,
) -> std::result::Result<CallFuture, CallToolResult> {
    match call.0.server.get::<Box<dyn Layers>>() {
        Some(layers) => Ok(layers.begin(pass, call.clone(), arguments).0),
        None => tool.begin(pass, call.clone(), arguments).map_err(|invalid| tool.refuse_arguments(&invalid)),
    }
}
