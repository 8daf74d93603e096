//! What a call needs that lasts over several requests.
//!
//! Ledger, journal and seal are a good part of a small server. They are reached through [`MultiRound`] alone, and its one
//! implementation is named only by what asks or declares that it may: the linker leaves it out of every other program.

use std::{any::Any, fmt, pin::Pin};

use super::{
    Call, CallState, body::Body, host::Host, owner::Owner, request::Asker, running::Running, runtime::Runtime,
};
use crate::{error::ToolError, protocol::error::RpcError};

/// Multi-round support. The floor `durable` implements it.
pub(crate) trait MultiRound: Send + Sync {
    /// Admits a new call of this tool before anything of it runs. `arguments`: their length in bytes.
    fn admit(
        &self,
        server: &dyn Host,
        tool: usize,
        owner: Option<&Owner>,
        arguments: usize,
    ) -> Result<Admitted, RpcError>;

    /// Admits a new call in a session of this owner, in the same way.
    fn admit_in_session(&self, server: &dyn Host, owner: &Owner, arguments: usize) -> Result<Admitted, RpcError>;

    /// Runs the next round of a call, whose client has come back with answers.
    fn resume(&self, request: ResumeRequest) -> Answering;

    /// Begins a call that has an idempotency key from its client, or answers with the reply of the earlier one.
    fn begin_once(&self, keyed: KeyedCall) -> Answering;

    /// Ends the first round of a call with its questions.
    fn ask(&self, running: Box<Running>, arguments: Box<str>) -> Answering;

    /// Creates what asks the client of a session.
    fn asker(&self) -> Box<dyn Asker>;

    /// Runs a first round to its end after its request was cancelled.
    fn run_on(&self, running: Box<Running>);

    /// The error of the protocol for a tool's error that says why the call cannot ask or resume.
    fn protocol_error(&self, call: &CallState, error: &ToolError) -> Option<RpcError>;
}

/// Names the implementation of [`MultiRound`]. To name it is to link it.
pub(crate) trait LinkMultiRound {
    const MULTI_ROUND: &'static dyn MultiRound;
}

/// Links multi-round support into the program.
pub(crate) const fn multi_round() -> &'static dyn MultiRound {
    Runtime::MULTI_ROUND
}

/// The body of a response, which takes some time.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Body> + Send>>;

/// The right of a call to wait for answers. See [`Admission`](crate::durable::ledger::quota::Admission).
pub(crate) type Admitted = Box<dyn Any + Send + Sync>;

/// A request that resumes a call.
pub(crate) struct ResumeRequest {
    /// Stands for the request until it is known which call it resumes.
    pub(crate) call: Call,
    pub(crate) arguments: Box<str>,
    /// `None` if the request brings a state without answers.
    pub(crate) responses: Option<Vec<(String, Box<str>)>>,
    pub(crate) state: Box<str>,
}

/// A call with an idempotency key from its client, before its first poll.
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
