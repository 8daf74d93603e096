//! Dry runs for tests. A dry run executes a copy of a call until the copy asks a question or begins an effect. It does
//! not affect the call.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
};

use tokio::sync::Notify;

use super::{Durable, parked::ParkedCall, rebuild::rebuild};
use crate::{
    engine::{
        call::{
            Call, Client, Principal,
            conversation::WireQuestion,
            host::Host,
            lease::{RoundLease, StepTurn, Transition},
            ledger_time::LedgerTime,
            message_sink::DropNotifications,
            request::{Caller, Peer, Request},
        },
        durable::{
            continuation::{Binding, Placed},
            ledger::{Claims, RecordKey},
        },
        tool::registered::RegisteredTool,
    },
    wire::protocol::error::RpcError,
};

/// A dry run of a call that waits for answers.
pub(crate) struct Rehearsal<'a> {
    pub(crate) tool: Arc<RegisteredTool>,
    pub(crate) arguments: &'a str,
    pub(crate) client: Client,
    pub(crate) principal: Option<Principal>,
    pub(crate) state: &'a str,
}

/// The lease of a dry run. It returns the outputs of recorded steps, and stops the call before an effect begins.
struct NoEffect {
    claims: Arc<Claims>,
    key: RecordKey,
    reached: Arc<Notify>,
}

impl Rehearsal<'_> {
    /// Returns the questions that the call asks next, or `None` if the call reaches an effect before it asks.
    ///
    /// # Errors
    /// Fails if the state is not valid, or the call cannot be rebuilt.
    pub(crate) async fn run(&self, server: &Arc<dyn Host>) -> Result<Option<Vec<WireQuestion>>, RpcError> {
        let durable = Durable::of(&**server);
        let principal = self.principal.as_ref().map(Principal::name);
        let binding = Binding::new(&self.tool, self.arguments, principal);
        let states = &durable.request_states;
        let state = states.read(&binding, self.state)?;
        let (claims, ledger) = durable.ledger_of(&state, true).await?;
        let placed = Placed::new(claims, ledger, &self.tool, binding);
        let place = state.place;
        let journal = durable.journal(states, placed, place, &state.carried).await?;
        let journal =
            journal.or_else(|| durable.parking().look(place, ParkedCall::journal)).ok_or_else(RpcError::past_state)?;

        let caller = Caller::Modern { client: self.client.clone(), log_level: None };
        let peer = Peer::new(Arc::new(DropNotifications), self.principal.clone());
        let call = Call::new(Arc::clone(server), Arc::clone(&self.tool) as _, Request::new(caller, None, &peer));
        let mut running = rebuild(&call, place, journal, self.arguments)?;
        let reached = Arc::new(Notify::new());
        *call.0.claim.lock() = Some(Arc::new(NoEffect {
            claims: Arc::clone(claims),
            key: RecordKey { ledger, call: place.call },
            reached: Arc::clone(&reached),
        }));
        let asks = {
            let (mut round, mut effect) = (pin!(running.round()), pin!(reached.notified()));
            poll_fn(|cx| match round.as_mut().poll(cx) {
                Poll::Ready(_) => Poll::Ready(true),
                Poll::Pending => effect.as_mut().poll(cx).map(|()| false),
            })
            .await
        };
        // A call that has ended has no open questions.
        Ok(asks.then(|| call.0.conversation.open_questions()))
    }
}

impl NoEffect {
    /// Reports that an effect was reached, and never returns.
    async fn stop<T>(&self) -> T {
        self.reached.notify_one();
        pending().await
    }
}

impl RoundLease for NoEffect {
    fn now(&self) -> LedgerTime {
        self.claims.now()
    }

    fn hold_begin(&self) -> Transition<'_, ()> {
        Box::pin(self.stop())
    }

    fn hold_begin_step<'a>(&'a self, key: &'a str, _again: bool) -> Transition<'a, StepTurn> {
        Box::pin(async move {
            match self.claims.done_step(self.key, key).await? {
                Some(kept) => Ok(StepTurn::Done(kept)),
                None => self.stop().await,
            }
        })
    }

    fn hold_end_step<'a>(&'a self, _key: &'a str, _value: &'a [u8]) -> Transition<'a, ()> {
        Box::pin(self.stop())
    }
}
