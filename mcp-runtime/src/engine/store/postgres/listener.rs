//! Listens for the runs that other processes have written.

use std::{sync::Arc, time::Duration};

use tokio::{sync::mpsc, task::AbortHandle};

use super::connection::PostgresConnections;
use crate::{base::report::report_limited, engine::runs::RunChanges};

/// The pause before the listener connects again.
const PAUSE: Duration = Duration::from_secs(1);

/// A task with a connection of its own. It ends when this value is dropped.
pub(super) struct ChangeListener(AbortHandle);

impl ChangeListener {
    pub(super) fn start(connections: Arc<PostgresConnections>, changes: RunChanges) -> Self {
        Self(tokio::spawn(listen(connections, changes)).abort_handle())
    }
}

impl Drop for ChangeListener {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn listen(connections: Arc<PostgresConnections>, changes: RunChanges) {
    loop {
        let (notified, mut notifications) = mpsc::unbounded_channel();
        match connections.listening(notified, "LISTEN mcp_run").await {
            Ok(_client) => {
                // What was written before is not notified.
                changes.any_written();
                while let Some(notification) = notifications.recv().await {
                    if let Some((version, id)) = notification.payload().split_once(' ')
                        && let Ok(version) = version.parse()
                    {
                        changes.written(id, version);
                    }
                }
            }
            Err(error) => {
                report_limited!("changes of runs are noticed late, because this process cannot listen: {error}");
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}
