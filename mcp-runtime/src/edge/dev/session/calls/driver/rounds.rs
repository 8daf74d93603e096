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

impl CallDriver {
    pub(super) async fn rounds(&mut self) -> Result<DevCallEnd, DevCallEnd> {
        let mut input = RoundInput { idempotency_key: self.call.idempotency_key.clone(), ..RoundInput::default() };
        let mut answered: Vec<DevQuestion> = Vec::new();
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
            input = RoundInput { input_responses, request_state: state, idempotency_key: None };
        }
    }

    /// Asks the page all questions of a round, and waits for the answers. `answered` are the questions of the round
    /// before.
    async fn answers(
        &mut self,
        questions: &[Question],
        answered: &mut Vec<DevQuestion>,
        spent: &SpentRound,
    ) -> Result<Map<String, Value>, DevCallEnd> {
        let mut asked = Vec::new();
        for question in questions {
            let question = DevQuestion::new(self.call.next_seq(), question);
            if let Some(before) = answered.iter().find(|before| is_changed(before, &question)) {
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
                self.pending.push(CausedFault { fault: DevFault::AnswerWrongly, same_reply: None });
                break;
            }
            if spent.input.request_state.is_some() && self.call.take_armed(DevFault::AnswerSpent) {
                self.answer_spent(&spent.input, &spent.reply).await?;
            }
            let command = self.commands.recv().await;
            if let Some((seq, result)) = self.obey(command).await? {
                respond(&mut responses, &asked, seq, result);
            }
        }
        *answered = asked;
        Ok(responses)
    }
}

fn respond(responses: &mut Map<String, Value>, asked: &[DevQuestion], seq: u32, result: Value) {
    if let Some(question) = asked.iter().find(|question| question.seq() == seq) {
        responses.insert(question.key().to_owned(), result);
    }
}

/// Whether a question that was answered is asked again as another one, because the code has changed.
fn is_changed(before: &DevQuestion, after: &DevQuestion) -> bool {
    before.key() == after.key() && after.rejected().is_none() && !before.asks_the_same(after)
}
