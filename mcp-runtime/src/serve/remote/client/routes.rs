//! The requests in flight on a connection: each message of the server goes to the request to which it belongs.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;

use super::inbox::{Incoming, RequestInbox};
use crate::{
    base::mutex::Mutex,
    serve::{
        client::{Question, ServerMessage, ServerNotification, answer_to_request, response},
        remote::transport::{ServerText, TransferError},
    },
    wire::protocol::scan::members,
};

/// The requests in flight by their ids.
#[derive(Default)]
pub(super) struct Routes {
    open: Mutex<BTreeMap<u64, RequestRoute>>,
    last_id: AtomicU64,
    /// The reason why the connection has ended.
    ended: OnceLock<TransferError>,
    /// Called with each notification about the server's lists and resources.
    pub(super) changed: OnceLock<OnChange>,
}

/// Takes the method and the params of a notification.
pub(super) type OnChange = Box<dyn Fn(&str, &Value) + Send + Sync>;

struct RequestRoute {
    inbox: Arc<RequestInbox>,
    takes: RequestTakes,
}

/// What a request takes besides its reply and its progress, and how it ends.
#[derive(Clone, Copy, Default)]
pub(super) struct RequestTakes {
    /// Whether a person or a model can be asked for this request.
    pub(super) questions: bool,
    pub(super) logs: bool,
    /// Whether it begins the connection. Such a request cannot be cancelled: the connection ends with it.
    pub(super) is_handshake: bool,
}

impl Routes {
    pub(super) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Adds a request. Returns where what the server sends about it arrives.
    pub(super) fn add(&self, id: u64, takes: RequestTakes) -> Arc<RequestInbox> {
        let inbox = Arc::<RequestInbox>::default();
        self.open.lock().insert(id, RequestRoute { inbox: Arc::clone(&inbox), takes });
        inbox
    }

    /// Removes a request. Returns whether it must be cancelled: it had no reply yet.
    pub(super) fn remove(&self, id: u64) -> bool {
        self.open.lock().remove(&id).is_some_and(|route| !route.takes.is_handshake)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.get().is_some()
    }

    /// Passes a message to the request to which it belongs. Returns what the client answers itself.
    pub(super) fn pass(&self, received: ServerText) -> Option<String> {
        let ServerText { text, request } = received;
        match ServerMessage::read(text.as_bytes()) {
            Ok(ServerMessage::Response { id, reply }) => {
                let route = id.as_u64().and_then(|id| self.open.lock().remove(&id));
                // A request that nobody waits for needs no reply.
                route.inspect(|route| route.inbox.end(Incoming::Reply(reply)));
            }
            Ok(ServerMessage::Notification(notification)) => {
                let token = match &notification {
                    ServerNotification::Progress(_) => progress_token(&text),
                    ServerNotification::Other { method, params } => {
                        self.changed.get().inspect(|changed| changed(method, params));
                        None
                    }
                    ServerNotification::Log(_) => None,
                };
                self.notify(token.or(request), notification);
            }
            Ok(ServerMessage::Request { id, method, params }) => {
                let asked = match &*method {
                    "elicitation/create" | "sampling/createMessage" | "roots/list" => {
                        self.ask(request, &id, &method, params)
                    }
                    _ => false,
                };
                if !asked {
                    return Some(response(&id, answer_to_request(&method)).to_string());
                }
            }
            Err(error) => {
                let begin: String = text.chars().take(80).collect();
                let reason = format!("the server wrote `{begin}`, which is not a message of the protocol: {error}");
                // Servers also write other text to standard output by mistake, and hosts ignore it.
                if let Some(route) = request.and_then(|id| self.open.lock().remove(&id)) {
                    route.inbox.end(Incoming::Broken(TransferError::Broken(reason)));
                }
            }
        }
        None
    }

    /// Passes on a notification. Log messages of a process name no request: they belong to the only one in flight that takes
    /// any. With several, nobody gets them, because the callers can be different ones.
    fn notify(&self, request: Option<u64>, notification: ServerNotification) {
        let open = self.open.lock();
        let is_log = matches!(notification, ServerNotification::Log(_));
        let route = match request {
            Some(id) => open.get(&id),
            None => {
                let mut possible = open.values().filter(|route| route.takes.logs || !is_log);
                possible.next().filter(|_| possible.next().is_none())
            }
        };
        if let Some(route) = route {
            // A caller that falls behind misses notifications.
            route.inbox.try_push(Incoming::Notification(notification));
        }
    }

    /// Passes on a question. A session whose client can be asked serves one request that may ask at a time, so the
    /// question belongs to that one. Returns whether the question was passed on.
    fn ask(&self, request: Option<u64>, id: &Value, method: &str, params: Value) -> bool {
        let open = self.open.lock();
        let named = request.and_then(|request| open.get(&request));
        let route =
            named.filter(|route| route.takes.questions).or_else(|| open.values().find(|route| route.takes.questions));
        let Some(route) = route else { return false };
        // A session numbers its questions, and a call those with the same key.
        let key = method.split('/').next().unwrap_or(method).to_owned();
        let question = Question::new(key, method.to_owned(), params);
        route.inbox.try_push(Incoming::Question(question, id.clone()))
    }

    /// Ends one request without a reply.
    pub(super) fn fail(&self, id: u64, error: TransferError) {
        if let TransferError::Refused { status: 404, .. } = &error {
            // The session is over. Its other requests end by themselves.
            let _ = self.ended.set(error.clone());
        }
        if let Some(route) = self.open.lock().remove(&id) {
            route.inbox.end(Incoming::Broken(error));
        }
    }

    /// Ends all requests.
    pub(super) fn end(&self, reason: TransferError) {
        let reason = self.ended.get_or_init(|| reason);
        let open = std::mem::take(&mut *self.open.lock());
        for (_, route) in open {
            route.inbox.end(Incoming::Broken(reason.clone()));
        }
    }

    /// Ends a request that was added after the connection had ended.
    pub(super) fn check(&self) {
        if let Some(reason) = self.ended.get() {
            self.end(reason.clone());
        }
    }
}

/// Returns the token of a progress notification. The client's tokens are the ids of its requests.
fn progress_token(text: &str) -> Option<u64> {
    let [params] = members(text, ["params"])?;
    let [token] = members(params?, ["progressToken"])?;
    token?.parse().ok()
}
