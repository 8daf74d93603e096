//! A connection to the server, whose messages are logged.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use serde_json::Value;
use tokio::{
    sync::{mpsc, oneshot},
    task::AbortHandle,
    time::{Instant, timeout_at},
};

use super::http_messages::HttpMessages;
use crate::{
    base::mutex::Mutex,
    edge::dev::{
        session::{
            api::message::Direction,
            log::{NewMessage, SharedLog},
        },
        target::{ClientSetup, OpenedConnection},
    },
    serve::{
        client::{ClientProfile, ServerMessage, ServerNotification, answer_to_request, response},
        remote::transport::Transport,
    },
};

/// How many received messages wait for the holder of the connection.
const MOST_WAITING: usize = 1024;

/// How long the client waits for the response to a request that is not a call.
const LIMIT: Duration = Duration::from_secs(30);

/// A connection to the server. A task owns its transport, and logs all messages. Dropping this value closes the
/// connection.
pub(crate) struct DevConnection {
    outgoing: mpsc::UnboundedSender<Outgoing>,
    heard: mpsc::Receiver<HeardMessage>,
    shared: Arc<ConnectionState>,
    task: AbortHandle,
    /// How often processes had been started when the connection was opened.
    pub(super) starts: u32,
    /// The result of `initialize`, in a session.
    pub(super) opened: Option<Value>,
}

/// What the connection and its task share.
struct ConnectionState {
    log: SharedLog,
    setup: ClientSetup,
    owner: Mutex<MessageOwner>,
    /// Whether nobody holds the connection, so that what is received is only logged.
    is_idle: AtomicBool,
    is_closed: AtomicBool,
    http: Arc<HttpMessages>,
    items_changed: Arc<dyn Fn() + Send + Sync>,
}

/// The call that the messages of a connection belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageOwner {
    pub(crate) call: Option<Arc<str>>,
    pub(crate) round: Option<u32>,
}

/// A message that was received, and its number in the log.
pub(crate) struct HeardMessage {
    pub(crate) n: u64,
    /// The message, or the reason why no further message can arrive.
    pub(crate) message: Result<ServerMessage, String>,
}

enum Outgoing {
    Message(String),
    Cancel(u64, oneshot::Sender<bool>),
}

impl DevConnection {
    pub(super) fn new(
        opened: OpenedConnection,
        setup: &ClientSetup,
        log: &SharedLog,
        items_changed: &Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let (outgoing, to_send) = mpsc::unbounded_channel();
        let (hear, heard) = mpsc::channel(MOST_WAITING);
        let http = Arc::new(HttpMessages::new(Arc::clone(log)));
        let shared = Arc::new(ConnectionState {
            log: Arc::clone(log),
            setup: setup.clone(),
            owner: Mutex::default(),
            is_idle: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            http: Arc::clone(&http),
            items_changed: Arc::clone(items_changed),
        });
        let mut transport = opened.transport;
        transport.observe(http);
        let task = tokio::spawn(Arc::clone(&shared).run(transport, to_send, hear)).abort_handle();
        Self { outgoing, heard, shared, task, starts: 0, opened: None }
    }

    /// Names the call that the next messages belong to.
    pub(crate) fn own(&self, owner: MessageOwner) {
        *self.shared.owner.lock() = owner;
    }

    /// Lets the connection wait for another holder.
    pub(super) fn rest(&mut self) {
        self.shared.is_idle.store(true, Ordering::Release);
        self.own(MessageOwner::default());
    }

    /// Takes the connection from its rest. What it has received meanwhile is of no interest.
    pub(super) fn wake(&mut self) {
        self.shared.is_idle.store(false, Ordering::Release);
        while self.heard.try_recv().is_ok() {}
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Acquire)
    }

    pub(crate) fn send(&self, message: &impl Serialize) {
        // Every message can be written. If the task has ended, `receive` tells why.
        let _ = self.outgoing.send(Outgoing::Message(serde_json::to_string(message).unwrap_or_default()));
    }

    /// Cancels a request, by closing its stream or by a message.
    pub(crate) async fn cancel(&self, profile: &ClientProfile, request: u64) {
        let (done, cancelled) = oneshot::channel();
        let _ = self.outgoing.send(Outgoing::Cancel(request, done));
        if cancelled.await == Ok(false) {
            self.send(&profile.cancellation(request, "cancelled on the development page"));
        }
    }

    /// Waits for the next message. Cancel-safe.
    pub(crate) async fn receive(&mut self) -> HeardMessage {
        match self.heard.recv().await {
            Some(heard) => heard,
            None => HeardMessage { n: 0, message: Err("the connection is closed".to_owned()) },
        }
    }

    /// Sends a request that is not a call, and waits for its result. The client answers no question of the server.
    ///
    /// # Errors
    /// Fails if the request has no result.
    pub(crate) async fn request(&mut self, id: u64, message: &impl Serialize, method: &str) -> Result<Value, String> {
        self.send(message);
        let until = Instant::now() + LIMIT;
        loop {
            let heard = timeout_at(until, self.receive()).await;
            let heard = heard.map_err(|_| format!("`{method}` was not answered within {} s", LIMIT.as_secs()))?;
            match heard.message? {
                ServerMessage::Response { id: answered, reply } if answered == id => {
                    let result = reply.map_err(|error| format!("`{method}` failed: {}", error.message))?;
                    return serde_json::from_str(result.get()).map_err(|error| format!("`{method}`: {error}"));
                }
                ServerMessage::Request { id, method, .. } => self.respond(&id, answer_to_request(&method)),
                ServerMessage::Response { .. } | ServerMessage::Notification(_) => {}
            }
        }
    }

    /// Answers a request of the server.
    pub(crate) fn respond(&self, id: &Value, answer: (&str, Value)) {
        self.send(&response(id, answer));
    }
}

impl Drop for DevConnection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ConnectionState {
    async fn run(
        self: Arc<Self>,
        mut transport: Box<dyn Transport>,
        mut to_send: mpsc::UnboundedReceiver<Outgoing>,
        hear: mpsc::Sender<HeardMessage>,
    ) {
        loop {
            let heard = tokio::select! {
                outgoing = to_send.recv() => match outgoing {
                    None => return,
                    Some(Outgoing::Cancel(request, done)) => {
                        let _ = done.send(transport.cancel(request));
                        continue;
                    }
                    Some(Outgoing::Message(text)) => {
                        let n = self.log(Direction::Sent, &text, None);
                        self.http.sending.store(n, Ordering::Relaxed);
                        match transport.send(&text).await {
                            Ok(()) => continue,
                            Err(why) => self.failed(why.into()),
                        }
                    }
                },
                received = transport.receive() => match received {
                    Ok(received) => self.received(&received.text),
                    Err(why) => self.failed(why.into()),
                },
            };
            let is_over = heard.message.is_err();
            if is_over {
                self.is_closed.store(true, Ordering::Release);
            }
            if !self.is_idle.load(Ordering::Acquire) || is_over {
                // Fails only if the connection was dropped.
                let _ = hear.send(heard).await;
            }
            if is_over {
                return;
            }
        }
    }

    fn received(&self, text: &str) -> HeardMessage {
        let n = self.log(Direction::Received, text, None);
        let message = ServerMessage::read(text.as_bytes());
        match &message {
            Ok(ServerMessage::Response { id, .. }) => {
                self.http.received(n, (!id.is_null()).then(|| id.to_string()).as_deref());
            }
            Ok(ServerMessage::Notification(ServerNotification::Other { method, .. }))
                if method.ends_with("/list_changed") =>
            {
                (self.items_changed)();
            }
            _ => {}
        }
        let shown = || text.chars().take(80).collect::<String>();
        HeardMessage { n, message: message.map_err(|error| format!("the server sent `{}`: {error}", shown())) }
    }

    fn failed(&self, why: String) -> HeardMessage {
        let n = self.log(Direction::Received, &why, Some("error"));
        self.http.received(n, None);
        HeardMessage { n, message: Err(why) }
    }

    fn log(&self, direction: Direction, text: &str, kind: Option<&'static str>) -> u64 {
        let MessageOwner { call, round } = self.owner.lock().clone();
        let (transport, instance) = (self.setup.transport, self.setup.instance());
        self.log.push(NewMessage { direction, transport, instance, text, kind, call, round })
    }
}
