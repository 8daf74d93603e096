//! A call in a later round, led to the end of it under its claim.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use tokio::{sync::oneshot, time::sleep};

use super::{
    Durable,
    continuation::{Binding, Placed},
    ledger::{
        Claim, LONGEST_REPLY,
        quota::{Admission, Holds},
    },
    parked::{Keep, Parking},
};
use crate::{
    call::{
        CallState,
        body::Body,
        journal::Journal,
        lease::{ClaimError, Hold, LedgerError},
        owner::Owner,
        place::Place,
        running::{Round, Running},
    },
    protocol::{error::RpcError, result::CallToolResult},
};

/// How many seconds the ledger may be away for a result to be kept all the same: 8 minutes together.
const PAUSES: [u64; 8] = [1, 2, 5, 12, 40, 60, 120, 240];

/// Leads a call to the end of its round.
pub(crate) async fn lead(running: Box<Running>, arguments: Box<str>, claim: Arc<Claim>) -> Body {
    running.call().hold_claim(Arc::clone(&claim) as Arc<dyn Hold>);
    let mut led = Led { running: Some(running), arguments, claim };
    let round = led.round().await;
    match (round, led.running.take()) {
        // What has taken effect is recorded, whoever waits for it.
        (Some(Round::Done(outcome)), Some(running)) if running.call().has_begun() => {
            let durable = Arc::clone(Durable::of(&*running.call().server));
            let mut finishing = Box::pin(finish(outcome, running, Arc::clone(&led.claim)));
            // A ledger of this process is done at once.
            if let Poll::Ready(body) = poll_fn(|cx| Poll::Ready(finishing.as_mut().poll(cx))).await {
                return body;
            }
            let (told, body) = oneshot::channel();
            durable.detached.spawn(async move { drop(told.send(finishing.await)) });
            body.await.unwrap_or_else(|_| Body::error(&RpcError::internal("the server is going away")))
        }
        (Some(Round::Done(outcome)), Some(running)) => finish(outcome, running, Arc::clone(&led.claim)).await,
        (Some(Round::Asks), Some(running)) => ask(running, &led.arguments, Some(&led.claim)).await,
        _ => Body::error(&RpcError::taken_over()),
    }
}

/// A call in its round. Dropped, it is dropped as well, unless what must not be left half done has begun: that runs to
/// its end, and what came of it is kept.
struct Led {
    running: Option<Box<Running>>,
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
        if let Some(mut running) = self.running.take_if(|running| running.must_finish()) {
            let (durable, claim) = (Arc::clone(Durable::of(&*running.call().server)), Arc::clone(&self.claim));
            durable.detached.spawn(async move {
                if let Ok(Some(outcome)) = claim.keep_alive(running.finish_started()).await {
                    drop(finish(outcome, running, claim).await);
                }
            });
        }
    }
}

/// Goes on with a first round for which nobody waits any more: what has begun is not left half done.
pub(crate) fn run_on(mut running: Box<Running>) {
    let durable = Arc::clone(Durable::of(&*running.call().server));
    durable.detached.spawn(async move { drop(running.finish_started().await) });
}

/// Ends a call: its result is kept in the ledger.
async fn finish(outcome: Result<CallToolResult, RpcError>, mut running: Box<Running>, claim: Arc<Claim>) -> Body {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    // An error of the protocol before anything took effect spends nothing: the round is given back.
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
        // Nothing has taken effect. What is told and not kept might come out differently for who asks again.
        Err(error) if !call.has_begun() && rebuilds(&call) => return Body::error(&RpcError::unavailable(error)),
        Err(error @ ClaimError::Lost) => {
            crate::report::report_limited!("tool `{}`: its result could not be kept: {error}", call.tool_name());
        }
        // The client has its result all the same, and whoever asks again is to have it as well.
        Err(_) => {
            let (kept, detached) = (Body::from_kept(body.to_keep()), &durable.detached);
            let call = Arc::clone(&call);
            detached.spawn(async move { finish_late(&call, &kept, &claim).await });
        }
    }
    if let Some(place) = place {
        durable.parking.drop_done(place);
        let keep = call.registered().definition.states_kept();
        let holds = Holds { bytes: kept_length(&body), spilled: 0, is_parked: false, is_recorded: true, keep };
        let principal = || call.owner().map(Owner::Principal);
        durable.quotas().finish(place.call, place.is_keyed(), admission, principal, holds);
    }
    body
}

/// Keeps a result that could not be kept, as soon as the ledger is back: nobody else leads the call until then, if what
/// must not run twice has begun.
async fn finish_late(call: &CallState, body: &Body, claim: &Claim) {
    let trying = async {
        for pause in PAUSES {
            sleep(Duration::from_secs(pause)).await;
            match claim.finish(body.to_keep()).await {
                Err(ClaimError::Ledger(error)) if !matches!(error, LedgerError::Replaced) => {
                    crate::report::report_limited!(
                        "tool `{}`: its result cannot be kept yet: {error}",
                        call.tool_name()
                    );
                }
                finished => return finished,
            }
        }
        Ok(())
    };
    if let Err(error) | Ok(Err(error)) = claim.keep_alive(trying).await {
        crate::report::report_limited!("tool `{}`: its result could not be kept: {error}", call.tool_name());
    }
}

/// Whether the call can be led again when its future is gone.
fn rebuilds(call: &CallState) -> bool {
    call.registered().definition.replayable
}

/// Ends a round that asks: its reply is kept in the ledger where the call is known there, and the call for the next.
pub(crate) async fn ask(mut running: Box<Running>, arguments: &str, claim: Option<&Claim>) -> Body {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    let claims = durable.claims();
    let ledger = match claims.ledger_id().await {
        Ok(ledger) => ledger,
        Err(error) => return Body::error(&RpcError::unavailable(error)),
    };
    let admission = match (claim, admission(&mut running)) {
        // It did not say that it may ask.
        (None, None) => {
            let owner = call.owner().map(Owner::Principal);
            match durable.admit(call.registered(), owner.as_ref(), arguments.len()) {
                Ok(admission) => Some(admission),
                Err(error) => return Body::error(&error),
            }
        }
        (_, admission) => admission,
    };
    let place = running.next_place();
    let journal = call.conversation.journal();
    let definition = &call.registered().definition;
    let owner = call.owner();
    let binding = Binding { tool: &definition.name, arguments, principal: owner.as_deref() };
    let replayable = definition.replayable;
    let time = definition.states_kept();
    let placed = Placed { claims, ledger, binding: &binding, keep: time, replayable };
    let expires = claims.now().after(time);
    let state = match durable.request_states.write(placed, place, 0, expires, &journal).await {
        Ok(state) => state,
        Err(error) => return Body::error(&error),
    };
    let body = Body::input_required(&*call.server, &journal.open, &state.text);
    let keeps_journals = durable.request_states.keeps_journals();
    let mut kept = (replayable && keeps_journals).then_some(journal);
    if let Some(claim) = claim {
        let passing =
            kept.take().map(|journal| Passing { durable: Arc::clone(durable), place, time, journal: Some(journal) });
        let passed = claim.pass(body.to_keep()).await;
        if let Err(error) = passed {
            return Body::error(&RpcError::unavailable(error));
        }
        kept = passing.and_then(Passing::passed);
    }
    // Its claim has ended with its round.
    drop(call.take_claim());
    let is_carried = replayable && !keeps_journals;
    let reply = if claim.is_some() { kept_length(&body) } else { 0 };
    let holds = Holds {
        bytes: arguments.len() + reply,
        spilled: state.spilled,
        is_parked: !is_carried,
        is_recorded: claim.is_some(),
        keep: time,
    };
    let principal = || owner.clone().map(Owner::Principal);
    durable.quotas().keep(place.call, admission, principal, holds);
    let keep = Keep { is_carried, journal: kept, time, owner };
    Parking::park(durable, place, running, keep);
    body
}

/// Its right to outlive its first request, if it has not done so before.
fn admission(running: &mut Running) -> Option<Admission> {
    running.take_admitted()?.downcast().ok().map(|admission| *admission)
}

/// How many bytes the ledger keeps of a reply.
fn kept_length(body: &Body) -> usize {
    Some(body.to_keep().len()).filter(|length| *length <= LONGEST_REPLY).unwrap_or(0)
}

/// The journal of the next round, while that is being opened. Dropped before it is known to be open, it is kept all the
/// same: whoever comes back with the reply that was recorded must find it.
struct Passing {
    durable: Arc<Durable>,
    place: Place,
    /// How long its state is good.
    time: Duration,
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
            self.durable.parking.announce(self.place, journal, self.time);
        }
    }
}
