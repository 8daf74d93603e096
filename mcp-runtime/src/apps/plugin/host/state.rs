//! The state that all calls of a host share.

use std::{collections::HashMap, sync::Arc};

use super::handler::SharedHandler;
use crate::{
    Service,
    apps::plugin::{
        calls::{
            followers::Followers,
            limits::PluginLimits,
            live::LiveCall,
            record::{CallRecord, CallStep},
            store::CallStore,
            table::CallsOfHost,
        },
        timeline::LogBudget,
    },
    engine::{call::lease::LedgerError, tool::registered::RegisteredTool},
    serve::client::ServiceClient,
    wire::schema::nearest::nearest,
};

/// The state that all calls of a host share.
pub(crate) struct HostState {
    pub(crate) service: Service,
    pub(crate) client: Arc<ServiceClient>,
    pub(crate) handlers: HashMap<Box<str>, SharedHandler>,
    pub(crate) store: CallStore,
    pub(crate) table: Arc<CallsOfHost>,
    pub(crate) limits: PluginLimits,
    pub(crate) logs: Arc<LogBudget>,
    pub(crate) followers: Arc<Followers>,
}

impl HostState {
    pub(crate) fn find(&self, tool: &str) -> Option<Arc<RegisteredTool>> {
        self.service.0.registry.find(tool)
    }

    /// Returns the tool whose name is most similar to this unknown name.
    pub(crate) fn nearest_tool(&self, name: &str) -> Option<String> {
        let registry = self.service.0.registry.read();
        nearest(name, registry.iter().map(|tool| &*tool.definition.name)).map(str::to_owned)
    }

    pub(crate) async fn store_first(&self, call: &LiveCall) -> Result<(), LedgerError> {
        if !self.store.is_durable() {
            return Ok(());
        }
        self.store.open(&call.id).await?;
        self.store.store(&CallRecord::of(call, CallStep::Begin, 0)).await
    }

    pub(crate) fn restored(&self, record: CallRecord) -> (Arc<LiveCall>, CallStep, u32) {
        let tool = self.find(&record.tool);
        let (call, step, asked) = record.into_call(tool, self.limits.call_bytes, Arc::clone(&self.logs));
        (Arc::new(call), step, asked)
    }
}
