//! Judges what the faults of a call have done.

use std::time::Duration;

use tokio::time::sleep;

use super::{CallDriver, CausedFault, DevCallEnd, RoundReply};
use crate::{
    edge::dev::session::{
        api::{call::DevQuestion, event::CallEventKind, fault::DevFault},
        faults::finding::{Evidence, Replied, finding},
    },
    serve::client::InputRequired,
};

/// How long the reports of the processes can take. They come on another way than replies.
const REPORTING: Duration = Duration::from_millis(200);

impl CallDriver {
    /// Judges the faults since the last reply.
    pub(super) async fn judge(&mut self, reply: &RoundReply) {
        let faults = std::mem::take(&mut self.pending);
        let is_modern = self.profile.revision.is_modern();
        self.judge_by(faults, |caused| replied(reply, caused, is_modern)).await;
    }

    /// Judges the wrong answers since the last question of a session.
    pub(super) async fn judge_question(&mut self, question: &DevQuestion) {
        let of_answers = |caused: &CausedFault| caused.fault == DevFault::AnswerWrongly;
        let (answers, others) = std::mem::take(&mut self.pending).into_iter().partition(of_answers);
        self.pending = others;
        self.judge_by(answers, |caused| Replied::Asked { again: caused.is_asked_again(question, false) }).await;
    }

    /// Judges the faults that no reply has followed.
    pub(super) async fn judge_end(&mut self, end: &DevCallEnd) {
        let faults = std::mem::take(&mut self.pending);
        self.judge_by(faults, |_| match end {
            DevCallEnd::Finished(result, _) => Replied::Result { is_error: result["isError"] == true },
            DevCallEnd::Failed { error, .. } => Replied::Refused(error.message.clone()),
            DevCallEnd::Cancelled => Replied::Nothing,
        })
        .await;
    }

    async fn judge_by(&mut self, faults: Vec<CausedFault>, replied: impl Fn(&CausedFault) -> Replied) {
        if faults.is_empty() {
            return;
        }
        let has_reports = self.pool.target().abilities().processes;
        if has_reports {
            sleep(REPORTING).await;
        }
        let has_store = self.pool.target().store().is_some();
        let record = self.record().await;
        for caused in faults {
            let evidence = Evidence {
                name: self.call.request.name().to_owned(),
                ran: has_reports.then(|| self.call.runs()),
                record: record.as_ref().filter(|_| has_store).map(|record| record.record.clone()),
                replied: replied(&caused),
                same_reply: caused.same_reply,
                in_session: !self.profile.revision.is_modern(),
                can_run_again: self.can_run_again,
            };
            let (ok, told) = finding(caused.fault, &evidence);
            self.call.publish(CallEventKind::Finding { fault: caused.fault, ok, told }, None);
        }
    }
}

impl CausedFault {
    /// Returns whether a question is one that was answered with content that does not fit: the one with the same key. The
    /// questions of a session have no keys, so there it is one with the same form. Its message can be another one, which
    /// says why.
    fn is_asked_again(&self, question: &DevQuestion, is_modern: bool) -> bool {
        if is_modern {
            return self.answered.iter().any(|answered| answered.key() == question.key());
        }
        let schema = |question: &DevQuestion| match question {
            DevQuestion::Form(form) => form.schema.clone(),
            _ => None,
        };
        self.answered.iter().any(|answered| schema(answered).is_some() && schema(answered) == schema(question))
    }
}

fn replied(reply: &RoundReply, caused: &CausedFault, is_modern: bool) -> Replied {
    match &reply.outcome {
        Err(error) => Replied::Refused(error.message.clone()),
        Ok(result) => match InputRequired::read(result) {
            Ok(Some(asked)) => {
                let again = |question| caused.is_asked_again(&DevQuestion::new(0, question), is_modern);
                Replied::Asked { again: asked.questions.iter().any(again) }
            }
            _ => Replied::Result { is_error: result["isError"] == true },
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::serve::client::Question;

    fn form(key: &str) -> DevQuestion {
        let params = json!({ "message": "Sure?", "requestedSchema": { "type": "object" } });
        DevQuestion::new(1, &Question::new(key.to_owned(), "elicitation/create".to_owned(), params))
    }

    #[test]
    fn another_question_with_the_same_form_is_not_the_question_again() {
        let caused = CausedFault { answered: vec![form("first")], ..CausedFault::of(DevFault::AnswerWrongly) };
        assert!(caused.is_asked_again(&form("first"), true));
        assert!(!caused.is_asked_again(&form("second"), true));
        assert!(caused.is_asked_again(&form("s-2"), false), "the questions of a session have no keys");
    }
}
