//! The settings of a host, and its start.

use std::{collections::HashMap, fmt, pin::Pin, sync::Arc, time::Duration};

use super::{
    PluginHost, exchange,
    handler::{self, AnsweredBy, SharedHandler},
    hosted::HostedPlugin,
    state::HostState,
    with_handler::Plugin,
};
use crate::{
    BuildError, Server,
    apps::plugin::{
        calls::{
            error::did_you_mean, followers::Followers, limits::PluginLimits, live::STORED, store::CallStore,
            table::CallsOfHost,
        },
        timeline::LogBudget,
    },
    engine::{
        call::lease::LedgerError,
        elicit::HandledBy,
        tool::{AsksWith, Tool},
    },
};

/// The settings of a [`PluginHost`].
#[must_use = "the host runs only after `start`"]
pub struct PluginHostBuilder {
    server: Server,
    handlers: HashMap<Box<str>, SharedHandler>,
    instance: String,
    limits: PluginLimits,
    keep_ended: Duration,
}

/// The reason why a host cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A handler was set for a tool that the host does not have, or does not answer all forms of its tool.
    #[error("{0}")]
    Handler(String),
    /// The open calls cannot be read from the ledger.
    #[error("the open calls cannot be read")]
    Ledger(#[from] LedgerError),
}

impl PluginHost {
    /// Returns a builder for a host that runs the tools of `server`. The host uses the settings of the server: its
    /// state, its ledger, its model and its layers.
    ///
    /// The tools that `server` already has, and tools without a [handler](crate::plugin::Plugin::on_elicit), ask their
    /// questions on the timeline of their calls. A program that follows a call [answers](crate::plugin::PluginCall::answer) these
    /// questions.
    pub fn builder(server: Server) -> PluginHostBuilder {
        PluginHostBuilder {
            server,
            handlers: HashMap::new(),
            instance: "app".to_owned(),
            limits: PluginLimits::default(),
            keep_ended: Duration::from_secs(5 * 60),
        }
    }
}

impl PluginHostBuilder {
    /// Adds a tool with its handler. A tool that shows no form needs no handler.
    pub fn plugin<T, H, S>(mut self, plugin: Plugin<T, H>) -> Self
    where
        T: Tool + AsksWith<S>,
        S: AnsweredBy<H>,
    {
        let Plugin { tool, handler } = plugin;
        if let Some(handler) = S::handler(handler) {
            self.handlers.insert(tool.definition().name.as_ref().into(), handler);
        }
        self.server = self.server.tool(tool);
        self
    }

    /// Sets the handler of a tool that the server already has, by the name of the tool: for a tool of a list, such as one
    /// of [`tools!`](crate::tools), and for a renamed one. `S` is the set of the forms. [`start`](Self::start) checks that
    /// the handler answers all forms of the tool. For any other tool, [`plugin`](Self::plugin) checks this when the
    /// program is compiled.
    ///
    /// ```
    /// use mcp_runtime::{Elicited, Result, elicit::ElicitRequest, plugin::PluginHost, prelude::*};
    ///
    /// #[elicits]
    /// enum Deleting {
    ///     Confirm { confirmed: bool },
    /// }
    ///
    /// /// Deletes a note.
    /// #[mcp_tool]
    /// async fn delete(ctx: &Ctx<Deleting>, note: String) -> Result<String> {
    ///     let Confirm { confirmed } = ctx.elicit::<Confirm>(format!("Delete {note}?")).strict().await?;
    ///     Ok(if confirmed { "deleted" } else { "kept" }.to_owned())
    /// }
    ///
    /// struct Ui;
    ///
    /// impl DeletingHandler for Ui {
    ///     async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
    ///         Elicited::Accept(Confirm { confirmed: true })
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::new("notes", "1.0.0").tools(tools![delete].prefix("note_"));
    /// let host = PluginHost::builder(server).on_elicit::<Deleting, _>("note_delete", Ui).start().await?;
    /// let call = host.call("note_delete", serde_json::json!({ "note": "tea" })).await?;
    /// assert_eq!(call.outcome().await.text(), "deleted");
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_elicit<S, H>(mut self, tool: &str, handler: H) -> Self
    where
        S: HandledBy<H>,
        H: Send + Sync + 'static,
    {
        self.handlers.insert(tool.into(), handler::shared::<S, H>(handler));
        self
    }

    /// Sets how many calls, event streams and bytes the host keeps, for each user and in all.
    pub fn limits(mut self, limits: PluginLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how long a call can be followed after its end. Default: five minutes. [`PluginLimits`] says how many ended
    /// calls are kept in this time. A ledger that outlives the process keeps each call for a day, and four times as many
    /// ended calls.
    pub fn keep_ended(mut self, time: Duration) -> Self {
        self.keep_ended = time;
        self
    }

    /// Sets the name of this host. The name distinguishes the host from other hosts that share its ledger. It consists
    /// of letters, digits, `-` and `_`. Default: `app`. A call belongs to the host that has begun it, and is resumed
    /// when a host with the same name starts again. So no two running processes may use the same name.
    ///
    /// # Panics
    /// Panics if the name is empty, longer than 32 bytes, or has other characters.
    pub fn instance(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        assert!(
            (1..=32).contains(&name.len()) && name.bytes().all(fits),
            "`{name}` is not a valid name for a host: use 1 to 32 letters, digits, `-` and `_`"
        );
        self.instance = name;
        self
    }

    /// Starts the host, and resumes the calls that were open when the previous process ended. If a question of a call
    /// was open, the call waits for the answer again.
    ///
    /// # Errors
    /// Fails if the server cannot be built, if a handler has no tool or does not answer all forms of its tool, or if the
    /// ledger cannot be read.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime.
    pub async fn start(self) -> Result<PluginHost, StartError> {
        let Self { server, handlers, instance, limits, keep_ended } = self;
        let service = server.build()?;
        let host = PluginHost(Arc::new(HostState {
            client: Arc::new(exchange::client(&service)),
            store: CallStore::new(service.0.durable.entries(), instance, STORED, limits.ended),
            table: Arc::new(CallsOfHost::new(limits.open, limits.ended, keep_ended)),
            logs: LogBudget::new(limits.open.all.bytes / 2),
            followers: Arc::new(Followers::new(limits)),
            service,
            handlers,
            limits,
        }));
        for (name, handler) in &host.0.handlers {
            let problem = match host.0.find(name) {
                Some(tool) => handler::problem(&**handler, &tool.definition),
                None => Some(no_tool(name, host.0.nearest_tool(name).as_deref())),
            };
            if let Some(problem) = problem {
                return Err(StartError::Handler(problem));
            }
        }
        host.0.resume_stored().await?;
        Ok(host)
    }
}

impl<T: Tool, H> Plugin<T, H> {
    /// Starts a host that has only this plugin. `server` has the settings of the host, such as the shared state, the
    /// ledger and the model.
    ///
    /// # Errors
    /// Fails if the server cannot be built, or if the ledger cannot be read.
    pub fn start<S>(self, server: Server) -> StartingPlugin
    where
        T: AsksWith<S>,
        S: AnsweredBy<H>,
    {
        let name = self.tool.definition().name;
        let builder = PluginHost::builder(server).plugin(self);
        Box::pin(async move {
            // The host has every tool of its plugins, or it does not start.
            Ok(builder.start().await?.plugin(&name).expect("the tool was added"))
        })
    }
}

/// The future of [`Plugin::start`]. Boxed, so that a missing handler is one error and not one at each `await`.
type StartingPlugin = Pin<Box<dyn Future<Output = Result<HostedPlugin, StartError>> + Send>>;

fn no_tool(name: &str, nearest: Option<&str>) -> String {
    let hint = did_you_mean(nearest);
    format!("a handler is set for the tool `{name}`, but the server has no such tool{hint}")
}

impl fmt::Debug for PluginHostBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginHostBuilder").field("instance", &self.instance).finish_non_exhaustive()
    }
}
