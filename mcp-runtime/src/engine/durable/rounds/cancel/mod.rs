//! Ends calls that were cancelled while they waited for answers. Such a call counts against no quota, and a late answer
//! to it gets an error.
//!
//! A cancelled request does not end a call that can be rebuilt: its client may send the same state again. So only an
//! application can cancel such a call. A call that cannot be rebuilt ends with the request that ran it.

use std::sync::Arc;

use super::Durable;
use crate::{
    engine::{
        call::{body::Body, call_id::Place},
        durable::{
            continuation::Binding,
            ledger::{Claim, ClaimOutcome},
        },
        tool::registered::RegisteredTool,
    },
    wire::protocol::error::RpcError,
};

impl Durable {
    /// Ends a call of an application that waits for its next round. `state` is the state of the call's last round.
    ///
    /// Does nothing if the state is invalid, or if another request has continued the call. If the ledger fails, the
    /// future of the call is dropped, and the call counts until it expires.
    pub(crate) async fn cancel_waiting(
        &self,
        tool: &RegisteredTool,
        arguments: &str,
        principal: Option<&str>,
        state: &str,
    ) {
        let binding = Binding::new(tool, arguments, principal);
        let Ok(continuation) = self.states_of_applications().read(&binding, state) else { return };
        let Ok((claims, ledger)) = self.ledger_of(&continuation, self.waives_ledger(tool)).await else { return };
        let place = continuation.place;
        let turn = self.turn(tool, ledger, place, Some(continuation.expires));
        match claims.claim_round(turn, || true).await {
            Ok(ClaimOutcome::Run(claim)) => {
                self.parking().drop_done(place);
                if record_cancelled(&claim).await {
                    self.quotas().cancel(place.call, place.is_keyed());
                }
            }
            Ok(ClaimOutcome::Gone) => {
                self.parking().drop_done(place);
                self.quotas().cancel(place.call, place.is_keyed());
            }
            Ok(_) => {}
            Err(error) => {
                self.parking().drop_done(place);
                crate::base::report::report_limited!(
                    "a cancelled call of `{}` stays open: {error}",
                    tool.definition.name
                );
            }
        }
    }

    /// Ends a call whose future was dropped and which cannot be rebuilt.
    pub(super) fn end_lost(&self, place: Place, claim: Arc<Claim>) {
        self.quotas().cancel(place.call, place.is_keyed());
        self.detached.spawn(async move {
            record_cancelled(&claim).await;
        });
    }
}

/// Records that the call of this round was cancelled. Returns whether the ledger has recorded it.
async fn record_cancelled(claim: &Claim) -> bool {
    claim.finish(Body::error_to_keep(&RpcError::cancelled()).kept()).await.is_ok()
}

#[cfg(all(test, feature = "plugin"))]
mod tests;
