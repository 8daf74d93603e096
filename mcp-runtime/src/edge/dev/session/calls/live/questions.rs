//! The questions of a call, and their answers.

use serde_json::Value;

use super::{super::answers::result_of, CallCommand, DevLiveCall};
use crate::edge::dev::session::{
    api::{
        call::{AnyAnswer, DevAnswerer, DevCallStatus, DevQuestion},
        event::CallEventKind,
    },
    error::SessionError,
};

impl DevLiveCall {
    pub(in super::super) fn next_seq(&self) -> u32 {
        let mut state = self.state.lock();
        state.last_seq += 1;
        state.last_seq
    }

    /// Opens a question.
    pub(in super::super) fn ask(&self, question: DevQuestion, wire: Option<u64>) {
        {
            let mut state = self.state.lock();
            state.questions.push(question.clone());
            state.status = DevCallStatus::InputRequired;
        }
        self.publish(CallEventKind::Asked { question }, wire);
        self.show();
    }

    /// Removes a question that needs no answer any more.
    pub(in super::super) fn withdraw(&self, seq: u32) {
        let was_open = self.close(seq).is_some();
        if was_open {
            self.show();
        }
    }

    /// Removes all open questions.
    pub(in super::super) fn withdraw_all(&self) {
        self.open_questions().iter().for_each(|question| self.withdraw(question.seq()));
    }

    /// Closes an open question, and returns it.
    fn close(&self, seq: u32) -> Option<DevQuestion> {
        let mut state = self.state.lock();
        let at = state.questions.iter().position(|question| question.seq() == seq)?;
        let question = state.questions.remove(at);
        if state.questions.is_empty() && state.status.is_open() {
            state.status = DevCallStatus::Working;
        }
        Some(question)
    }

    pub(in super::super) fn open_questions(&self) -> Vec<DevQuestion> {
        self.state.lock().questions.clone()
    }

    /// Answers an open question.
    ///
    /// # Errors
    /// Fails if there is no such question, or if it cannot be answered like this.
    pub(crate) fn answer(
        &self,
        seq: u32,
        answer: AnyAnswer,
        by: DevAnswerer,
        has_model: bool,
    ) -> Result<(), SessionError> {
        let question = self.state.lock().questions.iter().find(|question| question.seq() == seq).cloned();
        let gone = || SessionError::Conflict(format!("the question {seq} of this call does not wait for an answer"));
        let question = question.ok_or_else(gone)?;
        let result = result_of(question.kind(), &answer).map_err(|expected| {
            SessionError::Invalid(format!("the question `{}` is answered with {expected}", question.key()))
        })?;
        if result.is_none() && !has_model {
            return Err(SessionError::no_model());
        }
        // Another answer can have come meanwhile.
        let question = self.close(seq).ok_or_else(gone)?;
        let command = match result {
            Some(result) => {
                self.answered(&question, by, answer);
                CallCommand::Answer { seq, result }
            }
            None => CallCommand::AskModel(question),
        };
        // Fails only if the call has ended.
        let _ = self.commands.send(command);
        self.show();
        Ok(())
    }

    pub(in super::super) fn answered(&self, question: &DevQuestion, by: DevAnswerer, answer: AnyAnswer) {
        let (seq, key) = (question.seq(), question.key().to_owned());
        self.publish(CallEventKind::Answered { seq, key, by, answer }, None);
    }

    /// Answers all open questions with results of the client itself.
    pub(in super::super) fn answer_all(
        &self,
        answer: impl Fn(&DevQuestion) -> (Value, AnyAnswer),
    ) -> Vec<(u32, Value)> {
        let open = {
            let mut state = self.state.lock();
            state.status = DevCallStatus::Working;
            std::mem::take(&mut state.questions)
        };
        let results = open.iter().map(|question| {
            let (result, shown) = answer(question);
            self.answered(question, DevAnswerer::Script, shown);
            (question.seq(), result)
        });
        let results = results.collect();
        self.show();
        results
    }
}
