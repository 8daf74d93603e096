//! The heart: one call as its author sees it, and what drives it.

mod client;
mod context;
mod progress;
pub(crate) mod running;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU8, Ordering},
};

use serde::Serialize;
use tokio::sync::Notify;

pub use self::{
    client::Client,
    context::{Ctx, NoForms, Talk},
    progress::Progress,
};
pub(crate) use self::{client::ModernClient, progress::Reports};
use crate::{
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
    pub(crate) caller: Caller,
    pub(crate) reports: Option<Reports>,
    pub(crate) outlet: Arc<dyn Outlet>,
    pub(crate) end: End,
}

/// Who called, under which revision.
pub(crate) enum Caller {
    /// A session opened by a handshake.
    Legacy(Arc<Session>),
    /// A request that stands alone.
    Modern { client: ModernClient, log_level: Option<Level> },
}

/// What a handshake settled.
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client: Client,
    log_level: AtomicU8,
}

/// Whether the call is over. What a clone of its context says afterwards is dropped.
#[derive(Default)]
pub(crate) struct End {
    over: AtomicBool,
    cancelled: OnceLock<()>,
    notify: Notify,
}

impl Call {
    /// The context of this call.
    pub fn context<S, P>(&self) -> Ctx<S, P> {
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

    pub(crate) fn revision(&self) -> Revision {
        self.caller.revision()
    }

    /// Whether the client wants messages of this level.
    pub(crate) fn wants(&self, level: Level) -> bool {
        !self.end.is_over()
            && match &self.caller {
                Caller::Legacy(session) => level as u8 >= session.log_level.load(Ordering::Relaxed),
                Caller::Modern { log_level, .. } => log_level.is_some_and(|least| level >= least),
            }
    }

    /// Sends a log message, if the client wants it.
    pub(crate) fn log(&self, level: Level, logger: &str, data: &impl Serialize) {
        if !self.wants(level) {
            return;
        }
        self.outlet.send(Frame::notification("notifications/message", |out| {
            out.extend_from_slice(br#"{"level":""#);
            out.extend_from_slice(level.as_str().as_bytes());
            out.extend_from_slice(br#"","logger":"#);
            push_json_string(out, logger);
            out.extend_from_slice(br#","data":"#);
            push_json(out, data);
            out.push(b'}');
        }));
    }
}

impl Caller {
    pub(crate) fn revision(&self) -> Revision {
        match self {
            Self::Legacy(session) => session.revision,
            Self::Modern { client, .. } => client.revision(),
        }
    }

    pub(crate) fn client(&self) -> &Client {
        match self {
            Self::Legacy(session) => &session.client,
            Self::Modern { client, .. } => client.get(),
        }
    }
}

impl Session {
    /// Until the client says otherwise it gets what is of interest: `info` and above.
    pub(crate) fn new(revision: Revision, client: Client) -> Self {
        Self { revision, client, log_level: AtomicU8::new(Level::Info as u8) }
    }

    pub(crate) fn set_log_level(&self, level: Level) {
        self.log_level.store(level as u8, Ordering::Relaxed);
    }
}

impl End {
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// The call has its result, or nobody waits for one any more.
    pub(crate) fn finish(&self) {
        self.over.store(true, Ordering::Release);
    }

    pub(crate) fn cancel(&self) {
        self.finish();
        // Whoever was waiting is told; whoever asks later sees the mark.
        if self.cancelled.set(()).is_ok() {
            self.notify.notify_waiters();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.get().is_some()
    }

    pub(crate) async fn cancelled(&self) {
        let notified = self.notify.notified();
        tokio::pin!(notified);
        // Registered before the mark is read, so that a cancellation in between is not missed.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }
}
