//! A call that this process runs.

use std::{
    collections::VecDeque,
    pin::pin,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, timeout_at},
};

use super::{answer::PluginAnswer, error::PluginError};
use crate::{
    apps::plugin::timeline::{
        Timeline,
        event::CallStatus,
        question::{PluginQuestion, QuestionText, ShownQuestion},
    },
    base::mutex::Mutex,
    engine::{call::Principal, tool::registered::RegisteredTool},
    serve::client::{ClientReply, ClientResult},
};

/// How long stored calls are kept. No question stays open longer than this. The default for questions is shorter.
pub(crate) const STORED: Duration = Duration::from_secs(24 * 60 * 60);

/// A call that this process runs, or has run a short time ago.
pub(crate) struct LiveCall {
    pub(crate) id: Arc<str>,
    pub(crate) tool: Box<str>,
    /// The tool. `None` if the call was stored by a process that had this tool, and this process does not have it.
    pub(crate) registered: Option<Arc<RegisteredTool>>,
    pub(crate) owner: Option<Principal>,
    /// Milliseconds since 1970.
    pub(crate) started_at: u64,
    /// The events. The first one has the arguments.
    pub(crate) timeline: Timeline,
    /// The value that the phase `before` has returned, as JSON text, until the call ends.
    pub(crate) handoff: Mutex<Option<Box<str>>>,
    /// Whether the phase `after` has begun. From then on, the call cannot be cancelled.
    pub(crate) has_begun: AtomicBool,
    /// The question that waits for an answer. Only the first answer counts.
    question: Mutex<Option<Arc<ShownQuestion>>>,
    inbox: Mutex<Inbox>,
    commanded: Notify,
}

/// What the driver of a call has not read yet.
#[derive(Default)]
struct Inbox {
    commands: VecDeque<Command>,
    /// The last reply of the engine, because the driver waits for one reply at a time.
    reply: Option<EngineReply>,
    /// The number of commands that came before the reply.
    before_reply: usize,
}

/// The reply of the engine to the request with this id.
pub(crate) struct EngineReply {
    pub(crate) request: u64,
    pub(crate) reply: serde_json::Result<ClientReply>,
}

/// The name of the user that a call belongs to. `None` is the application itself.
pub(crate) type CallOwner = Option<Arc<str>>;

/// A message to the driver of a call.
pub(crate) enum Command {
    Replied(EngineReply),
    /// The user has answered. `stored` is notified when the answer is stored.
    Answer {
        seq: u32,
        answer: PluginAnswer,
        stored: oneshot::Sender<()>,
    },
    /// The call has lost its place among the open calls, and its question does not wait any more.
    Displaced,
    Cancel,
}

impl LiveCall {
    pub(crate) fn new(
        id: Arc<str>,
        tool: Box<str>,
        registered: Option<Arc<RegisteredTool>>,
        owner: Option<Principal>,
        started_at: u64,
        timeline: Timeline,
    ) -> Self {
        Self {
            id,
            tool,
            registered,
            owner,
            started_at,
            timeline,
            handoff: Mutex::default(),
            has_begun: AtomicBool::new(false),
            question: Mutex::default(),
            inbox: Mutex::default(),
            commanded: Notify::new(),
        }
    }

    pub(crate) fn status(&self) -> CallStatus {
        match self.timeline.end().as_ref().map(|end| &*end.name) {
            Some("finished") => CallStatus::Finished,
            Some("cancelled") => CallStatus::Cancelled,
            Some(_) => CallStatus::Failed,
            None if self.is_asking() => CallStatus::InputRequired,
            None => CallStatus::Working,
        }
    }

    /// Returns how long a question waits for its answer.
    pub(crate) fn answer_within(&self) -> Duration {
        self.registered.as_ref().map_or(STORED, |tool| tool.definition.states_kept()).min(STORED)
    }

    /// Returns the display name of the tool, if it has one.
    pub(crate) fn title(&self) -> Option<&str> {
        self.registered.as_ref()?.definition.title.as_deref()
    }

    pub(crate) fn owner_name(&self) -> CallOwner {
        self.owner.as_ref().map(Principal::shared_name)
    }

    /// Returns whether this caller may see the call. Both for owners and for callers, `None` is the application itself.
    pub(crate) fn belongs_to(&self, caller: Option<&Principal>) -> bool {
        self.owner.as_ref() == caller
    }

    /// Begins to accept an answer to this question.
    pub(crate) fn ask(&self, question: ShownQuestion) {
        *self.question.lock() = Some(Arc::new(question));
    }

    /// Returns the question that waits for its answer.
    pub(crate) fn open_question(&self) -> Option<Arc<ShownQuestion>> {
        self.question.lock().clone()
    }

    /// Stops accepting answers to the question with this number. Returns whether it was open.
    pub(crate) fn close_question(&self, seq: u32) -> bool {
        self.question.lock().take_if(|open| open.seq == seq).is_some()
    }

    /// Returns whether a question waits for its answer.
    pub(crate) fn is_asking(&self) -> bool {
        self.question.lock().is_some()
    }

    /// Returns the question that waits for its answer, with its values.
    pub(crate) fn question(&self) -> Option<PluginQuestion> {
        self.open_question()?.parsed()
    }

    /// Ends the call because its place is needed for another call, unless its question was answered in the meantime.
    pub(crate) fn displace(&self) {
        if self.question.lock().take().is_some() {
            self.command(Command::Displaced);
        }
    }

    /// Drops what an ended call does not need: late replies, and the value of `before`.
    pub(crate) fn settle(&self) {
        *self.handoff.lock() = None;
        *self.inbox.lock() = Inbox::default();
    }

    /// Passes the user's answer to the call. Returns when the answer is stored.
    pub(crate) async fn answer(&self, seq: u32, answer: PluginAnswer) -> Result<(), PluginError> {
        let open = self.open_question().filter(|open| open.seq == seq).ok_or(PluginError::AlreadyAnswered)?;
        self.answer_to(&open.text(), answer).await
    }

    /// Passes the user's answer to this question to the call. Returns when the answer is stored.
    pub(crate) async fn answer_to(
        &self,
        question: &QuestionText<'_>,
        mut answer: PluginAnswer,
    ) -> Result<(), PluginError> {
        let seq = question.seq;
        question.check(&mut answer, self.registered.as_deref()).map_err(PluginError::InvalidAnswer)?;
        if !self.close_question(seq) {
            return Err(PluginError::AlreadyAnswered);
        }
        let (stored, is_stored) = oneshot::channel();
        self.command(Command::Answer { seq, answer, stored });
        is_stored.await.map_err(|_| PluginError::AlreadyAnswered)
    }

    pub(crate) fn command(&self, command: Command) {
        self.inbox.lock().commands.push_back(command);
        self.commanded.notify_one();
    }

    pub(crate) fn replied(&self, reply: EngineReply) {
        let mut inbox = self.inbox.lock();
        (inbox.reply, inbox.before_reply) = (Some(reply), inbox.commands.len());
        drop(inbox);
        self.commanded.notify_one();
    }

    /// Returns the result of the call, if the reply to this request is here and has one. Otherwise the reply stays.
    pub(crate) fn take_result(&self, request: u64) -> Option<ClientResult> {
        let mut inbox = self.inbox.lock();
        match inbox.reply.take() {
            Some(EngineReply { request: replied, reply: Ok(ClientReply::Result(result)) }) if replied == request => {
                Some(result)
            }
            other => {
                inbox.reply = other;
                None
            }
        }
    }

    /// Waits for the next command. Returns `None` if no command came before `deadline`.
    pub(crate) async fn next_command(&self, deadline: Option<Instant>) -> Option<Command> {
        loop {
            let commanded = pin!(self.commanded.notified());
            let next = self.inbox.lock().next();
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

impl Inbox {
    /// Returns what came first.
    fn next(&mut self) -> Option<Command> {
        if self.before_reply == 0
            && let Some(reply) = self.reply.take()
        {
            return Some(Command::Replied(reply));
        }
        self.before_reply = self.before_reply.saturating_sub(1);
        self.commands.pop_front()
    }
}

impl std::fmt::Debug for LiveCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveCall").field("id", &self.id).field("tool", &self.tool).finish_non_exhaustive()
    }
}
