//! The rounds of a call, and the faults between them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::{task::yield_now, time::sleep};

use super::{course::Course, rehearsals::Rehearsals};
use crate::{
    edge::testing::{
        compare::CallAnswer,
        connection::{fault::Fault, target::Target},
        script::request::{Misfit, ScriptedRequest},
    },
    serve::client::{ClientRequest, InputRequired, Question, RoundInput},
};

/// The moments at which the client disconnects. For each number `n`, the client sends the request of a round, yields to
/// other tasks `n` times, and disconnects.
const CUTS: [usize; 5] = [0, 1, 2, 4, 8];

/// The server stores replies that have fewer bytes than this. Longer replies may not be stored.
const KEPT: usize = 250 * 1024;

impl<'a> Course<'a> {
    /// Runs the rounds of a call. Since 2026-07-28, a question ends a request, and the next request carries the answer.
    pub(crate) async fn rounds(&mut self, request: &ScriptedRequest) -> Result<CallAnswer, Misfit> {
        let target = &request.target;
        let mut rehearsals = request.rehearsed.then(|| Rehearsals::new(self.client, request)).transpose()?;

        if self.client.elsewhere.is_some() && self.settings.profile.revision.is_modern() {
            self.turn_to(&*self.client.server)?;
        }
        self.rounds = 1;
        let mut answer = self.first_round(target).await?;
        loop {
            let asked = answer.as_ref().map_or(Ok(None), InputRequired::read);
            let asked = asked.map_err(|error| Misfit::Server(format!("the questions cannot be read: {error}")))?;
            let Some(InputRequired { questions, state }) = asked else { return Ok(answer) };
            if let Some(rehearsals) = &mut rehearsals {
                self.connection.limit.extend(Duration::from_secs(1));
                self.connection
                    .limit
                    .within(None, rehearsals.rehearse(&questions, state.as_deref()))
                    .await?
                    .transpose()?;
            }
            let input_responses = match &questions[..] {
                [] => None,
                questions => Some(self.answer_round(questions).await?),
            };
            self.rounds += 1;
            let input = RoundInput { input_responses, request_state: state, ..RoundInput::default() };
            answer = self.later_round(target, input).await?;
        }
    }

    /// Answers all questions of a round. The client sends all answers together, after the longest of their delays.
    async fn answer_round(&mut self, questions: &[Question]) -> Result<Map<String, Value>, Misfit> {
        let mut responses = Map::new();
        let mut delay = Duration::ZERO;
        for question in questions {
            let (answer, after) = self.answer(question)?;
            delay = delay.max(after);
            match answer {
                Some(("result", response)) => drop(responses.insert(question.key().to_owned(), response)),
                Some(_) => {
                    let revision = self.settings.profile.revision;
                    let instead = if question.is_sampling() { "`silence`" } else { "`decline` or `cancel`" };
                    return Err(format!("an answer in {revision} cannot be an error; write {instead}").into());
                }
                None => {}
            }
        }
        self.connection.limit.extend(delay);
        sleep(delay).await;
        Ok(responses)
    }

    /// Sends the first request. A request that is sent twice needs an idempotency key, so that only one call begins.
    async fn first_round(&mut self, target: &ClientRequest) -> Result<CallAnswer, Misfit> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        // A server keeps records only if its tools may ask questions.
        let keeps_records = self.client.server.service().is_none_or(|service| service.0.multi_round.get().is_some());
        let can_repeat = self.settings.profile.revision.is_modern() && keeps_records;
        let keyed = || {
            let key = format!("call {}", CALLS.fetch_add(1, Ordering::Relaxed));
            RoundInput { idempotency_key: Some(key), ..RoundInput::default() }
        };
        match self.settings.trouble.filter(|_| can_repeat) {
            Some(Fault::RepliesLost) => self.lost(target, &keyed()).await,
            Some(Fault::RequestsDoubled) => self.doubled(target, &keyed()).await,
            _ => self.round(target, &RoundInput::default()).await,
        }
    }

    async fn later_round(&mut self, target: &ClientRequest, input: RoundInput) -> Result<CallAnswer, Misfit> {
        // In a mode with two instances, a call that cannot be replayed stays at its instance.
        let stays = self.client.trial.is_some() && !self.client.is_replayable(target);
        if !stays && self.client.elsewhere.is_some() {
            self.turn_to(self.instance())?;
        }
        match self.settings.trouble.filter(|trouble| !stays || !trouble.replays()) {
            None => self.round(target, &input).await,
            Some(Fault::Restarts) => {
                self.instance().forget_futures()?;
                if self.instance().service().is_none() {
                    self.turn_to(self.instance())?;
                }
                self.round(target, &input).await
            }
            Some(Fault::RepliesLost) => self.lost(target, &input).await,
            Some(Fault::RequestsDoubled) => self.doubled(target, &input).await,
            Some(Fault::SpentStates) => {
                let answer = self.round(target, &input).await?;
                let other = self.round(target, &input.with_other_answers()).await?;
                same(
                    answer,
                    &other,
                    "a `requestState` was sent again with other answers, but did not get the latest reply",
                )
            }
            Some(Fault::TamperedStates) => {
                if self.round(target, &tampered(input.clone())).await?.is_ok() {
                    return Err(Misfit::Server("the server accepted a state that was tampered with".to_owned()));
                }
                self.round(target, &input).await
            }
            Some(Fault::Disconnects) => self.disconnected(target, &input).await,
        }
    }

    async fn lost(&mut self, target: &ClientRequest, input: &RoundInput) -> Result<CallAnswer, Misfit> {
        let lost = self.round(target, input).await?;
        let again = self.round(target, input).await?;
        same(lost, &again, "a repeated request got a different reply")
    }

    async fn doubled(&mut self, target: &ClientRequest, input: &RoundInput) -> Result<CallAnswer, Misfit> {
        let first = self.connection.round(target, input).await?;
        let second = self.connection.round(target, input).await?;
        let [first, second] = self.responses([first, second]).await?;
        same(first, &second, "a request was sent twice at the same time and got two different replies")
    }

    /// Disconnects the client at several moments of a round. If there is a second instance, that instance
    /// continues the call afterwards.
    async fn disconnected(&mut self, target: &ClientRequest, input: &RoundInput) -> Result<CallAnswer, Misfit> {
        for turns in CUTS {
            let id = self.connection.round(target, input).await?;
            for _ in 0..turns {
                yield_now().await;
            }
            if let Some(answer) = self.response_if_arrived(id).await? {
                // The reply arrived before the client disconnected.
                return Ok(answer);
            }
            self.turn_to(self.instance())?;
        }
        if let Some(other) = &self.client.elsewhere {
            // As after a crash, the instance loses its futures.
            self.instance().forget_futures()?;
            self.turn_to(&**if self.is_elsewhere() { &self.client.server } else { other })?;
        }
        self.round(target, input).await
    }

    fn turn_to(&mut self, server: &dyn Target) -> Result<(), Misfit> {
        self.connection.turn_to(server, self.settings)
    }

    /// Returns the server instance that receives the requests of this round.
    fn instance(&self) -> &'a dyn Target {
        let client = self.client;
        &**client.elsewhere.as_ref().filter(|_| self.is_elsewhere()).unwrap_or(&client.server)
    }

    fn is_elsewhere(&self) -> bool {
        self.rounds.is_multiple_of(2)
    }
}

/// Checks that a request that was sent twice got the same reply both times. Ignores errors, and ignores results that
/// are too large, because the server does not store these replies.
fn same(first: CallAnswer, second: &CallAnswer, or_else: &str) -> Result<CallAnswer, Misfit> {
    let is_kept = first.as_ref().is_ok_and(|result| result.to_string().len() < KEPT);
    if is_kept && first != *second {
        return Err(Misfit::Server(or_else.to_owned()));
    }
    Ok(first)
}

/// Changes a character in the middle of the state of a round.
fn tampered(mut input: RoundInput) -> RoundInput {
    if let Some(state) = &mut input.request_state {
        let middle = state.len() / 2;
        let other = if state.as_bytes().get(middle) == Some(&b'A') { "B" } else { "A" };
        state.replace_range(middle..=middle, other);
    }
    input
}
