//! Settings that tools bring with them, such as the credentials of an API.

use std::sync::Arc;

use super::{definition::SettingDefinition, source::SettingSources};
use crate::engine::{
    call::{Call, running::CallFuture},
    tool::{Arguments, ArgumentsError, Tool, ToolDefinition, nested},
};

/// The settings that a tool needs, or several tools share. The server of the tools declares them as its own, so commands,
/// installers and packages know them, and passes the sources on when it is built.
pub(crate) trait ToolSettings: Send + Sync {
    fn definitions(&self) -> &[SettingDefinition];

    /// Reads the values. `None` stands for the sources of a command that needs no values. Adds what is wrong to
    /// `problems`.
    fn read(&self, sources: Option<&SettingSources>, problems: &mut Vec<String>);

    /// Returns what is wrong, if no server has read the values: the tool is added to a server that runs.
    fn unread_problems(&self) -> Vec<String>;
}

/// A tool with its settings. It is otherwise the tool.
pub(crate) struct WithSettings {
    tool: Box<dyn Tool>,
    settings: Arc<dyn ToolSettings>,
}

#[cfg(feature = "openapi")]
impl WithSettings {
    pub(crate) fn new(tool: Box<dyn Tool>, settings: Arc<dyn ToolSettings>) -> Self {
        Self { tool, settings }
    }
}

#[diagnostic::do_not_recommend]
impl Tool for WithSettings {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.tool.definition();
        definition.problems.extend(self.settings.unread_problems());
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.tool.call(call, arguments)
    }

    fn wrapped(&self) -> Option<&dyn Tool> {
        Some(&*self.tool)
    }
}

/// Returns the settings of these tools. Settings that several tools share are there once.
pub(crate) fn of_tools(tools: &[Box<dyn Tool>]) -> Vec<Arc<dyn ToolSettings>> {
    let mut found: Vec<Arc<dyn ToolSettings>> = Vec::new();
    for tool in tools {
        for WithSettings { settings, .. } in nested(&**tool).filter_map(|tool| tool.downcast_ref()) {
            if !found.iter().any(|known| Arc::ptr_eq(known, settings)) {
                found.push(Arc::clone(settings));
            }
        }
    }
    found
}
