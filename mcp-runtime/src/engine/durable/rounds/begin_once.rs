//! Begins a call that has an idempotency key from its client.

use std::sync::Arc;

use super::{Durable, resume::unclaimed, round_runner::run_round_in_task};
use crate::{
    engine::{
        call::{body::Body, multi_round::KeyedCall},
        durable::{continuation::Binding, ledger::ClaimOutcome},
    },
    wire::protocol::error::RpcError,
};

/// Begins a call for which the client sent an idempotency key. If the call has already run, returns the recorded reply.
pub(super) async fn begin_once(keyed: KeyedCall) -> Body {
    let KeyedCall { mut running, arguments, key, owner: from } = keyed;
    let call = Arc::clone(running.call());
    let (durable, tool) = (Durable::of(&*call.server), call.registered());
    let owner = call.owner();
    let binding = Binding::new(tool, &arguments, owner.as_deref());
    let place = durable.request_states.place_of_key(&binding, &key);
    if !durable.quotas().knows(place.call) {
        match durable.admit(&call, from.as_ref(), arguments.len()) {
            Ok(admission) => running.admission = Some(admission),
            Err(error) => return Body::error(&error),
        }
    }
    // Repeated requests have no state that names a ledger.
    let claims = durable.claims().first();
    let claimed = async {
        let turn = durable.turn(tool, claims.ledger_id().await?, place, None);
        claims.claim_round(turn, || true).await
    };
    match claimed.await {
        Ok(ClaimOutcome::Run(claim)) => {
            running.begin_at(place);
            run_round_in_task(running, arguments.into(), claim).await
        }
        Ok(past) => {
            let body = unclaimed(past, &tool.definition.name, place, &durable.request_states);
            body.unwrap_or_else(|error| Body::error(&error))
        }
        Err(error) => Body::error(&RpcError::unavailable(error)),
    }
}
