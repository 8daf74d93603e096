//! The other side of a call.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::protocol::{
    capability::{Capabilities, Capability},
    revision::Revision,
};

/// The client of a call: what it calls itself, which revision it speaks, what it can do.
///
/// Its name and version are its own word, verified by nobody: show them, decide nothing by them.
#[derive(Clone, Debug)]
pub struct Client {
    revision: Revision,
    capabilities: Capabilities,
    info: Option<Arc<LazyInfo>>,
}

/// Most tools never look at who calls, so it is read when they do.
#[derive(Debug)]
struct LazyInfo {
    text: Box<str>,
    read: OnceLock<Info>,
}

#[derive(Debug, Default, Deserialize)]
struct Info {
    name: Option<String>,
    version: Option<String>,
    title: Option<String>,
}

impl Client {
    /// What the client calls itself, where it says.
    pub fn name(&self) -> Option<&str> {
        self.info()?.name.as_deref()
    }

    /// The client's own version, where it says.
    pub fn version(&self) -> Option<&str> {
        self.info()?.version.as_deref()
    }

    /// What a person reads instead of the name.
    pub fn title(&self) -> Option<&str> {
        self.info()?.title.as_deref()
    }

    /// The revision of the protocol this call travels in.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Whether the client shows forms: whether [`Ctx::elicit`](crate::Ctx::elicit) can ask it.
    pub fn can_elicit(&self) -> bool {
        self.supports(Capability::Elicitation)
    }

    /// Whether the client opens pages: whether [`Ctx::visit`](crate::Ctx::visit) can ask it.
    pub fn can_visit(&self) -> bool {
        self.supports(Capability::ElicitationUrl)
    }

    /// Whether the client said that it can do this, in a revision that knows it.
    pub fn supports(&self, capability: Capability) -> bool {
        self.capabilities.has(capability)
    }

    pub(crate) fn new(info: Option<&str>, revision: Revision, capabilities: Capabilities) -> Self {
        let info = info.map(|text| Arc::new(LazyInfo { text: text.into(), read: OnceLock::new() }));
        Self { revision, capabilities: capabilities.known_in(revision), info }
    }

    /// Between two rounds nobody is there, and nobody can do anything.
    pub(crate) fn nobody(revision: Revision) -> Self {
        Self::new(None, revision, Capabilities::default())
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// What the client said of itself, as text.
    pub(crate) fn info_text(&self) -> Option<&str> {
        self.info.as_deref().map(|info| &*info.text)
    }

    /// An unreadable `clientInfo` is as good as none: nothing depends on it.
    fn info(&self) -> Option<&Info> {
        let lazy = self.info.as_deref()?;
        Some(lazy.read.get_or_init(|| serde_json::from_str(&lazy.text).unwrap_or_default()))
    }
}
