//! One receiver of notices: a session, or a request of `subscriptions/listen`.

use std::{collections::HashSet, sync::Arc, time::Duration};

use tokio::{runtime::Handle, time::sleep};

use super::topic::{END, Topic, with_shared_end};
use crate::{
    base::mutex::Mutex,
    engine::call::{MessageSink, end::End},
    wire::protocol::frame::Frame,
};

/// How often a task of a slow client looks whether the client has read its notices.
const LOOK: Duration = Duration::from_millis(20);

/// One receiver of notices. Even if the client reads slowly, a subscriber has at most one notice of each topic in its
/// sink, and at most one waiting notice of each topic.
pub(crate) struct Subscriber {
    pub(super) number: u64,
    sink: Arc<dyn MessageSink>,
    /// The id of the request that subscribed, as JSON text. A session has none.
    id: Option<Box<str>>,
    pub(super) runtime: Handle,
    due: Mutex<DueNotices>,
    /// Whether the server has ended the subscription, or the subscriber has gone.
    end: End,
}

struct DueNotices {
    topics: HashSet<Topic>,
    /// The bytes at the end of every notice. All notices in the sink share this buffer. If no notice refers to the
    /// buffer any more, the client has read every notice in the sink.
    end: Arc<Vec<u8>>,
}

impl Subscriber {
    pub(super) fn new(number: u64, sink: Arc<dyn MessageSink>, id: Option<Box<str>>, runtime: Handle) -> Self {
        let due = Mutex::new(DueNotices { topics: HashSet::new(), end: Arc::new(END.to_vec()) });
        Self { number, sink, id, runtime, due, end: End::default() }
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
        self.sink.send(first);
        drop(due);
    }

    pub(super) fn add(&self, topic: Topic) {
        self.due.lock().topics.insert(topic);
    }

    pub(super) fn withdraw(&self, topic: &Topic) {
        self.due.lock().topics.remove(topic);
    }

    /// Sends the notices that are due, if the client has read the earlier ones. Returns whether the notices wait for the
    /// client.
    pub(super) fn flush_is_blocked(&self) -> bool {
        let mut due = self.due.lock();
        if due.topics.is_empty() || self.end.is_over() || !self.sink.is_open() {
            return false;
        }
        if !due.are_read() {
            return true;
        }
        let DueNotices { topics, end } = &mut *due;
        topics.drain().for_each(|topic| self.sink.send(topic.notice(self.id.as_deref(), end)));
        false
    }

    /// Waits until the client has read the earlier notices.
    pub(crate) async fn wait_until_read(&self) {
        while !self.due.lock().are_read() {
            sleep(LOOK).await;
        }
    }

    /// Sends a notice about a task, as soon as the client has read the earlier notices. `members` are those of the task,
    /// as JSON text.
    pub(crate) async fn send_task(&self, members: &[u8]) {
        while !self.try_send(members) {
            sleep(LOOK).await;
        }
    }

    /// Sends a notice about a task. Sends nothing and returns `false` if the client has not read the earlier notices
    /// yet.
    fn try_send(&self, members: &[u8]) -> bool {
        let due = self.due.lock();
        let are_read = due.are_read();
        if are_read {
            let notice = Frame::notification("notifications/tasks", |out| {
                out.push(b'{');
                out.extend_from_slice(members);
                out.extend_from_slice(br#","_meta":{"io.modelcontextprotocol/subscriptionId":"#);
                out.extend_from_slice(self.id().as_bytes());
                out.extend_from_slice(b"}}");
            });
            self.sink.send(with_shared_end(notice, &due.end));
        }
        are_read
    }

    pub(super) fn sends_to(&self, sink: &Arc<dyn MessageSink>) -> bool {
        Arc::ptr_eq(&self.sink, sink)
    }

    /// Ends the subscription.
    pub(super) fn end(&self) {
        self.end.cancel();
    }

    /// Waits until the server ends the subscription.
    pub(super) async fn wait_for_end(&self) {
        self.end.cancelled().await;
    }
}

impl DueNotices {
    /// Returns whether the client has read every notice in the sink.
    fn are_read(&self) -> bool {
        Arc::strong_count(&self.end) == 1
    }
}
