//! The later rounds of a call: its client comes back with answers.
//!
//! What a request brings is looked at in an order in which nothing is spent before everything fits: the state, what was
//! asked, the client's abilities, whether the call can go on here. Only then its round is taken up in the ledger, by
//! one request of all that bring its state, and the call goes on.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{Inner, body::Body};
use crate::{
    call::{
        AskError, Call,
        continuation::{Binding, Continuation, KEPT},
        conversation::{Answer, Question},
        ledger::{LedgerKey, TakenUp, Turn},
        parked::{Parking, Place},
        running::{Round, Running},
    },
    wire::{capability::Capabilities, error::RpcError},
};

/// So many requests in a row without an answer, and the client cannot give one.
const MISSES: u8 = 3;

/// When to ask again for what another instance has taken over.
const BUSY: Duration = Duration::from_millis(250);

/// A request that goes on with a call.
pub(super) struct Return {
    /// What stands for the request until it is known which call it goes on with.
    pub(super) call: Call,
    pub(super) arguments: Box<str>,
    /// Nothing where the request brings a state alone.
    pub(super) responses: Option<Vec<(String, Box<str>)>>,
    pub(super) state: Box<str>,
}

/// Goes on with a call, to the end of its next round.
pub(super) async fn go_on(request: Return) -> Body {
    let server = Arc::clone(&request.call.0.server);
    match take_up(&server, &request).await {
        Ok(Next::Reply(body)) => body,
        Ok(Next::Run(running)) => lead(running, request.arguments).await,
        Err(error) => Body::error(&error),
    }
}

/// Leads a call to the end of its round.
pub(super) async fn lead(running: Running, arguments: Box<str>) -> Body {
    let mut led = Led { running: Some(running), arguments };
    let round = led.round().await;
    match (round, led.running.take()) {
        (Some(round), Some(running)) => end(round, running, &led.arguments).await,
        _ => Body::error(&RpcError::busy(BUSY)),
    }
}

/// A call in its round. Dropped, it is dropped as well, unless what must not be left half done has begun: that runs to
/// its end, and what came of it is kept.
struct Led {
    running: Option<Running>,
    arguments: Box<str>,
}

impl Led {
    /// Nothing if another instance has taken the call over.
    async fn round(&mut self) -> Option<Round> {
        let running = self.running.as_mut()?;
        match running.call().claim() {
            Some(claim) => claim.keep_alive(running.round()).await.ok(),
            None => Some(running.round().await),
        }
    }
}

impl Drop for Led {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take_if(|running| running.must_end())
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let arguments = std::mem::take(&mut self.arguments);
            runtime.spawn(async move {
                let round = running.round().await;
                drop(end(round, running, &arguments).await);
            });
        }
    }
}

enum Next {
    Reply(Body),
    Run(Running),
}

async fn take_up(server: &Arc<Inner>, request: &Return) -> Result<Next, RpcError> {
    let name = &server.registry.at(request.call.0.tool).definition.name;
    let binding = Binding { tool: name, arguments: &request.arguments };
    let ledger = server.claims.ledger_id().await.map_err(RpcError::unavailable)?;
    let continuation =
        server.handles.read(&binding, &request.state, ledger).ok_or_else(RpcError::inauthentic_state)?;
    let place = Place { call: continuation.call, round: continuation.round };
    let call_name = place.call.name();
    let turn =
        Turn { key: LedgerKey::new(ledger, &call_name), round: place.round, first: 1, again: false, keep: KEPT };

    let here = server.parking.look(place, |running| running.call().conversation.unanswered());
    if let Some(questions) = &here {
        let missing = needs(questions).without(request.call.0.client().capabilities());
        if !missing.is_empty() {
            return Err(RpcError::missing_capability(name, missing));
        }
        // A state alone may be load shedding on the client's side; answers that are none are a client that cannot.
        let misses = continuation.misses + u8::from(request.responses.is_some());
        if !request.answers(questions) && misses < MISSES {
            let state = server.handles.write(&binding, &Continuation { misses, ..continuation });
            return Ok(Next::Reply(Body::input_required(server, questions, &state)));
        }
    }
    let claim = match server.claims.take_up(turn).await.map_err(RpcError::unavailable)? {
        TakenUp::Run(claim) => claim,
        TakenUp::Reply(reply) => return Ok(Next::Reply(Body::from_kept(&reply))),
        TakenUp::NotKept { done: true } => return Err(RpcError::result_not_kept(name)),
        TakenUp::NotKept { done: false } | TakenUp::Gone => return Err(RpcError::past_state()),
        TakenUp::UnknownOutcome => return Err(RpcError::unknown_outcome(name)),
        TakenUp::Busy { retry_after } => return Err(RpcError::busy(retry_after)),
    };
    // Given back with the claim, which nobody else can use either: the future is in no other process.
    let mut running = server.parking.take(place).ok_or_else(RpcError::past_state)?;
    running.resume(&request.call, request.read(&here.unwrap_or_default()), claim);
    Ok(Next::Run(running))
}

impl Return {
    /// Whether one of the questions is answered.
    fn answers(&self, questions: &[Question]) -> bool {
        self.responses.iter().flatten().any(|(key, _)| questions.iter().any(|question| question.key == *key))
    }

    /// The answers; where there is none to any question, that there will be none.
    fn read(&self, questions: &[Question]) -> Vec<(String, Answer)> {
        if !self.answers(questions) {
            return questions.iter().map(|question| (question.key.to_string(), Err(AskError::Unanswered))).collect();
        }
        self.responses.iter().flatten().map(|(key, response)| (key.clone(), Ok(response.clone()))).collect()
    }
}

/// Ends a round: its reply is made, kept in the ledger where the call is known there, and its call kept for the next.
pub(super) async fn end(round: Round, mut running: Running, arguments: &str) -> Body {
    let claim = running.call().take_claim();
    match round {
        Round::Done(outcome) => {
            let body = Body::done(running.call(), outcome);
            if let Some(claim) = claim
                && let Err(error) = claim.finish(body.to_keep()).await
            {
                // The client has its result all the same; only who asks again may not.
                crate::report!("tool `{}`: its result could not be kept: {error}", running.call().tool_name());
            }
            body
        }
        Round::Asks => {
            let server = Arc::clone(&running.call().server);
            let ledger = match server.claims.ledger_id().await {
                Ok(ledger) => ledger,
                Err(error) => return Body::error(&RpcError::unavailable(error)),
            };
            let questions = running.call().conversation.unanswered();
            let place = running.next_place();
            let binding = Binding { tool: running.call().tool_name(), arguments };
            let (Place { call, round }, expires) = (place, SystemTime::now() + KEPT);
            let continuation = Continuation { call, round, ledger, expires, misses: 0, journal: None };
            let state = server.handles.write(&binding, &continuation);
            let body = Body::input_required(&server, &questions, &state);
            if let Some(claim) = claim
                && let Err(error) = claim.pass(body.to_keep()).await
            {
                return Body::error(&RpcError::unavailable(error));
            }
            Parking::park(&server, place, running);
            body
        }
    }
}

/// What a client must be able to do to be asked these.
fn needs(questions: &[Question]) -> Capabilities {
    questions.iter().fold(Capabilities::default(), |needs, question| needs.union(question.needs))
}
