//! The runs of a tool with actions. These runs are also tasks.

use std::{fmt, sync::Arc};

use super::{RunRecord, details::RunDetails, manager::RunManager};
use crate::wire::protocol::result::CallToolResult;

/// The background runs of a tool with actions, shown to clients as tasks. Also holds the function that converts an
/// ended run to the result of its task.
#[derive(Clone)]
pub(crate) struct RunsAsTasks {
    pub(crate) manager: Arc<RunManager>,
    pub(crate) result: TaskResultFn,
}

/// The function that returns the result of a run that has ended.
pub(crate) type TaskResultFn = Arc<dyn Fn(&RunRecord, RunDetails) -> CallToolResult + Send + Sync>;

impl fmt::Debug for RunsAsTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunsAsTasks").field(&self.manager).finish()
    }
}
