//! A call in a later round, led to the end of it under its claim.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::{Inner, body::Body, rounds::claims};
use crate::{
    call::{
        CallState, Hold,
        continuation::{Binding, Place},
        journal::Journal,
        ledger::{Claim, ClaimError},
        parked::Parking,
        running::{Round, Running},
    },
    tool::CallToolResult,
    wire::error::RpcError,
};

/// Leads a call to the end of its round.
pub(super) async fn lead(running: Running, arguments: Box<str>, claim: Arc<Claim>) -> Body {
    running.call().hold_claim(Arc::clone(&claim) as Arc<dyn Hold>);
    let mut led = Led { running: Some(running), arguments, claim };
    let round = led.round().await;
    match (round, led.running.take()) {
        // What has taken effect is recorded, whoever waits for it.
        (Some(Round::Done(outcome)), Some(running)) if running.call().has_begun() => {
            let claim = Arc::clone(&led.claim);
            let finished = tokio::spawn(async move { finish(outcome, running, &claim).await }).await;
            finished.unwrap_or_else(|error| Body::error(&RpcError::internal(error.to_string())))
        }
        (Some(Round::Done(outcome)), Some(running)) => finish(outcome, running, &led.claim).await,
        (Some(Round::Asks), Some(running)) => ask(running, &led.arguments, Some(&led.claim)).await,
        _ => Body::error(&RpcError::taken_over()),
    }
}

/// A call in its round. Dropped, it is dropped as well, unless what must not be left half done has begun: that runs to
/// its end, and what came of it is kept.
struct Led {
    running: Option<Running>,
    arguments: Box<str>,
    claim: Arc<Claim>,
}

impl Led {
    /// Nothing if another instance has taken the call over.
    async fn round(&mut self) -> Option<Round> {
        let running = self.running.as_mut()?;
        self.claim.keep_alive(running.round()).await.ok()
    }
}

impl Drop for Led {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take_if(|running| running.must_end())
            && let Ok(runtime) = Handle::try_current()
        {
            let claim = Arc::clone(&self.claim);
            // The call's own context learns it: the request may have been cancelled under another.
            running.call().cancel();
            runtime.spawn(async move {
                if let Round::Done(outcome) = running.round().await {
                    drop(finish(outcome, running, &claim).await);
                }
            });
        }
    }
}

/// Runs a first round to its end for which nobody waits any more: what has begun is not left half done.
pub(super) fn run_on(mut running: Running) {
    if let Ok(runtime) = Handle::try_current() {
        running.call().cancel();
        runtime.spawn(async move { drop(running.round().await) });
    }
}

/// Ends a call: its result is kept in the ledger.
async fn finish(outcome: Result<CallToolResult, RpcError>, running: Running, claim: &Claim) -> Body {
    let call = Arc::clone(running.call());
    // An error of the protocol before anything took effect spends nothing: the round is given back.
    let keeps = outcome.is_ok() || call.has_begun();
    let body = Body::done(&call, outcome);
    let place = running.place();
    drop(running);
    if !keeps {
        return body;
    }
    match claim.finish(body.to_keep()).await {
        Ok(()) => {
            if let Some(place) = place {
                call.server.parking.drop_done(place);
            }
            body
        }
        Err(ClaimError::Lost) if !call.has_begun() => Body::error(&RpcError::taken_over()),
        // Nothing has taken effect. What is told and not kept might come out differently for who asks again.
        Err(error) if !call.has_begun() && rebuilds(&call) => Body::error(&RpcError::unavailable(error)),
        Err(error) => {
            // The client has its result all the same; only who asks again may not.
            crate::report!("tool `{}`: its result could not be kept: {error}", call.tool_name());
            body
        }
    }
}

/// Whether the call can be led again when its future is gone.
fn rebuilds(call: &CallState) -> bool {
    call.server.registry.at(call.tool).definition.replayable
}

/// Ends a round that asks: its reply is kept in the ledger where the call is known there, and the call for the next.
pub(super) async fn ask(mut running: Running, arguments: &str, claim: Option<&Claim>) -> Body {
    let server = Arc::clone(&running.call().server);
    let claims = claims(&server);
    let ledger = match claims.ledger_id().await {
        Ok(ledger) => ledger,
        Err(error) => return Body::error(&RpcError::unavailable(error)),
    };
    let place = running.next_place();
    let journal = running.call().conversation.journal();
    let binding = Binding { tool: running.call().tool_name(), arguments };
    let state = match server.request_states.write(claims, ledger, &binding, place, 0, &journal).await {
        Ok(state) => state,
        Err(error) => return Body::error(&error),
    };
    let body = Body::input_required(&server, &journal.open, &state);
    let mut kept = (rebuilds(running.call()) && server.request_states.keeps_journals()).then_some(journal);
    if let Some(claim) = claim {
        let passing = kept.take().map(|journal| Passing { server: Arc::clone(&server), place, journal: Some(journal) });
        let passed = claim.pass(body.to_keep()).await;
        if let Err(error) = passed {
            return Body::error(&RpcError::unavailable(error));
        }
        kept = passing.and_then(Passing::passed);
    }
    // Its claim has ended with its round.
    drop(running.call().take_claim());
    Parking::park(&server, place, running, kept);
    body
}

/// The journal of the next round, while that is being opened. Dropped before it is known to be open, it is kept all the
/// same: whoever comes back with the reply that was recorded must find it.
struct Passing {
    server: Arc<Inner>,
    place: Place,
    journal: Option<Journal>,
}

impl Passing {
    fn passed(mut self) -> Option<Journal> {
        self.journal.take()
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if let Some(journal) = self.journal.take() {
            Parking::announce(&self.server, self.place, journal);
        }
    }
}
