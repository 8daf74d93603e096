//! The server of a recording, which is not there any more.

use std::{future::ready, time::Duration};

use serde_json::Value;
use tokio::sync::{broadcast, watch};

use crate::edge::dev::target::{
    ClientSetup, DevStore, DevTarget, OpenedConnection, ProcessReport, ServerInstance, TargetAbilities, TargetFuture,
    TargetStatus,
};

/// Shows the status that was recorded, and does nothing.
pub(super) struct RecordedTarget {
    status: watch::Sender<TargetStatus>,
    reports: broadcast::Sender<ProcessReport>,
}

impl Default for RecordedTarget {
    fn default() -> Self {
        Self { status: watch::channel(TargetStatus::default()).0, reports: broadcast::channel(1).0 }
    }
}

impl RecordedTarget {
    /// Returns the target with the output of the recorded processes.
    pub(super) fn of(state: &Value) -> Self {
        let mut status = TargetStatus::default();
        let server = &state["server"];
        let output = server["output"].as_array().into_iter().flatten().filter_map(Value::as_str);
        status.server.output = output.map(str::to_owned).collect();
        status.server.clock = server["clock"].as_u64().unwrap_or_default();
        status.server.starts = server["starts"].as_u64().and_then(|starts| starts.try_into().ok()).unwrap_or_default();
        Self { status: watch::channel(status).0, ..Self::default() }
    }
}

impl DevTarget for RecordedTarget {
    fn connect<'a>(&'a self, _: &'a ClientSetup) -> TargetFuture<'a, OpenedConnection> {
        is_recorded()
    }

    fn abilities(&self) -> TargetAbilities {
        TargetAbilities { processes: false, stdio: false, http: false, principals: false }
    }

    fn status(&self) -> watch::Receiver<TargetStatus> {
        self.status.subscribe()
    }

    fn reports(&self) -> broadcast::Receiver<ProcessReport> {
        self.reports.subscribe()
    }

    fn kill(&self, _: ServerInstance) -> TargetFuture<'_, ()> {
        is_recorded()
    }

    fn restart(&self) -> TargetFuture<'_, ()> {
        is_recorded()
    }

    fn advance_clock(&self, _: Duration) -> TargetFuture<'_, ()> {
        is_recorded()
    }

    fn check(&self) -> TargetFuture<'_, Value> {
        is_recorded()
    }

    fn url(&self, _: ServerInstance) -> Option<String> {
        None
    }

    fn store(&self) -> Option<DevStore> {
        None
    }
}

fn is_recorded<T: Send + 'static>() -> TargetFuture<'static, T> {
    let advice = "start the program with the command `dev`";
    Box::pin(ready(Err(format!("this session is a recording, and its server is not there any more; {advice}"))))
}
