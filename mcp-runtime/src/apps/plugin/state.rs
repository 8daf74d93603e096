//! The state that all calls of a host share.

use std::{collections::HashMap, sync::Arc, time::Duration};

#[cfg(feature = "http")]
use super::followers::Followers;
use super::{
    PluginError, PluginLimits,
    driver::Driver,
    exchange,
    handler::SharedHandler,
    live::LiveCall,
    record::{CallRecord, CallStep},
    store::CallStore,
    table::CallsOfHost,
    timeline::LogBudget,
};
use crate::{
    Service,
    engine::{call::hold::LedgerError, tool::registered::RegisteredTool},
    serve::client::ServiceClient,
    wire::{protocol::text::shortened, schema},
};

/// The state that all calls of a host share.
pub(super) struct HostState {
    pub(super) service: Service,
    pub(super) client: ServiceClient,
    pub(super) handlers: HashMap<Box<str>, SharedHandler>,
    pub(super) store: CallStore,
    pub(super) table: CallsOfHost,
    pub(super) limits: PluginLimits,
    pub(super) logs: Arc<LogBudget>,
    #[cfg(feature = "http")]
    pub(super) followers: Followers,
}

/// How long stored calls are kept. No question stays open longer than this. The default for questions is shorter.
pub(super) const STORED: Duration = Duration::from_secs(24 * 60 * 60);

impl HostState {
    pub(super) fn new(
        service: Service,
        handlers: HashMap<Box<str>, SharedHandler>,
        store: CallStore,
        limits: PluginLimits,
        keep_ended: Duration,
    ) -> Self {
        Self {
            client: exchange::client(&service),
            service,
            handlers,
            store,
            table: CallsOfHost::new(limits.open, limits.ended, keep_ended),
            limits,
            logs: LogBudget::new(limits.open.all.bytes / 2),
            #[cfg(feature = "http")]
            followers: Followers::new(limits),
        }
    }

    pub(super) fn find(&self, tool: &str) -> Option<Arc<RegisteredTool>> {
        self.service.0.registry.find(tool)
    }

    /// Returns how long a question of this tool waits for its answer.
    pub(super) fn answer_within(&self, tool: &str) -> Duration {
        self.find(tool).map_or(STORED, |tool| tool.definition.states_kept()).min(STORED)
    }

    pub(super) fn unknown_tool(&self, name: &str) -> PluginError {
        let registry = self.service.0.registry.read();
        let known = registry.iter().map(|tool| &*tool.definition.name);
        PluginError::UnknownTool {
            name: shortened(name).into_owned(),
            nearest: schema::nearest::nearest(name, known).map(Into::into),
        }
    }

    pub(super) async fn store_first(&self, call: &LiveCall) -> Result<(), LedgerError> {
        if !self.store.is_durable() {
            return Ok(());
        }
        self.store.open(&call.id).await?;
        self.store.store(&CallRecord::of(call, CallStep::Begin, 0)).await
    }

    pub(super) fn drive(self: &Arc<Self>, call: &Arc<LiveCall>, step: CallStep, asked: u32) {
        let driver = Driver { host: Arc::clone(self), call: Arc::clone(call), step, asked };
        tokio::spawn(driver.run());
    }

    pub(super) fn restored(&self, record: CallRecord) -> (Arc<LiveCall>, CallStep, u32) {
        let title = self.find(&record.tool).and_then(|tool| tool.definition.title.as_deref().map(Box::from));
        let (call, step, asked) = record.into_call(title, self.limits.call_bytes, Arc::clone(&self.logs));
        (Arc::new(call), step, asked)
    }

    /// Resumes the calls that were open when the previous process ended.
    pub(super) async fn resume_stored(self: &Arc<Self>) -> Result<(), LedgerError> {
        for id in self.store.open_calls().await? {
            let record = self.store.load(&id).await?.filter(|record| !matches!(record.step, CallStep::Over));
            let Some(record) = record else {
                self.store.close(&id).await?;
                continue;
            };
            let (call, step, asked) = self.restored(record);
            // Stored calls are added even if this exceeds the limits.
            if self.table.begin(&call, true).is_ok() {
                self.drive(&call, step, asked);
            }
        }
        Ok(())
    }
}
