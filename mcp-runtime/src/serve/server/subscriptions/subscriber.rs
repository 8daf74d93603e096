//! One receiver of notices: a session, or a request of `subscriptions/listen`.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::{runtime::Handle, sync::Notify};

use super::topic::{END, Topic};
use crate::{base::mutex::Mutex, engine::call::MessageSink, wire::protocol::frame::Frame};

/// How often a task of a slow client looks whether the client has read its notices.
const LOOK: std::time::Duration = std::time::Duration::from_millis(20);

/// One receiver of notices. Even if the client reads slowly, a subscriber has at most one notice of each topic in its
/// outlet, and at most one waiting notice of each topic.
pub(crate) struct Subscriber {
    pub(super) number: u64,
    outlet: Arc<dyn MessageSink>,
    /// The id of the request that subscribed, as JSON text. A session has none.
    id: Option<Box<str>>,
    pub(super) runtime: Handle,
    due: Mutex<DueNotices>,
    /// Whether the server has ended the subscription, or the subscriber has gone.
    over: AtomicBool,
    ended: Notify,
}

struct DueNotices {
    topics: HashSet<Topic>,
    /// The bytes at the end of every notice. All notices in the outlet share this buffer. If no notice refers to the
    /// buffer any more, the client has read every notice in the outlet.
    end: Arc<Vec<u8>>,
}

/// The result of sending the notices of a subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flushed {
    /// No notice waits, or the waiting notices are sent when the client opens its stream.
    Done,
    /// The client has not read the earlier notices yet.
    Blocked,
}

impl Subscriber {
    pub(super) fn new(number: u64, outlet: Arc<dyn MessageSink>, id: Option<Box<str>>, runtime: Handle) -> Self {
        let due = Mutex::new(DueNotices { topics: HashSet::new(), end: Arc::new(END.to_vec()) });
        Self { number, outlet, id, runtime, due, over: AtomicBool::new(false), ended: Notify::new() }
    }

    /// Returns the id of the request that subscribed, as JSON text. Returns `null` for a session.
    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("null")
    }

    /// Returns whether a request of `subscriptions/listen` made the subscriber.
    pub(super) fn is_listening(&self) -> bool {
        self.id.is_some()
    }

    /// Runs `register` and sends the message `first`. No notice is sent before this message.
    pub(super) fn open(&self, first: Frame, register: impl FnOnce()) {
        let due = self.due.lock();
        register();
        self.outlet.send(first);
        drop(due);
    }

    pub(super) fn add(&self, topic: Topic) {
        self.due.lock().topics.insert(topic);
    }

    pub(super) fn withdraw(&self, topic: &Topic) {
        self.due.lock().topics.remove(topic);
    }

    /// Sends the notices that are due, if the client has read the earlier ones.
    pub(super) fn flush(&self) -> Flushed {
        let mut due = self.due.lock();
        if due.topics.is_empty() || self.is_over() || !self.outlet.is_open() {
            return Flushed::Done;
        }
        if Arc::strong_count(&due.end) > 1 {
            return Flushed::Blocked;
        }
        let DueNotices { topics, end } = &mut *due;
        topics.drain().for_each(|topic| self.outlet.send(topic.notice(self.id.as_deref(), end)));
        Flushed::Done
    }

    /// Waits until the client has read the earlier notices.
    pub(super) async fn wait_until_read(&self) {
        while Arc::strong_count(&self.due.lock().end) > 1 {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Sends a notice about a task, as soon as the client has read the earlier notices.
    pub(super) async fn send_task(&self, mut task: serde_json::Value) {
        let id = serde_json::from_str::<serde_json::Value>(self.id()).unwrap_or_default();
        task["_meta"] = serde_json::json!({ "io.modelcontextprotocol/subscriptionId": id });
        while !self.try_send(&task) {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Sends a notice about a task. Sends nothing and returns `false` if the client has not read the earlier notices
    /// yet.
    fn try_send(&self, task: &serde_json::Value) -> bool {
        let due = self.due.lock();
        let is_read = Arc::strong_count(&due.end) == 1;
        if is_read {
            let params = |out: &mut Vec<u8>| crate::wire::protocol::frame::push_json(out, task);
            let mut frame = Frame::notification("notifications/tasks", params);
            frame.head.truncate(frame.head.len() - due.end.len());
            // Shares the buffer, so that the subscriber knows when the client has read the notice.
            frame.tail = Some(Arc::clone(&due.end));
            self.outlet.send(frame);
        }
        is_read
    }

    pub(super) fn sends_to(&self, outlet: &Arc<dyn MessageSink>) -> bool {
        Arc::ptr_eq(&self.outlet, outlet)
    }

    /// Ends the subscription.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        self.ended.notify_one();
    }

    /// Waits until the server ends the subscription.
    pub(super) async fn wait_for_end(&self) {
        while !self.is_over() {
            self.ended.notified().await;
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }
}
