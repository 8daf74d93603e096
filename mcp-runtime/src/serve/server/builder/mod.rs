//! `Server`, the builder of a server.

mod build;
#[cfg(feature = "settings")]
mod configured;
mod durability;
mod limits;
#[cfg(feature = "seal")]
mod sealing;
mod settings;

use std::{fmt, sync::Arc, time::Duration};

use self::settings::ServerSettings;
use super::core::{identity::Identity, service::Extension};
use crate::{
    base::error::ToolError,
    engine::{
        layer::{Layer, Stack},
        sample::{SamplingOrder, SamplingProvider},
        tool::{IntoTool, IntoTools, State},
    },
    wire::{protocol::icon::Icon, schema::portable::SchemaStyle},
};

/// Builds a server. Holds the identity of the server, its tools, and the shared state of the tools.
///
/// ```
/// use mcp_runtime::{Server, prelude::*};
///
/// struct Greeting(&'static str);
///
/// /// Greets a person.
/// #[mcp_tool(read_only)]
/// async fn greet(greeting: &Greeting, name: String) -> String {
///     format!("{}, {name}!", greeting.0)
/// }
///
/// let service = Server::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
///     .instructions("Greet before you ask.")
///     .state(Greeting("Good morning"))
///     .tools(tools![greet])
///     .build()
///     .expect("the server is complete");
/// ```
#[must_use]
pub struct Server(pub(crate) Box<ServerSettings>);

impl Server {
    /// Creates a server with a name and version, usually `env!("CARGO_PKG_NAME")` and `env!("CARGO_PKG_VERSION")`.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        let identity = Identity { name: name.into(), version: version.into(), ..Identity::default() };
        Self(Box::new(ServerSettings::new(identity)))
    }

    /// Sets the display name (since 2025-06-18).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.0.service.identity.title = Some(title.into());
        self
    }

    /// Sets the instructions for the model, such as how to use the tools together.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.0.service.identity.instructions = Some(instructions.into());
        self
    }

    /// Adds an icon (since 2025-11-25).
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.0.service.identity.icons.push(icon.into());
        self
    }

    /// Sets the URL of a web page that describes the server to people (since 2025-11-25).
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.0.service.identity.website_url = Some(url.into());
        self
    }

    /// Adds a shared value that tools take by reference, such as `db: &Db`. There can be one value of each type.
    pub fn state<T: State>(mut self, value: T) -> Self {
        self.add_state(value);
        self
    }

    /// Adds a shared value. A second value of the same type is a problem.
    fn add_state<T: State>(&mut self, value: T) {
        if !self.0.service.states.insert(value) {
            let ty = std::any::type_name::<T>();
            self.0
                .problems
                .push(format!("`.state()` got two values of the type `{ty}`; wrap one of them in a new type"));
        }
    }

    /// Adds a shared value. Replaces an earlier value of the same type.
    pub(crate) fn replace_state<T: State>(&mut self, value: T) {
        self.0.service.states.insert(value);
    }

    /// Returns the extension of type `T`, with the author's settings, and adds it if necessary.
    pub(crate) fn extension<T: Extension + Default>(&mut self) -> &mut T {
        self.0.extensions.settings()
    }

    /// Adds a list of tools, such as `tools![search, files::read]`. Rename the tools of a library with
    /// [`prefix`](IntoTools::prefix) or [`rename`](IntoTools::rename): `git::tools().prefix("git_")`.
    pub fn tools(mut self, tools: impl IntoTools) -> Self {
        self.0.items.extend(tools.into_tools());
        self
    }

    /// Adds a tool: a value of a type with [`#[handoff]`](macro@crate::handoff) or `#[mcp_actions]`, or any other
    /// [`Tool`](crate::Tool).
    pub fn tool<Kind>(mut self, tool: impl IntoTool<Kind>) -> Self {
        self.0.items.push(Box::new(tool.into_tool()));
        self
    }

    /// Sets the function that converts a tool's error to a result. The function returns the `isError` and the text of
    /// the result. Default: `isError` is `true`, and the text consists of the messages of the error and its sources.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").error_mapper(|error| {
    ///     match error.downcast_ref::<std::io::Error>() {
    ///         Some(_) => (true, "the disk cannot be read; try again later".to_owned()),
    ///         None => (true, error.chain()),
    ///     }
    /// });
    /// ```
    pub fn error_mapper(mut self, mapper: impl Fn(&ToolError) -> (bool, String) + Send + Sync + 'static) -> Self {
        self.0.service.error_mapper = Some(Box::new(mapper));
        self
    }

    /// Sets whether the result of a failed tool contains the messages of the error's sources. Default: `true`.
    ///
    /// A source can contain what a client must not learn, such as the name of a host. With `false`, the result contains
    /// only the error's own message ([`Display`](std::fmt::Display)), and the server logs the messages of the sources:
    /// at most one error in ten seconds, because a client can cause one with every call. Without effect if there is an
    /// [`error_mapper`](Self::error_mapper).
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").error_sources(false);
    /// ```
    pub fn error_sources(mut self, are_sent: bool) -> Self {
        self.0.service.error_sources = are_sent;
        self
    }

    /// Adds a layer around every call of every tool, inside the layers added before. Default: none. See the module
    /// [`layer`](crate::layer).
    ///
    /// ```
    /// use mcp_runtime::{Server, layer::{self, CallInfo}};
    ///
    /// let server = Server::new("s", "1.0.0").layer(layer::admit_fn(async |call: CallInfo| {
    ///     match call.tool() {
    ///         "delete_all" => Err("`delete_all` is disabled; delete the entries one by one".into()),
    ///         _ => Ok(()),
    ///     }
    /// }));
    /// ```
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.0.service.layers.get_or_insert_with(|| Box::new(Stack::default())).push(Box::new(layer));
        self
    }

    /// Sets a provider for tools that [sample](crate::Ctx::sample). If the client cannot sample, the server asks the
    /// provider's model. With a provider, every client can call tools with `requires(sampling)`. Default: none.
    pub fn sampling_provider(mut self, provider: impl SamplingProvider) -> Self {
        self.0.service.sampling.provider = Some(Arc::new(provider));
        self
    }

    /// Sets whether the client or the provider is asked first. Default: the client.
    pub fn sampling_order(mut self, order: SamplingOrder) -> Self {
        self.0.service.sampling.order = order;
        self
    }

    /// Sets how the input schemas of tools are published. Default: [`SchemaStyle::Portable`], which all hosts accept.
    ///
    /// ```
    /// use mcp_runtime::{Server, tool::SchemaStyle};
    ///
    /// let server = Server::new("s", "1.0.0").schema_style(SchemaStyle::Strict);
    /// ```
    pub fn schema_style(mut self, style: SchemaStyle) -> Self {
        self.0.service.input.style = style;
        self
    }

    /// Sets whether a string that contains JSON is read as this JSON where a tool's schema allows no string, such as
    /// `"[1, 2]"` for a list or `"3"` for an integer. Many models write arguments in this way. Default: `true`. With
    /// `false`, such an argument is an error.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").json_strings(false);
    /// ```
    pub fn json_strings(mut self, are_read: bool) -> Self {
        self.0.service.input.reads_json_strings = are_read;
        self
    }

    /// Does not report warnings in [`build`](Self::build). Used for a server inside another one, and for a command that
    /// does not serve.
    pub(crate) fn without_warnings(mut self) -> Self {
        self.0.reports_warnings = false;
        self
    }

    /// Sets whether [`serve_stdio`](Self::serve_stdio) redirects standard output to standard error, so that the output
    /// of a tool, a library or a child process does not break the protocol. Default: `true`. Systems other than Unix
    /// ignore this setting.
    ///
    /// Pass `false` only if other code in the process must write whole protocol messages to the real standard output.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").redirect_stdout(false);
    /// ```
    #[cfg(feature = "stdio")]
    pub fn redirect_stdout(mut self, redirect: bool) -> Self {
        self.0.service.redirect_stdout = redirect;
        self
    }

    /// Sets how many items a page of a list, such as `tools/list`, holds. Default: 250, because many clients read only
    /// one page.
    pub fn page_size(mut self, tools: usize) -> Self {
        self.0.service.page_size = tools.max(1);
        self
    }

    /// Sets how long a client can cache a list, such as `tools/list` (since 2026-07-28), in whole milliseconds.
    /// Default: one hour, and zero for a list that can change while the server runs; see
    /// [`changing`](crate::guide::changing).
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.0.service.ttl = Some(ttl);
        self
    }

    /// Sets whether the lists of tools, prompts, resources and templates leave out the items whose scopes the caller was
    /// not granted. Default: `false`. A caller without a [`Principal`](crate::Principal) was granted no scopes, unless it
    /// is in this process or on standard input.
    ///
    /// The setting changes only what callers see: a call without the scopes is rejected in any case. With `false`, a
    /// client sees what it could do with more scopes, and can ask its user for them when a call is rejected. With
    /// `true`, models are not offered what they cannot use. Clients can then not share a cached list that contains items
    /// with scopes (`cacheScope` is `private`).
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("s", "1.0.0").hide_unauthorized(true);
    /// ```
    pub fn hide_unauthorized(mut self, hide: bool) -> Self {
        self.0.service.hide_unauthorized = hide;
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("identity", &self.0.service.identity)
            .field("items", &self.0.items.len())
            .finish_non_exhaustive()
    }
}
