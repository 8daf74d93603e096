//! The tools of a contract.

use std::sync::Arc;

use crate::{
    apps::contract::service::Method,
    engine::{
        call::{Call, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
};

/// A method of a contract, which is also a tool.
#[derive(Clone)]
pub(super) struct ContractMethod {
    pub(super) resource: Arc<str>,
    pub(super) method: Arc<Method>,
    /// What errors call the method in calls that do not come from an MCP client: ``method `todos.create` ``.
    pub(super) described: Arc<str>,
}

/// Returns the name of the tool that calls a method: `todos_create` for the method `create` of the resource `todos`.
pub(crate) fn tool_name(resource: &str, method: &str) -> String {
    format!("{resource}_{method}")
}

impl ContractMethod {
    pub(super) fn new(resource: &Arc<str>, method: &Arc<Method>) -> Self {
        let described = format!("method `{resource}.{}`", method.name()).into();
        Self { resource: Arc::clone(resource), method: Arc::clone(method), described }
    }

    pub(super) fn tool_name(&self) -> String {
        tool_name(&self.resource, self.method.name())
    }
}

#[diagnostic::do_not_recommend]
impl Tool for ContractMethod {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.method.definition.clone();
        definition.name = self.tool_name().into();
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.method.run(call, arguments)
    }
}
