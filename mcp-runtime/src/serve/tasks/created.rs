//! The answer to a call that is a task.

use std::sync::Arc;

use serde_json::Value;

use super::shown::task;
use crate::{
    engine::runs::{RunStoreError, manager::RunManager},
    wire::protocol::{
        frame::push_json,
        result::{CallToolResult, OtherResult},
        revision::Revision,
    },
};

/// A `CreateTaskResult`.
#[derive(Debug)]
pub(crate) struct TaskCreated(Value);

impl TaskCreated {
    /// Returns the `CreateTaskResult` for the stored run with this id, wrapped in a `CallToolResult`.
    pub(crate) async fn of(manager: &Arc<RunManager>, id: &str) -> Result<CallToolResult, RunStoreError> {
        let found = manager.find(id).await?.ok_or_else(|| RunStoreError::new("the task was removed"))?;
        let mut created = task(&found.0, &found.1, manager.retention());
        created.insert("resultType".to_owned(), "task".into());
        Ok(CallToolResult::other(Self(Value::Object(created))))
    }
}

impl OtherResult for TaskCreated {
    fn push(&self, out: &mut Vec<u8>, _: Revision, _: &str) {
        push_json(out, &self.0);
    }
}
