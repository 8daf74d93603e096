//! The host: it runs the tools of a server inside an application.

pub(crate) mod builder;
mod driver;
mod exchange;
pub(crate) mod handle;
pub(crate) mod handler;
pub(crate) mod hosted;
pub(crate) mod model_tools;
mod state;
pub(crate) mod with_handler;

use std::{fmt, sync::Arc};

use serde::Serialize;

use self::{handle::PluginCall, state::HostState};
use super::{
    calls::{error::PluginError, live::LiveCall, record::CallStep},
    timeline::{Timeline, TooLong},
};
use crate::{
    Service,
    base::{clock, hex::hex, random},
    engine::call::Principal,
    wire::protocol::text::shortened,
};

/// Runs the tools of a server inside an application. A clone is cheap and shares the calls.
///
/// See the [module](super) for an example.
#[derive(Clone)]
pub struct PluginHost(pub(crate) Arc<HostState>);

impl PluginHost {
    /// Calls a tool for the application itself. The arguments must be a JSON object.
    ///
    /// Arguments that do not fit the tool's schema are not an error of this method. In this case, the result of the
    /// call tells the model what is wrong.
    ///
    /// # Errors
    /// Fails if the host has no tool with this name, if the arguments are not an object or too long, if the host has too
    /// many open calls, or if the ledger cannot store the call.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> Result<PluginCall, PluginError> {
        self.begin(None, random::hex(), tool, &arguments).await
    }

    /// Calls a tool for a user of the application. Only this user can follow the call and answer its questions.
    ///
    /// # Errors
    /// See [`call`](Self::call). Also fails if the user has too many open calls.
    pub async fn call_as(
        &self,
        owner: impl Into<Principal>,
        tool: &str,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        self.begin(Some(owner.into()), random::hex(), tool, &arguments).await
    }

    /// Calls a tool for a user, at most once for each key. If the user has used the key before, returns the call that
    /// began with this key, even if `tool` or `arguments` differ.
    ///
    /// Use this method in a program that stores each action before it performs the action, and repeats the action after
    /// a restart. If the program already began the call before the restart, this method returns this call and does not
    /// begin it again. A key is remembered as long as [`find_as`](Self::find_as) finds its call.
    ///
    /// # Errors
    /// See [`call_as`](Self::call_as).
    pub async fn call_once_as(
        &self,
        owner: impl Into<Principal>,
        key: &str,
        tool: &str,
        arguments: impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        let owner = owner.into();
        let id = id_of_key(owner.name(), key);
        match self.find_of(Some(owner.clone()), &id).await {
            Err(PluginError::UnknownCall) => self.begin(Some(owner), id, tool, &arguments).await,
            found => found,
        }
    }

    /// Finds a call of the application itself by its id.
    ///
    /// # Errors
    /// Fails if there is no such call, or if the ledger cannot be read.
    pub async fn find(&self, id: &str) -> Result<PluginCall, PluginError> {
        self.find_of(None, id).await
    }

    /// Finds a call of this user by its id. By default, a call can be found for five minutes after its end,
    /// or for a day if the ledger outlives the process.
    ///
    /// # Errors
    /// Fails if the user has no such call, or if the ledger cannot be read.
    pub async fn find_as(&self, owner: impl Into<Principal>, id: &str) -> Result<PluginCall, PluginError> {
        self.find_of(Some(owner.into()), id).await
    }

    /// Returns the open calls of the application itself, oldest first. A call that [`call`](Self::call) has not returned
    /// yet can be missing.
    pub fn open_calls(&self) -> Vec<PluginCall> {
        self.open_calls_of(None)
    }

    /// Returns the open calls of this user, oldest first.
    pub fn open_calls_as(&self, owner: impl Into<Principal>) -> Vec<PluginCall> {
        self.open_calls_of(Some(&owner.into()))
    }

    /// Ends the event streams of the [router](Self::router), so that a graceful shutdown does not wait until users have
    /// answered all open questions. The calls continue to run until the process ends.
    #[cfg(feature = "http")]
    pub fn end_streams(&self) {
        self.0.followers.end_all();
    }

    /// Returns the MCP server that has the tools of this host. The server can be served beside the application, for
    /// example with [`serve_stdio`](Service::serve_stdio) or [`router`](Service::router).
    pub fn server(&self) -> &Service {
        &self.0.service
    }

    pub(crate) async fn find_of(&self, owner: Option<Principal>, id: &str) -> Result<PluginCall, PluginError> {
        let call = match self.0.table.find(id) {
            Some(call) => call,
            None => {
                let record = self.0.store.load(id).await.map_err(PluginError::Ledger)?;
                let record = record.filter(|record| matches!(record.step, CallStep::Over));
                let (call, ..) = self.0.restored(record.ok_or(PluginError::UnknownCall)?);
                call
            }
        };
        if !call.belongs_to(owner.as_ref()) {
            return Err(PluginError::UnknownCall);
        }
        Ok(PluginCall::new(call))
    }

    pub(crate) fn open_calls_of(&self, owner: Option<&Principal>) -> Vec<PluginCall> {
        self.0.table.open_calls(owner).into_iter().map(PluginCall::new).collect()
    }

    async fn begin(
        &self,
        owner: Option<Principal>,
        id: String,
        name: &str,
        arguments: &impl Serialize,
    ) -> Result<PluginCall, PluginError> {
        let Some(tool) = self.0.find(name) else {
            let nearest = self.0.nearest_tool(name);
            return Err(PluginError::UnknownTool { name: shortened(name).into_owned(), nearest });
        };
        let title = tool.definition.title.as_deref();
        let timeline = Timeline::new(name, title, arguments, self.0.limits.call_bytes, Arc::clone(&self.0.logs))
            .map_err(|TooLong { bytes, most }| PluginError::TooLong { bytes, most })?;
        if !timeline.started().text().starts_with('{') {
            return Err(PluginError::InvalidArguments);
        }
        let started_at = clock::now();
        let call = LiveCall::new(id.into(), name.into(), Some(tool), owner, started_at, timeline);
        let call = Arc::new(call);
        if let Some(earlier) = self.0.table.begin(&call, false)? {
            return Ok(PluginCall::new(earlier));
        }
        if self.0.store.is_durable() {
            // It counts as open while the ledger stores it.
            self.0.table.hold(&call);
        }
        if let Err(error) = self.0.store_first(&call).await {
            self.0.table.refuse(&call);
            return Err(PluginError::Ledger(error));
        }
        call.timeline.show(false);
        self.0.drive(&call, CallStep::Begin, 0);
        Ok(PluginCall::new(call))
    }
}

/// Returns the id of the call that a user begins with this key.
fn id_of_key(owner: &str, key: &str) -> String {
    let mut hash = hmac_sha256::Hash::new();
    // The length separates the name from the key.
    hash.update((owner.len() as u64).to_be_bytes());
    hash.update(owner);
    hash.update(key);
    hex(&hash.finalize()[..16])
}

impl fmt::Debug for PluginHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PluginHost").field(&self.0.service).finish()
    }
}
