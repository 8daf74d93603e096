//! Resumes a call when its client sends answers. There are four steps: open the state, check the answers, claim the
//! round, resume the call. The claim comes after both checks, so that a bad request changes nothing. If several
//! requests have the same state, the ledger lets one of them claim the round.

use std::{pin::pin, sync::Arc};

use super::{
    Durable,
    at_once::at_once,
    rebuild::{check_handoff, rebuild},
    round_runner::{run_round, run_round_in_task},
};
use crate::{
    base::clock::Millis,
    engine::{
        call::{
            Call,
            body::Body,
            call_id::Place,
            conversation::WireQuestion,
            journal::{Answered, Journal},
            lease::LedgerError,
            ledger_time::LedgerTime,
            multi_round::{Answering, ResumeRequest},
            observer::{Observer as _, observer},
            running::Running,
        },
        durable::{
            continuation::{Binding, Carried, Continuation, Placed, RequestStates},
            ledger::{Claim, ClaimOutcome},
        },
        layer::Layers,
        tool::registered::RegisteredTool,
    },
    wire::protocol::{capability::Capabilities, error::RpcError, params::InputResponses},
};

/// After this many requests without an answer, the server resumes the call without an answer.
const MISSES: u8 = 3;

/// Runs the next round of a call until the call returns its result or asks questions. Polls the call at most once.
pub(super) fn resume(request: ResumeRequest<'_>) -> Answering {
    let ResumeRequest { call, arguments, mut responses, state } = request;
    let durable = Durable::of(&*call.0.server);
    if durable.claims().is_in_memory() {
        let step = at_once(pin!(Resuming::new(durable, &call, &arguments).run(&mut responses, &state)));
        match step {
            Some(Ok(ResumeStep::Reply(body))) => return Answering::Now(body),
            Some(Ok(ResumeStep::Run(running, claim))) => return run_round(running, arguments, claim),
            Some(Err(error)) => return Answering::Now(Body::error(&error)),
            // Another request holds the round. Nothing was claimed, so this request begins again and waits.
            None => {}
        }
    }
    let request = ResumeRequest { call, arguments, responses, state }.into_owned();
    Answering::Later(Box::pin(resume_in_task(request)))
}

/// Runs the next round of a call, like [`resume`], but can wait for the ledger and for other requests.
pub(super) async fn resume_in_task(request: ResumeRequest<'static>) -> Body {
    let ResumeRequest { call, arguments, mut responses, state } = request;
    let durable = Durable::of(&*call.0.server);
    match Resuming::new(durable, &call, &arguments).run(&mut responses, &state).await {
        Ok(ResumeStep::Reply(body)) => body,
        Ok(ResumeStep::Run(running, claim)) => run_round_in_task(running, arguments.into_owned(), claim).await,
        Err(error) => Body::error(&error),
    }
}

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
    states: &'a RequestStates,
    arguments: &'a str,
    owner: Option<Arc<str>>,
}

/// A decoded `requestState`, and what this process knows of its call.
struct Opened {
    place: Place,
    /// The number of requests without an answer, with this request.
    misses: u8,
    expires: LedgerTime,
    questions: OpenQuestions,
    /// The journal of the call. `None` if the call's future waits here and can resume, or if no journal is here. Boxed,
    /// because most calls wait here.
    journal: Option<Box<Journal>>,
    /// The journal that the state contains.
    carried: Carried,
    /// Whether this process can resume the call: its future waits here, or it can be rebuilt from the journal.
    is_here: bool,
}

/// The open questions of a round, compared with a request.
#[derive(Default)]
struct OpenQuestions {
    /// The capabilities that a client must have to answer the questions.
    needs: Capabilities,
    /// Whether the request answers at least one question.
    are_answered: bool,
}

impl OpenQuestions {
    fn new<'q>(open: impl Iterator<Item = &'q WireQuestion>, responses: Option<&InputResponses<'_>>) -> Self {
        open.fold(Self::default(), |Self { needs, are_answered }, question| Self {
            needs: needs.union(question.needs),
            are_answered: are_answered || responses.into_iter().flatten().any(|(key, _)| *key == question.key),
        })
    }

    /// Returns whether the call can resume: the request has an answer, or too many requests had no answer.
    fn can_resume(&self, misses: u8) -> bool {
        self.are_answered || misses >= MISSES
    }
}

impl<'a> Resuming<'a> {
    fn new(durable: &'a Durable, call: &'a Call, arguments: &'a str) -> Self {
        let (tool, states) = (call.0.registered(), durable.states_of(&call.0));
        Self { durable, call, tool, states, arguments, owner: call.0.owner() }
    }

    /// Checks the request and claims the round. Takes the answers only if it has claimed the round.
    async fn run(&self, responses: &mut Option<InputResponses<'_>>, state: &str) -> Result<ResumeStep, RpcError> {
        let Self { durable, tool, .. } = *self;
        let binding = Binding::new(tool, self.arguments, self.owner.as_deref());
        let state = self.states.read(&binding, state)?;
        let (claims, ledger) = durable.ledger_of(&state, durable.waives_ledger(tool)).await?;
        let placed = Placed::new(claims, ledger, tool, binding);
        let opened = self.open_state(placed, state, responses.as_ref()).await?;
        let missing = opened.questions.needs.without(self.call.0.client().capabilities());
        if !missing.is_empty() {
            return Err(RpcError::missing_capability(&tool.described(), missing));
        }
        let claim = match self.claim(placed, &opened).await? {
            ClaimOutcome::Run(claim) => claim,
            ClaimOutcome::NotHere => return self.ask_again(placed, &opened).await.map(ResumeStep::Reply),
            past => {
                let states = &durable.request_states;
                return unclaimed(past, &tool.definition.name, opened.place, states).map(ResumeStep::Reply);
            }
        };
        let running = self.resume(placed, opened, responses).await?;
        Ok(ResumeStep::Run(running, claim))
    }

    /// Looks for the call of a state: its future, or its journal.
    async fn open_state(
        &self,
        placed: Placed<'_>,
        state: Continuation,
        responses: Option<&InputResponses<'_>>,
    ) -> Result<Opened, RpcError> {
        let Continuation { place, misses, expires, carried, .. } = state;
        // A request that contains only the state is not a miss: a client can send one for load shedding.
        let misses = misses.saturating_add(u8::from(responses.is_some()));
        let future = self.durable.parking().look(place, |parked| {
            let questions = parked.conversation()?.with_open(|open| OpenQuestions::new(open, responses));
            let journal = (!questions.can_resume(misses)).then(|| Box::new(parked.journal()));
            Some((questions, journal))
        });
        if let Some((questions, journal)) = future.flatten() {
            return Ok(Opened { place, misses, expires, questions, journal, carried, is_here: true });
        }
        let journal = self.journal(placed, place, &carried).await?.map(Box::new);
        if let Some(journal) = &journal {
            check_handoff(self.tool, journal)?;
        }
        let open = journal.iter().flat_map(|journal| &journal.open);
        let questions = OpenQuestions::new(open, responses);
        let is_here = journal.is_some();
        Ok(Opened { place, misses, expires, questions, journal, carried, is_here })
    }

    /// Returns the journal of a call whose future does not wait in this process, if the call can be rebuilt from it.
    async fn journal(&self, placed: Placed<'_>, place: Place, carried: &Carried) -> Result<Option<Journal>, RpcError> {
        if !self.tool.definition.replayable {
            return Ok(None);
        }
        // Boxed, because most calls wait here and do not need their journal.
        Box::pin(self.durable.journal(self.states, placed, place, carried)).await
    }

    /// Claims the round in the ledger. If this process cannot resume the call, claims nothing, but returns a recorded
    /// reply if there is one.
    async fn claim(&self, placed: Placed<'_>, opened: &Opened) -> Result<ClaimOutcome, RpcError> {
        let turn = self.durable.turn(self.tool, placed.ledger, opened.place, Some(opened.expires));
        let can_run = opened.is_here && opened.questions.can_resume(opened.misses);
        placed.claims.claim_round(turn, || can_run).await.map_err(unavailable)
    }

    /// Resumes the call with the answers. Uses the parked future of the call, or rebuilds the call from its journal.
    async fn resume(
        &self,
        placed: Placed<'_>,
        Opened { place, journal, carried, .. }: Opened,
        responses: &mut Option<InputResponses<'_>>,
    ) -> Result<Box<Running>, RpcError> {
        let LedgerTime(now) = placed.claims.now();
        if let Some(mut running) = self.durable.parking().take(place) {
            running.resume(self.call, place.round);
            running.call().conversation.answer_round(responses.take().unwrap_or_default(), now);
            return Ok(running);
        }
        let journal = match journal {
            // The future was evicted after the checks.
            None => self.journal(placed, place, &carried).await?.map(Box::new),
            journal => journal,
        };
        // Dropping the claim releases the round. Without a journal, no instance can resume the call.
        let mut journal = journal.ok_or_else(RpcError::past_state)?;
        let answers = read_answers(&journal.open, responses.take(), place.round, now);
        journal.answers.extend(answers.into_iter().map(Arc::new));
        let mut running = rebuild(self.call, place, *journal, self.arguments)?;
        if self.tool.is_tool()
            && let Some(layers) = self.call.0.server.get::<Box<dyn Layers>>()
        {
            running.wrap(|call, calling| layers.resume(call, self.arguments, calling));
        }
        Ok(running)
    }

    /// Repeats the questions that are still open, with a new state.
    async fn ask_again(&self, placed: Placed<'_>, opened: &Opened) -> Result<Body, RpcError> {
        let journal = opened.journal.as_ref().filter(|_| opened.is_here).ok_or_else(RpcError::past_state)?;
        let Opened { place, misses, expires, ref carried, .. } = *opened;
        let states = self.states;
        // The new state contains a journal if the request's state does.
        let in_state = Box::pin(states.journal(placed, place, carried)).await?;
        let in_state = in_state.map(|journal| move |out: &mut Vec<u8>| journal.push_json(out));
        // The new state expires when the request's state expires. After that, the ledger may have removed the record.
        let state = states.write(placed, place, misses, expires, in_state.as_ref().map(|push| push as _)).await?;
        Ok(Body::input_required(&self.call.0.server, journal.open.clone(), state.text))
    }
}

/// Returns the response if the round could not be claimed, such as the recorded reply.
pub(super) fn unclaimed(
    past: ClaimOutcome,
    tool: &str,
    place: Place,
    states: &RequestStates,
) -> Result<Body, RpcError> {
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
    responses: Option<InputResponses<'_>>,
    round: u32,
    now: Millis,
) -> Vec<Answered> {
    let mut answered = Vec::new();
    for (key, response) in responses.into_iter().flatten() {
        if let Some(asked) = open.iter().find(|asked| asked.key == key) {
            answered.push(asked.answered(Some((&*response).into()), round, now));
        }
    }
    if answered.is_empty() {
        answered.extend(open.iter().map(|asked| asked.answered(None, round, now)));
    }
    answered
}
