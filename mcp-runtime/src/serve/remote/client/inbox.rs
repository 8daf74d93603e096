//! What a server sends about one request.

use std::collections::VecDeque;

use serde_json::{Value, value::RawValue};
use tokio::sync::Notify;

use crate::{
    base::mutex::Mutex,
    serve::{
        client::{ProtocolError, Question, ServerNotification},
        remote::transport::TransferError,
    },
};

/// How many notifications and questions of one request can wait.
const WAITING: usize = 64;

/// The messages of a server about one request, in the order of their arrival. The reply is the last one.
#[derive(Default)]
pub(super) struct RequestInbox {
    waiting: Mutex<VecDeque<Incoming>>,
    arrived: Notify,
}

/// What a connection receives for a request.
pub(super) enum Incoming {
    Notification(ServerNotification),
    /// A question of a session, and the id of the server's request.
    Question(Question, Value),
    Reply(Result<Box<RawValue>, ProtocolError>),
    /// The connection has ended, or the reply cannot be read. The server may have run the request.
    Broken(TransferError),
}

impl RequestInbox {
    /// Adds a notification or a question. Returns `false` if too many wait; this one is dropped then.
    pub(super) fn try_push(&self, incoming: Incoming) -> bool {
        let mut waiting = self.waiting.lock();
        let has_place = waiting.len() < WAITING;
        if has_place {
            waiting.push_back(incoming);
            self.arrived.notify_one();
        }
        has_place
    }

    /// Adds the reply, or the reason why none can come.
    pub(super) fn end(&self, reply: Incoming) {
        self.waiting.lock().push_back(reply);
        self.arrived.notify_one();
    }

    /// Waits for what comes next. After the reply, nothing comes. Cancel-safe.
    pub(super) async fn next(&self) -> Incoming {
        loop {
            if let Some(next) = self.waiting.lock().pop_front() {
                return next;
            }
            self.arrived.notified().await;
        }
    }
}
