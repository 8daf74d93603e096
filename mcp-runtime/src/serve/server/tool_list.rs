//! The list of a running service's tools.

use std::fmt;

use super::{
    BuildError, Server, Service,
    list_change::{ItemChange, ItemChecks, ServiceRef},
    subscriptions::{Changing, topic::Topic},
};
use crate::engine::{
    call::operation::Operation,
    tool::{IntoTool, IntoTools},
};

/// The list of a service's tools, which can change while the service runs. Get it with [`Service::tools`]. A clone is
/// cheap and changes the same list.
///
/// Clients are told about changes: in a session with `notifications/tools/list_changed`, and since 2026-07-28 with
/// `subscriptions/listen`. Changes within 10 milliseconds become one notification.
///
/// A call keeps the tool that it began with, also while the call waits in memory for answers. If a call is resumed in
/// another process or was dropped from memory, it continues with the tool that has the same name at that time. If there
/// is no such tool, or if that tool cannot read the call's recorded values, the client gets an error.
///
/// ```
/// use mcp_runtime::{DynamicTool, Server, ToolList, prelude::*};
/// use serde_json::{Value, json};
///
/// /// Adds a tool that repeats a text.
/// #[mcp_tool]
/// async fn add_echo(tools: &ToolList, name: String) -> mcp_runtime::Result<String> {
///     let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
///     let echo = async |_: Ctx, arguments: Value| arguments["text"].as_str().unwrap_or_default().to_owned();
///     tools.add(DynamicTool::from_schema(name.clone(), "Repeats a text.", schema, echo))?;
///     Ok(format!("added {name}"))
/// }
///
/// let service = Server::new("echoes", "1.0.0").dynamic_tools().tools(tools![add_echo]).build().unwrap();
/// assert_eq!(service.tools().names(), ["add_echo"]);
/// assert!(service.tools().remove("add_echo"));
/// assert!(!service.tools().remove("add_echo"));
/// ```
#[derive(Clone)]
pub struct ToolList(ServiceRef);

/// Several changes of a [`ToolList`], which become visible at once.
#[derive(Default)]
pub struct ToolChanges(Vec<ItemChange>);

impl Server {
    /// Lets the tools change while the server runs. A tool can then take the list by reference, as `tools: &ToolList`.
    /// Other code gets the list with [`Service::tools`]. The server tells its clients that the list can change.
    ///
    /// Without this setting, the first call of [`Service::tools`] has the same effect, but only for clients that
    /// connect after this call.
    pub fn dynamic_tools(mut self) -> Self {
        let service = self.allow_changes(Changing::Tools);
        self.replace_state(ToolList(service));
        self
    }
}

impl Service {
    /// Returns the list of the tools. Use the list to add, replace or remove tools. Clients that connected before the
    /// first call of this method are not told about changes, unless the server was built with
    /// [`Server::dynamic_tools`].
    pub fn tools(&self) -> ToolList {
        ToolList(self.allow_changes(Changing::Tools))
    }
}

impl ToolList {
    /// Adds a tool at the end of the list.
    ///
    /// # Errors
    /// Returns an error if another tool has the same name, or if [`Server::build`] would reject the tool. The error
    /// names the tool.
    pub fn add<Kind>(&self, tool: impl IntoTool<Kind>) -> Result<(), BuildError> {
        self.apply(vec![ItemChange::Add(Box::new(tool.into_tool()))]).map(drop)
    }

    /// Adds a list of tools, such as `tools![search, read]`, at once.
    ///
    /// # Errors
    /// If any tool has a problem, returns the problems of all tools, and the list stays as it was. See
    /// [`add`](Self::add).
    pub fn add_all(&self, tools: impl IntoTools) -> Result<(), BuildError> {
        self.apply(tools.into_tools().map(ItemChange::Add).collect()).map(drop)
    }

    /// Replaces the tool that has the same name as `tool`. If there is none, adds `tool` at the end of the list. Returns
    /// whether a tool was replaced.
    ///
    /// # Errors
    /// Returns an error if [`Server::build`] would reject the tool. The error names the tool, and the list stays as it
    /// was.
    pub fn replace<Kind>(&self, tool: impl IntoTool<Kind>) -> Result<bool, BuildError> {
        self.apply(vec![ItemChange::Replace(Box::new(tool.into_tool()))])
    }

    /// Replaces several tools at once. Each tool of a list, such as `tools![search, read]`, replaces the tool with the
    /// same name.
    ///
    /// # Errors
    /// If any tool has a problem, returns the problems of all tools, and the list stays as it was. See
    /// [`replace`](Self::replace).
    pub fn replace_all(&self, tools: impl IntoTools) -> Result<(), BuildError> {
        self.edit(|changes| changes.replace_all(tools))
    }

    /// Removes the tool with this name. Returns whether there was one. Running calls of the tool continue.
    pub fn remove(&self, name: &str) -> bool {
        self.apply(vec![ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Makes several changes at once: every client sees either none or all of them. The changes are made in order,
    /// after the closure `changes` returns.
    ///
    /// # Errors
    /// If any change has a problem, returns the problems of all changes, and the list stays as it was.
    ///
    /// ```
    /// use mcp_runtime::{Server, ToolChanges, prelude::*};
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// let service = Server::new("calculator", "1.0.0").dynamic_tools().build().unwrap();
    /// let twice = |tools: &mut ToolChanges| {
    ///     tools.add_all(tools![add]);
    ///     tools.add_all(tools![add]);
    /// };
    /// let error = service.tools().edit(twice).unwrap_err();
    /// assert!(error.to_string().contains("tool `add`: the service already has a tool of this name"));
    /// assert!(service.tools().names().is_empty());
    /// ```
    pub fn edit(&self, changes: impl FnOnce(&mut ToolChanges)) -> Result<(), BuildError> {
        let mut made = ToolChanges::default();
        changes(&mut made);
        self.apply(made.0).map(drop)
    }

    /// Returns the names of the tools, in the order of the list.
    pub fn names(&self) -> Vec<String> {
        self.0.names(Operation::CallTool)
    }

    /// Tells the clients that the list has changed. The methods that change the list already do this themselves.
    pub fn notify(&self) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Tools);
        }
    }

    fn apply(&self, changes: Vec<ItemChange>) -> Result<bool, BuildError> {
        self.0.apply(Operation::CallTool, changes, &ItemChecks::NONE)
    }
}

impl ToolChanges {
    /// See [`ToolList::add`].
    pub fn add<Kind>(&mut self, tool: impl IntoTool<Kind>) {
        self.0.push(ItemChange::Add(Box::new(tool.into_tool())));
    }

    /// See [`ToolList::add_all`].
    pub fn add_all(&mut self, tools: impl IntoTools) {
        self.0.extend(tools.into_tools().map(ItemChange::Add));
    }

    /// See [`ToolList::replace`].
    pub fn replace<Kind>(&mut self, tool: impl IntoTool<Kind>) {
        self.0.push(ItemChange::Replace(Box::new(tool.into_tool())));
    }

    /// See [`ToolList::replace_all`].
    pub fn replace_all(&mut self, tools: impl IntoTools) {
        self.0.extend(tools.into_tools().map(ItemChange::Replace));
    }

    /// See [`ToolList::remove`].
    pub fn remove(&mut self, name: impl Into<String>) {
        self.0.push(ItemChange::Remove(name.into()));
    }
}

impl fmt::Debug for ToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolList").field(&self.names()).finish()
    }
}

impl fmt::Debug for ToolChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolChanges").field("count", &self.0.len()).finish()
    }
}
