//! Judges what the faults of a call have done.

use std::time::Duration;

use tokio::time::sleep;

use super::{CallDriver, CausedFault, DevCallEnd, RoundReply};
use crate::{
    edge::dev::session::{
        api::event::CallEventKind,
        faults::finding::{Evidence, Replied, finding},
    },
    serve::client::InputRequired,
};

/// How long the reports of the processes can take. They come on another way than replies.
const REPORTING: Duration = Duration::from_millis(200);

impl CallDriver {
    /// Judges the faults since the last reply.
    pub(super) async fn judge(&mut self, reply: &RoundReply) {
        if !self.pending.is_empty() {
            self.judge_by(|| replied(reply)).await;
        }
    }

    /// Judges the faults that no reply has followed.
    pub(super) async fn judge_end(&mut self, end: &DevCallEnd) {
        if !self.pending.is_empty() {
            self.judge_by(|| match end {
                DevCallEnd::Finished(result, _) => Replied::Result { is_error: result["isError"] == true },
                DevCallEnd::Failed { error, .. } => Replied::Refused(error.message.clone()),
                DevCallEnd::Cancelled => Replied::Nothing,
            })
            .await;
        }
    }

    async fn judge_by(&mut self, replied: impl Fn() -> Replied) {
        let has_reports = self.pool.target.abilities().processes;
        if has_reports {
            sleep(REPORTING).await;
        }
        let has_store = self.pool.target.store().is_some();
        let record = self.record().await;
        for CausedFault { fault, same_reply } in std::mem::take(&mut self.pending) {
            let evidence = Evidence {
                name: self.call.request.name().to_owned(),
                ran: has_reports.then(|| self.call.runs()),
                record: record.as_ref().filter(|_| has_store).map(|record| record.record.clone()),
                replied: replied(),
                same_reply,
                in_session: !self.profile.revision.is_modern(),
                can_run_again: self.can_run_again,
            };
            let (ok, told) = finding(fault, &evidence);
            self.call.publish(CallEventKind::Finding { fault, ok, told }, None);
        }
    }
}

fn replied(reply: &RoundReply) -> Replied {
    match &reply.outcome {
        Err(error) => Replied::Refused(error.message.clone()),
        Ok(result) => match InputRequired::read(result) {
            Ok(Some(asked)) => {
                let rejected = asked
                    .questions
                    .iter()
                    .find_map(|question| question.params["_meta"]["mcp-runtime/rejected"].as_str());
                Replied::Asked { rejected: rejected.map(str::to_owned) }
            }
            _ => Replied::Result { is_error: result["isError"] == true },
        },
    }
}
