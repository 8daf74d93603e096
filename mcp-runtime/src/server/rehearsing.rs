//! Rehearsals: a round of a call is run from its journal and left where it asks or would take effect. The call itself
//! knows nothing of it. For tests.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use tokio::sync::Notify;

use super::{
    Inner,
    rounds::{claims, read, rebuild},
};
use crate::{
    call::{
        Call, Client, Hold, Outlet,
        continuation::{Binding, Continuation, Place},
        journal::{Asked, Journal},
        ledger::ClaimError,
        parked::Slot,
        request::{Caller, Request},
        running::Round,
    },
    wire::{error::RpcError, frame::Frame},
};

/// A round of a call that waits for it.
pub(crate) struct Rehearsal {
    tool: usize,
    arguments: Box<str>,
    client: Client,
    place: Place,
    journal: Journal,
}

/// Where nobody listens.
struct Nobody;

/// The claim of a rehearsal: nothing begins under it.
struct NoEffect(Arc<Notify>);

impl Rehearsal {
    /// The round that this state leads to. `None` if it leads nowhere, or the tool is not to be run again.
    pub(crate) async fn new(
        server: &Arc<Inner>,
        tool: usize,
        arguments: &str,
        state: &str,
        client: Client,
    ) -> Option<Self> {
        let definition = &server.registry.at(tool).definition;
        let claims = claims(server);
        let ledger = claims.ledger_id().await.ok()?;
        let binding = Binding { tool: &definition.name, arguments };
        let continuation = server.request_states.read(claims, ledger, &binding, state).await.ok()?;
        let Continuation { place, journal, .. } = continuation;
        let journal = journal.or_else(|| server.parking.look(place, Slot::journal))?;
        definition.replayable.then(|| Self { tool, arguments: arguments.into(), client, place, journal })
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
        let request = Request { caller, reports: None, outlet: Arc::new(Nobody) };
        let call = Call::new(Arc::clone(server), self.tool, request);
        let mut journal = self.journal.clone();
        if responses.is_some() {
            let answers = read(&journal.open, responses);
            journal.answers.extend(answers);
        }
        let mut running = rebuild(&call, self.place, journal, &self.arguments)?;
        let at_effect = Arc::new(Notify::new());
        call.0.hold_claim(Arc::new(NoEffect(Arc::clone(&at_effect))));
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
    fn hold_begin(&self) -> Pin<Box<dyn Future<Output = Result<(), ClaimError>> + Send + '_>> {
        self.0.notify_one();
        Box::pin(std::future::pending())
    }
}
