//! One connection to a server, which several requests share: a task sends and receives, and passes each message to the
//! request to which it belongs.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::HeaderName;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender, WeakUnboundedSender},
        oneshot,
    },
    time::sleep,
};

use crate::{
    base::mutex::Mutex,
    serve::{
        client::{
            ProtocolError, Question, ServerMessage, ServerNotification, WrittenClient, answer_to_request, response,
        },
        remote::transport::{ReceiveError, ServerText, TransferError, Transport},
    },
    wire::protocol::{revision::Revision, scan::members},
};

/// How many notifications and questions of one request can wait. Further notifications are dropped, and further
/// questions are refused.
const WAITING: usize = 64;

/// How long a dropped connection can take for what was sent before, such as a cancellation, and for its end.
const ENDING: Duration = Duration::from_secs(5);

/// An open connection. Dropping it closes the connection, after what was sent before has left.
pub(super) struct Connection {
    outgoing: UnboundedSender<Outgoing>,
    routes: Arc<Routes>,
    /// Tells the task that the connection was dropped.
    _owned: oneshot::Sender<()>,
}

/// A request that was sent. Dropping it before its reply cancels the request.
pub(super) struct OpenRequest {
    connection: Arc<Connection>,
    profile: Arc<WrittenClient>,
    id: u64,
    events: mpsc::Receiver<Event>,
    reply: oneshot::Receiver<Reply>,
    is_answered: bool,
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

enum Event {
    Notification(ServerNotification),
    Question(Question, Value),
}

/// The reply, or the reason why none can come.
type Reply = Result<Result<Box<RawValue>, ProtocolError>, TransferError>;

enum Outgoing {
    /// A request with this id, and the arguments that it repeats in HTTP headers.
    Request(u64, String, Vec<(HeaderName, String)>),
    Message(String),
    /// The handshake has chosen this revision.
    Negotiated(Revision),
    /// Cancels the request with this id. The text is the notification for servers that need one.
    Cancel(u64, String),
}

/// The requests in flight by their ids.
#[derive(Default)]
struct Routes {
    open: Mutex<HashMap<u64, Route>>,
    last_id: AtomicU64,
    /// The reason why the connection has ended.
    ended: OnceLock<TransferError>,
    /// Called with each notification about the server's lists and resources.
    changed: OnceLock<OnChange>,
}

/// Takes the method and the params of a notification.
type OnChange = Box<dyn Fn(&str, &Value) + Send + Sync>;

struct Route {
    events: mpsc::Sender<Event>,
    reply: oneshot::Sender<Reply>,
    takes: Takes,
}

/// What a request takes besides its reply and its progress, and how it ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Takes {
    /// Whether a person or a model can be asked for this request.
    pub(super) questions: bool,
    pub(super) logs: bool,
    /// Whether it begins the connection. Such a request cannot be cancelled: the connection ends with it.
    pub(super) is_handshake: bool,
}

impl Connection {
    /// Begins to receive.
    pub(super) fn open(transport: Box<dyn Transport>) -> Arc<Self> {
        let (outgoing, messages) = mpsc::unbounded_channel();
        let routes = Arc::<Routes>::default();
        // The task must not keep the connection open.
        let running = run(transport, messages, outgoing.downgrade(), Arc::clone(&routes));
        let (_owned, owner) = oneshot::channel::<()>();
        tokio::spawn(async {
            let ending = async {
                let _ = owner.await;
                sleep(ENDING).await;
            };
            tokio::select! {
                () = running => {}
                // The server reads nothing.
                () = ending => {}
            }
        });
        Arc::new(Self { outgoing, routes, _owned })
    }

    /// Sends a request. `write` writes its text with the id that it gets. `headers` are the arguments that it repeats in HTTP
    /// headers.
    pub(super) fn send(
        self: &Arc<Self>,
        profile: &Arc<WrittenClient>,
        takes: Takes,
        headers: Vec<(HeaderName, String)>,
        write: impl FnOnce(u64) -> serde_json::Result<String>,
    ) -> serde_json::Result<OpenRequest> {
        let id = self.routes.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let text = write(id)?;
        let (events, waiting) = mpsc::channel(WAITING);
        let (reply, replied) = oneshot::channel();
        self.routes.open.lock().insert(id, Route { events, reply, takes });
        let (connection, profile) = (Arc::clone(self), Arc::clone(profile));
        let request = OpenRequest { connection, profile, id, events: waiting, reply: replied, is_answered: false };
        // If the connection has ended, the reply says so.
        let _ = self.outgoing.send(Outgoing::Request(id, text, headers));
        self.routes.check();
        Ok(request)
    }

    /// Sends a notification, or a response.
    pub(super) fn tell(&self, message: &impl Serialize) {
        // A connection that has ended needs no message.
        let _ = self.outgoing.send(Outgoing::Message(serde_json::to_string(message).unwrap_or_default()));
    }

    /// Sets the function that is called with each notification that belongs to no request: its method and its params.
    pub(super) fn on_change(&self, changed: impl Fn(&str, &Value) + Send + Sync + 'static) {
        // A connection has one owner, who sets it once.
        let _ = self.routes.changed.set(Box::new(changed));
    }

    /// Says which revision the handshake has chosen.
    pub(super) fn negotiated(&self, revision: Revision) {
        let _ = self.outgoing.send(Outgoing::Negotiated(revision));
    }

    pub(super) fn has_ended(&self) -> bool {
        self.routes.ended.get().is_some() || self.outgoing.is_closed()
    }
}

impl OpenRequest {
    /// Waits for what comes next. Cancel-safe.
    pub(super) async fn next(&mut self) -> Incoming {
        tokio::select! {
            biased;
            Some(event) = self.events.recv() => match event {
                Event::Notification(notification) => Incoming::Notification(notification),
                Event::Question(question, id) => Incoming::Question(question, id),
            },
            reply = &mut self.reply, if !self.is_answered => {
                self.is_answered = true;
                match reply {
                    Ok(Ok(reply)) => Incoming::Reply(reply),
                    Ok(Err(reason)) => Incoming::Broken(reason),
                    Err(_) => Incoming::Broken(TransferError::Broken("the connection was closed".to_owned())),
                }
            }
            else => Incoming::Broken(TransferError::Broken("the request has its reply already".to_owned())),
        }
    }

    /// Answers a question of this request. `answer` is `result` or `error` with its value.
    pub(super) fn answer(&self, id: &Value, answer: (&str, Value)) {
        self.connection.tell(&response(id, answer));
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let route = self.connection.routes.open.lock().remove(&self.id);
        if route.is_none_or(|route| route.takes.is_handshake) {
            return;
        }
        let cancellation = self.profile.cancellation(self.id, "the caller does not wait any more");
        let text = serde_json::to_string(&cancellation).unwrap_or_default();
        // A connection that has ended needs no cancellation.
        let _ = self.connection.outgoing.send(Outgoing::Cancel(self.id, text));
    }
}

/// Sends and receives until the connection ends.
async fn run(
    mut transport: Box<dyn Transport>,
    mut outgoing: UnboundedReceiver<Outgoing>,
    answers: WeakUnboundedSender<Outgoing>,
    routes: Arc<Routes>,
) {
    let reason = loop {
        tokio::select! {
            message = outgoing.recv() => {
                let sent = match message {
                    Some(Outgoing::Request(id, text, headers)) => {
                        let sent = transport.send_with_headers(&text, &headers).await;
                        // The request has not left, and the connection may still be good for others.
                        if let Err(error @ (TransferError::Unreachable(_) | TransferError::Settings(_))) = &sent {
                            routes.fail(id, error.clone());
                        }
                        sent
                    }
                    None => break TransferError::Broken("the connection was closed".to_owned()),
                    Some(Outgoing::Negotiated(revision)) => {
                        transport.negotiated(revision);
                        Ok(())
                    }
                    Some(Outgoing::Cancel(id, _)) if transport.cancel(id) => Ok(()),
                    Some(Outgoing::Message(text) | Outgoing::Cancel(_, text)) => transport.send(&text).await,
                };
                if let Err(failure) = sent {
                    break failure;
                }
            }
            received = transport.receive() => match received {
                Ok(received) => routes.pass(received, &answers),
                Err(ReceiveError { request: Some(id), error }) => routes.fail(id, error),
                Err(ReceiveError { request: None, error }) => break error,
            },
        }
    };
    routes.end(reason);
    transport.close().await;
}

impl Routes {
    /// Passes a message to the request to which it belongs.
    fn pass(&self, received: ServerText, answers: &WeakUnboundedSender<Outgoing>) {
        let ServerText { text, request } = received;
        match ServerMessage::read(text.as_bytes()) {
            Ok(ServerMessage::Response { id, reply }) => {
                let route = id.as_u64().and_then(|id| self.open.lock().remove(&id));
                // A request that nobody waits for needs no reply.
                let _ = route.map(|route| route.reply.send(Ok(reply)));
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
                    let answer = response(&id, answer_to_request(&method)).to_string();
                    // A connection that was dropped needs no answer.
                    let _ = answers.upgrade().map(|answers| answers.send(Outgoing::Message(answer)));
                }
            }
            Err(error) => {
                let begin: String = text.chars().take(80).collect();
                let reason = format!("the server wrote `{begin}`, which is not a message of the protocol: {error}");
                match request.and_then(|id| self.open.lock().remove(&id)) {
                    Some(route) => drop(route.reply.send(Err(TransferError::Broken(reason)))),
                    // Servers write other text to standard output by mistake, and hosts ignore it.
                    None => {}
                }
            }
        }
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
            let _ = route.events.try_send(Event::Notification(notification));
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
        route.events.try_send(Event::Question(question, id.clone())).is_ok()
    }

    /// Ends one request without a reply.
    fn fail(&self, id: u64, error: TransferError) {
        if let TransferError::Refused { status: 404, .. } = &error {
            // The session is over. Its other requests end by themselves.
            let _ = self.ended.set(error.clone());
        }
        if let Some(route) = self.open.lock().remove(&id) {
            let _ = route.reply.send(Err(error));
        }
    }

    /// Ends all requests.
    fn end(&self, reason: TransferError) {
        let reason = self.ended.get_or_init(|| reason);
        let open = std::mem::take(&mut *self.open.lock());
        for (_, route) in open {
            let _ = route.reply.send(Err(reason.clone()));
        }
    }

    /// Ends a request that was added after the connection had ended.
    fn check(&self) {
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
