//! The state of one call, and what the state refers to: the request that the call answers, its tool and its server.

mod call;
pub(crate) mod call_target;
pub(crate) mod end;
pub(crate) mod host;
pub(crate) mod nested;
pub(crate) mod operation;
pub(crate) mod reports;
pub(crate) mod request;
pub(crate) mod run_counter;
pub(crate) mod task;

use std::{
    fmt::Display,
    future::pending,
    sync::{
        Arc, MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Wake,
};

use serde::Serialize;

pub use self::call::Call;
pub(crate) use self::call::HandoffChanged;
use self::{
    call_target::CallTarget,
    end::End,
    host::{CallOutcome, Host},
    reports::Reporter,
    request::{Caller, Request},
    task::CallTask,
};
#[cfg(feature = "dev")]
use crate::engine::call::observer::{Observer as _, observer};
use crate::{
    base::{error::ToolError, mutex::Mutex},
    engine::call::{
        Client, MessageSink, Principal, StepError,
        call_id::CallId,
        conversation::{Conversation, Open},
        lease::RoundLease,
        message_sink::Application,
    },
    wire::protocol::{
        frame::{Frame, push_json},
        level::Level,
        revision::Revision,
    },
};

/// The state of one call.
pub(crate) struct CallState {
    pub(crate) server: Arc<dyn Host>,
    /// The called tool, or the called item of another method, such as a prompt.
    pub(crate) tool: Arc<dyn CallTarget>,
    described: Option<Arc<str>>,
    pub(crate) revision: Revision,
    /// Whether an application runs the call itself, without a client. Each later request of the call is one of the
    /// application, too, because a client and an application cannot read each other's states.
    pub(crate) is_in_application: bool,
    /// Whether the caller is on the network, also while the call has no request. See [`request::Peer::remote`].
    pub(crate) is_remote: bool,
    /// The id of the call, created on first use.
    id: OnceLock<CallId>,
    /// The length of the arguments in bytes. A task counts against the limits of its owner with its arguments.
    pub(crate) arguments_len: AtomicUsize,
    pub(crate) conversation: Conversation,
    pub(crate) end: End,
    pub(crate) reporter: Reporter,
    pub(crate) task: CallTask,
    /// The lease of the round, if the ledger knows the call.
    pub(crate) claim: Mutex<Option<Arc<dyn RoundLease>>>,
    /// Whether the whole tool must not begin twice, like `after`.
    begins_once: AtomicBool,
    /// Whether `after` has begun. If so, the call must run to its end.
    begun: AtomicBool,
    /// The request that the call is answering. `None` while the call waits for its next request.
    request: Mutex<Option<Request>>,
    /// The principal of the last request, if known.
    principal: Mutex<Option<Principal>>,
}

impl CallState {
    fn new(
        described: Option<Arc<str>>,
        server: Arc<dyn Host>,
        tool: Arc<dyn CallTarget>,
        mut request: Request,
    ) -> Self {
        Self {
            server,
            tool,
            described,
            revision: request.caller.revision(),
            is_in_application: request.sink.application().is_some(),
            is_remote: request.is_remote,
            id: OnceLock::new(),
            arguments_len: AtomicUsize::new(0),
            conversation: Conversation::default(),
            end: End::default(),
            reporter: Reporter::default(),
            task: CallTask::default(),
            claim: Mutex::new(None),
            begins_once: AtomicBool::new(false),
            begun: AtomicBool::new(false),
            principal: Mutex::new(request.principal.take()),
            request: Mutex::new(Some(request)),
        }
    }

    pub(crate) fn tool_name(&self) -> &str {
        self.tool.name()
    }

    /// Maps an error of the tool or of a layer to the response.
    pub(crate) fn map_error(&self, error: &ToolError) -> CallOutcome {
        self.server.map_error(&*self.tool, self.revision, error)
    }

    /// Returns what errors call the item: its kind and its name, such as "tool `search`", unless the caller knows it as
    /// something else.
    pub(crate) fn described(&self) -> String {
        self.described.as_deref().map_or_else(|| self.tool.described(), str::to_owned)
    }

    /// Returns whether the call keeps a journal, because it can last over several requests and be rebuilt.
    pub(crate) fn keeps_journal(&self) -> bool {
        self.revision.is_modern() && self.tool.is_replayable()
    }

    /// Counts a run of a phase or step.
    pub(crate) fn note_run(&self, what: &dyn Display) {
        self.server.note_run(what);
        #[cfg(feature = "dev")]
        {
            let request = self.request().as_ref().and_then(|request| request.id.clone());
            observer().ran(request.as_deref(), what);
        }
    }

    pub(crate) fn id(&self) -> CallId {
        *self.id.get_or_init(CallId::new)
    }

    /// Sets the id of a resumed call. Must be called before the id is used.
    pub(crate) fn set_id(&self, id: CallId) {
        let _ = self.id.set(id);
    }

    /// See [`Ctx::rounds_left`].
    pub(crate) fn rounds_left(&self) -> u32 {
        /// The number of rounds that every known client supports.
        const ROUNDS: u32 = 8;
        if self.revision.is_modern() { ROUNDS.saturating_sub(self.conversation.answered_in()) } else { u32::MAX }
    }

    /// Returns the client of the request being answered.
    pub(crate) fn client(&self) -> Client {
        match &*self.request() {
            Some(request) => request.caller.client().clone(),
            None => Client::disconnected(self.revision),
        }
    }

    /// See [`Ctx::http_parts`].
    #[cfg(feature = "http")]
    pub(crate) fn http_parts(&self) -> Option<Arc<http::request::Parts>> {
        self.request().as_ref()?.http_parts.get().cloned()
    }

    /// Returns the principal of the request being answered, if known.
    pub(crate) fn principal(&self) -> Option<Principal> {
        self.principal.lock().clone()
    }

    /// Returns the principal's name.
    pub(crate) fn owner(&self) -> Option<Arc<str>> {
        self.principal.lock().as_ref().map(Principal::shared_name)
    }

    /// Prepares the call to wait: the request keeps nothing of its connection in memory.
    pub(crate) fn outlive_connection(&self) {
        self.request().iter_mut().for_each(|request| request.http_parts.detach());
    }

    /// Moves the request of `other` to this call. The client has sent this request to resume the call.
    pub(crate) fn adopt_request(&self, other: &Self) {
        *self.principal.lock() = other.principal.lock().take();
        *self.request() = other.request().take();
    }

    /// Sends a log message, if the client wants it.
    pub(crate) fn log(&self, level: Level, logger: &str, data: &impl Serialize) {
        if self.log_sink(level, &self.request()).is_none() {
            return;
        }
        // Without the lock: serializing runs the author's code.
        let mut text = Vec::new();
        push_json(&mut text, data);
        let request = self.request();
        if let Some(sink) = self.log_sink(level, &request) {
            sink.log(level, logger, &text);
        }
    }

    /// Sends a notification to the client.
    pub(crate) fn notify(&self, method: &str, params: impl FnOnce(&mut Vec<u8>)) {
        if let Some(request) = &*self.request() {
            request.sink.send(Frame::notification(method, params));
        }
    }

    /// Returns the destination of a message of this level, or `None` if the client does not want it.
    fn log_sink<'a>(&self, level: Level, request: &'a Option<Request>) -> Option<&'a Arc<dyn MessageSink>> {
        let request = request.as_ref().filter(|request| request.wants(level) && !self.end.is_over())?;
        if self.conversation.is_replaying() {
            return None;
        }
        Some(&request.sink)
    }

    /// Calls `tell` with the application that runs the call, if there is one.
    pub(crate) fn tell_application(&self, tell: impl FnOnce(&dyn Application)) {
        if self.is_in_application
            && let Some(request) = &*self.request()
            && let Some(application) = request.sink.application()
        {
            tell(application);
        }
    }

    /// Makes the whole tool begin at most once. Call this before its future is created.
    pub(crate) fn set_begins_once(&self) {
        self.begins_once.store(true, Ordering::Relaxed);
    }

    /// See [`Call::begin`].
    async fn begin(&self) -> Result<(), ToolError> {
        if self.end.is_cancelled() {
            // A cancelled call completes its running step, but does not begin `after`.
            return pending().await;
        }
        // Set before the ledger is asked: if the write fails half-way, the mark may exist, and the call must not be
        // dropped.
        self.begun.store(true, Ordering::Release);
        self.tell_application(|application| application.begun());
        let Some(claim) = self.claim.lock().clone() else { return Ok(()) };
        claim.hold_begin().await.map_err(|error| {
            self.begun.store(false, Ordering::Release);
            ToolError::from(StepError::from(error))
        })
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Acquire)
    }

    /// Marks the call as ended and withdraws its open questions. Waits for notifications that other threads are
    /// sending, so that the client gets them before the result.
    pub(crate) fn finish(&self) {
        let request = self.request();
        self.end.finish();
        let left = self.conversation.end();
        if let Some(Caller::Legacy { session, .. }) = request.as_ref().map(|request| &request.caller)
            && let Some(asker) = session.questions.begun()
        {
            left.iter().filter_map(Open::request).for_each(|number| asker.withdraw(number));
        }
        drop(request);
        left.into_iter().for_each(Open::wake);
    }

    /// Cancels the call; see [`CallState::finish`].
    pub(crate) fn cancel(&self) {
        self.finish();
        self.end.cancel();
    }

    pub(crate) fn request(&self) -> MutexGuard<'_, Option<Request>> {
        self.request.lock()
    }
}

impl std::fmt::Debug for CallState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("tool", &self.tool_name()).finish_non_exhaustive()
    }
}

/// Wakes the call's future. The first poll of a call uses this waker. At that time the future has not been passed to
/// the task yet.
impl Wake for CallState {
    fn wake(self: Arc<Self>) {
        self.task.wake();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.task.wake();
    }
}
