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

use super::round_runner::lead;
use crate::{
    call::{
        AskError, Call, CallState, HandoffChanged,
        journal::{Answered, Asked, Journal},
        lease::LedgerError,
        ledger_time::LedgerTime,
        owner::Owner,
        place::Place,
        running::Running,
        step::StepError,
    },
    durable::{
        continuation::{Binding, Continuation, Placed, RequestStates},
        ledger::{
            Claim, Claims, LedgerKey, MemoryLedger, TakenUp, Turn,
            quota::{Admission, NoRoom, Quotas},
        },
        parked::{PARKABLE, Slot},
    },
    error::ToolError,
    protocol::{capability::Capabilities, error::RpcError},
    sample::SampleError,
    server::{Inner, body::Body, registry::Registered},
    telemetry,
    telemetry::CallWatch,
    tool::Arguments,
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

/// A call that has a key from its client, and has not been polled yet.
pub(crate) struct Keyed {
    pub(crate) running: Box<Running>,
    pub(crate) arguments: Box<str>,
    pub(crate) key: Box<str>,
    pub(crate) owner: Option<Owner>,
}

/// Goes on with a call, to the end of its next round.
pub(crate) async fn go_on(request: Return) -> Body {
    let server = Arc::clone(&request.call.0.server);
    match take_up(&server, request).await {
        Ok(Next::Reply(body)) => body,
        Ok(Next::Run(running, arguments, claim)) => lead(running, arguments, claim).await,
        Err(error) => Body::error(&error),
    }
}

/// Begins a call that has a key from its client, or tells what has become of it.
pub(crate) async fn begin_once(keyed: Keyed) -> Body {
    let Keyed { mut running, arguments, key, owner: from } = keyed;
    let server = Arc::clone(&running.call().server);
    let tool = server.registry.at(running.call().tool);
    let owner = running.call().owner();
    let binding = Binding { tool: &tool.definition.name, arguments: &arguments, principal: owner.as_deref() };
    let place = server.request_states.place_of_key(&binding, &key);
    if !quotas(&server).knows(place.call) {
        match admit(&server, tool, from.as_ref(), arguments.len()) {
            Ok(admission) => running.admit(Box::new(admission)),
            Err(error) => return Body::error(&error),
        }
    }
    let claims = claims(&server);
    let taken = async {
        let ledger = claims.ledger_id().await?;
        claims.take_up(turn(&server, tool, LedgerKey::new(ledger, &place.call.name()), place, None), || true).await
    };
    match taken.await {
        Ok(TakenUp::Run(claim)) => {
            running.begin_at(place);
            lead(running, arguments, Arc::new(claim)).await
        }
        Ok(past) => {
            let body = not_taken(past, &tool.definition.name, place, &server.request_states);
            body.unwrap_or_else(|error| Body::error(&error))
        }
        Err(error) => Body::error(&RpcError::unavailable(error)),
    }
}

enum Next {
    Reply(Body),
    Run(Box<Running>, Box<str>, Arc<Claim>),
}

async fn take_up(server: &Arc<Inner>, request: Return) -> Result<Next, RpcError> {
    let Return { call, arguments, responses, state } = request;
    let tool = server.registry.at(call.0.tool);
    let name = &tool.definition.name;
    let owner = call.0.owner();
    let binding = Binding { tool: name, arguments: &arguments, principal: owner.as_deref() };
    let claims = claims(server);
    let ledger = claims.ledger_id().await.map_err(RpcError::unavailable)?;
    let replayable = tool.definition.replayable;
    let placed = Placed { claims, ledger, binding: &binding, keep: tool.definition.states_kept(), replayable };
    let read = server.request_states.read(placed, server.waives_ledger(tool), &state)?;
    let Continuation { place, misses, expires, carried } = read;
    let call_name = place.call.name();
    let turn = turn(server, tool, LedgerKey::new(ledger, &call_name), place, Some(expires));

    let journal = match server.parking.look(place, Slot::journal) {
        Some(journal) => Some(journal),
        None => server.request_states.journal(placed, place, carried).await?,
    };
    let is_parked = || server.parking.look(place, Slot::is_whole) == Some(true);
    let rebuilds = journal.is_some() && replayable;
    if rebuilds && !is_parked() {
        journal.as_ref().map_or(Ok(()), |journal| readable(tool, journal))?;
    }
    let can_go_on = || rebuilds || is_parked();
    let open = journal.as_ref().map_or(&[][..], |journal| &journal.open);
    let missing = needs(open).without(call.0.client().capabilities());
    if !missing.is_empty() {
        return Err(RpcError::missing_capability(name, missing));
    }
    let answers = |asked: &Asked| responses.iter().flatten().any(|(key, _)| *key == asked.key);
    // A state alone may be load shedding on the client's side; answers that are none are a client that cannot.
    let misses = misses.saturating_add(u8::from(responses.is_some()));
    let goes_on = open.iter().any(answers) || misses >= MISSES;
    let taken = claims.take_up(turn, || goes_on && can_go_on()).await.map_err(unavailable)?;
    let claim = match taken {
        TakenUp::Run(claim) => claim,
        TakenUp::NotHere => {
            let journal = journal.filter(|_| can_go_on()).ok_or_else(RpcError::past_state)?;
            // Good for no longer than the one that came: by then the record of this round may be gone.
            let state = server.request_states.write(placed, place, misses, expires, &journal).await?;
            return Ok(Next::Reply(Body::input_required(server, &journal.open, &state.text)));
        }
        past => return not_taken(past, name, place, &server.request_states).map(Next::Reply),
    };
    let answered = read_answers(open, responses, place.round, claims.now());
    let parked = server.parking.take(place);
    let running = match (parked, journal) {
        (Some(mut running), _) => {
            running.resume(&call, place.round, answered);
            running
        }
        (None, Some(mut journal)) if replayable => {
            journal.answers.extend(answered.into_iter().map(Arc::new));
            rebuild(&call, place, journal, &arguments)?.within_layers(&arguments)
        }
        // Given back with the claim: nobody can use it, since the future is gone with whoever had it.
        _ => return Err(RpcError::past_state()),
    };
    Ok(Next::Run(running, arguments, Arc::new(claim)))
}

/// The server's ledger, as its calls see it.
pub(crate) fn claims(server: &Inner) -> &Arc<Claims> {
    server.claims.get_or_init(|| {
        let ledger = server.ledger.clone().unwrap_or_else(|| Arc::new(MemoryLedger::default()));
        #[cfg(feature = "metrics")]
        let ledger = telemetry::timed(ledger);
        let cover = if ledger.is_shared() { server.request_states.cover() } else { None };
        Claims::new(ledger, server.lease, cover)
    })
}

/// What each owner may have of calls that last over several requests.
pub(crate) fn quotas(server: &Inner) -> &Arc<Quotas> {
    server.quotas.get_or_init(|| Quotas::new(server.limits.open_calls, PARKABLE))
}

/// See [`Rounds::admit`](crate::server::multi_round::Rounds::admit).
pub(crate) fn admit(
    server: &Inner,
    tool: &Registered,
    owner: Option<&Owner>,
    arguments: usize,
) -> Result<Admission, RpcError> {
    let is_parked = !(tool.definition.replayable && server.request_states.carry_journals());
    let room = || claims(server).room();
    quotas(server).admit(owner, arguments, is_parked, room).map_err(no_room)
}

/// See [`Rounds::admit_in_session`](crate::server::multi_round::Rounds::admit_in_session).
pub(crate) fn admit_in_session(server: &Inner, owner: &Owner, arguments: usize) -> Result<Admission, RpcError> {
    quotas(server).admit_in_session(owner, arguments).map_err(no_room)
}

fn no_room(no_room: NoRoom) -> RpcError {
    telemetry::turned_away("open_calls");
    match no_room {
        NoRoom::Owner => RpcError::too_many(
            "as many of your calls as may wait for an answer or are remembered; answer those that wait",
        ),
        NoRoom::Server => RpcError::overloaded("this server remembers as many calls as it may"),
    }
}

fn turn<'a>(
    server: &Inner,
    tool: &Registered,
    key: LedgerKey<'a>,
    place: Place,
    expires: Option<LedgerTime>,
) -> Turn<'a> {
    Turn {
        key,
        round: place.round,
        first: place.first,
        anywhere: server.waives_ledger(tool),
        again: tool.definition.may_run_again(),
        expires,
        keep: tool.definition.states_kept(),
    }
}

/// Whether the call can be built again from its journal.
fn readable(tool: &Registered, journal: &Journal) -> Result<(), RpcError> {
    let (Some(reads), Some(handoff)) = (tool.definition.reads_handoff, &journal.handoff) else { return Ok(()) };
    reads(handoff.get()).map_err(|error| RpcError::invalid_params(error.to_string()))
}

/// What is said where a round cannot be taken up.
fn not_taken(past: TakenUp, tool: &str, place: Place, states: &RequestStates) -> Result<Body, RpcError> {
    match past {
        TakenUp::Reply(reply) => {
            telemetry::repeated();
            Ok(Body::from_kept(&reply))
        }
        TakenUp::NotKept { done: true } => Err(RpcError::result_not_kept(tool)),
        TakenUp::UnknownOutcome => Err(RpcError::unknown_outcome(tool, &states.idempotency_key(place.call, "after"))),
        TakenUp::Busy { retry_after } => Err(RpcError::busy(retry_after)),
        TakenUp::NotKept { done: false } | TakenUp::Gone | TakenUp::NotHere | TakenUp::Run(_) => {
            Err(RpcError::past_state())
        }
    }
}

/// What is said where the ledger did not take up a round. One that was emptied meanwhile does not know the call any more.
fn unavailable(error: LedgerError) -> RpcError {
    match error {
        #[cfg(feature = "seal")]
        LedgerError::Replaced => RpcError::other_ledger(),
        error => RpcError::unavailable(error),
    }
}

/// See [`Rounds::refused`](crate::server::multi_round::Rounds::refused).
pub(crate) fn refused(call: &CallState, error: &ToolError) -> Option<RpcError> {
    if let Some(error) = error.downcast_ref::<HandoffChanged>() {
        // Not the call's result: the version that wrote it can still go on.
        return Some(RpcError::invalid_params(error.to_string()));
    }
    match error.downcast_ref() {
        Some(StepError::TakenOver) => return Some(RpcError::taken_over()),
        Some(StepError::Unavailable(error)) => return Some(RpcError::unavailable(error)),
        _ => {}
    }
    let asked = match error.downcast_ref() {
        Some(SampleError::Ask(error)) => Some(error),
        _ => error.downcast_ref::<AskError>(),
    };
    asked.and_then(|error| error.missing_capability(call.tool_name())).filter(|_| call.revision.is_modern())
}

/// The answers to what was asked; where there is none, that there will be none.
fn read_answers(
    open: &[Asked],
    responses: Option<Vec<(String, Box<str>)>>,
    round: u32,
    LedgerTime(now): LedgerTime,
) -> Vec<Answered> {
    let mut answered = Vec::new();
    for (key, response) in responses.into_iter().flatten() {
        // Its scanner has read it before.
        if let (Some(asked), Ok(response)) =
            (open.iter().find(|asked| asked.key == key), RawValue::from_string(response.into()))
        {
            answered.push(asked.answered(Some(response.into()), round, now));
        }
    }
    if answered.is_empty() {
        answered.extend(open.iter().map(|asked| asked.answered(None, round, now)));
    }
    answered
}

/// Begins a call again that is no longer here, or never was: what it was answered is fed back to it.
pub(crate) fn rebuild(call: &Call, place: Place, journal: Journal, arguments: &str) -> Result<Box<Running>, RpcError> {
    let tool = call.0.server.registry.at(call.0.tool);
    call.0.conversation.rebuild(journal);
    let watch = CallWatch::new(&call.0, place.round);
    let _entered = watch.enter();
    // They were checked in the first round.
    let checked = tool.schema.needs_check().then(|| tool.schema.with_integers(arguments)).flatten();
    let arguments = Arguments::new(checked.as_deref().unwrap_or(arguments), &tool.schema);
    let calling = catch_unwind(AssertUnwindSafe(|| tool.tool.call(call.clone(), arguments)));
    match calling {
        Ok(Ok(calling)) => Ok(Running::rebuilt(calling, Arc::clone(&call.0), watch, place)),
        // They were read before, by a program that had other types.
        Ok(Err(_)) | Err(_) => Err(RpcError::past_state()),
    }
}

/// What a client must be able to do to be asked these.
fn needs(open: &[Asked]) -> Capabilities {
    open.iter().fold(Capabilities::default(), |needs, asked| needs.union(asked.needs()))
}
