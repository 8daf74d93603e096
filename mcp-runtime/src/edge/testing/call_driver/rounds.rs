//! The rounds of a call, and the faults between them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use serde_json::{Map, Value, json};
use tokio::{task::yield_now, time::sleep};

use super::{CallAnswer, Course, Misfit, Question, ScriptedRequest, rehearsals::Rehearsals};
use crate::edge::testing::{fault::Trouble, request::RequestTarget, sampled::sampled, transport::Target};

/// The moments at which the client disconnects. For each number `n`, the client sends the request of a round, yields to
/// other tasks `n` times, and disconnects.
const CUTS: [usize; 5] = [0, 1, 2, 4, 8];

/// The server stores replies that have fewer bytes than this. Longer replies may not be stored.
const KEPT: usize = 250 * 1024;

impl<'a> Course<'a> {
    /// Runs the rounds of a call. Since 2026-07-28, a question ends a request, and the next request carries the answer.
    pub(super) async fn rounds(&mut self, request: &ScriptedRequest) -> Result<CallAnswer, Misfit> {
        let target = &request.target;
        let first = target.params();
        let mut rehearsals = request.rehearsed.then(|| Rehearsals::new(self.client, request)).transpose()?;

        if self.client.elsewhere.is_some() && self.settings.revision.is_modern() {
            self.turn_to(&*self.client.server)?;
        }
        self.rounds = 1;
        let mut answer = self.first_round(target, first.clone()).await?;
        loop {
            let mut result = match answer {
                Ok(result) if result["resultType"] == "input_required" => result,
                answer => return Ok(answer),
            };
            let state = result.get_mut("requestState").map(Value::take);
            let mut next = first.clone();
            let questions = match result["inputRequests"].take() {
                Value::Object(questions) => questions,
                _ => Map::new(),
            };
            let asked: Vec<_> = questions.into_iter().map(|(key, question)| Question::new(key, question)).collect();
            if let Some(rehearsals) = &mut rehearsals {
                self.limit.extend(Duration::from_secs(1));
                self.limit.within(None, rehearsals.rehearse(&asked, state.as_ref())).await?.transpose()?;
            }
            if !asked.is_empty() {
                let responses = self.answer_round(&asked).await?;
                next.insert("inputResponses".into(), responses.into());
            }
            next.extend(state.map(|state| ("requestState".to_owned(), state)));
            self.rounds += 1;
            answer = self.later_round(target, next).await?;
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
                    let revision = self.settings.revision;
                    let instead = if question.is_sampling() { "`silence`" } else { "`decline` or `cancel`" };
                    return Err(format!("an answer in {revision} cannot be an error; write {instead}").into());
                }
                None => {}
            }
        }
        self.limit.extend(delay);
        sleep(delay).await;
        Ok(responses)
    }

    /// Sends the first request. A request that is sent twice needs an idempotency key, so that only one call begins.
    async fn first_round(
        &mut self,
        target: &RequestTarget,
        mut params: Map<String, Value>,
    ) -> Result<CallAnswer, Misfit> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let method = target.operation().method();
        let repeats = matches!(self.settings.trouble, Some(Trouble::RepliesLost | Trouble::RequestsDoubled));
        // A server keeps records only if its tools may ask questions.
        let keeps_records = self.client.server.service().is_none_or(|service| service.0.multi_round.get().is_some());
        if !repeats || !self.settings.revision.is_modern() || !keeps_records {
            return self.request(method, params).await;
        }
        let key = format!("call {}", CALLS.fetch_add(1, Ordering::Relaxed));
        params.insert("_meta".to_owned(), json!({ "idempotency-key": key }));
        if self.settings.trouble == Some(Trouble::RepliesLost) {
            self.lost(method, params).await
        } else {
            self.doubled(method, params).await
        }
    }

    async fn later_round(&mut self, target: &RequestTarget, params: Map<String, Value>) -> Result<CallAnswer, Misfit> {
        let method = target.operation().method();
        // In a mode with two instances, a call that cannot be replayed stays at its instance.
        let stays = self.client.trial.is_some() && !self.client.is_replayable(target);
        if !stays && self.client.elsewhere.is_some() {
            self.turn_to(self.instance())?;
        }
        match self.settings.trouble.filter(|trouble| !stays || !trouble.replays()) {
            None => self.request(method, params).await,
            Some(Trouble::Restarts) => {
                self.instance().forget_futures()?;
                if self.instance().service().is_none() {
                    self.turn_to(self.instance())?;
                }
                self.request(method, params).await
            }
            Some(Trouble::RepliesLost) => self.lost(method, params).await,
            Some(Trouble::RequestsDoubled) => self.doubled(method, params).await,
            Some(Trouble::SpentStates) => {
                let answer = self.request(method, params.clone()).await?;
                let other = self.request(method, otherwise(params)).await?;
                same(
                    answer,
                    &other,
                    "a `requestState` was sent again with other answers, but did not get the latest reply",
                )
            }
            Some(Trouble::TamperedStates) => {
                if self.request(method, tampered(params.clone())).await?.is_ok() {
                    return Err(Misfit::Server("the server accepted a state that was tampered with".to_owned()));
                }
                self.request(method, params).await
            }
            Some(Trouble::Disconnects) => self.disconnected(method, params).await,
        }
    }

    async fn lost(&mut self, method: &str, params: Map<String, Value>) -> Result<CallAnswer, Misfit> {
        let lost = self.request(method, params.clone()).await?;
        let again = self.request(method, params).await?;
        same(lost, &again, "a repeated request got a different reply")
    }

    async fn doubled(&mut self, method: &str, params: Map<String, Value>) -> Result<CallAnswer, Misfit> {
        let first = self.connection.request(method, params.clone(), self.settings, &self.limit).await?;
        let second = self.connection.request(method, params, self.settings, &self.limit).await?;
        let [first, second] = self.responses([first, second]).await?;
        same(first, &second, "a request was sent twice at the same time and got two different replies")
    }

    /// Disconnects the client at several moments of a round. If there is a second instance, that instance
    /// continues the call afterwards.
    async fn disconnected(&mut self, method: &str, params: Map<String, Value>) -> Result<CallAnswer, Misfit> {
        for turns in CUTS {
            let id = self.connection.request(method, params.clone(), self.settings, &self.limit).await?;
            for _ in 0..turns {
                yield_now().await;
            }
            if let Some(answer) = self.response_if_arrived(&id).await? {
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
        self.request(method, params).await
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

/// Changes the answers in the parameters of a request, and keeps its `requestState`.
fn otherwise(mut params: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(responses)) = params.get_mut("inputResponses") {
        for response in responses.values_mut() {
            *response = match &*response {
                response if response["action"] == "cancel" => json!({ "action": "decline" }),
                response if response.get("action").is_some() => json!({ "action": "cancel" }),
                response if response.get("role").is_some() => sampled("another reply"),
                _ => json!({ "roots": [] }),
            };
        }
    }
    params
}

/// Changes a character in the middle of `requestState`.
fn tampered(mut params: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::String(state)) = params.get_mut("requestState") {
        let middle = state.len() / 2;
        let other = if state.as_bytes().get(middle) == Some(&b'A') { "B" } else { "A" };
        state.replace_range(middle..=middle, other);
    }
    params
}
