//! A call in its round, led to the end of it.

use std::sync::Arc;

use super::body::Body;
use crate::{
    call::{
        continuation::Binding,
        ledger::ClaimError,
        parked::Parking,
        running::{Round, Running},
    },
    wire::error::RpcError,
};

/// Leads a call to the end of its round.
pub(super) async fn lead(running: Running, arguments: Box<str>) -> Body {
    let mut led = Led { running: Some(running), arguments };
    let round = led.round().await;
    match (round, led.running.take()) {
        // What has taken effect is recorded, whoever waits for it.
        (Some(round), Some(running)) if running.call().has_begun() && running.call().claim().is_some() => {
            let arguments = std::mem::take(&mut led.arguments);
            let ended = tokio::spawn(async move { end(round, running, &arguments).await }).await;
            ended.unwrap_or_else(|error| Body::error(&RpcError::internal(error.to_string())))
        }
        (Some(round), Some(running)) => end(round, running, &led.arguments).await,
        _ => Body::error(&RpcError::taken_over()),
    }
}

/// A call in its round. Dropped, it is dropped as well, unless what must not be left half done has begun: that runs to
/// its end, and what came of it is kept.
struct Led {
    running: Option<Running>,
    arguments: Box<str>,
}

impl Led {
    /// Nothing if another instance has taken the call over.
    async fn round(&mut self) -> Option<Round> {
        let running = self.running.as_mut()?;
        match running.call().claim() {
            Some(claim) => claim.keep_alive(running.round()).await.ok(),
            None => Some(running.round().await),
        }
    }
}

impl Drop for Led {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take_if(|running| running.must_end())
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let arguments = std::mem::take(&mut self.arguments);
            // The call's own context learns it: the request may have been cancelled under another.
            running.call().cancel();
            runtime.spawn(async move {
                let round = running.round().await;
                drop(end(round, running, &arguments).await);
            });
        }
    }
}

/// Ends a round: its reply is made, kept in the ledger where the call is known there, and its call kept for the next.
pub(super) async fn end(round: Round, mut running: Running, arguments: &str) -> Body {
    let claim = running.call().take_claim();
    match round {
        Round::Done(outcome) => {
            // An error of the protocol before anything took effect spends nothing: the round is given back.
            let keeps = outcome.is_ok() || running.call().has_begun();
            let body = Body::done(running.call(), outcome);
            match claim.filter(|_| keeps) {
                None => body,
                Some(claim) => match claim.finish(body.to_keep()).await {
                    Err(ClaimError::Lost) if !running.call().has_begun() => Body::error(&RpcError::taken_over()),
                    Err(error) => {
                        // The client has its result all the same; only who asks again may not.
                        crate::report!("tool `{}`: its result could not be kept: {error}", running.call().tool_name());
                        body
                    }
                    Ok(()) => {
                        if let Some(place) = running.place() {
                            running.call().server.parking.drop_done(place);
                        }
                        body
                    }
                },
            }
        }
        Round::Asks => {
            let server = Arc::clone(&running.call().server);
            let ledger = match server.claims.ledger_id().await {
                Ok(ledger) => ledger,
                Err(error) => return Body::error(&RpcError::unavailable(error)),
            };
            let place = running.next_place();
            let journal = running.call().conversation.journal();
            let binding = Binding { tool: running.call().tool_name(), arguments };
            let state = match server.request_states.write(&server.claims, ledger, &binding, place, 0, &journal).await {
                Ok(state) => state,
                Err(error) => return Body::error(&error),
            };
            let body = Body::input_required(&server, &journal.open, &state);
            let replayable = server.registry.at(running.call().tool).definition.replayable;
            let kept = (replayable && server.request_states.keeps_journals()).then_some(journal);
            if let Some(claim) = claim
                && let Err(error) = claim.pass(body.to_keep()).await
            {
                return Body::error(&RpcError::unavailable(error));
            }
            Parking::park(&server, place, running, kept);
            body
        }
    }
}
