//! Tasks that a subscription follows.

use std::{
    collections::{HashSet, VecDeque},
    convert::Infallible,
    future::poll_fn,
    hash::{BuildHasher as _, RandomState},
    pin::Pin,
    sync::Arc,
    task::Poll,
};

use tokio::time::sleep;

use super::{
    task_runs::{TaskRuns, find},
    unread::NoticeRoom,
};
use crate::{
    engine::{
        call::Call,
        runs::{RunStatus, manager::RunManager},
    },
    serve::server::subscriptions::{deliver::GATHERED, subscriber::Subscriber},
    wire::protocol::capability::Capability,
};

struct Following {
    call: Call,
    tasks: VecDeque<FollowedTask>,
    hasher: RandomState,
}

struct FollowedTask {
    id: String,
    manager: Arc<RunManager>,
    /// The hash of what the client knows: of the task without the members that follow the time of its last change.
    /// `None` at first. Only a hash, because tasks can be large.
    known: Option<u64>,
    has_ended: bool,
}

/// A task that has changed.
struct ChangedTask {
    /// The members of the task.
    members: Vec<u8>,
    /// Counts the notice against the limits of unread notices, until the client has read the notice.
    room: Option<NoticeRoom>,
}

/// A task as it is now.
struct SeenTask {
    status: RunStatus,
    /// The hash and the length of the task without the members that follow the time of its last change.
    hash: u64,
    bytes: usize,
    /// All members of the task.
    members: Vec<u8>,
}

/// Finds the tasks with these ids that belong to the caller. Returns their ids, and the future that sends a notice
/// whenever one of them has changed.
pub(super) async fn follow(
    call: Call,
    ids: Vec<String>,
    subscriber: Arc<Subscriber>,
) -> (Vec<String>, Pin<Box<dyn Future<Output = Infallible> + Send>>) {
    let (mut tasks, mut named) = (VecDeque::new(), HashSet::new());
    if call.0.client().supports(Capability::Tasks) {
        for id in ids {
            if !named.insert(id.clone()) {
                continue;
            }
            // An unknown task is left out of the acknowledgement.
            let Ok(found) = find(&call, &id).await else { continue };
            tasks.push_back(FollowedTask { id, manager: found.manager, known: None, has_ended: false });
        }
    }
    let ids = tasks.iter().map(|task| task.id.clone()).collect();
    let following = Following { call, tasks, hasher: RandomState::new() };
    (ids, Box::pin(following.tell(subscriber)))
}

impl Following {
    /// Tells the subscriber about each change.
    async fn tell(mut self, subscriber: Arc<Subscriber>) -> Infallible {
        loop {
            // Until the client has read the earlier notices, no task is read.
            subscriber.wait_until_read().await;
            let ChangedTask { members, room } = self.changed().await;
            subscriber.send_task(&members).await;
            subscriber.wait_until_read().await;
            drop(room);
            // Changes that follow each other closely become one notice.
            sleep(GATHERED).await;
        }
    }

    /// Returns the next task that has changed. Never returns if all have ended.
    async fn changed(&mut self) -> ChangedTask {
        loop {
            // Begins to watch before the tasks are read, so that no change is missed.
            let mut changes: Vec<_> = self.tasks.iter().map(|task| task.manager.changed(&task.id)).collect();
            if let Some(changed) = self.read().await {
                return changed;
            }
            poll_fn(|cx| match changes.iter_mut().any(|change| change.as_mut().poll(cx).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            })
            .await;
        }
    }

    /// Returns a task that has changed. Tasks that have ended are not followed any more.
    async fn read(&mut self) -> Option<ChangedTask> {
        // Each task moves to the end of the queue, so that a task that changes often does not hide the others.
        for _ in 0..self.tasks.len() {
            let mut task = self.tasks.pop_front()?;
            let changed = self.read_one(&mut task).await;
            if !task.has_ended {
                self.tasks.push_back(task);
            }
            if changed.is_some() {
                return changed;
            }
        }
        None
    }

    /// Returns the task if it has changed. A task that cannot be read is still followed, because the store can fail for
    /// a while.
    async fn read_one(&self, task: &mut FollowedTask) -> Option<ChangedTask> {
        let SeenTask { status, hash, bytes, .. } = self.look(&task.id).await?;
        // The client knows that a task works, before the first change.
        let is_news = task.known != Some(hash) && (task.known.is_some() || status != RunStatus::Working);
        if !is_news {
            (task.known, task.has_ended) = (Some(hash), !status.is_open());
            return None;
        }
        let room = match TaskRuns::of(&self.call) {
            Some(runs) => Some(runs.unread.room(self.call.0.owner().as_deref(), bytes).await),
            None => None,
        };
        // The task is read again, so that it is not in memory while the notice waits.
        let SeenTask { status, hash, members, .. } = self.look(&task.id).await?;
        (task.known, task.has_ended) = (Some(hash), !status.is_open());
        Some(ChangedTask { members, room })
    }

    /// Returns the task as it is now.
    async fn look(&self, id: &str) -> Option<SeenTask> {
        let task = find(&self.call, id).await.ok()?.task;
        let mut members = Vec::new();
        task.push_times(&mut members);
        let times = members.len();
        task.push_state(&mut members, self.call.0.server.info());
        let state = &members[times..];
        let (hash, bytes) = (self.hasher.hash_one(state), state.len());
        Some(SeenTask { status: task.run.status, hash, bytes, members })
    }
}
