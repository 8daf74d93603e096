//! The answers of a client, and the replies that it gets.

use std::fmt;

use serde_json::{Value, json};

/// The answer that a request carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    /// The first of two valid answers to the question.
    First,
    /// The second of two valid answers.
    Second,
    /// An answer that does not match the form.
    Unfit,
    Decline,
    /// Empty `inputResponses`.
    Missing,
    /// A `requestState` without `inputResponses`.
    None,
    Malformed,
}

/// The state for the next request, with the question that was asked.
#[derive(Clone, PartialEq)]
pub(super) struct State {
    pub(super) state: String,
    /// The key of the question.
    key: String,
    pub(super) asks: Asks,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asks {
    Seat,
    /// Asks to confirm this seat.
    Sure(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    Asks(State),
    /// The output of the tool, as text.
    Done(String),
    /// The error of the tool.
    Failed(String),
    /// The same request can be retried.
    Later,
    Unknown,
    OtherLedger,
    /// The call is finished, but its reply was evicted.
    NotKept,
    /// The call cannot be resumed.
    Past,
    NotOurs,
    Malformed,
}

impl State {
    /// The members of `params` for a request that resumes the call.
    pub(super) fn answer(&self, answer: Answer) -> Value {
        let wishes = match (&self.asks, answer) {
            (Asks::Seat, Answer::First) => json!({ "seat": "12A" }),
            (Asks::Seat, Answer::Second) => json!({ "seat": "1F" }),
            (Asks::Seat, _) => json!({ "seat": "x" }),
            (Asks::Sure(_), Answer::First) => json!({ "sure": true }),
            (Asks::Sure(_), Answer::Second) => json!({ "sure": false }),
            (Asks::Sure(_), _) => json!({ "sure": "perhaps" }),
        };
        let response = match answer {
            Answer::None => return json!({ "requestState": self.state }),
            Answer::Missing => return json!({ "requestState": self.state, "inputResponses": {} }),
            Answer::Malformed => json!(7),
            Answer::Decline => json!({ "action": "decline" }),
            Answer::First | Answer::Second | Answer::Unfit => json!({ "action": "accept", "content": wishes }),
        };
        json!({ "requestState": self.state, "inputResponses": { &self.key: response } })
    }
}

impl Reply {
    pub(super) fn read(response: &Value) -> Result<Self, String> {
        if let Some(error) = response.get("error") {
            let message = error["message"].as_str().unwrap_or_default();
            let refusals = [
                ("send the same request again", Self::Later),
                ("its outcome is unknown", Self::Unknown),
                ("ledger does not know", Self::OtherLedger),
                ("is completed; its reply is no longer stored", Self::NotKept),
                ("does not belong to this request", Self::NotOurs),
                ("`inputResponses", Self::Malformed),
                ("send the request again without it", Self::Past),
            ];
            let refusal = refusals.into_iter().find(|(words, _)| message.contains(words));
            return refusal.map(|(_, refusal)| refusal).ok_or_else(|| format!("unexpected error: {response}"));
        }
        let result = &response["result"];
        let Some(state) = result["requestState"].as_str() else {
            let text = result["content"][0]["text"].as_str();
            let text =
                text.ok_or_else(|| format!("the response has neither a question nor a text: {response}"))?.to_owned();
            return Ok(if result["isError"] == json!(true) { Self::Failed(text) } else { Self::Done(text) });
        };
        let asked = result["inputRequests"].as_object().and_then(|asked| asked.iter().next());
        let (key, question) = asked.ok_or_else(|| format!("the response has a state and no question: {response}"))?;
        let message = question["params"]["message"].as_str().unwrap_or_default();
        // A key can have a path before it, and a number behind it if the question is repeated.
        let name = key.rsplit('/').next().unwrap_or_default();
        let asks = if name.starts_with("seat") {
            Asks::Seat
        } else {
            // The reason why the question is repeated can follow.
            Asks::Sure(message.trim_start_matches("Seat ").split('?').next().unwrap_or("").to_owned())
        };
        Ok(Self::Asks(State { state: state.to_owned(), key: key.clone(), asks }))
    }
}

impl fmt::Debug for State {
    /// Omits the sealed state, because it is unreadable.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("asks", &self.asks).finish_non_exhaustive()
    }
}
