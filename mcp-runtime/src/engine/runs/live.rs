//! A run that this process runs.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use super::{
    RunStatus,
    feed::{EndFn, RunEnd, RunFeed},
};
use crate::{
    engine::call::running::{Round, Running},
    wire::protocol::result::CallToolResult,
};

/// Runs the call to its end, or until the run is cancelled.
pub(super) async fn drive(feed: Arc<RunFeed>, mut running: Box<Running>, end: EndFn) {
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
        // Not expected, because the call of a run keeps running while it asks.
        Some(Round::Asks) => Some(Ok(CallToolResult::error("internal error: the run has ended its round"))),
        None => running.finish_started().await,
    };
    drop(running);
    feed.end(outcome.map_or(RunEnd { status: RunStatus::Cancelled, outputs: None, error: None }, &*end));
}
