//! A call that this process runs.

use std::{
    collections::VecDeque,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, timeout_at},
};

use super::{answer::PluginAnswer, error::PluginError, round_reply::RoundReply};
use crate::{
    apps::plugin::timeline::{Timeline, event::CallStatus, question::PluginQuestion},
    base::mutex::Mutex,
    engine::call::Principal,
};

/// A call that this process runs, or has run a short time ago.
pub(crate) struct LiveCall {
    pub(crate) id: Box<str>,
    pub(crate) tool: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) owner: Option<Principal>,
    /// Milliseconds since 1970.
    pub(crate) started_at: u64,
    /// The events. The first one has the arguments.
    pub(crate) timeline: Timeline,
    /// The value that the phase `before` has returned, until the call ends.
    pub(crate) handoff: Mutex<Option<Box<RawValue>>>,
    /// Whether the phase `after` has begun. From then on, the call cannot be cancelled.
    pub(crate) has_begun: AtomicBool,
    status: Mutex<CallStatus>,
    /// Whether the open question waits for an answer. Only the first answer counts.
    takes_answer: AtomicBool,
    commands: Mutex<VecDeque<Command>>,
    commanded: Notify,
}

/// A message to the driver of a call.
pub(crate) enum Command {
    /// The engine has answered the request with this id.
    Reply {
        request: u64,
        reply: RoundReply,
    },
    /// The user has answered. `stored` is notified when the answer is stored.
    Answer {
        key: Box<str>,
        answer: PluginAnswer,
        stored: oneshot::Sender<()>,
    },
    /// The call has lost its place among the open calls, and its question does not wait any more.
    Displaced,
    /// The application's handler cannot answer this question.
    HandlerFailed {
        seq: u32,
        message: String,
    },
    Cancel,
}

/// The data of a call that never changes.
pub(crate) struct NewCall {
    pub(crate) id: Box<str>,
    pub(crate) tool: Box<str>,
    pub(crate) title: Option<Box<str>>,
    pub(crate) owner: Option<Principal>,
    pub(crate) started_at: u64,
}

impl LiveCall {
    pub(crate) fn new(call: NewCall, timeline: Timeline, status: CallStatus) -> Self {
        let NewCall { id, tool, title, owner, started_at } = call;
        Self {
            id,
            tool,
            title,
            owner,
            started_at,
            timeline,
            handoff: Mutex::default(),
            has_begun: AtomicBool::new(false),
            status: Mutex::new(status),
            takes_answer: AtomicBool::new(false),
            commands: Mutex::default(),
            commanded: Notify::new(),
        }
    }

    pub(crate) fn status(&self) -> CallStatus {
        *self.status.lock()
    }

    pub(crate) fn set_status(&self, status: CallStatus) {
        *self.status.lock() = status;
    }

    /// Returns the name of the owner. `None` is the application itself.
    pub(crate) fn owner_name(&self) -> Option<Arc<str>> {
        self.owner.as_ref().map(Principal::shared_name)
    }

    /// Returns whether this caller may see the call. Both for owners and for callers, `None` is the application itself.
    pub(crate) fn belongs_to(&self, caller: Option<&Principal>) -> bool {
        self.owner.as_ref() == caller
    }

    /// Begins to accept an answer to the question of the last `elicit` event.
    pub(crate) fn open_question(&self) {
        self.takes_answer.store(true, Ordering::Release);
    }

    /// Stops accepting answers to the open question. Returns whether a question was open.
    pub(crate) fn close_question(&self) -> bool {
        self.takes_answer.swap(false, Ordering::AcqRel)
    }

    /// Returns whether a question waits for its answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.takes_answer.load(Ordering::Acquire)
    }

    /// Ends the call because its place is needed for another call, unless its question was answered in the meantime.
    pub(crate) fn displace(&self) {
        if self.close_question() {
            self.command(Command::Displaced);
        }
    }

    /// Drops what an ended call does not need: late replies, and the value of `before`.
    pub(crate) fn settle(&self) {
        *self.handoff.lock() = None;
        *self.commands.lock() = VecDeque::new();
    }

    /// Returns the open question as JSON text.
    pub(crate) fn question(&self) -> Option<Box<RawValue>> {
        self.is_waiting().then(|| self.last_question())?
    }

    /// Returns the question of the last `elicit` event, as JSON text.
    pub(crate) fn last_question(&self) -> Option<Box<RawValue>> {
        #[derive(Deserialize)]
        struct ElicitEvent {
            question: Box<RawValue>,
        }
        let event = self.timeline.last_elicit()?;
        serde_json::from_str(&event).map(|ElicitEvent { question }| question).ok()
    }

    /// Passes the user's answer to the call. Returns when the answer is stored.
    pub(crate) async fn answer(&self, seq: u32, mut answer: PluginAnswer) -> Result<(), PluginError> {
        let question = self.question().ok_or(PluginError::AlreadyAnswered)?;
        let form: PluginQuestion = serde_json::from_str(question.get()).map_err(|_| PluginError::AlreadyAnswered)?;
        if form.seq != seq {
            return Err(PluginError::AlreadyAnswered);
        }
        form.check(&mut answer).map_err(PluginError::InvalidAnswer)?;
        if !self.close_question() {
            return Err(PluginError::AlreadyAnswered);
        }
        let (stored, is_stored) = oneshot::channel();
        self.command(Command::Answer { key: form.key.into(), answer, stored });
        is_stored.await.map_err(|_| PluginError::AlreadyAnswered)
    }

    pub(crate) fn command(&self, command: Command) {
        self.commands.lock().push_back(command);
        self.commanded.notify_one();
    }

    /// Waits for the next command. Returns `None` if no command came before `deadline`.
    pub(crate) async fn next_command(&self, deadline: Option<Instant>) -> Option<Command> {
        loop {
            let commanded = pin!(self.commanded.notified());
            let next = self.commands.lock().pop_front();
            if next.is_some() {
                return next;
            }
            match deadline {
                None => commanded.await,
                Some(deadline) => timeout_at(deadline, commanded).await.ok()?,
            }
        }
    }
}

impl std::fmt::Debug for LiveCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveCall").field("id", &self.id).field("tool", &self.tool).finish_non_exhaustive()
    }
}
