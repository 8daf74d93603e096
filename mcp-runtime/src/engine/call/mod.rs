//! One call: its context, its conversation, its journal, and the driver that polls it.
//!
//! A call is one future. The author holds a [`Ctx`]; the [`conversation`] keeps its questions and answers; [`running`]
//! polls the future and sends the questions as the client's revision requires. If the runtime asks the client by ending
//! the request, the future is [`parked`](crate::engine::durable::parked) between two rounds.

pub(crate) mod application;
pub(crate) mod ask;
pub(crate) mod ask_error;
pub(crate) mod body;
pub(crate) mod call_id;
pub(crate) mod call_target;
mod client;
pub(crate) mod context;
pub(crate) mod conversation;
mod deadline;
mod end;
pub(crate) mod hold;
pub(crate) mod host;
pub(crate) mod http_parts;
pub(crate) mod journal;
pub(crate) mod ledger_time;
pub(crate) mod limits;
pub(crate) mod multi_round;
pub(crate) mod names;
pub(crate) mod observer;
pub(crate) mod operation;
pub(crate) mod owner;
pub(crate) mod permit;
pub(crate) mod place;
pub(crate) mod principal;
mod progress;
mod replay_cursor;
pub(crate) mod request;
mod roots;
#[cfg(feature = "testing")]
pub(crate) mod run_counter;
pub(crate) mod running;
pub(crate) mod runtime;
pub(crate) mod session_questions;
pub(crate) mod step;
mod step_gate;
mod stepping;
pub(crate) mod stored;
pub(crate) mod task;

use std::{
    future::pending,
    sync::{
        Arc, MutexGuard, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::to_raw_value;

use self::{
    application::Application,
    call_target::CallTarget,
    conversation::{Conversation, Open},
    host::Host,
    multi_round::multi_round,
    request::{Caller, Request},
    task::CallTask,
};
pub use self::{
    ask_error::AskError,
    client::Client,
    context::{CanAsk, CanStep, Ctx, NoForms, PhaseCtx, RunsOnce, Talk},
    principal::Principal,
    progress::Progress,
    roots::{Root, Roots},
    step::{Step, StepError, StepFuture, StepValue, TryStep},
};
pub(crate) use self::{
    end::End,
    progress::{ProgressReport, Reports},
};
use crate::{
    base::{error::ToolError, mutex::Mutex},
    engine::call::{call_id::CallId, hold::Hold},
    wire::protocol::{
        frame::{Frame, push_json},
        level::Level,
        revision::Revision,
    },
};

/// The destination of a call's notifications.
pub(crate) trait Outlet: Send + Sync {
    fn send(&self, frame: Frame);

    /// Sends a log message. `data` is JSON text.
    fn log(&self, level: Level, logger: &str, data: &[u8]) {
        self.send(Frame::log(level, logger, |out| out.extend_from_slice(data)));
    }

    /// Sends a report of progress.
    fn progress(&self, report: &ProgressReport<'_>) {
        self.send(report.to_frame());
    }

    /// See [`Ctx::close_stream`].
    fn close_stream(&self, _retry: Duration) {}

    /// Returns whether the client has opened the stream of this outlet.
    fn is_open(&self) -> bool {
        true
    }

    /// Returns the application, if an application runs the calls of this outlet itself.
    fn application(&self) -> Option<&dyn Application> {
        None
    }
}

/// One call in progress, as generated code sees it. Authors see a call as [`Ctx`].
#[derive(Clone)]
pub struct Call(pub(crate) Arc<CallState>);

pub(crate) struct CallState {
    pub(crate) server: Arc<dyn Host>,
    /// The called tool, or the called item of another method, such as a prompt.
    pub(crate) tool: Arc<dyn CallTarget>,
    described: Option<Arc<str>>,
    pub(crate) revision: Revision,
    /// The id of the call, created on first use.
    id: OnceLock<CallId>,
    /// The length of the arguments in bytes.
    #[cfg(feature = "tasks")]
    arguments_len: std::sync::atomic::AtomicUsize,
    pub(crate) conversation: Conversation,
    pub(crate) end: End,
    pub(crate) task: CallTask,
    /// The lease of the round, if the ledger knows the call.
    claim: Mutex<Option<Arc<dyn Hold>>>,
    /// Whether `after` has begun. If so, the call must run to its end.
    begun: AtomicBool,
    /// The request that the call is answering. `None` while the call waits for its next request.
    request: Mutex<Option<Request>>,
    /// The principal of the last request, if known.
    principal: Mutex<Option<Principal>>,
}

/// The recorded result of `before` has a different type, because a different version of the tool wrote it.
#[derive(Debug, thiserror::Error)]
#[error("the stored handoff cannot be read ({0}): its type changed; send the request again without `requestState`")]
pub(crate) struct HandoffChanged(serde_json::Error);

impl Call {
    pub(crate) fn new(server: Arc<dyn Host>, tool: Arc<dyn CallTarget>, request: Request) -> Self {
        Self::described_as(None, server, tool, request)
    }

    /// Creates a call whose errors call the item `described`, or name its kind and its name.
    pub(crate) fn described_as(
        described: Option<Arc<str>>,
        server: Arc<dyn Host>,
        tool: Arc<dyn CallTarget>,
        mut request: Request,
    ) -> Self {
        Self(Arc::new(CallState {
            server,
            tool,
            described,
            revision: request.caller.revision(),
            id: OnceLock::new(),
            #[cfg(feature = "tasks")]
            arguments_len: std::sync::atomic::AtomicUsize::new(0),
            conversation: Conversation::default(),
            end: End::default(),
            task: CallTask::default(),
            claim: Mutex::new(None),
            begun: AtomicBool::new(false),
            principal: Mutex::new(request.principal.take()),
            request: Mutex::new(Some(request)),
        }))
    }

    /// Returns the recorded result of `before`, if the call is rebuilt from its journal.
    ///
    /// # Errors
    /// Fails if the recorded value cannot be read as an `H`.
    pub fn kept_handoff<H: DeserializeOwned>(&self) -> Result<Option<H>, ToolError> {
        self.0.conversation.handoff().map(|kept| Self::read_handoff(kept.get())).transpose()
    }

    pub(crate) fn read_handoff<H: DeserializeOwned>(kept: &str) -> Result<H, ToolError> {
        serde_json::from_str(kept).map_err(|error| HandoffChanged(error).into())
    }

    /// Records the result of `before`, if the call can be rebuilt.
    ///
    /// # Errors
    /// Fails if the value cannot be written as JSON.
    pub fn keep_handoff<H: Serialize>(&self, handoff: H) -> Result<H, ToolError> {
        #[cfg(feature = "testing")]
        self.0.server.runs().note("`before`");
        if self.0.revision.is_modern() {
            let kept = to_raw_value(&handoff);
            let kept = kept.map_err(|error| format!("the result of `before` cannot be written as JSON: {error}"))?;
            self.0.tell_application(|application| application.handed_off(kept.get()));
            self.0.conversation.keep_handoff(Some(kept));
        } else {
            self.0.conversation.keep_handoff(None);
        }
        Ok(handoff)
    }

    /// Marks the beginning of the phase `after`. From here on, the call runs to its end, even if its client
    /// disconnects.
    ///
    /// # Errors
    /// Fails if another instance has begun `after`, or if the ledger failed.
    pub async fn begin(&self) -> Result<(), ToolError> {
        self.0.begin().await?;
        #[cfg(feature = "testing")]
        self.0.server.runs().note("`after`");
        Ok(())
    }
}

impl CallState {
    pub(crate) fn tool_name(&self) -> &str {
        self.tool.name()
    }

    /// Returns what errors call the item: its kind and its name, such as "tool `search`", unless the caller knows it as
    /// something else.
    pub(crate) fn described(&self) -> String {
        match &self.described {
            Some(described) => described.to_string(),
            None => format!("{} `{}`", self.tool.operation().noun(), self.tool_name()),
        }
    }

    /// Returns whether the phases and steps of the call are allowed to run twice; by default they run once.
    pub(crate) fn may_run_again(&self) -> bool {
        self.tool.may_run_again()
    }

    pub(crate) fn id(&self) -> CallId {
        *self.id.get_or_init(CallId::new)
    }

    /// Sets the id of a resumed call. Must be called before the id is used.
    pub(crate) fn set_id(&self, id: CallId) {
        let _ = self.id.set(id);
    }

    /// See [`Ctx::idempotency_key`].
    pub(crate) fn idempotency_key(&self, step: &str) -> String {
        multi_round().idempotency_key(self, step)
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
        self.lock_principal().clone()
    }

    /// Whether the caller is on the network. See [`request::Peer::remote`].
    pub(crate) fn is_remote(&self) -> bool {
        self.request.lock().as_ref().is_some_and(|request| request.remote)
    }

    /// Returns the principal's name.
    pub(crate) fn owner(&self) -> Option<Arc<str>> {
        self.lock_principal().as_ref().map(Principal::shared_name)
    }

    /// Returns the length of the arguments in bytes, which [`note_arguments`](Self::note_arguments) has stored.
    #[cfg(feature = "tasks")]
    pub(crate) fn arguments_len(&self) -> usize {
        self.arguments_len.load(Ordering::Relaxed)
    }

    /// Notes the length of the arguments, because a task counts against the limits of its owner with its arguments.
    #[cfg(feature = "tasks")]
    pub(crate) fn note_arguments(&self, arguments: &str) {
        self.arguments_len.store(arguments.len(), Ordering::Relaxed);
    }

    /// Moves the request of `other` to this call. The client has sent this request to resume the call.
    pub(crate) fn adopt_request(&self, other: &Self) {
        *self.lock_principal() = other.lock_principal().take();
        *self.request() = other.request().take();
    }

    fn lock_principal(&self) -> MutexGuard<'_, Option<Principal>> {
        self.principal.lock()
    }

    /// Sends a log message, if the client wants it.
    pub(crate) fn log(&self, level: Level, logger: &str, data: &impl Serialize) {
        if self.log_outlet(level, &self.request()).is_none() {
            return;
        }
        // Without the lock: serializing runs the author's code.
        let mut text = Vec::new();
        push_json(&mut text, data);
        let request = self.request();
        if let Some(outlet) = self.log_outlet(level, &request) {
            outlet.log(level, logger, &text);
        }
    }

    /// Sends a notification to the client.
    pub(crate) fn notify(&self, method: &str, params: impl FnOnce(&mut Vec<u8>)) {
        if let Some(request) = &*self.request() {
            request.outlet.send(Frame::notification(method, params));
        }
    }

    /// Returns the destination of a message of this level, or `None` if the client does not want it.
    fn log_outlet<'a>(&self, level: Level, request: &'a Option<Request>) -> Option<&'a Arc<dyn Outlet>> {
        let request = request.as_ref().filter(|request| request.wants(level) && !self.end.is_over())?;
        if self.conversation.is_replaying() {
            return None;
        }
        Some(&request.outlet)
    }

    /// Returns whether an application runs the call itself, without a client.
    pub(crate) fn is_in_application(&self) -> bool {
        self.request().as_ref().is_some_and(|request| request.outlet.application().is_some())
    }

    /// Calls `tell` with the application that runs the call, if there is one.
    pub(crate) fn tell_application(&self, tell: impl FnOnce(&dyn Application)) {
        if let Some(request) = &*self.request()
            && let Some(application) = request.outlet.application()
        {
            tell(application);
        }
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
        let Some(claim) = self.claim() else { return Ok(()) };
        claim.hold_begin().await.map_err(|error| {
            self.begun.store(false, Ordering::Release);
            ToolError::from(StepError::from(error))
        })
    }

    /// The lease of the round, if the ledger knows the call.
    pub(crate) fn claim(&self) -> Option<Arc<dyn Hold>> {
        self.lock_claim().clone()
    }

    /// Removes and returns the lease, so that the caller can end the round with it.
    pub(crate) fn take_claim(&self) -> Option<Arc<dyn Hold>> {
        self.lock_claim().take()
    }

    pub(crate) fn hold_claim(&self, claim: Arc<dyn Hold>) {
        *self.lock_claim() = Some(claim);
    }

    fn lock_claim(&self) -> MutexGuard<'_, Option<Arc<dyn Hold>>> {
        self.claim.lock()
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
        if let Some(Caller::Legacy { questions, .. }) = request.as_ref().map(|request| &request.caller)
            && let Some(asker) = questions.begun()
        {
            left.iter().filter_map(Open::request).for_each(|id| asker.withdraw(id));
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
