//! Rehearsals: a round of a call is run from its journal and left where it asks or would take effect. The call itself
//! knows nothing of it. For tests.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
};

use tokio::sync::Notify;

use super::{
    Inner,
    rounds::{claims, read_answers, rebuild},
};
use crate::{
    call::{
        Call, Client, Hold, Outlet, Transition,
        continuation::{Binding, Continuation, Place, Placed},
        journal::{Asked, Journal},
        ledger::{Claims, LedgerId, LedgerKey, StepTurn},
        parked::Slot,
        request::{Caller, Peer, Request},
        running::Round,
    },
    wire::{error::RpcError, frame::Frame},
};

/// A round of a call that waits for it.
pub(crate) struct Rehearsal {
    ledger: LedgerId,
    principal: Option<Arc<str>>,
    tool: usize,
    arguments: Box<str>,
    client: Client,
    place: Place,
    journal: Journal,
}

/// Where nobody listens.
struct Nobody;

/// The claim of a rehearsal: nothing begins under it. Steps that are done are found.
struct NoEffect {
    claims: Arc<Claims>,
    ledger: LedgerId,
    call: String,
    at_effect: Arc<Notify>,
}

impl Rehearsal {
    /// The round that this state leads to. `None` if it leads nowhere, or the tool is not to be run again.
    pub(crate) async fn new(
        server: &Arc<Inner>,
        tool: usize,
        arguments: &str,
        state: &str,
        client: Client,
        principal: Option<&str>,
    ) -> Option<Self> {
        let definition = &server.registry.at(tool).definition;
        let claims = claims(server);
        let ledger = claims.ledger_id().await.ok()?;
        let binding = Binding { tool: &definition.name, arguments, principal };
        let placed = Placed { claims, ledger, binding: &binding, keep: definition.states_kept() };
        let continuation = server.request_states.read(placed, false, state).await.ok()?;
        let Continuation { place, journal, .. } = continuation;
        let journal = journal.or_else(|| server.parking.look(place, Slot::journal))?;
        let principal = principal.map(Arc::from);
        let arguments = arguments.into();
        definition.replayable.then(|| Self { ledger, principal, tool, arguments, client, place, journal })
    }

    /// What the round asks, with these answers to what was asked before it. Nothing if it ends or takes effect.
    ///
    /// # Errors
    /// The arguments cannot be read any more.
    pub(crate) async fn run(
        &self,
        server: &Arc<Inner>,
        responses: Option<Vec<(String, Box<str>)>>,
    ) -> Result<Vec<Asked>, RpcError> {
        let caller = Caller::Modern { client: self.client.clone(), log_level: None };
        let peer = Peer { outlet: Arc::new(Nobody), principal: self.principal.clone() };
        let request = Request::new(caller, None, &peer);
        let call = Call::new(Arc::clone(server), self.tool, request);
        let mut journal = self.journal.clone();
        if responses.is_some() {
            let answers = read_answers(&journal.open, responses, self.place.round);
            journal.answers.extend(answers);
        }
        let mut running = rebuild(&call, self.place, journal, &self.arguments)?;
        let at_effect = Arc::new(Notify::new());
        call.0.hold_claim(Arc::new(NoEffect {
            claims: Arc::clone(claims(server)),
            ledger: self.ledger,
            call: self.place.call.name(),
            at_effect: Arc::clone(&at_effect),
        }));
        let ends = {
            let (mut round, mut effect) = (pin!(running.round()), pin!(at_effect.notified()));
            poll_fn(|cx| match round.as_mut().poll(cx) {
                Poll::Ready(round) => Poll::Ready(matches!(round, Round::Done(_))),
                Poll::Pending => effect.as_mut().poll(cx).map(|()| true),
            })
            .await
        };
        Ok(if ends { Vec::new() } else { call.0.conversation.journal().open })
    }
}

impl Outlet for Nobody {
    fn send(&self, _: Frame) {}
}

impl Hold for NoEffect {
    fn hold_begin(&self) -> Transition<'_, ()> {
        self.at_effect.notify_one();
        Box::pin(pending())
    }

    fn hold_begin_step<'a>(&'a self, key: &'a str, _: bool) -> Transition<'a, StepTurn> {
        Box::pin(async move {
            match self.claims.done_step(LedgerKey::new(self.ledger, &self.call), key).await? {
                Some(done) => Ok(StepTurn::Done(done)),
                None => {
                    self.at_effect.notify_one();
                    pending().await
                }
            }
        })
    }

    fn hold_end_step<'a>(&'a self, _: &'a str, _: &'a [u8]) -> Transition<'a, ()> {
        Box::pin(pending())
    }
}
