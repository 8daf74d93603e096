//! Tools under other names.

use std::borrow::Cow;

use super::{Arguments, ArgumentsError, Tool, ToolDefinition};
use crate::call::{Call, running::Calling};

/// A tool under another name, created by [`Tool::with_name`].
pub struct Renamed {
    name: Name,
    tool: Box<dyn Tool>,
}

enum Name {
    Is(Cow<'static, str>),
    /// A prefix, which is put before the name of the tool.
    BeginsWith(Cow<'static, str>),
}

impl Renamed {
    pub(super) fn new(tool: Box<dyn Tool>, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: Name::Is(name.into()), tool }
    }

    pub(super) fn with_prefix(tool: Box<dyn Tool>, prefix: Cow<'static, str>) -> Self {
        Self { name: Name::BeginsWith(prefix), tool }
    }
}

#[diagnostic::do_not_recommend]
impl Tool for Renamed {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.tool.definition();
        definition.name = match &self.name {
            Name::Is(name) => name.clone(),
            Name::BeginsWith(prefix) => format!("{prefix}{}", definition.name).into(),
        };
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        self.tool.call(call, arguments)
    }

    fn wrapped(&self) -> Option<&dyn Tool> {
        Some(&*self.tool)
    }
}

/// Stands for the missing tool if the author renames a tool that does not exist. A server with such a tool cannot be
/// built.
pub(super) struct NotThere(pub(super) String);

#[diagnostic::do_not_recommend]
impl Tool for NotThere {
    fn definition(&self) -> ToolDefinition {
        let mut definition = ToolDefinition::new("", "");
        definition.problem = Some(self.0.clone());
        definition
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        unreachable!("`Server::build` rejects this tool")
    }
}
