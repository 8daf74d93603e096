//! The child's side: in development mode, a process tells its parent what runs in it.
//!
//! Each report is a line of standard error: a prefix, and a [`Reported`] as JSON. Standard output belongs to the
//! protocol, and so do all other channels that a process has on every system.

mod line;
mod metrics;
mod parent;
mod spans;

use tracing::level_filters::LevelFilter;

pub(crate) use self::{line::ReportLine, parent::parent_ends};
use self::{line::write, metrics::MetricReports};
use super::target::Reported;
use crate::{base::development, edge::telemetry::RUN_LISTENER};

/// In development mode, tells the parent that this process reports, and begins to report runs and metrics. Metrics are
/// not reported if the program has a recorder of its own.
pub(crate) fn begin() {
    if !development::is_on() {
        return;
    }
    write(&Reported::Started { version: env!("CARGO_PKG_VERSION").to_owned() });
    // Already set if the program runs two servers.
    let _ = RUN_LISTENER.set(|request, name| write(&Reported::Ran { request: request.map(str::to_owned), name }));
    let _ = ::metrics::set_global_recorder(MetricReports);
}

/// Begins to report spans, and to write log messages from this level up to standard error. Returns whether this process
/// has no other subscriber.
pub(crate) fn begin_spans(log_level: Option<LevelFilter>) -> bool {
    tracing::subscriber::set_global_default(spans::subscriber(log_level)).is_ok()
}
