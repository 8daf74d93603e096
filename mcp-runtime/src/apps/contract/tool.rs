//! The tools of a contract.

use std::sync::Arc;

use super::{Contract, resource::Method};
use crate::{
    engine::{
        call::{Call, running::Calling},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::server::Server,
};

/// A tool that calls a method of a resource.
pub(super) struct MethodTool {
    pub(super) resource: Arc<str>,
    pub(super) method: Arc<Method>,
}

/// Returns the name of the tool that calls a method: `todos_create` for the method `create` of the resource `todos`.
pub(super) fn tool_name(resource: &str, method: &str) -> String {
    format!("{resource}_{method}")
}

impl Tool for MethodTool {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.method.definition.clone();
        definition.name = tool_name(&self.resource, self.method.name()).into();
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        self.method.run(call, arguments)
    }
}

impl Server {
    /// Adds a tool for each method of the contract. The tool `todos_create` calls the method `create` of the resource
    /// `todos`.
    ///
    /// See the module [`contract`](mod@crate::contract).
    pub fn contract(self, contract: &Contract) -> Self {
        self.tools(contract.tools())
    }
}
