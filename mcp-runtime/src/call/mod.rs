//! The heart: one call as its author sees it, and what drives it.
//!
//! A call is one future. [`Ctx`] is what its author holds; the [`conversation`] keeps what it asked and was answered;
//! [`running`] polls the future and hands the questions out, each kind of client in its way; between two rounds of a
//! client that is asked by ending its request, the future is [`parked`].

pub(crate) mod ask;
mod client;
mod context;
pub(crate) mod conversation;
mod end;
pub(crate) mod parked;
mod progress;
pub(crate) mod request;
pub(crate) mod running;
#[cfg(feature = "seal")]
#[cfg_attr(not(test), allow(dead_code))] // until `requestState` carries the journal
pub(crate) mod seal;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

#[cfg(feature = "seal")]
pub use self::seal::{KeyRing, KeyRingError};
pub use self::{
    ask::{AskError, Root},
    client::Client,
    context::{CanAsk, Ctx, NoForms, Talk},
    progress::Progress,
};
use self::{conversation::Conversation, request::Request};
pub(crate) use self::{end::End, progress::Reports};
use crate::{
    elicit::Elicits,
    server::Inner,
    tool::state::State,
    wire::{
        frame::{Frame, push_json},
        level::Level,
        revision::Revision,
        text::push_json_string,
    },
};

/// Where a call's notifications go.
pub(crate) trait Outlet: Send + Sync {
    fn send(&self, frame: Frame);
}

/// One call in progress, as generated code hands it on. Authors see it as [`Ctx`].
#[derive(Clone)]
pub struct Call(pub(crate) Arc<CallState>);

/// What lives as long as a call.
pub(crate) struct CallState {
    pub(crate) server: Arc<Inner>,
    /// The tool's place in the registry.
    pub(crate) tool: usize,
    pub(crate) revision: Revision,
    pub(crate) conversation: Conversation,
    pub(crate) end: End,
    /// `None` while the call is parked: then nobody listens.
    request: Mutex<Option<Request>>,
}

impl Call {
    pub(crate) fn new(server: Arc<Inner>, tool: usize, request: Request) -> Self {
        Self(Arc::new(CallState {
            server,
            tool,
            revision: request.caller.revision(),
            conversation: Conversation::default(),
            end: End::default(),
            request: Mutex::new(Some(request)),
        }))
    }

    /// The context of this call.
    pub fn context<S: Elicits, P>(&self) -> Ctx<S, P> {
        Ctx::new(self.clone())
    }

    /// The server's value of this type, where it has one.
    pub fn state<T: State>(&self) -> Option<&T> {
        self.0.server.states.get()
    }
}

impl CallState {
    pub(crate) fn tool_name(&self) -> &str {
        &self.server.registry.at(self.tool).definition.name
    }

    /// The client of the request being answered.
    pub(crate) fn client(&self) -> Client {
        match &*self.request() {
            Some(request) => request.caller.client().clone(),
            None => Client::nobody(self.revision),
        }
    }

    /// Sends a log message, if the client wants it.
    pub(crate) fn log(&self, level: Level, logger: &str, data: &impl Serialize) {
        if self.log_outlet(level, &self.request()).is_none() {
            return;
        }
        // Not under the lock: serializing is the author's code.
        let frame = Frame::notification("notifications/message", |out| {
            out.extend_from_slice(br#"{"level":""#);
            out.extend_from_slice(level.as_str().as_bytes());
            out.extend_from_slice(br#"","logger":"#);
            push_json_string(out, logger);
            out.extend_from_slice(br#","data":"#);
            push_json(out, data);
            out.push(b'}');
        });
        let request = self.request();
        if let Some(outlet) = self.log_outlet(level, &request) {
            outlet.send(frame);
        }
    }

    /// Sends a notification that is not of the call but of what its client shows.
    pub(crate) fn notify(&self, method: &str, params: impl FnOnce(&mut Vec<u8>)) {
        if let Some(request) = &*self.request() {
            request.outlet.send(Frame::notification(method, params));
        }
    }

    /// Where a message of this level goes, if anybody wants it.
    fn log_outlet<'a>(&self, level: Level, request: &'a Option<Request>) -> Option<&'a Arc<dyn Outlet>> {
        let request = request.as_ref().filter(|request| request.wants(level) && !self.end.is_over())?;
        Some(&request.outlet)
    }

    /// The call has its result. Whoever is just saying something has said it when this returns, so that it comes
    /// before the result.
    pub(crate) fn finish(&self) {
        let _nobody_speaks = self.request();
        self.end.finish();
    }

    /// Nobody waits for a result any more; see [`CallState::finish`].
    pub(crate) fn cancel(&self) {
        self.finish();
        self.end.cancel();
    }

    pub(crate) fn request(&self) -> MutexGuard<'_, Option<Request>> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for CallState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("tool", &self.tool_name()).finish_non_exhaustive()
    }
}
