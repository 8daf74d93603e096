//! The other side of a call.

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    tool::Capability,
    wire::{capability::Capabilities, revision::Revision},
};

/// The client of a call: what it calls itself, which revision it speaks, what it can do.
///
/// Its name and version are its own word, verified by nobody: show them, decide nothing by them.
#[derive(Clone, Debug)]
pub struct Client {
    info: Info,
    revision: Revision,
    capabilities: Capabilities,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Info {
    name: Option<String>,
    version: Option<String>,
    title: Option<String>,
}

impl Client {
    /// What the client calls itself, where it says.
    pub fn name(&self) -> Option<&str> {
        self.info.name.as_deref()
    }

    /// The client's own version, where it says.
    pub fn version(&self) -> Option<&str> {
        self.info.version.as_deref()
    }

    /// What a person reads instead of the name.
    pub fn title(&self) -> Option<&str> {
        self.info.title.as_deref()
    }

    /// The revision of the protocol this call travels in.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Whether the client said that it can do this.
    pub fn supports(&self, capability: Capability) -> bool {
        self.capabilities.has(capability)
    }

    /// An unreadable `clientInfo` is as good as none: nothing depends on it.
    pub(crate) fn new(info: Option<&RawValue>, revision: Revision, capabilities: Capabilities) -> Self {
        let info = info.and_then(|info| serde_json::from_str(info.get()).ok()).unwrap_or_default();
        Self { info, revision, capabilities }
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}

/// The client of a request that stands alone. Most tools never look at it, so it is read when they do.
pub(crate) struct ModernClient {
    info: Option<Box<RawValue>>,
    revision: Revision,
    capabilities: Capabilities,
    read: OnceLock<Client>,
}

impl ModernClient {
    pub(crate) fn new(info: Option<&RawValue>, revision: Revision, capabilities: Capabilities) -> Self {
        Self { info: info.map(ToOwned::to_owned), revision, capabilities, read: OnceLock::new() }
    }

    pub(crate) fn revision(&self) -> Revision {
        self.revision
    }

    pub(crate) fn get(&self) -> &Client {
        self.read.get_or_init(|| Client::new(self.info.as_deref(), self.revision, self.capabilities))
    }
}
