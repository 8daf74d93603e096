//! Tasks that a subscription follows.

use std::{
    collections::{HashSet, VecDeque},
    future::poll_fn,
    hash::{BuildHasher as _, RandomState},
    pin::Pin,
    sync::Arc,
    task::Poll,
};

use serde_json::Value;

use super::methods::find;
use crate::{
    call::{Call, runtime::Runtime},
    protocol::capability::Capability,
    runs::{RunStatus, manager::RunManager},
    server::notices::{FollowTasks, FollowedTasks, FoundTasks},
};

struct Following {
    call: Call,
    tasks: VecDeque<FollowedTask>,
    hasher: RandomState,
}

struct FollowedTask {
    id: String,
    manager: Arc<RunManager>,
    /// The hash of what the client knows: of the task without the time of its last change. `None` at first. Only a hash,
    /// because tasks can be large.
    known: Option<u64>,
}

impl FollowTasks for Runtime {
    fn find_tasks(call: Call, ids: Vec<String>) -> FoundTasks {
        Box::pin(async move {
            let (mut tasks, mut named) = (VecDeque::new(), HashSet::new());
            if call.0.client().supports(Capability::Tasks) {
                for id in ids {
                    if !named.insert(id.clone()) {
                        continue;
                    }
                    // An unknown task is left out of the acknowledgement.
                    let Ok(found) = find(&call, &id).await else { continue };
                    tasks.push_back(FollowedTask { id, manager: Arc::clone(&found.manager), known: None });
                }
            }
            Box::new(Following { call, tasks, hasher: RandomState::new() }) as Box<dyn FollowedTasks>
        })
    }
}

impl FollowedTasks for Following {
    fn ids(&self) -> Vec<String> {
        self.tasks.iter().map(|task| task.id.clone()).collect()
    }

    fn changed(&mut self) -> Pin<Box<dyn Future<Output = Value> + Send + '_>> {
        Box::pin(async move {
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
        })
    }
}

impl Following {
    /// Returns a task that has changed. Tasks that have ended are not followed any more.
    async fn read(&mut self) -> Option<Value> {
        // Each task moves to the end of the queue, so that a task that changes often does not hide the others.
        for _ in 0..self.tasks.len() {
            let mut task = self.tasks.pop_front()?;
            // A task that cannot be read is still followed, because the store can fail for a while.
            let Ok(found) = find(&self.call, &task.id).await else {
                self.tasks.push_back(task);
                continue;
            };
            let (is_open, status) = (found.record.status.is_open(), found.record.status);
            let mut shown = found.shown(&self.call);
            let updated = shown.remove("lastUpdatedAt");
            let known = self.hasher.hash_one(serde_json::to_string(&shown).unwrap_or_default());
            // The client knows that a task works, before the first change.
            let is_news = task.known != Some(known) && (task.known.is_some() || status != RunStatus::Working);
            task.known = Some(known);
            if is_open {
                self.tasks.push_back(task);
            }
            if is_news {
                shown.extend(updated.map(|updated| ("lastUpdatedAt".to_owned(), updated)));
                return Some(shown.into());
            }
        }
        None
    }
}
