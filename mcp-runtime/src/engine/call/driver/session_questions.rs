//! Questions to the client of a session, and its responses.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Weak},
    task::Waker,
};

use crate::{
    base::mutex::Mutex,
    engine::call::{
        CallState, MessageSink,
        ask_error::AskError,
        conversation::{Answer, AnswerText, WireQuestion},
        request::Asker,
    },
    wire::protocol::{frame::Frame, id::Id},
};

use serde::Deserialize;

/// The requests that a session's client has not answered. The server chooses the ids of these requests, so an id can
/// equal the id of a request from the client.
#[derive(Default)]
pub(crate) struct SessionQuestions(Mutex<Unanswered>);

#[derive(Default)]
struct Unanswered {
    asked: u64,
    /// The sent questions, by the numbers in the ids of their requests.
    by_number: foldhash::HashMap<u64, Sent>,
    /// The keys of all questions by number, because a scripted client can read a question after it was withdrawn. Empty
    /// without the feature `testing`.
    keys: HashMap<u64, String>,
}

/// A question that was sent, and the stream it was sent on.
struct Sent {
    call: Weak<CallState>,
    key: Cow<'static, str>,
    sink: Arc<dyn MessageSink>,
}

impl Asker for SessionQuestions {
    fn ask(&self, call: &Arc<CallState>, question: WireQuestion, sink: &Arc<dyn MessageSink>) {
        let mut open = self.0.lock();
        // Remove the questions of ended calls, each time the number of questions doubles.
        if open.by_number.len().is_power_of_two() {
            open.by_number.retain(|_, asked| asked.call.upgrade().is_some_and(|call| !call.end.is_over()));
        }
        open.asked += 1;
        let number = open.asked;
        if cfg!(feature = "testing") {
            open.keys.insert(number, question.key.to_string());
        }
        let key = question.key.clone();
        open.by_number.insert(number, Sent { call: Arc::downgrade(call), key, sink: Arc::clone(sink) });
        drop(open);
        call.conversation.handed_out(&question.key, number);
        sink.send(Frame::request(number, question.method, &question.params));
    }

    fn withdraw(&self, number: u64) {
        // If the answer has come meanwhile, there is nothing to withdraw.
        if let Some(Sent { sink, .. }) = self.taken(number) {
            sink.send(Frame::notification("notifications/cancelled", |out| {
                out.extend_from_slice(br#"{"requestId":"#);
                Id::push_server(out, number);
                out.extend_from_slice(br#","reason":"the answer is no longer needed"}"#);
            }));
        }
    }

    fn answered(&self, id: &Id<'_>, outcome: Result<&str, &str>) {
        let asked = id.server_number().and_then(|number| self.taken(number));
        let Some((call, key)) = asked.and_then(|asked| Some((asked.call.upgrade()?, asked.key))) else { return };
        let parked = call.task.unpark();
        call.conversation.answer(&key, read(outcome));
        if let Some(parked) = parked {
            let waker = Waker::from(Arc::clone(&call));
            call.task.poll(parked, &*call.tool, &waker, || call.conversation.is_waiting_for_client());
        }
    }

    fn key(&self, id: &Id<'_>) -> Option<String> {
        self.0.lock().keys.get(&id.server_number()?).cloned()
    }
}

impl SessionQuestions {
    /// Removes and returns the question that was sent in the request with this number.
    fn taken(&self, number: u64) -> Option<Sent> {
        self.0.lock().by_number.remove(&number)
    }
}

fn read(outcome: Result<&str, &str>) -> Answer {
    #[derive(Deserialize)]
    #[serde(expecting = "an error object")]
    struct Refusal {
        code: i64,
        message: String,
    }
    let invalid = |error: serde_json::Error| AskError::Invalid(error.to_string());
    match outcome {
        Ok(result) => Ok(AnswerText::of_client(result)),
        Err(error) => Err(serde_json::from_str(error)
            .map_or_else(invalid, |Refusal { code, message }| AskError::Refused { code, message })),
    }
}
