//! A call in rounds (since 2026-07-28): a question ends a request, and the next request carries the answer.

use serde_json::{Map, Value};

use super::{CallDriver, CausedFault, DevCallEnd, RoundReply};
use crate::{
    base::clock,
    edge::dev::session::{
        api::{
            call::DevQuestion,
            event::{CallEventKind, StateSize},
            fault::DevFault,
        },
        calls::answers::wrong,
    },
    serve::client::{InputRequired, Question, RoundInput},
};

/// The round before: its request, and the reply that has spent its state.
struct SpentRound {
    input: RoundInput,
    reply: RoundReply,
}

/// The questions of the round before, and how often the server had been started when it asked them.
#[derive(Default)]
struct AnsweredRound {
    starts: u32,
    questions: Vec<DevQuestion>,
}

impl AnsweredRound {
    /// Returns the question that was answered and is asked as another one now, because the code has changed. The code
    /// that has asked asks again with other words only to say what was wrong with the answer.
    fn changed(&self, starts: u32, now: &DevQuestion) -> Option<&DevQuestion> {
        let is_changed = |before: &&DevQuestion| before.key() == now.key() && !before.asks_the_same(now);
        self.questions.iter().find(is_changed).filter(|_| starts != self.starts)
    }
}

impl CallDriver {
    pub(super) async fn rounds(&mut self) -> Result<DevCallEnd, DevCallEnd> {
        let mut input = RoundInput { idempotency_key: self.call.idempotency_key.clone(), ..RoundInput::default() };
        let mut answered = AnsweredRound::default();
        loop {
            let begun = clock::now();
            let reply = self.round(&input).await?;
            let asked = reply.outcome.as_ref().map_or(Ok(None), InputRequired::read);
            let asked = asked
                .map_err(|error| DevCallEnd::failed(format!("the questions of the server cannot be read: {error}")))?;
            let Some(InputRequired { questions, state }) = asked else { return Ok(DevCallEnd::of(reply)) };
            self.call.carry(state.clone());
            let size = state.as_ref().map(|state| StateSize { length: state.len() });
            let took = clock::now().saturating_sub(begun);
            self.call.publish(CallEventKind::RoundEnded { took, state: size }, Some(reply.n));
            let spent = SpentRound { input, reply };
            let input_responses = match &questions[..] {
                [] => None,
                questions => Some(self.answers(questions, &mut answered, &spent).await?),
            };
            self.call.begin_round(self.call.round() + 1);
            input = RoundInput { input_responses, request_state: state, ..RoundInput::default() };
        }
    }

    /// Asks the page all questions of a round, and waits for the answers. `answered` are the questions of the round
    /// before.
    async fn answers(
        &mut self,
        questions: &[Question],
        answered: &mut AnsweredRound,
        spent: &SpentRound,
    ) -> Result<Map<String, Value>, DevCallEnd> {
        let starts = self.pool.starts();
        let mut asked = Vec::new();
        for question in questions {
            let question = DevQuestion::new(self.call.next_seq(), question);
            if let Some(before) = answered.changed(starts, &question) {
                let (key, before, after) = (question.key().to_owned(), before.clone(), question.clone());
                self.call.publish(CallEventKind::Changed { key, before, after }, Some(spent.reply.n));
            }
            self.call.ask(question.clone(), Some(spent.reply.n));
            asked.push(question);
        }
        let mut responses = Map::new();
        while responses.len() < asked.len() {
            if self.call.take_armed(DevFault::AnswerWrongly) {
                self.tell(DevFault::AnswerWrongly);
                for (seq, result) in self.call.answer_all(wrong) {
                    respond(&mut responses, &asked, seq, result);
                }
                let answered = asked.clone();
                self.pending.push(CausedFault { answered, ..CausedFault::of(DevFault::AnswerWrongly) });
                // An answer that was given just before is still on its way.
                continue;
            }
            if spent.input.request_state.is_some() && self.call.take_armed(DevFault::AnswerSpent) {
                self.answer_spent(&spent.input, &spent.reply).await?;
            }
            self.answer_prepared();
            let command = self.commands.recv().await;
            if let Some((seq, result)) = self.obey(command).await? {
                respond(&mut responses, &asked, seq, result);
            }
        }
        *answered = AnsweredRound { starts, questions: asked };
        Ok(responses)
    }
}

fn respond(responses: &mut Map<String, Value>, asked: &[DevQuestion], seq: u32, result: Value) {
    if let Some(question) = asked.iter().find(|question| question.seq() == seq) {
        responses.insert(question.key().to_owned(), result);
    }
}
