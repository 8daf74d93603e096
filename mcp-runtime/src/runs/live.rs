//! A run that this process runs.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use serde_json::{Value, json};

use super::{
    RunStatus,
    feed::{RunEnd, RunFeed},
};
use crate::{
    call::running::{CallOutcome, Round, Running},
    protocol::result::CallToolResult,
};

/// Runs the call to its end, or until the run is cancelled.
pub(super) async fn drive(feed: Arc<RunFeed>, mut running: Box<Running>) {
    let finished = {
        let (mut cancelled, mut round) = (pin!(feed.cancelled()), pin!(running.round()));
        poll_fn(|cx| match cancelled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => round.as_mut().poll(cx).map(Some),
        })
        .await
    };
    let outcome = match finished {
        Some(Round::Done(outcome)) => Some(outcome),
        // The call of a run keeps running while it asks.
        Some(Round::Asks) => Some(Ok(CallToolResult::error("internal error: the run has ended its round"))),
        None => running.finish_started().await,
    };
    drop(running);
    feed.end(outcome.map_or(RunEnd { status: RunStatus::Cancelled, outputs: None, error: None }, end));
}

/// Returns the end of a run from the result of its call.
fn end(outcome: CallOutcome) -> RunEnd {
    let failed = |message: &str| json!({ "kind": "failed", "message": message });
    let error = match outcome {
        Ok(result) => match (structured(&result), result.is_error) {
            (Some(mut envelope), false) => {
                return RunEnd {
                    status: RunStatus::Completed,
                    outputs: Some(take(&mut envelope, "result")),
                    error: None,
                };
            }
            (Some(mut envelope), true) => take(&mut envelope, "error"),
            // A panic or a timeout, which the runtime reports.
            (None, _) => failed(result.first_text()),
        },
        Err(error) => failed(&error.message),
    };
    RunEnd { status: RunStatus::Failed, outputs: None, error: Some(error) }
}

fn structured(result: &CallToolResult) -> Option<Value> {
    serde_json::from_str(result.structured.as_ref()?.get()).ok()
}

fn take(envelope: &mut Value, member: &str) -> Value {
    envelope.get_mut(member).map(Value::take).unwrap_or_default()
}
