//! The later rounds of a call: its client comes back with answers.
//!
//! What a request brings is looked at in an order in which nothing is spent before everything fits: the state, what was
//! asked, the client's abilities, whether the call can go on here. Only then its round is taken up in the ledger, by
//! one request of all that bring its state, and the call goes on.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::{Inner, body::Body, leading::lead};
use crate::{
    call::{
        Call,
        continuation::{Binding, Continuation, KEPT, Place},
        journal::{Answered, Asked, Journal},
        ledger::{Claim, Claims, LedgerKey, MemoryLedger, TakenUp, Turn},
        parked::Slot,
        running::Running,
    },
    tool::Arguments,
    trace::CallSpan,
    wire::{capability::Capabilities, error::RpcError},
};

/// So many requests in a row without an answer, and the client cannot give one.
const MISSES: u8 = 3;

/// A request that goes on with a call.
pub(crate) struct Return {
    /// What stands for the request until it is known which call it goes on with.
    pub(crate) call: Call,
    pub(crate) arguments: Box<str>,
    /// Nothing where the request brings a state alone.
    pub(crate) responses: Option<Vec<(String, Box<str>)>>,
    pub(crate) state: Box<str>,
}

/// Goes on with a call, to the end of its next round.
pub(super) async fn go_on(request: Return) -> Body {
    let server = Arc::clone(&request.call.0.server);
    match take_up(&server, request).await {
        Ok(Next::Reply(body)) => body,
        Ok(Next::Run(running, arguments, claim)) => lead(running, arguments, claim).await,
        Err(error) => Body::error(&error),
    }
}

enum Next {
    Reply(Body),
    Run(Running, Box<str>, Arc<Claim>),
}

async fn take_up(server: &Arc<Inner>, request: Return) -> Result<Next, RpcError> {
    let Return { call, arguments, responses, state } = request;
    let tool = server.registry.at(call.0.tool);
    let name = &tool.definition.name;
    let binding = Binding { tool: name, arguments: &arguments };
    let claims = claims(server);
    let ledger = claims.ledger_id().await.map_err(RpcError::unavailable)?;
    let Continuation { place, misses, journal } = server.request_states.read(claims, ledger, &binding, &state).await?;
    let call_name = place.call.name();
    let turn = Turn { key: LedgerKey::new(ledger, &call_name), round: place.round, first: 1, again: false, keep: KEPT };

    let journal = journal.or_else(|| server.parking.look(place, Slot::journal));
    let rebuilds = journal.is_some() && tool.definition.replayable;
    let can_go_on = || rebuilds || server.parking.look(place, Slot::is_whole) == Some(true);
    let open = journal.as_ref().map_or(&[][..], |journal| &journal.open);
    let missing = needs(open).without(call.0.client().capabilities());
    if !missing.is_empty() {
        return Err(RpcError::missing_capability(name, missing));
    }
    let answers = |asked: &Asked| responses.iter().flatten().any(|(key, _)| *key == asked.key);
    // A state alone may be load shedding on the client's side; answers that are none are a client that cannot.
    let misses = misses.saturating_add(u8::from(responses.is_some()));
    let goes_on = open.iter().any(answers) || misses >= MISSES;
    let taken = claims.take_up(turn, || goes_on && can_go_on()).await.map_err(RpcError::unavailable)?;
    let claim = match taken {
        TakenUp::Run(claim) => claim,
        TakenUp::NotHere => {
            let journal = journal.filter(|_| can_go_on()).ok_or_else(RpcError::past_state)?;
            let state = server.request_states.write(claims, ledger, &binding, place, misses, &journal).await?;
            return Ok(Next::Reply(Body::input_required(server, &journal.open, &state)));
        }
        past => return not_taken(past, name).map(Next::Reply),
    };
    let answered = read(open, responses);
    let parked = server.parking.take(place);
    let running = match (parked, journal) {
        (Some(mut running), _) => {
            let answers = answered.into_iter().map(|answered| (answered.key.clone(), answered.answer()));
            running.resume(&call, answers.collect());
            running
        }
        (None, Some(mut journal)) if tool.definition.replayable => {
            journal.answers.extend(answered);
            rebuild(&call, place, journal, &arguments)?
        }
        // Given back with the claim: nobody can use it, since the future is gone with whoever had it.
        _ => return Err(RpcError::past_state()),
    };
    Ok(Next::Run(running, arguments, Arc::new(claim)))
}

/// The server's ledger, as its calls see it.
pub(super) fn claims(server: &Inner) -> &Arc<Claims> {
    server.claims.get_or_init(|| {
        let ledger = server.ledger.clone().unwrap_or_else(|| Arc::new(MemoryLedger::default()));
        Claims::new(ledger, server.lease)
    })
}

/// What is said where a round cannot be taken up.
fn not_taken(past: TakenUp, tool: &str) -> Result<Body, RpcError> {
    match past {
        TakenUp::Reply(reply) => Ok(Body::from_kept(&reply)),
        TakenUp::NotKept { done: true } => Err(RpcError::result_not_kept(tool)),
        TakenUp::UnknownOutcome => Err(RpcError::unknown_outcome(tool)),
        TakenUp::Busy { retry_after } => Err(RpcError::busy(retry_after)),
        TakenUp::NotKept { done: false } | TakenUp::Gone | TakenUp::NotHere | TakenUp::Run(_) => {
            Err(RpcError::past_state())
        }
    }
}

/// The answers to what was asked; where there is none, that there will be none.
fn read(open: &[Asked], responses: Option<Vec<(String, Box<str>)>>) -> Vec<Answered> {
    let mut answered = Vec::new();
    for (key, response) in responses.into_iter().flatten() {
        // Its scanner has read it before.
        if let (Some(asked), Ok(response)) =
            (open.iter().find(|asked| asked.key == key), RawValue::from_string(response.into()))
        {
            answered.push(asked.answered(Some(response)));
        }
    }
    if answered.is_empty() {
        answered.extend(open.iter().map(|asked| asked.answered(None)));
    }
    answered
}

/// Begins a call again that is no longer here, or never was: what it was answered is fed back to it.
fn rebuild(call: &Call, place: Place, journal: Journal, arguments: &str) -> Result<Running, RpcError> {
    let tool = call.0.server.registry.at(call.0.tool);
    call.0.conversation.rebuild(journal);
    let span = CallSpan::new(&call.0);
    let _entered = span.enter();
    let calling = catch_unwind(AssertUnwindSafe(|| tool.tool.call(call.clone(), Arguments(arguments))));
    match calling {
        Ok(Ok(calling)) => Ok(Running::rebuilt(calling, Arc::clone(&call.0), span, place)),
        // They were read before, by a program that had other types.
        Ok(Err(_)) | Err(_) => Err(RpcError::past_state()),
    }
}

/// What a client must be able to do to be asked these.
fn needs(open: &[Asked]) -> Capabilities {
    open.iter().fold(Capabilities::default(), |needs, asked| needs.union(asked.needs()))
}
