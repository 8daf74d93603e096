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
            ledger_time::LedgerTime,
            running::{Round, Running},
        },
        durable::{
            continuation::Placed,
            ledger::{
                Claim, LARGEST_JOURNAL, LONGEST_REPLY,
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
pub(crate) async fn ask(running: Box<Running>, arguments: &str, claim: Option<&Claim>) -> Body {
    end_with_questions(running, arguments, claim).await.unwrap_or_else(|error| Body::error(&error))
}

async fn end_with_questions(
    mut running: Box<Running>,
    arguments: &str,
    claim: Option<&Claim>,
) -> Result<Body, RpcError> {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    let (tool, owner) = (call.registered(), call.owner());
    let placed = Placed::new(durable.claims(), tool, arguments, owner.as_deref()).await;
    let placed = placed.map_err(RpcError::unavailable)?;
    let admission = match (claim, admission(&mut running)) {
        // The tool did not declare that it asks.
        (None, None) => {
            let owner = owner.clone().map(Owner::Principal);
            Some(durable.admit(tool, owner.as_ref(), arguments.len())?)
        }
        (_, admission) => admission,
    };
    let (place, time) = (running.next_place(), placed.keep);
    let questions = Questions { durable, call: &call, placed, place, expires: placed.claims.now().after(time) };
    let asked = questions.ask(claim).await?;
    // The claim has ended with the round.
    drop(call.claim.lock().take());
    let is_carried = rebuilds(&call) && asked.kept.is_none();
    let holds = KeptSize {
        bytes: arguments.len() + asked.recorded,
        spilled: asked.spilled,
        is_parked: !is_carried,
        is_recorded: claim.is_some(),
        keep: time,
    };
    let principal = || owner.clone().map(Owner::Principal);
    durable.quotas().keep(place.call, admission, principal, holds);
    let keep = ParkOptions { is_carried, journal: asked.kept, time, owner, most_of_owner: durable.limits.parked };
    durable.park(place, running, keep);
    Ok(asked.body)
}

/// The open questions at the end of a round.
struct Questions<'a> {
    durable: &'a Durable,
    call: &'a CallState,
    placed: Placed<'a>,
    place: Place,
    /// When the state of the next round expires.
    expires: LedgerTime,
}

/// A reply with questions, and where the journal of the call is.
struct AskedRound {
    body: Body,
    /// The journal, if this process keeps it.
    kept: Option<Journal>,
    /// The number of bytes in the record.
    recorded: usize,
    /// The number of journal bytes that were stored in the ledger, because they were too many for the state.
    spilled: usize,
}

impl Questions<'_> {
    /// Ends the round. A call that can be rebuilt has its journal in one place: in its record if it has one, otherwise in
    /// its state. If states cannot contain a journal, this process keeps it.
    async fn ask(&self, claim: Option<&Claim>) -> Result<AskedRound, RpcError> {
        let Self { durable, call, .. } = *self;
        let (replayable, in_process) = (rebuilds(call), durable.request_states.keep_journals());
        if let Some(claim) = claim
            && replayable
            // A call that can continue with another ledger carries its journal.
            && (in_process || !durable.waives_ledger(call.registered()))
            && let Some(asked) = self.ask_with_journal_in_record(claim).await?
        {
            return Ok(asked);
        }
        let journal = replayable.then(|| call.conversation.journal());
        let (body, spilled) = self.reply(journal.as_ref()).await?;
        let mut recorded = 0;
        if let Some(claim) = claim {
            claim.pass(body.to_keep()).await.map_err(RpcError::unavailable)?;
            recorded = kept_length(&body);
        }
        Ok(AskedRound { body, kept: journal.filter(|_| in_process), recorded, spilled })
    }

    /// Returns `None` if the journal is too large for the record.
    async fn ask_with_journal_in_record(&self, claim: &Claim) -> Result<Option<AskedRound>, RpcError> {
        let journal = self.call.conversation.journal_to_record();
        if journal.len() > LARGEST_JOURNAL {
            return Ok(None);
        }
        let (body, spilled) = self.reply(None).await?;
        match claim.pass_with_journal(body.to_keep(), &journal).await {
            Ok(()) => {
                let recorded = kept_length(&body) + journal.len();
                Ok(Some(AskedRound { body, kept: None, recorded, spilled }))
            }
            Err(ClaimError::Ledger(error)) if error.is_for_size() => Ok(None),
            Err(error) => Err(RpcError::unavailable(error)),
        }
    }

    /// Returns the reply with a state that contains this journal, and the length of what the ledger stored of it.
    async fn reply(&self, journal: Option<&Journal>) -> Result<(Body, usize), RpcError> {
        let Self { durable, call, placed, place, expires } = *self;
        let state = durable.request_states.write(placed, place, 0, expires, journal).await?;
        Ok((Body::input_required(&call.server, call.conversation.open_questions(), state.text), state.spilled))
    }
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
