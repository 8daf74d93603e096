//! Tasks that a subscription follows.

use std::{future::poll_fn, pin::Pin, sync::Arc, task::Poll};

use serde_json::{Map, Value};

use super::methods::find;
use crate::{
    call::{Call, runtime::Runtime},
    protocol::capability::Capability,
    runs::{RunStatus, manager::RunManager},
    server::notices::{FollowTasks, FollowedTasks, FoundTasks},
};

struct Following {
    call: Call,
    tasks: Vec<FollowedTask>,
}

struct FollowedTask {
    id: String,
    manager: Arc<RunManager>,
    /// What the client knows: the task without the time of its last change.
    known: Map<String, Value>,
}

impl FollowTasks for Runtime {
    fn find_tasks(call: Call, ids: Vec<String>) -> FoundTasks {
        Box::pin(async move {
            let mut tasks = Vec::new();
            if call.0.client().supports(Capability::Tasks) {
                for id in ids {
                    // An unknown task is left out of the acknowledgement.
                    let Ok(found) = find(&call, &id).await else { continue };
                    tasks.push(FollowedTask { id, manager: Arc::clone(&found.manager), known: Map::new() });
                }
            }
            Box::new(Following { call, tasks }) as Box<dyn FollowedTasks>
        })
    }
}

impl FollowedTasks for Following {
    fn ids(&self) -> Vec<String> {
        self.tasks.iter().map(|task| task.id.clone()).collect()
    }

    fn changed(&mut self) -> Pin<Box<dyn Future<Output = Vec<Value>> + Send + '_>> {
        Box::pin(async move {
            loop {
                // Begins to watch before the tasks are read, so that no change is missed.
                let mut changes: Vec<_> = self.tasks.iter().map(|task| task.manager.changed(&task.id)).collect();
                let changed = self.read().await;
                if !changed.is_empty() {
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
    /// Returns the tasks that have changed. Tasks that have ended are not followed any more.
    async fn read(&mut self) -> Vec<Value> {
        let (mut changed, mut kept) = (Vec::new(), Vec::new());
        for mut task in std::mem::take(&mut self.tasks) {
            // A task that cannot be read is still followed, because the store can fail for a while.
            let Ok(found) = find(&self.call, &task.id).await else {
                kept.push(task);
                continue;
            };
            let is_open = found.record.status.is_open();
            let shown = found.shown(&self.call);
            let mut known = shown.clone();
            known.remove("lastUpdatedAt");
            let is_news = task.known != known
                && !(task.known.is_empty()
                    && known.get("status").is_some_and(|now| now == RunStatus::Working.as_str()));
            if is_news {
                changed.push(shown.into());
            }
            task.known = known;
            if is_open {
                kept.push(task);
            }
        }
        self.tasks = kept;
        changed
    }
}
