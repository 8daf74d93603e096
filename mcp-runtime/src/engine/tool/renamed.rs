//! Tools under other names.

use std::{borrow::Cow, marker::PhantomData};

use super::{Arguments, ArgumentsError, AsksWith, Tool, ToolDefinition};
use crate::engine::call::{Call, running::CallFuture};

/// A tool under another name, created by [`Tool::with_name`]. `T` is the type of the tool.
pub struct Renamed<T = Box<dyn Tool>> {
    name: Name,
    tool: Box<dyn Tool>,
    /// Tells which forms the tool asks with: see [`AsksWith`].
    of: PhantomData<fn() -> T>,
}

enum Name {
    Is(Cow<'static, str>),
    /// A prefix, which is put before the name of the tool.
    BeginsWith(Cow<'static, str>),
}

impl<T> Renamed<T> {
    pub(super) fn new(tool: Box<dyn Tool>, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: Name::Is(name.into()), tool, of: PhantomData }
    }

    pub(super) fn with_prefix(tool: Box<dyn Tool>, prefix: Cow<'static, str>) -> Self {
        Self { name: Name::BeginsWith(prefix), tool, of: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<T: 'static> Tool for Renamed<T> {
    fn definition(&self) -> ToolDefinition {
        let mut definition = self.tool.definition();
        definition.name = match &self.name {
            Name::Is(name) => name.clone(),
            Name::BeginsWith(prefix) => format!("{prefix}{}", definition.name).into(),
        };
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        self.tool.call(call, arguments)
    }

    fn wrapped(&self) -> Option<&dyn Tool> {
        Some(&*self.tool)
    }
}

#[diagnostic::do_not_recommend]
impl<T: AsksWith<S>, S> AsksWith<S> for Renamed<T> {}

/// Stands for the missing tool if the author renames a tool that does not exist. A server with such a tool cannot be
/// built.
pub(super) struct NotThere(pub(super) String);

#[diagnostic::do_not_recommend]
impl Tool for NotThere {
    fn definition(&self) -> ToolDefinition {
        let mut definition = ToolDefinition::new("", "");
        definition.problems.push(self.0.clone());
        definition
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        unreachable!("`Server::build` rejects this tool")
    }
}
