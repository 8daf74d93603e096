//! What can go wrong on the way.

use serde::{Deserialize, Serialize};

/// A fault that the page can cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DevFault {
    LoseReply,
    SendTwice,
    AnswerLate,
    AnswerWrongly,
    AnswerSpent,
    Cancel,
    CloseConnection,
    Kill,
    OtherInstance,
    ClockForward,
    OtherRevision,
    WithoutElicitation,
    WithoutSampling,
}

impl DevFault {
    pub(crate) const ALL: [Self; 13] = [
        Self::LoseReply,
        Self::SendTwice,
        Self::AnswerLate,
        Self::AnswerWrongly,
        Self::AnswerSpent,
        Self::Cancel,
        Self::CloseConnection,
        Self::Kill,
        Self::OtherInstance,
        Self::ClockForward,
        Self::OtherRevision,
        Self::WithoutElicitation,
        Self::WithoutSampling,
    ];
}
