//! Gives the answers that were prepared for a call.

use super::CallDriver;
use crate::edge::dev::session::{
    api::{
        call::{DevAnswerer, DevQuestion},
        new_call::PreparedAnswer,
    },
    calls::answers::result_of,
};

/// The prepared answers of a call. Each of them is given once.
pub(super) struct PreparedAnswers {
    /// Each answer, and whether it was given.
    answers: Vec<(PreparedAnswer, bool)>,
    /// The questions that were answered.
    answered: Vec<DevQuestion>,
}

impl CallDriver {
    /// Answers the open questions for which an answer is prepared, as a person would. The others wait for the person.
    pub(super) fn answer_prepared(&mut self) {
        for question in self.call.open_questions() {
            let Some(at) = self.prepared.find(&question, self.profile.revision.is_modern()) else { continue };
            let answer = self.prepared.answers[at].0.answer.clone();
            // Fails only if the person was faster. Then the answer is still there for another question.
            let answered = self.call.answer(question.seq(), answer, DevAnswerer::Prepared, self.model.is_some());
            if answered.is_ok() {
                self.prepared.answers[at].1 = true;
                self.prepared.answered.push(question);
            }
        }
    }
}

impl PreparedAnswers {
    pub(super) fn new(answers: Vec<PreparedAnswer>) -> Self {
        Self { answers: answers.into_iter().map(|answer| (answer, false)).collect(), answered: Vec::new() }
    }

    /// Makes all answers new, because the client makes the call again from its beginning.
    pub(super) fn begin_again(&mut self) {
        self.answers.iter_mut().for_each(|(_, is_given)| *is_given = false);
        self.answered.clear();
    }

    /// Returns the first answer for a question that was not given yet. A question that is asked again has none: its answer
    /// was refused, or the code has changed, so the person has to see it.
    fn find(&self, question: &DevQuestion, is_modern: bool) -> Option<usize> {
        if self.answered.iter().any(|answered| question.is_again(answered)) {
            return None;
        }
        let fits = |(answer, is_given): &(PreparedAnswer, bool)| {
            let PreparedAnswer { kind, key, answer } = answer;
            let has_key = |key: &String| *key == question.key() || question.name(is_modern) == Some(key);
            !is_given
                && kind.is_none_or(|kind| kind == question.kind())
                && key.as_ref().is_none_or(has_key)
                && result_of(question.kind(), answer).is_ok()
        };
        self.answers.iter().position(fits)
    }
}
