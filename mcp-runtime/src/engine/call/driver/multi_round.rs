//! The interface to multi-round support, for calls that last over several requests.
//!
//! Ledger, journal and seal are a large part of a small server's binary. Other code reaches them only through
//! [`MultiRound`]. The implementation is linked only into programs whose code asks, or whose tools declare that they
//! ask.

use std::{borrow::Cow, fmt, pin::Pin, sync::OnceLock};

use super::{admission::Admission, body::Body, running::Running};
use crate::{
    base::error::ToolError,
    engine::call::{
        Call, CallState, Owner, call_target::CallTarget, host::Host, ledger_time::LedgerTime, observer::Runtime,
        request::Asker,
    },
    wire::protocol::{error::RpcError, params::InputResponses, revision::Revision},
};

/// Multi-round support, which the module `durable` implements.
pub(crate) trait MultiRound: Send + Sync {
    /// Admits a new call before any code of its tool runs. `arguments` is the length of the arguments in bytes.
    fn admit(&self, call: &CallState, owner: Option<&Owner>, arguments: usize) -> Result<Admission, RpcError>;

    /// Admits a new call in a session of this owner, like [`admit`](Self::admit).
    fn admit_in_session(&self, server: &dyn Host, owner: &Owner, arguments: usize) -> Result<Admission, RpcError>;

    /// Runs the next round of a call, with the answers that its client sent. Polls the call at most once.
    fn resume(&self, request: ResumeRequest<'_>) -> Answering;

    /// Runs the next round of a call, like [`resume`](Self::resume), in the task that polls the future.
    fn resume_in_task(&self, request: ResumeRequest<'static>) -> FutureBody;

    /// Begins a call that has an idempotency key from its client, or answers with the reply of the earlier call.
    fn begin_once(&self, keyed: KeyedCall) -> FutureBody;

    /// Ends the first round of a call with its questions.
    fn ask(&self, running: Box<Running>, arguments: Cow<'_, str>) -> Answering;

    /// Returns the ledger's time, which deadlines are compared with.
    fn time(&self, call: &CallState) -> LedgerTime;

    /// See [`Ctx::idempotency_key`](crate::Ctx::idempotency_key).
    fn idempotency_key(&self, call: &CallState, step: &str) -> String;

    /// Creates the value that sends questions to the client of a session.
    fn asker(&self) -> Box<dyn Asker>;

    /// Runs a call to its end after its first request was cancelled.
    fn run_on(&self, running: Box<Running>);

    /// Converts a tool's error to a protocol error, if the error says that the call cannot ask or resume.
    fn protocol_error(&self, tool: &dyn CallTarget, revision: Revision, error: &ToolError) -> Option<RpcError>;
}

/// Provides the implementation of [`MultiRound`] as a constant. The linker adds the implementation only to programs
/// that use this constant.
pub(crate) trait LinkMultiRound {
    const MULTI_ROUND: &'static dyn MultiRound;
}

/// Returns multi-round support. The linker adds its implementation only to programs that call this function.
pub(crate) const fn multi_round() -> &'static dyn MultiRound {
    Runtime::MULTI_ROUND
}

impl dyn Host {
    /// Returns multi-round support of this server. It is set as soon as a tool asks, or declares that it asks.
    pub(crate) fn multi_round(&self) -> &OnceLock<&'static dyn MultiRound> {
        self.get().expect("every server has a place for multi-round support")
    }
}

/// A future that resolves to the body of a response.
pub(crate) type FutureBody = Pin<Box<dyn Future<Output = Body> + Send>>;

/// The body of a response, or a future that resolves to it. Most rounds need no future if their ledger is in memory.
pub(crate) enum Answering {
    Now(Body),
    /// A future that was not polled yet.
    Later(FutureBody),
    /// A future whose call was polled and is pending. A task must poll it next, because other tasks may have to run
    /// first.
    Pending(FutureBody),
}

impl Answering {
    pub(crate) async fn body(self) -> Body {
        match self {
            Self::Now(body) => body,
            Self::Later(answering) | Self::Pending(answering) => answering.await,
        }
    }
}

/// A request that resumes a call.
pub(crate) struct ResumeRequest<'a> {
    /// A placeholder that holds the request until the server knows which call the request resumes.
    pub(crate) call: Call,
    pub(crate) arguments: Cow<'a, str>,
    /// The answers of the client. `None` if the request has a `requestState` but no answers.
    pub(crate) responses: Option<InputResponses<'a>>,
    pub(crate) state: Cow<'a, str>,
}

impl ResumeRequest<'_> {
    pub(crate) fn into_owned(self) -> ResumeRequest<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Self { call, arguments, responses, state } = self;
        let responses = responses.map(|all| all.into_iter().map(|(key, text)| (owned(key), owned(text))).collect());
        ResumeRequest { call, arguments: owned(arguments), responses, state: owned(state) }
    }
}

/// A call that has an idempotency key from its client, and was not polled yet.
pub(crate) struct KeyedCall {
    pub(crate) running: Box<Running>,
    pub(crate) arguments: Box<str>,
    pub(crate) key: Box<str>,
    pub(crate) owner: Option<Owner>,
}

impl fmt::Debug for dyn MultiRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MultiRound")
    }
}
