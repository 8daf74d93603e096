//! Begins a call within a call: finds the tool, asks the guard, and creates the future.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::runs_on::RunsOn;
use crate::{
    base::error::{Result, ToolError},
    engine::{
        call::{
            Call,
            call_target::CallTarget,
            execution::{Execution, panicked},
            nested::{MOST_LEVELS, NestedCall},
            observer::observer,
            once::Recorded,
            round_observer::{CallObserver, RoundObserver as _},
            running::{CallFuture, LayeredCalling},
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
    let described = || tool.described();
    let mut watch = observer().nested(&call);
    let begun = {
        let _entered = watch.enter();
        catch_unwind(AssertUnwindSafe(|| layered(&call, &tool, pass, &arguments)))
    };
    let (calling, layers) = match begun {
        Ok(Ok(begun)) => begun,
        Ok(Err(refused)) => return observed(&mut watch, &call, Ok(refused)),
        Err(_) => {
            watch.panicked();
            return Ok(panicked(&described()));
        }
    };
    let mut execution = Execution::new(hold(calling, call.clone()), layers, tool.timeout(), watch);
    let outcome = poll_fn(|cx| {
        if call.nested().is_some_and(NestedCall::is_dropped) {
            // A step runs on, and this call must not keep the span of its caller open.
            execution.watch.cancelled();
        }
        let polled = execution.poll(cx, &*tool, described, Err);
        if polled.is_ready() {
            return polled;
        }
        let is_waiting = call.0.conversation.is_waiting_for_client();
        execution.poll_deadline(cx, is_waiting, described).map(|message| {
            // A layer that ends the call would drop a step that runs on.
            let ended = if execution.calling.runs_on() { None } else { execution.end_in_layers(&message, Err) };
            ended.unwrap_or_else(|| Ok(CallToolResult::error(message)))
        })
    })
    .await;
    observed(&mut execution.watch, &call, outcome)
}

/// Reports the outcome of a nested call.
fn observed(watch: &mut impl CallObserver, call: &Call, outcome: Result<CallToolResult>) -> Result<CallToolResult> {
    match &outcome {
        _ if call.0.conversation.is_replaying() => watch.repeated(),
        Ok(result) => watch.done(Ok(result)),
        Err(_) => watch.failed(),
    }
    outcome
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
) -> std::result::Result<LayeredCalling, CallToolResult> {
    match call.0.server.get::<Box<dyn Layers>>() {
        Some(layers) => Ok(layers.begin(pass, call.clone(), arguments)),
        None => match tool.begin(pass, call.clone(), arguments) {
            Ok(calling) => Ok((calling, None)),
            Err(invalid) => Err(tool.refuse_arguments(&invalid)),
        },
    }
}
