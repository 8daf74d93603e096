//! The task that tells subscribers about changes. It runs only while there is something to tell.

use std::{sync::Arc, time::Duration};

use tokio::time::{sleep, timeout};

use super::{Subscriptions, subscriber::Subscriber};

/// How long the task waits after a change. All changes of a topic in this time become one notice.
pub(crate) const GATHERED: Duration = Duration::from_millis(10);

/// How long the task waits before it checks again whether clients have read their last notices. The wait doubles after
/// each check.
const FIRST_LOOK: Duration = Duration::from_millis(20);
const LAST_LOOK: Duration = Duration::from_secs(1);

/// How many subscribers the task serves before it lets other tasks run.
const SERVED_AT_ONCE: usize = 128;

/// Records that the task has ended, even if the runtime has dropped the task.
struct Delivering {
    of: Arc<Subscriptions>,
    is_done: bool,
}

impl Subscriptions {
    /// Sends notices until every subscriber knows of every change. `blocked` are the subscribers that already
    /// have waiting notices.
    pub(super) fn deliver(
        self: &Arc<Self>,
        mut blocked: Vec<Arc<Subscriber>>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let delivering = Delivering { of: Arc::clone(self), is_done: false };
        async move {
            // Captures the whole value, so that it is dropped with the future.
            let mut delivering = delivering;
            let this = Arc::clone(&delivering.of);
            let mut look = FIRST_LOOK;
            loop {
                sleep(GATHERED).await;
                let due = this.table.lock().take_due();
                for (subscriber, topic) in due {
                    subscriber.add(topic);
                    blocked.push(subscriber);
                }
                blocked.sort_unstable_by_key(|subscriber| subscriber.number);
                blocked.dedup_by_key(|subscriber| subscriber.number);
                blocked = flush(blocked).await;
                if !blocked.is_empty() {
                    // Wakes early if there is another change.
                    look = match timeout(look, this.changed.notified()).await {
                        Ok(()) => FIRST_LOOK,
                        Err(_) => LAST_LOOK.min(look * 2),
                    };
                    continue;
                }
                look = FIRST_LOOK;
                let mut table = this.table.lock();
                if table.changed.is_empty() {
                    // Still holds the lock, so that a later change begins another task.
                    table.is_delivering = false;
                    delivering.is_done = true;
                    return;
                }
            }
        }
    }

    /// Sends the waiting notices of a subscriber, now or as soon as its client has read the earlier ones.
    pub(super) fn flush_later(self: &Arc<Self>, subscriber: &Arc<Subscriber>) {
        if subscriber.flush_is_blocked() {
            let waiting = self.deliver(vec![Arc::clone(subscriber)]);
            subscriber.runtime.spawn(waiting);
        }
    }
}

/// Sends the notices of these subscribers, and returns the subscribers whose clients have not read the earlier ones.
async fn flush(subscribers: Vec<Arc<Subscriber>>) -> Vec<Arc<Subscriber>> {
    let mut blocked = Vec::new();
    for (index, subscriber) in subscribers.into_iter().enumerate() {
        if subscriber.flush_is_blocked() {
            blocked.push(subscriber);
        }
        if index % SERVED_AT_ONCE == SERVED_AT_ONCE - 1 {
            tokio::task::yield_now().await;
        }
    }
    blocked
}

impl Drop for Delivering {
    fn drop(&mut self) {
        if !self.is_done {
            self.of.table.lock().is_delivering = false;
        }
    }
}
