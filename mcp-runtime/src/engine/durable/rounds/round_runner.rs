//! Runs one round of a resumed call while holding its lease.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use tokio::{sync::oneshot, time::sleep};

use super::{Durable, parked::ParkOptions};
use crate::{
    engine::{
        call::{
            CallState, Owner,
            body::Body,
            call_id::Place,
            journal::Journal,
            lease::{ClaimError, LedgerError, RoundLease},
            running::{Round, Running},
        },
        durable::{
            continuation::Placed,
            ledger::{
                Claim, LONGEST_REPLY,
                quota::{Admission, KeptSize},
            },
        },
    },
    wire::protocol::{error::RpcError, result::CallToolResult},
};

/// The delays before each new try to record a result. They are in seconds, and add up to 8 minutes.
const PAUSES: [u64; 8] = [1, 2, 5, 12, 40, 60, 120, 240];

/// Runs a call to the end of its round.
pub(crate) async fn run_round(running: Box<Running>, arguments: Box<str>, claim: Arc<Claim>) -> Body {
    *running.call().claim.lock() = Some(Arc::clone(&claim) as Arc<dyn RoundLease>);
    let mut guard = RoundGuard { running: Some(running), arguments, claim };
    let round = guard.round().await;
    match (round, guard.running.take()) {
        // A result with effects is recorded even if the client disconnects.
        (Some(Round::Done(outcome)), Some(running)) if running.call().has_begun() => {
            let durable = Arc::clone(Durable::of(&*running.call().server));
            let mut finishing = Box::pin(finish(outcome, running, Arc::clone(&guard.claim)));
            // A ledger in memory completes in this poll.
            if let Poll::Ready(body) = poll_fn(|cx| Poll::Ready(finishing.as_mut().poll(cx))).await {
                return body;
            }
            let (sender, body) = oneshot::channel();
            durable.detached.spawn(async move { drop(sender.send(finishing.await)) });
            body.await.unwrap_or_else(|_| Body::error(&RpcError::internal("the server is shutting down")))
        }
        (Some(Round::Done(outcome)), Some(running)) => finish(outcome, running, Arc::clone(&guard.claim)).await,
        (Some(Round::Asks), Some(running)) => ask(running, &guard.arguments, Some(&guard.claim)).await,
        _ => Body::error(&RpcError::taken_over()),
    }
}

/// A running round. If it is dropped before an effect has begun, the call is dropped too, and ends if it cannot be
/// rebuilt. If an effect has begun, the call runs to its end in the background, and its result is recorded.
struct RoundGuard {
    running: Option<Box<Running>>,
    arguments: Box<str>,
    claim: Arc<Claim>,
}

impl RoundGuard {
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
        let body = Body::done(&call, outcome);
        let place = running.place();
        let admission = admission(&mut running);
        drop(running);
        if !keeps {
            return body;
        }
        match claim.finish(body.to_keep()).await {
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
                let (kept, detached) = (Body::from_kept(body.to_keep()), &durable.detached);
                let call = Arc::clone(&call);
                detached.spawn(async move { finish_late(&call, &kept, &claim).await });
            }
        }
        if let Some(place) = place {
            durable.parking.drop_done(place);
            let keep = call.registered().definition.states_kept();
            let holds = KeptSize { bytes: kept_length(&body), spilled: 0, is_parked: false, is_recorded: true, keep };
            let principal = || call.owner().map(Owner::Principal);
            durable.quotas().finish(place.call, place.is_keyed(), admission, principal, holds);
        }
        body
    }
}

/// Records a result when the ledger is available again. If an effect that must not run twice has begun, no other
/// instance takes over the call before the result is recorded.
async fn finish_late(call: &CallState, body: &Body, claim: &Claim) {
    let trying = async {
        for pause in PAUSES {
            sleep(Duration::from_secs(pause)).await;
            match claim.finish(body.to_keep()).await {
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
fn rebuilds(call: &CallState) -> bool {
    call.registered().definition.replayable
}

/// Ends a round with its questions. Parks the call and, if the call has a claim, records the reply in the ledger.
pub(crate) async fn ask(mut running: Box<Running>, arguments: &str, claim: Option<&Claim>) -> Body {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    let (tool, owner) = (call.registered(), call.owner());
    let placed = match Placed::new(durable.claims(), tool, arguments, owner.as_deref()).await {
        Ok(placed) => placed,
        Err(error) => return Body::error(&RpcError::unavailable(error)),
    };
    let admission = match (claim, admission(&mut running)) {
        // The tool did not declare that it asks.
        (None, None) => {
            let owner = owner.clone().map(Owner::Principal);
            match durable.admit(tool, owner.as_ref(), arguments.len()) {
                Ok(admission) => Some(admission),
                Err(error) => return Body::error(&error),
            }
        }
        (_, admission) => admission,
    };
    let place = running.next_place();
    let journal = call.conversation.journal();
    let (time, replayable) = (placed.keep, rebuilds(&call));
    let expires = placed.claims.now().after(time);
    let carried = replayable.then_some(&journal);
    let state = match durable.request_states.write(placed, place, 0, expires, carried).await {
        Ok(state) => state,
        Err(error) => return Body::error(&error),
    };
    let body = Body::input_required(&call.server, journal.open.clone(), state.text);
    let keeps_journals = durable.request_states.keep_journals();
    let mut kept = (replayable && keeps_journals).then_some(journal);
    if let Some(claim) = claim {
        let passing = kept.take().map(|journal| AnnounceOnDrop {
            durable: Arc::clone(durable),
            place,
            time,
            journal: Some(journal),
        });
        let passed = claim.pass(body.to_keep()).await;
        if let Err(error) = passed {
            return Body::error(&RpcError::unavailable(error));
        }
        kept = passing.and_then(AnnounceOnDrop::passed);
    }
    // The claim has ended with the round.
    drop(call.claim.lock().take());
    let is_carried = replayable && !keeps_journals;
    let reply = if claim.is_some() { kept_length(&body) } else { 0 };
    let holds = KeptSize {
        bytes: arguments.len() + reply,
        spilled: state.spilled,
        is_parked: !is_carried,
        is_recorded: claim.is_some(),
        keep: time,
    };
    let principal = || owner.clone().map(Owner::Principal);
    durable.quotas().keep(place.call, admission, principal, holds);
    let keep = ParkOptions { is_carried, journal: kept, time, owner, most_of_owner: durable.limits.parked };
    durable.park(place, running, keep);
    body
}

/// Takes the call's right to continue after its first request. Returns `None` if the right was already taken.
fn admission(running: &mut Running) -> Option<Admission> {
    running.take_admitted()?.downcast().ok().map(|admission| *admission)
}

/// Returns how many bytes the ledger stores for this reply. Returns 0 if the reply is too long, because such a reply is
/// not stored.
fn kept_length(body: &Body) -> usize {
    Some(body.to_keep().len()).filter(|length| *length <= LONGEST_REPLY).unwrap_or(0)
}

/// Holds the journal of the next round while the ledger records the reply. If the request is dropped before the ledger
/// has answered, the reply may still be recorded. In that case, the client's next request needs the journal. So
/// dropping this value stores the journal in memory.
struct AnnounceOnDrop {
    durable: Arc<Durable>,
    place: Place,
    /// How long the state of the next round is valid.
    time: Duration,
    journal: Option<Journal>,
}

impl AnnounceOnDrop {
    fn passed(mut self) -> Option<Journal> {
        self.journal.take()
    }
}

impl Drop for AnnounceOnDrop {
    fn drop(&mut self) {
        if let Some(journal) = self.journal.take() {
            self.durable.parking.announce(self.place, journal, self.time);
        }
    }
}
