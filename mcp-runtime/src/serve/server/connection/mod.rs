//! One client: its session and its calls in flight.
//!
//! This module does no I/O: a transport passes lines in and sends the output.

mod batch;
pub(crate) mod calling;
#[cfg_attr(not(feature = "http"), path = "no_headers.rs")]
mod headers;
#[cfg(feature = "http")]
mod http;
mod inflight;
pub(crate) mod local_call;
mod methods;
mod oversized;

use std::{
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

use tokio::runtime::Handle;

use self::inflight::InFlight;
#[cfg(feature = "http")]
use crate::wire::protocol::headers::RepeatedHeaders;
use crate::{
    base::mutex::Mutex,
    engine::call::{
        body::Body,
        call_target::PollKind,
        limits::Permit,
        observer::{Observer as _, observer},
        request::{Peer, Session},
        task::TaskFuture,
    },
    serve::server::core::{
        concurrency::Room,
        loading::Loading,
        pending_call::{PendingCall, RequestReply},
        reply_to::{BatchMessages, ReplyTo},
        service::{Inner, RequestContext, Service},
    },
    wire::protocol::{
        error::RpcError,
        frame::Frame,
        message::{Malformed, Message},
        oversized::OversizedMessage,
        params::Params,
        revision::Revision,
        scan::read_string,
    },
};

/// The connection of one client to a service.
pub(crate) struct Connection {
    server: Arc<Inner>,
    pub(crate) peer: Peer,
    pub(super) runtime: Handle,
    /// The session that `initialize` opened. Without a session, each request must name its protocol version.
    session: Mutex<Option<Arc<Session>>>,
    /// Created with the first call that does not end at once, because most requests over HTTP have no other.
    calls: OnceLock<Arc<InFlight>>,
    room: Room,
}

/// The outcome of a received line or message.
pub(crate) enum Received<'a> {
    /// There is nothing to send now. The response comes later, or there is none.
    Nothing,
    /// A response to send.
    Reply(Frame),
    /// A batch. The transport handles its messages one at a time.
    Batch(Box<BatchMessages<'a>>),
}

/// How a call begins in its task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// The call first waits for a slot.
    Queued,
    /// The call has begun. It does not wait, even if other calls have taken the last slot.
    Running,
    /// The call has begun and waits for its client. It takes no slot.
    Parked,
}

impl Connection {
    /// Creates a connection to this peer, whose calls run on `runtime`.
    pub(crate) fn new(service: &Service, peer: Peer, runtime: Handle) -> Self {
        Self::within(Room::new(service.0.settings.limits.concurrent_calls), service, peer, runtime)
    }

    /// Creates a connection whose calls use the capacity of `room`, which other connections can share.
    pub(crate) fn within(room: Room, service: &Service, peer: Peer, runtime: Handle) -> Self {
        Self { server: Arc::clone(&service.0), peer, runtime, session: Mutex::new(None), calls: OnceLock::new(), room }
    }

    /// Returns what a transport waits for before it passes this message on, if the server still loads its items.
    pub(crate) fn loading_for(&self, message: &[u8]) -> Option<Loading> {
        self.server.loading_for(message)
    }

    /// Does the same as [`loading_for`](Self::loading_for) for a request of this method.
    #[allow(dead_code, reason = "only some features have callers in the same process")]
    pub(crate) fn loading(&self, method: &str) -> Option<Loading> {
        self.server.loading(method)
    }

    /// Handles one line of the client's input.
    pub(crate) fn receive<'a>(&self, line: &'a [u8]) -> Received<'a> {
        if line.len() > self.server.settings.limits.message_size() {
            return self.oversized(OversizedMessage::read(line));
        }
        let Ok(text) = simdutf8::basic::from_utf8(line) else {
            return Received::Reply(Frame::error(None, &RpcError::parse("not UTF-8")));
        };
        let text = text.trim_ascii();
        match text.as_bytes().first() {
            None => Received::Nothing,
            Some(b'[') => {
                self.read_batch(text).map_or_else(Received::Reply, |messages| Received::Batch(messages.into()))
            }
            Some(_) => self.take(&self.peer, Message::read(text), &ReplyTo::Alone),
        }
    }

    /// Handles a request or a notification of a caller in this process, which was never JSON. Returns the frame to send
    /// now. The reply to a call is never a frame: `reply_to` takes it.
    #[allow(dead_code, reason = "only some features have callers in the same process")]
    pub(crate) fn receive_local(&self, peer: &Peer, message: Message<'_>, reply_to: &ReplyTo) -> Option<Frame> {
        match self.take(peer, Ok(message), reply_to) {
            Received::Reply(frame) => Some(frame),
            Received::Nothing | Received::Batch(_) => None,
        }
    }

    /// Handles one message of this peer. Later output about the message goes to the sink of `peer`.
    pub(crate) fn receive_from(&self, peer: &Peer, message: Result<Message<'_>, Malformed<'_>>) -> Received<'static> {
        self.take(peer, message, &ReplyTo::Alone)
    }

    /// Waits until all calls have ended, at most for the server's grace period. Then drops the calls that still run.
    pub(crate) async fn close(&self) {
        self.server.extensions.iter().for_each(|extension| extension.end_notices(&self.peer.sink));
        if self.within_grace(self.calls().wait_until_empty()).await.is_none() {
            self.abort();
        }
    }

    /// Waits for tasks that outlive their calls (`after`, steps), at most for the server's grace period.
    pub(crate) async fn wait_for_detached(&self) {
        let waiting = async {
            // A call that was just cancelled may not have detached its work yet.
            self.room.empty(self.server.settings.limits.concurrent_calls).await;
            self.server.durable.detached.wait().await;
        };
        self.within_grace(waiting).await;
    }

    async fn within_grace<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(self.server.settings.limits.shutdown_grace, work).await.ok()
    }

    /// Returns the calls in flight.
    pub(crate) fn calls(&self) -> &Arc<InFlight> {
        self.calls.get_or_init(Arc::default)
    }

    /// Returns whether the connection has no call in flight.
    pub(crate) fn is_idle(&self) -> bool {
        self.calls.get().is_none_or(|calls| calls.is_empty())
    }

    /// Drops all calls. Called when the client has disconnected.
    pub(crate) fn abort(&self) {
        self.calls.get().into_iter().for_each(|calls| calls.cancel_all());
    }

    /// Drops the calls that wait for an answer of the client. Called when no answer can come any more. No task of the
    /// runtime owns these calls, so the end of the runtime would not drop them.
    pub(crate) fn abort_parked(&self) {
        self.calls.get().into_iter().for_each(|calls| calls.cancel_parked());
    }

    pub(super) fn take(
        &self,
        peer: &Peer,
        message: Result<Message<'_>, Malformed<'_>>,
        reply_to: &ReplyTo,
    ) -> Received<'static> {
        match message {
            Ok(Message::Request { id, method, params }) => {
                let _entered = observer().request(peer, &id, &method, &params.meta, || self.revision(&params));
                #[cfg(feature = "http")]
                let headers = params.meta.protocol_version.and_then(|_| peer.headers()).map(RepeatedHeaders::read);
                let context = RequestContext {
                    server: &self.server,
                    peer,
                    id: &id,
                    method: &method,
                    params: &params,
                    #[cfg(feature = "http")]
                    headers: headers.as_ref(),
                    reply_to,
                };
                let to_send = self.request(context).unwrap_or_else(|error| reply_to.answer(&id, Body::error(&error)));
                to_send.map_or(Received::Nothing, Received::Reply)
            }
            Ok(Message::Notification { method, params }) => {
                self.notification(&method, &params);
                Received::Nothing
            }
            Ok(Message::Response { id, outcome }) => {
                if let (Some(id), Some(session)) = (id, self.session())
                    && let Some(asker) = session.questions.begun()
                {
                    asker.answered(&id, outcome);
                }
                Received::Nothing
            }
            Err(Malformed { id, error }) => {
                let to_send = reply_to.deliver(Some(Frame::error(id.as_ref(), &error)));
                to_send.map_or(Received::Nothing, Received::Reply)
            }
        }
    }

    /// Answers a request. A request that names its revision is handled without the session (since 2026-07-28). Other
    /// requests follow the rules of the session. Returns the frame to send now.
    fn request(&self, context: RequestContext<'_>) -> Result<Option<Frame>, RpcError> {
        let RequestContext { id, method, params, .. } = context;
        params.check()?;
        let reply = if params.meta.protocol_version.is_some() {
            methods::modern(context)?
        } else if method == "initialize" {
            if matches!(context.reply_to, ReplyTo::Batch(_)) {
                return Err(RpcError::invalid_request("`initialize` must not be in a batch; send it alone"));
            }
            let questions = self.session().map_or_else(Arc::default, |session| Arc::clone(&session.questions));
            let (session, frame) = methods::initialize(context, questions)?;
            *self.session.lock() = Some(Arc::new(session));
            RequestReply::Ready(frame)
        } else if let Some(session) = self.session() {
            methods::legacy(context, session)?
        } else if method == "ping" {
            RequestReply::Ready(methods::empty(id))
        } else {
            return Err(RpcError::no_revision());
        };
        match reply {
            RequestReply::Ready(frame) => Ok(context.reply_to.deliver(Some(frame))),
            RequestReply::Done(body) => Ok(context.reply_to.answer(context.id, body)),
            RequestReply::Pending(call) => self.begin(context, call),
        }
    }

    /// Polls a call once on this thread if it can run now. If the call has not ended after that, a task runs the call.
    fn begin(&self, context: RequestContext<'_>, call: PendingCall<'_>) -> Result<Option<Frame>, RpcError> {
        self.admit(context)?;
        if self.blocks(&call) || !self.room.is_free() {
            self.spawn(context, call.into_owned(), Start::Queued);
            return Ok(None);
        }
        match call.poll_once() {
            ControlFlow::Break(body) => Ok(context.reply_to.answer(context.id, body)),
            ControlFlow::Continue(call) => {
                let start = if call.waits_for_client() { Start::Parked } else { Start::Running };
                self.spawn(context, call.into_owned(), start);
                Ok(None)
            }
        }
    }

    /// Returns whether the tool of a new call blocked the thread in an earlier call. All later calls of such a tool run
    /// on the runtime's threads.
    fn blocks(&self, call: &PendingCall<'_>) -> bool {
        matches!(call, PendingCall::First(running, _) if running.call().tool.is_blocking(PollKind::First))
    }

    /// Rejects a new call if the server is full or stopping, or if its id is in use.
    fn admit(&self, RequestContext { id, params, .. }: RequestContext<'_>) -> Result<(), RpcError> {
        if self.server.is_stopping() {
            return Err(RpcError::stopping());
        }
        self.room.admit(params.size())?;
        self.calls.get().map_or(Ok(()), |calls| calls.admit(id))
    }

    /// Passes a call to its task.
    fn spawn(&self, context: RequestContext<'_>, pending: PendingCall<'static>, start: Start) {
        let RequestContext { peer, id, params, reply_to, .. } = context;
        let id = id.clone().into_owned();
        pending.call().outlive_connection();
        let call = Arc::clone(pending.call());
        let in_flight = Arc::clone(self.calls());
        in_flight.enter(id.clone(), Arc::clone(&call), reply_to.clone(), Arc::clone(&peer.sink));
        let held = self.room.hold(params.size());
        let permit = if start == Start::Parked { Permit::default() } else { self.room.take() };
        let room = self.room.clone();
        let task = Arc::clone(&call);
        let future = observer().follow(async move {
            let _held = held;
            let turn = if start == Start::Queued { room.enter(permit).await } else { Some(permit) };
            let body = match turn {
                Some(permit) => pending.run(permit).await,
                None => {
                    observer().turned_away("calls");
                    Body::error(&Room::overloaded())
                }
            };
            in_flight.finish(&id, &call, body);
        });
        let future = TaskFuture::new(future, self.runtime.clone());
        match start {
            Start::Parked => task.task.park(future),
            Start::Queued | Start::Running => task.task.spawn(future),
        }
    }

    fn notification(&self, method: &str, params: &Params<'_>) {
        // Ignores unreadable and unknown ids: the call may just have ended.
        if method == "notifications/cancelled"
            && let Some(id) = params.request_id()
        {
            self.calls().cancel(&id.into_owned());
        }
        // Over HTTP, the session owns the stream for notices, and begins the notices itself.
        if method == "notifications/initialized"
            && !self.peer.remote
            && let Some(session) = self.session()
        {
            self.server.session_began(&session, &self.peer.sink, &self.runtime);
        }
    }

    /// Returns the protocol revision that the request names, or else the revision of the session, if there is one.
    fn revision(&self, params: &Params<'_>) -> Option<Revision> {
        match params.meta.protocol_version {
            Some(version) => Revision::parse(&read_string(version)?),
            None => self.session().map(|session| session.client.revision()),
        }
    }

    pub(crate) fn session(&self) -> Option<Arc<Session>> {
        self.session.lock().clone()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.abort_parked();
    }
}
