//! Runs one round of a resumed call while holding its lease.

use std::{
    borrow::Cow,
    mem::take,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::{sync::oneshot, time::sleep};

use super::{
    Durable,
    ask::{ask, kept_length},
    at_once::in_memory,
    kept,
};
use crate::{
    engine::{
        call::{
            CallState, Owner,
            body::Body,
            lease::{ClaimError, LedgerError, RoundLease},
            multi_round::Answering,
            running::{Round, Running},
        },
        durable::ledger::{Claim, quota::KeptSize},
    },
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// The delays before each new try to record a result. They are in seconds, and add up to 8 minutes.
const PAUSES: [u64; 8] = [1, 2, 5, 12, 40, 60, 120, 240];

/// Polls a call once, and ends its round if the call has ended it. Most rounds end in this poll, and need no lease that
/// is renewed.
pub(super) fn run_round(mut running: Box<Running>, arguments: Cow<'_, str>, claim: Arc<Claim>) -> Answering {
    hold(&running, &claim);
    match running.poll_round(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(round) => end_round(round, running, arguments, claim),
        Poll::Pending => {
            running.call().outlive_connection();
            let guard = RoundGuard { running: Some(running), arguments: arguments.into_owned(), claim };
            Answering::Pending(Box::pin(guard.run()))
        }
    }
}

/// Runs a call to the end of its round.
pub(super) async fn run_round_in_task(running: Box<Running>, arguments: String, claim: Arc<Claim>) -> Body {
    hold(&running, &claim);
    RoundGuard { running: Some(running), arguments, claim }.run().await
}

/// Lets the call change its record.
fn hold(running: &Running, claim: &Arc<Claim>) {
    *running.call().claim.lock() = Some(Arc::clone(claim) as Arc<dyn RoundLease>);
}

/// Ends a round: records the result of the call, or its questions.
fn end_round(round: Round, running: Box<Running>, arguments: Cow<'_, str>, claim: Arc<Claim>) -> Answering {
    match round {
        Round::Done(outcome) if claim.is_in_memory() => {
            Answering::Now(in_memory(pin!(finish(outcome, running, claim))))
        }
        // A result with effects is recorded even if the client disconnects.
        Round::Done(outcome) if running.call().has_begun() => finish_detached(outcome, running, claim),
        Round::Done(outcome) => Answering::Later(Box::pin(finish(outcome, running, claim))),
        Round::Asks if claim.is_in_memory() => Answering::Now(in_memory(pin!(ask(running, &arguments, Some(&claim))))),
        Round::Asks => {
            let arguments = arguments.into_owned();
            Answering::Later(Box::pin(async move { ask(running, &arguments, Some(&claim)).await }))
        }
    }
}

/// A running round. If it is dropped before an effect has begun, the call is dropped too, and ends if it cannot be
/// rebuilt. If an effect has begun, the call runs to its end in the background, and its result is recorded.
struct RoundGuard {
    running: Option<Box<Running>>,
    arguments: String,
    claim: Arc<Claim>,
}

impl RoundGuard {
    /// Runs the call to the end of its round, and renews the lease meanwhile.
    async fn run(mut self) -> Body {
        let round = self.round().await;
        match (round, self.running.take()) {
            (Some(round), Some(running)) => {
                let (arguments, claim) = (take(&mut self.arguments), Arc::clone(&self.claim));
                end_round(round, running, arguments.into(), claim).body().await
            }
            _ => Body::error(&RpcError::taken_over()),
        }
    }

    /// Runs the round. Returns `None` if another instance has taken over the call.
    async fn round(&mut self) -> Option<Round> {
        let running = self.running.as_mut()?;
        self.claim.keep_alive(running.round()).await.ok()
    }
}

impl Drop for RoundGuard {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let claim = Arc::clone(&self.claim);
        if !running.must_finish() {
            return drop_cancelled(running, claim);
        }
        let durable = Arc::clone(Durable::of(&*running.call().server));
        durable.detached.spawn(async move {
            match claim.keep_alive(running.finish_started()).await {
                Ok(Some(outcome)) => drop(finish(outcome, running, claim).await),
                Ok(None) => drop_cancelled(running, claim),
                Err(_) => {}
            }
        });
    }
}

/// Drops a call whose request was cancelled in a later round. If the call can be rebuilt, its state stays valid.
/// Otherwise, the call has ended.
fn drop_cancelled(running: Box<Running>, claim: Arc<Claim>) {
    let call = Arc::clone(running.call());
    let lost = running.place().filter(|place| place.round > 0 && !rebuilds(&call));
    drop(running);
    if let Some(place) = lost {
        Durable::of(&*call.server).end_lost(place, claim);
    }
}

/// Continues the first round of a call in the background after the request was cancelled, until the effects that have
/// begun are finished.
pub(crate) fn run_on(mut running: Box<Running>) {
    let durable = Arc::clone(Durable::of(&*running.call().server));
    durable.detached.spawn(async move { drop(running.finish_started().await) });
}

/// Ends a call and records its result in the ledger.
#[expect(clippy::manual_async_fn, reason = "the future of an `async fn` has room for its arguments twice")]
fn finish(
    outcome: Result<CallToolResult, RpcError>,
    mut running: Box<Running>,
    claim: Arc<Claim>,
) -> impl Future<Output = Body> + Send {
    async move {
        let call = Arc::clone(running.call());
        let durable = Durable::of(&*call.server);
        // A protocol error is not recorded if no effect has begun: the round is released.
        let keeps = outcome.is_ok() || call.has_begun();
        let mut body = Body::done(&call, outcome);
        let place = running.place();
        let admission = running.admission.take();
        drop(running);
        if !keeps {
            return body;
        }
        match claim.finish(body.kept()).await {
            Ok(()) => {}
            Err(ClaimError::Lost) if !call.has_begun() => return Body::error(&RpcError::taken_over()),
            // Return an error: no effect has begun, and a retry could give another result than this unrecorded one.
            Err(error) if !call.has_begun() && rebuilds(&call) => return Body::error(&RpcError::unavailable(error)),
            Err(error @ ClaimError::Lost) => {
                crate::base::report::report_limited!(
                    "the result of the {} could not be recorded: {error}",
                    call.described()
                );
            }
            // The client gets its result anyway; record it later for repeated requests.
            Err(_) => {
                let (mut kept, detached) = (Body::from_kept(body.kept()), &durable.detached);
                let call = Arc::clone(&call);
                detached.spawn(async move { finish_late(&call, &mut kept, &claim).await });
            }
        }
        if let Some(place) = place {
            durable.parking().drop_done(place);
            let keep = kept(call.registered(), place);
            let holds =
                KeptSize { bytes: kept_length(&mut body), spilled: 0, is_parked: false, is_recorded: true, keep };
            let principal = || call.owner().map(Owner::Principal);
            durable.quotas().finish(place.call, place.is_keyed(), admission, principal, holds);
        }
        body
    }
}

/// Ends a call like [`finish`], in a task if the ledger does not answer at once.
fn finish_detached(outcome: Result<CallToolResult, RpcError>, running: Box<Running>, claim: Arc<Claim>) -> Answering {
    let durable = Arc::clone(Durable::of(&*running.call().server));
    let mut finishing = Box::pin(finish(outcome, running, claim));
    if let Poll::Ready(body) = finishing.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        return Answering::Now(body);
    }
    let (sender, body) = oneshot::channel();
    durable.detached.spawn(async move { drop(sender.send(finishing.await)) });
    let stopping = || Body::error(&RpcError::internal("the server is shutting down"));
    Answering::Later(Box::pin(async move { body.await.unwrap_or_else(|_| stopping()) }))
}

/// Records a result when the ledger is available again. If an effect that must not run twice has begun, no other
/// instance takes over the call before the result is recorded.
async fn finish_late(call: &CallState, body: &mut Body, claim: &Claim) {
    let trying = async {
        for pause in PAUSES {
            sleep(Duration::from_secs(pause)).await;
            match claim.finish(body.kept()).await {
                Err(ClaimError::Ledger(error)) if !matches!(error, LedgerError::Replaced) => {
                    crate::base::report::report_limited!(
                        "the result of the {} cannot be recorded yet: {error}",
                        call.described()
                    );
                }
                finished => return finished,
            }
        }
        Ok(())
    };
    if let Err(error) | Ok(Err(error)) = claim.keep_alive(trying).await {
        crate::base::report::report_limited!("the result of the {} could not be recorded: {error}", call.described());
    }
}

/// Returns whether the call can be rebuilt after its future was dropped.
pub(super) fn rebuilds(call: &CallState) -> bool {
    call.registered().definition.replayable
}
