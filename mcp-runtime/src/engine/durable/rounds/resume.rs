//! Resumes a call when its client sends answers. There are four steps: open the state, check the answers, claim the
//! round, resume the call. The claim comes after both checks, so that a bad request changes nothing. If several
//! requests have the same state, the ledger lets one of them claim the round.

use std::sync::Arc;

use super::{
    Durable,
    parked::ParkedCall,
    rebuild::{check_handoff, rebuild},
    round_runner::run_round,
};
use crate::{
    engine::{
        call::{
            Call,
            body::Body,
            call_id::Place,
            conversation::WireQuestion,
            journal::{Answered, Journal},
            lease::LedgerError,
            ledger_time::LedgerTime,
            multi_round::{KeyedCall, ResumeRequest},
            observer::{Observer as _, observer},
            running::Running,
        },
        durable::{
            continuation::{Binding, Carried, Continuation, Placed, RequestStates},
            ledger::{Claim, ClaimOutcome, Claims},
        },
        layer::Layers,
        tool::registered::RegisteredTool,
    },
    wire::protocol::{capability::Capabilities, error::RpcError},
};

/// After this many requests without an answer, the server resumes the call without an answer.
const MISSES: u8 = 3;

/// Runs the next round of a call until the call returns its result or asks questions.
pub(super) async fn resume(request: ResumeRequest) -> Body {
    let ResumeRequest { call, arguments, responses, state } = request;
    let durable = Durable::of(&*call.0.server);
    match Resuming::new(durable, &call, &arguments).run(responses, &state).await {
        Ok(ResumeStep::Reply(body)) => body,
        Ok(ResumeStep::Run(running, claim)) => run_round(running, arguments, claim).await,
        Err(error) => Body::error(&error),
    }
}

/// Begins a call for which the client sent an idempotency key. If the call has already run, returns the recorded reply.
pub(super) async fn begin_once(keyed: KeyedCall) -> Body {
    let KeyedCall { mut running, arguments, key, owner: from } = keyed;
    let call = Arc::clone(running.call());
    let (durable, tool) = (Durable::of(&*call.server), call.registered());
    let owner = call.owner();
    let binding = Binding::new(tool, &arguments, owner.as_deref());
    let place = durable.request_states.place_of_key(&binding, &key);
    if !durable.quotas().knows(place.call) {
        match durable.admit(tool, from.as_ref(), arguments.len()) {
            Ok(admission) => running.admit(Box::new(admission)),
            Err(error) => return Body::error(&error),
        }
    }
    let claims = durable.claims();
    let claimed = async {
        let turn = durable.turn(tool, claims.ledger_id().await?, place, None);
        claims.claim_round(turn, || true).await
    };
    match claimed.await {
        Ok(ClaimOutcome::Run(claim)) => {
            running.begin_at(place);
            run_round(running, arguments, claim).await
        }
        Ok(past) => {
            let body = unclaimed(past, &tool.definition.name, place, &durable.request_states);
            body.unwrap_or_else(|error| Body::error(&error))
        }
        Err(error) => Body::error(&RpcError::unavailable(error)),
    }
}

/// The answers in a request: the key of each question, and the answer as JSON text.
type Responses = Vec<(String, Arc<str>)>;

/// The next action for a request that resumes a call.
enum ResumeStep {
    Reply(Body),
    Run(Box<Running>, Arc<Claim>),
}

/// A request that resumes a call, and the data for its checks.
struct Resuming<'a> {
    durable: &'a Durable,
    call: &'a Call,
    tool: &'a RegisteredTool,
    arguments: &'a str,
    owner: Option<Arc<str>>,
    claims: &'a Arc<Claims>,
}

/// A decoded `requestState`, and the call that waits for its round.
struct Opened {
    place: Place,
    misses: u8,
    expires: LedgerTime,
    carried: Carried,
    /// The questions that the round has asked. Empty if the call is not here.
    open: Vec<WireQuestion>,
    /// The journal of the call. `None` if the future of the call waits here, or if the journal is in another process.
    journal: Option<Journal>,
    /// Whether this process can resume the call: its future waits here, or it can be rebuilt from the journal.
    is_here: bool,
}

impl<'a> Resuming<'a> {
    fn new(durable: &'a Durable, call: &'a Call, arguments: &'a str) -> Self {
        Self { durable, call, tool: call.0.registered(), arguments, owner: call.0.owner(), claims: durable.claims() }
    }

    async fn run(&self, responses: Option<Responses>, state: &str) -> Result<ResumeStep, RpcError> {
        let placed = Placed::new(self.claims, self.tool, self.arguments, self.owner.as_deref());
        let placed = placed.await.map_err(RpcError::unavailable)?;
        let mut opened = self.open_state(placed, state).await?;
        let is_answered = self.check_answers(&mut opened, responses.as_deref())?;
        let claim = match self.claim(placed, &opened, is_answered).await? {
            ClaimOutcome::Run(claim) => claim,
            ClaimOutcome::NotHere => return self.ask_again(placed, &opened).await.map(ResumeStep::Reply),
            past => {
                let states = &self.durable.request_states;
                return unclaimed(past, &self.tool.definition.name, opened.place, states).map(ResumeStep::Reply);
            }
        };
        let running = self.resume(placed, opened, responses).await?;
        Ok(ResumeStep::Run(running, claim))
    }

    /// Opens the state. Checks that the state belongs to this request and this server's ledger. Reads the journal if the
    /// future of the call does not wait here.
    async fn open_state(&self, placed: Placed<'_>, state: &str) -> Result<Opened, RpcError> {
        let Durable { parking, request_states, .. } = self.durable;
        let Continuation { place, misses, expires, carried } =
            request_states.read(placed, self.durable.waives_ledger(self.tool), state)?;
        if let Some(open) = parking.look(place, ParkedCall::open_questions).flatten() {
            return Ok(Opened { place, misses, expires, carried, open, journal: None, is_here: true });
        }
        let journal = self.journal(placed, place, &carried).await?;
        if let Some(journal) = &journal {
            check_handoff(self.tool, journal)?;
        }
        let open = journal.as_ref().map(|journal| journal.open.clone()).unwrap_or_default();
        Ok(Opened { place, misses, expires, carried, open, is_here: journal.is_some(), journal })
    }

    /// Returns the journal of the call, if the call can be rebuilt from it.
    async fn journal(&self, placed: Placed<'_>, place: Place, carried: &Carried) -> Result<Option<Journal>, RpcError> {
        if !self.tool.definition.replayable {
            return Ok(None);
        }
        // Boxed, because most calls wait here and do not need their journal.
        Box::pin(self.durable.journal(placed, place, carried)).await
    }

    /// Checks that the client can answer the open questions. Returns whether the call can resume: either the request
    /// has an answer, or too many requests had no answer.
    fn check_answers(&self, opened: &mut Opened, responses: Option<&[(String, Arc<str>)]>) -> Result<bool, RpcError> {
        let open = &*opened.open;
        let missing = needs(open).without(self.call.0.client().capabilities());
        if !missing.is_empty() {
            return Err(RpcError::missing_capability(&self.tool.described(), missing));
        }
        let is_answered = responses.into_iter().flatten().any(|(key, _)| open.iter().any(|asked| asked.key == *key));
        // A request that contains only the state is not a miss: a client can send one for load shedding.
        opened.misses = opened.misses.saturating_add(u8::from(responses.is_some()));
        Ok(is_answered || opened.misses >= MISSES)
    }

    /// Claims the round in the ledger. If this process cannot resume the call, claims nothing, but returns a recorded
    /// reply if there is one.
    async fn claim(&self, placed: Placed<'_>, opened: &Opened, is_answered: bool) -> Result<ClaimOutcome, RpcError> {
        let turn = self.durable.turn(self.tool, placed.ledger, opened.place, Some(opened.expires));
        self.claims.claim_round(turn, || is_answered && opened.is_here).await.map_err(unavailable)
    }

    /// Resumes the call with the answers. Uses the parked future of the call, or rebuilds the call from its journal.
    async fn resume(
        &self,
        placed: Placed<'_>,
        opened: Opened,
        responses: Option<Responses>,
    ) -> Result<Box<Running>, RpcError> {
        let Opened { place, carried, open, journal, .. } = opened;
        let answers = read_answers(&open, responses, place.round, self.claims.now());
        if let Some(mut running) = self.durable.parking.take(place) {
            running.resume(self.call, place.round, answers);
            return Ok(running);
        }
        let journal = match journal {
            Some(journal) => Some(journal),
            // The future was dropped while the round was claimed.
            None => self.journal(placed, place, &carried).await?,
        };
        // Dropping the claim releases the round. Without a journal no instance can resume the call.
        let mut journal = journal.ok_or_else(RpcError::past_state)?;
        journal.answers.extend(answers.into_iter().map(Arc::new));
        let mut running = rebuild(self.call, place, journal, self.arguments)?;
        if self.tool.is_tool()
            && let Some(layers) = self.call.0.server.get::<Box<dyn Layers>>()
        {
            running.wrap(|call, calling| layers.resume(call, self.arguments, calling));
        }
        Ok(running)
    }

    /// Repeats the questions that are still open, with a new state.
    async fn ask_again(&self, placed: Placed<'_>, opened: &Opened) -> Result<Body, RpcError> {
        let Opened { place, misses, expires, carried, open, is_here, .. } = opened;
        if !is_here {
            return Err(RpcError::past_state());
        }
        let states = &self.durable.request_states;
        let journal = Box::pin(states.journal(placed, *place, carried)).await?;
        // The new state expires when the request's state expires. After that, the ledger may have removed the record.
        let state = states.write(placed, *place, *misses, *expires, journal.as_ref()).await?;
        Ok(Body::input_required(&self.call.0.server, open.clone(), state.text))
    }
}

/// Returns the response if the round could not be claimed, such as the recorded reply.
fn unclaimed(past: ClaimOutcome, tool: &str, place: Place, states: &RequestStates) -> Result<Body, RpcError> {
    match past {
        ClaimOutcome::Reply(reply) => {
            observer().repeated();
            Ok(Body::from_kept(&reply))
        }
        ClaimOutcome::NotKept { done: true } => {
            Err(RpcError::invalid_params(format!("the call of `{tool}` is completed; its reply is no longer stored")))
        }
        ClaimOutcome::UnknownOutcome => {
            Err(RpcError::unknown_outcome(tool, &states.idempotency_key(place.call, "after")))
        }
        ClaimOutcome::Busy { retry_after } => Err(RpcError::busy(retry_after)),
        ClaimOutcome::NotKept { done: false } | ClaimOutcome::Gone | ClaimOutcome::NotHere | ClaimOutcome::Run(_) => {
            Err(RpcError::past_state())
        }
    }
}

/// Converts the error of a claim to a response. If the ledger was emptied, this is the same error as for a state of
/// another ledger.
fn unavailable(error: LedgerError) -> RpcError {
    match error {
        #[cfg(feature = "seal")]
        LedgerError::Replaced => RpcError::other_ledger(),
        error => RpcError::unavailable(error),
    }
}

/// Returns the answers to the open questions. If the request has no answer at all, returns one record for each
/// question. Each of these records says that there is no answer.
fn read_answers(
    open: &[WireQuestion],
    responses: Option<Responses>,
    round: u32,
    LedgerTime(now): LedgerTime,
) -> Vec<Answered> {
    let mut answered = Vec::new();
    for (key, response) in responses.into_iter().flatten() {
        if let Some(asked) = open.iter().find(|asked| asked.key == key) {
            answered.push(asked.answered(Some(response), round, now));
        }
    }
    if answered.is_empty() {
        answered.extend(open.iter().map(|asked| asked.answered(None, round, now)));
    }
    answered
}

/// Returns the capabilities that a client needs to answer these questions.
fn needs(open: &[WireQuestion]) -> Capabilities {
    open.iter().fold(Capabilities::default(), |needs, asked| needs.union(asked.needs))
}
