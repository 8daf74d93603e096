//! Ends a round with the questions of the call, and parks the call.

use std::{borrow::Cow, sync::Arc, time::Duration};

use super::{Durable, at_once::in_memory, parked::ParkOptions};
use crate::{
    engine::{
        call::{Owner, body::Body, call_id::Place, journal::Journal, multi_round::Answering, running::Running},
        durable::{
            continuation::{Binding, Placed},
            ledger::{
                Claim, LONGEST_REPLY,
                quota::{Admission, KeptSize},
            },
        },
    },
    wire::protocol::error::RpcError,
};

/// Ends the first round of a call with its questions.
pub(super) fn end_first_round(running: Box<Running>, arguments: Cow<'_, str>) -> Answering {
    if Durable::of(&*running.call().server).claims().is_in_memory() {
        return Answering::Now(in_memory(ask(running, &arguments, None)));
    }
    let arguments = arguments.into_owned();
    Answering::Later(Box::pin(async move { ask(running, &arguments, None).await }))
}

/// Ends a round with its questions. Parks the call and, if the call has a claim, records the reply in the ledger.
pub(super) async fn ask(mut running: Box<Running>, arguments: &str, claim: Option<&Claim>) -> Body {
    let call = Arc::clone(running.call());
    let durable = Durable::of(&*call.server);
    let (tool, owner) = (call.registered(), call.owner());
    let (claims, ledger) = match claim {
        Some(claim) => claim.ledger(),
        None => match durable.claims().begin(call.id()).await {
            Ok(begun) => begun,
            Err(error) => return Body::error(&RpcError::unavailable(error)),
        },
    };
    let placed = Placed::new(claims, ledger, tool, Binding::new(tool, arguments, owner.as_deref()));
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
    let (time, replayable) = (placed.keep, tool.definition.replayable);
    let expires = placed.claims.now().after(time);
    let carried = replayable.then_some(&journal);
    let state = match durable.request_states.write(placed, place, 0, expires, carried).await {
        Ok(state) => state,
        Err(error) => return Body::error(&error),
    };
    let keeps_journals = durable.request_states.keep_journals();
    let (questions, mut kept) = match replayable && keeps_journals {
        true => (journal.open.clone(), Some(Box::new(journal))),
        false => (journal.open, None),
    };
    let body = Body::input_required(&call.server, questions, state.text);
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
    let keep = ParkOptions { is_carried, journal: kept, time, owner };
    durable.park(place, running, keep);
    body
}

/// Takes the call's right to continue after its first request. Returns `None` if the right was already taken.
pub(super) fn admission(running: &mut Running) -> Option<Admission> {
    running.take_admitted()?.downcast().ok().map(|admission| *admission)
}

/// Returns how many bytes the ledger stores for this reply. Returns 0 if the reply is too long, because such a reply is
/// not stored.
pub(super) fn kept_length(body: &Body) -> usize {
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
    journal: Option<Box<Journal>>,
}

impl AnnounceOnDrop {
    fn passed(mut self) -> Option<Box<Journal>> {
        self.journal.take()
    }
}

impl Drop for AnnounceOnDrop {
    fn drop(&mut self) {
        if let Some(journal) = self.journal.take() {
            self.durable.parking().announce(self.place, journal, self.time);
        }
    }
}
