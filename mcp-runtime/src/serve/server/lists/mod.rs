//! The lists of a running service: its tools, prompts and resources.

pub(crate) mod change;

use std::{fmt, marker::PhantomData};

use self::change::{ItemChange, ItemChecks};
use super::{
    builder::Server,
    core::{
        build_error::BuildError,
        service::{Extensions, Service, ServiceRef},
    },
    subscriptions::{Subscriptions, topic::Topic},
};
use crate::engine::{
    call::operation::Operation,
    tool::{IntoTool, Tool},
};

/// A list of a service, which can change while the service runs: [`ToolList`], [`PromptList`](crate::prompt::PromptList) and
/// [`ResourceList`](crate::resource::ResourceList) are such lists. Get it with [`Service::tools`], [`Service::prompts`] or
/// [`Service::resources`]. A clone is cheap and changes the same list.
///
/// Clients are told about changes: in a session with a notification such as `notifications/tools/list_changed`, and
/// since 2026-07-28 with `subscriptions/listen`. Changes within 10 milliseconds become one notification.
///
/// A call keeps the item that it began with, also while the call waits in memory for answers. If a call is resumed in
/// another process or was dropped from memory, it continues with the item that has the same name at that time. If there
/// is no such item, or if that item cannot read the call's recorded values, the client gets an error.
///
/// ```
/// use mcp_runtime::{Server, prelude::*, tool::{DynamicTool, ToolList}};
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
pub struct ServiceList<T: ServiceItem + ?Sized>(ServiceRef, PhantomData<fn(Box<T>)>);

/// Several changes of a list, which become visible at once; see [`ServiceList::edit`].
pub struct ListChanges<T: ServiceItem + ?Sized>(Vec<ItemChange<Box<T>>>);

/// The list of a service's tools; see [`Service::tools`].
pub type ToolList = ServiceList<dyn Tool>;

/// Several changes of a [`ToolList`], which become visible at once.
pub type ToolChanges = ListChanges<dyn Tool>;

/// An item that a service lists: `dyn Tool`, `dyn Prompt` or `dyn Resource`. Only this crate implements it.
pub trait ServiceItem: 'static {
    const KIND: ListKind<Self>;
}

/// What differs between the lists of tools, prompts and resources.
pub struct ListKind<T: ?Sized> {
    /// The kind of request that calls an item.
    pub(crate) operation: Operation,
    pub(crate) checks: ItemChecks,
    /// Adds the methods of these items to a server, which can have no items yet.
    pub(crate) begin: fn(&Extensions),
    /// Converts an item to one that runs like a tool, and adds what it needs to its server.
    pub(crate) register: fn(Box<T>, &Extensions, &ServiceRef) -> Box<dyn Tool>,
}

/// A value that can be added to a list of `T`: an item, or a value that becomes one. The compiler infers `Kind`.
pub trait IntoItem<T: ?Sized, Kind> {
    /// Returns the item.
    fn into_item(self) -> Box<T>;
}

#[diagnostic::do_not_recommend]
impl<T: IntoTool<Kind>, Kind> IntoItem<dyn Tool, Kind> for T {
    fn into_item(self) -> Box<dyn Tool> {
        Box::new(self.into_tool())
    }
}

impl ServiceItem for dyn Tool {
    const KIND: ListKind<Self> = ListKind {
        operation: Operation::CallTool,
        checks: ItemChecks::NONE,
        begin: |_| {},
        register: |tool, _, _| tool,
    };
}

impl Server {
    /// Lets the tools change while the server runs. A tool can then take the list by reference, as `tools: &ToolList`.
    /// Other code gets the list with [`Service::tools`]. The server tells its clients that the list can change.
    ///
    /// Without this setting, the first call of [`Service::tools`] has the same effect, but only for clients that
    /// connect after this call.
    pub fn dynamic_tools(self) -> Self {
        self.dynamic::<dyn Tool>()
    }

    /// Lets a list change while the server runs, and adds the list to the state of the server.
    pub(crate) fn dynamic<T: ServiceItem + ?Sized>(mut self) -> Self {
        (T::KIND.begin)(&self.0.extensions);
        let list = ServiceList::<T>::new(&self.0.extensions, &self.0.built);
        self.replace_state(list);
        self
    }

    /// Adds items to a list of the server.
    pub(crate) fn add_items<T: ServiceItem + ?Sized>(mut self, items: impl IntoIterator<Item = Box<T>>) -> Self {
        for item in items {
            let item = (T::KIND.register)(item, &self.0.extensions, &self.0.built);
            self.0.items.push(item);
        }
        self
    }
}

impl Service {
    /// Returns the list of the tools. Use the list to add, replace or remove tools. Clients that connected before the
    /// first call of this method are not told about changes, unless the server was built with
    /// [`Server::dynamic_tools`].
    pub fn tools(&self) -> ToolList {
        self.list()
    }

    pub(crate) fn list<T: ServiceItem + ?Sized>(&self) -> ServiceList<T> {
        let service = ServiceRef::default();
        service.set(&self.0);
        (T::KIND.begin)(&self.0.extensions);
        ServiceList::new(&self.0.extensions, &service)
    }
}

impl<T: ServiceItem + ?Sized> ServiceList<T> {
    /// Returns the list of a server, and allows it to change.
    pub(crate) fn new(extensions: &Extensions, service: &ServiceRef) -> Self {
        extensions.get_or_add(Subscriptions::default).allow(T::KIND.operation);
        Self(service.clone(), PhantomData)
    }

    /// Adds an item at the end of the list.
    ///
    /// # Errors
    /// Returns an error if another item has the same name or the same URI, or if [`Server::build`] would reject the
    /// item. The error names the item.
    pub fn add<Kind>(&self, item: impl IntoItem<T, Kind>) -> Result<(), BuildError> {
        self.apply([ItemChange::Add(item.into_item())]).map(drop)
    }

    /// Adds several items, such as `tools![search, read]`, at once.
    ///
    /// # Errors
    /// If any item has a problem, returns the problems of all items, and the list stays as it was. See
    /// [`add`](Self::add).
    pub fn add_all(&self, items: impl IntoIterator<Item = Box<T>>) -> Result<(), BuildError> {
        self.apply(items.into_iter().map(ItemChange::Add)).map(drop)
    }

    /// Replaces the item that has the same name as `item`. If there is none, adds `item` at the end of the list. Returns
    /// whether an item was replaced.
    ///
    /// # Errors
    /// Returns an error if an item with another name has the same URI, or if [`Server::build`] would reject the item.
    /// The error names the item, and the list stays as it was.
    pub fn replace<Kind>(&self, item: impl IntoItem<T, Kind>) -> Result<bool, BuildError> {
        self.apply([ItemChange::Replace(item.into_item())])
    }

    /// Replaces several items at once. Each new item, for example of `tools![search, read]`, replaces the item with the
    /// same name.
    ///
    /// # Errors
    /// If any item has a problem, returns the problems of all items, and the list stays as it was. See
    /// [`replace`](Self::replace).
    pub fn replace_all(&self, items: impl IntoIterator<Item = Box<T>>) -> Result<(), BuildError> {
        self.apply(items.into_iter().map(ItemChange::Replace)).map(drop)
    }

    /// Removes the item with this name. Returns whether there was one. Running calls of the item continue.
    pub fn remove(&self, name: &str) -> bool {
        self.apply([ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Makes several changes at once: every client sees either none or all of them. The changes are made in order,
    /// after the closure `changes` returns.
    ///
    /// # Errors
    /// If any change has a problem, returns the problems of all changes, and the list stays as it was.
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*, tool::ToolChanges};
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
    pub fn edit(&self, changes: impl FnOnce(&mut ListChanges<T>)) -> Result<(), BuildError> {
        let mut made = ListChanges::default();
        changes(&mut made);
        self.apply(made.0).map(drop)
    }

    /// Returns the names of the items, in the order of the list.
    pub fn names(&self) -> Vec<String> {
        let Some(service) = self.0.get() else { return Vec::new() };
        service.registry.read().others(T::KIND.operation).map(|item| item.definition.name().to_owned()).collect()
    }

    /// Tells the clients that the list has changed. The methods that change the list already do this themselves.
    pub fn notify(&self) {
        self.tell(&Topic::List(T::KIND.operation));
    }

    /// Tells the subscribers of this topic that it has changed.
    pub(crate) fn tell(&self, topic: &Topic) {
        if let Some(service) = self.0.get() {
            service.extensions.get_or_add(Subscriptions::default).change(topic);
        }
    }

    fn apply(&self, changes: impl IntoIterator<Item = ItemChange<Box<T>>>) -> Result<bool, BuildError> {
        let gone = || vec!["the service of this list no longer exists".to_owned()];
        let service = self.0.get().ok_or_else(|| BuildError::of_change(T::KIND.operation, gone()))?;
        let register = |item: Box<T>| Some((T::KIND.register)(item, &service.extensions, &self.0));
        let changes = changes.into_iter().filter_map(|change| change.convert(register)).collect();
        service.change_list(T::KIND.operation, changes, &T::KIND.checks)
    }
}

impl<T: ServiceItem + ?Sized> ListChanges<T> {
    /// See [`ServiceList::add`].
    pub fn add<Kind>(&mut self, item: impl IntoItem<T, Kind>) {
        self.0.push(ItemChange::Add(item.into_item()));
    }

    /// See [`ServiceList::add_all`].
    pub fn add_all(&mut self, items: impl IntoIterator<Item = Box<T>>) {
        self.0.extend(items.into_iter().map(ItemChange::Add));
    }

    /// See [`ServiceList::replace`].
    pub fn replace<Kind>(&mut self, item: impl IntoItem<T, Kind>) {
        self.0.push(ItemChange::Replace(item.into_item()));
    }

    /// See [`ServiceList::replace_all`].
    pub fn replace_all(&mut self, items: impl IntoIterator<Item = Box<T>>) {
        self.0.extend(items.into_iter().map(ItemChange::Replace));
    }

    /// See [`ServiceList::remove`].
    pub fn remove(&mut self, name: impl Into<String>) {
        self.0.push(ItemChange::Remove(name.into()));
    }
}

impl<T: ServiceItem + ?Sized> Clone for ServiceList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<T: ServiceItem + ?Sized> Default for ListChanges<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: ServiceItem + ?Sized> fmt::Debug for ServiceList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServiceList").field(&self.names()).finish()
    }
}

impl<T: ServiceItem + ?Sized> fmt::Debug for ListChanges<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListChanges").field("count", &self.0.len()).finish()
    }
}
