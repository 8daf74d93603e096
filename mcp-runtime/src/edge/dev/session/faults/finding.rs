//! What a fault has done, in the words of the guide on reliability. It is judged from what the processes have reported,
//! from the record of the ledger and from the replies; nothing is assumed.

use std::collections::BTreeMap;

use super::super::api::{fault::DevFault, record::LedgerRecord};

/// What is known after a fault.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// What the call is about.
    pub(crate) name: String,
    /// How often each phase and step has run, if the processes report it: "`after`", "the step `pay`".
    pub(crate) ran: Option<BTreeMap<String, u32>>,
    /// The record of the ledger. `None` if the store cannot be read.
    pub(crate) record: Option<Option<LedgerRecord>>,
    pub(crate) replied: Replied,
    /// Whether two requests got the same reply.
    pub(crate) same_reply: Option<bool>,
    pub(crate) in_session: bool,
    /// Whether the tool says that it can run again without harm.
    pub(crate) can_run_again: bool,
}

/// What the server has replied after the fault.
#[derive(Debug, Default)]
pub(crate) enum Replied {
    #[default]
    Nothing,
    /// Questions. `again` tells whether the form is one that was answered with content that does not fit.
    Asked {
        again: bool,
    },
    Result {
        is_error: bool,
    },
    Refused(String),
}

/// Returns whether all is as it should be, and what has happened.
pub(crate) fn finding(fault: DevFault, evidence: &Evidence) -> (bool, String) {
    let (ok, told) = match fault {
        DevFault::LoseReply => evidence.repeated("The request was sent again, and the server answered"),
        DevFault::SendTwice => {
            evidence.repeated("The request arrived twice at the same time, and the server answered both")
        }
        DevFault::CloseConnection => evidence
            .continued("The connection was closed in the middle of the request, and the client sent it again", true),
        DevFault::Kill => evidence.continued("The process was killed, and another one was started", true),
        DevFault::OtherInstance => evidence.continued("The request went to the other instance", false),
        DevFault::ClockForward => evidence.forwarded(),
        DevFault::AnswerLate => evidence.late(),
        DevFault::AnswerWrongly => evidence.wrong(),
        DevFault::AnswerSpent => evidence.spent(),
        DevFault::Cancel => evidence.cancelled(),
        DevFault::OtherRevision => evidence.other_client("The client of another revision"),
        DevFault::WithoutElicitation => evidence.other_client("The client without elicitation"),
        DevFault::WithoutSampling => evidence.other_client("The client without sampling"),
    };
    let (once, runs) = evidence.runs();
    (ok && once, [told, runs].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "))
}

impl Evidence {
    /// A request that the server got twice.
    fn repeated(&self, answered: &str) -> (bool, String) {
        match self.same_reply {
            Some(true) if self.in_session => {
                (true, "The answer was sent twice, and the server used it once.".to_owned())
            }
            _ if self.in_session => self.new_call("The client called again"),
            _ if self.has_no_record() => self.without_record(answered),
            Some(true) => (true, format!("{answered} with the recorded reply.")),
            _ => {
                let told = format!("{answered} with another reply than the first time, {}", self.ran_again());
                (self.can_run_again, told)
            }
        }
    }

    /// A call that must go on after the fault. `repeats` tells whether the client has sent its request again.
    fn continued(&self, begun: &str, repeats: bool) -> (bool, String) {
        match &self.replied {
            Replied::Refused(reason) if self.in_session => (
                false,
                format!("{begun}. A session lives in one process and one connection, so the call is lost: {reason}."),
            ),
            Replied::Refused(reason) => (
                false,
                format!(
                    "{begun}. The server did not continue the call: {reason}. Calls of handoffs and of tools with \
                     `replayable` continue in another process."
                ),
            ),
            _ if self.in_session => self.new_call(begun),
            _ if repeats && self.has_no_record() => self.without_record(begun),
            _ => (true, format!("{begun}. The call continued.")),
        }
    }

    /// A session that the client has begun again, or a second request in it. Only the counts tell whether that did harm.
    fn new_call(&self, begun: &str) -> (bool, String) {
        let told = format!("{begun}. In a session this is a new call, {}", self.ran_again());
        (self.can_run_again || self.has_counted(), told)
    }

    fn without_record(&self, begun: &str) -> (bool, String) {
        (self.can_run_again, format!("{begun}. The ledger has no record of the call, {}", self.ran_again()))
    }

    /// Whether the call has ended and left no record, although the store can be read. A tool that asks nothing has none.
    fn has_no_record(&self) -> bool {
        matches!((&self.record, &self.replied), (Some(None), Replied::Result { .. }))
    }

    fn ran_again(&self) -> String {
        let name = &self.name;
        if self.can_run_again {
            return format!("so `{name}` ran again. It is marked as read-only or idempotent, so that does no harm.");
        }
        format!(
            "so `{name}` ran again. Put effects into the phase `after` of a handoff or into a step, or mark the tool as \
             idempotent."
        )
    }

    fn forwarded(&self) -> (bool, String) {
        let begun = "The clock went forward by an hour";
        match &self.replied {
            Replied::Refused(_) if self.in_session => self.continued(begun, false),
            Replied::Refused(reason) => (true, format!("{begun}. The server did not continue the call: {reason}.")),
            _ => (true, format!("{begun}, and the call continued.")),
        }
    }

    fn late(&self) -> (bool, String) {
        match &self.replied {
            Replied::Refused(reason) => {
                (true, format!("The answer came too late, and the server refused it: {reason}."))
            }
            _ => (false, "The answer came after the state had expired, and the server accepted it.".to_owned()),
        }
    }

    fn wrong(&self) -> (bool, String) {
        match &self.replied {
            Replied::Asked { again: true } => (true, "The server did not use the answer, and asked again.".to_owned()),
            Replied::Asked { again: false } => {
                (false, "The tool accepted an answer that does not fit, and asked its next question.".to_owned())
            }
            Replied::Result { is_error: true } => (true, "The tool failed, and said so in its result.".to_owned()),
            Replied::Result { is_error: false } => (false, "The tool accepted an answer that does not fit.".to_owned()),
            Replied::Refused(reason) => (true, format!("The server refused the answer: {reason}.")),
            Replied::Nothing => (true, "The server has not replied.".to_owned()),
        }
    }

    fn spent(&self) -> (bool, String) {
        let begun = "The spent state was sent again with other answers";
        match (&self.replied, self.same_reply) {
            (_, Some(true)) => (
                true,
                format!("{begun}, and the server answered with the latest reply of the call: the first answers won."),
            ),
            (Replied::Refused(reason), _) => (true, format!("{begun}, and the server refused it: {reason}.")),
            _ => (false, format!("{begun}, and the server did not answer with the latest reply of the call.")),
        }
    }

    fn cancelled(&self) -> (bool, String) {
        let has_begun = self.ran.as_ref().is_some_and(|ran| ran.keys().any(|name| is_effect(name)));
        let told = match (self.in_session, has_begun) {
            (_, true) => "The call was cancelled. What had begun runs to its end, once.",
            (true, false) => "The call was cancelled, and is over.",
            (false, false) => "The call was cancelled. Its state stays valid, and expires.",
        };
        (true, told.to_owned())
    }

    fn other_client(&self, client: &str) -> (bool, String) {
        match &self.replied {
            Replied::Refused(reason) => (true, format!("{client} is refused: {reason}.")),
            Replied::Result { is_error: true } => (true, format!("{client} gets a result that says what has failed.")),
            Replied::Result { is_error: false } => (true, format!("{client} gets a result.")),
            Replied::Asked { .. } | Replied::Nothing => (true, format!("{client} gets no result yet.")),
        }
    }

    /// Whether runs are counted, so that the counts judge.
    fn has_counted(&self) -> bool {
        self.ran.as_ref().is_some_and(|ran| !ran.is_empty())
    }

    /// Returns whether all that must run once ran once, and how often it ran.
    fn runs(&self) -> (bool, String) {
        let Some(ran) = self.ran.as_ref().filter(|ran| !ran.is_empty()) else { return (true, String::new()) };
        let once = ran.iter().all(|(name, times)| *times <= 1 || name == "`client`");
        let times = |times: u32| match times {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            times => format!("{times} times"),
        };
        let told: Vec<_> = ran.iter().map(|(name, count)| format!("{name} ran {}", times(*count))).collect();
        let waits = ran.contains_key("`before`") && !ran.contains_key("`after`");
        let after = if waits { ", `after` has not run" } else { "" };
        (once, format!("{}{after}.", told.join(", ")))
    }
}

/// Whether this is a phase or step that cannot be taken back.
fn is_effect(name: &str) -> bool {
    !matches!(name, "`before`" | "`client`")
}
