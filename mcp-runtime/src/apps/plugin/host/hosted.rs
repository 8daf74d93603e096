//! One tool of a host.

use std::sync::Arc;

use serde::Serialize;

use super::{PluginHost, handle::PluginCall};
use crate::{
    apps::plugin::calls::error::PluginError,
    engine::{call::Principal, tool::ToolDefinition},
};

/// One tool of a host.
#[derive(Clone, Debug)]
pub struct HostedPlugin {
    host: PluginHost,
    name: Arc<str>,
    title: Option<Arc<str>>,
}

impl PluginHost {
    /// Returns the tool with this name, or `None` if the host has no such tool.
    pub fn plugin(&self, name: &str) -> Option<HostedPlugin> {
        let tool = self.0.find(name)?;
        Some(HostedPlugin::new(self.clone(), &tool.definition))
    }
}

impl HostedPlugin {
    pub(crate) fn new(host: PluginHost, definition: &ToolDefinition) -> Self {
        let title = definition.title.as_deref().map(Arc::from);
        Self { host, name: (&*definition.name).into(), title }
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the display name of the tool, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the host of the tool.
    pub fn host(&self) -> &PluginHost {
        &self.host
    }

    /// Calls the tool for the application itself.
    ///
    /// # Errors
    /// See [`PluginHost::call`].
    pub async fn call(&self, arguments: impl Serialize) -> Result<PluginCall, PluginError> {
        self.host.call(&self.name, arguments).await
    }

    /// Calls the tool for a user of the application.
    ///
    /// # Errors
    /// See [`PluginHost::call_as`].
    pub async fn call_as(
        &self,
        owner: impl Into<Principal>,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        self.host.call_as(owner, &self.name, arguments).await
    }
}
