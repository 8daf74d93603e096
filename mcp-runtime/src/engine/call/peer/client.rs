//! The client of a call.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::wire::protocol::{
    capability::{Capabilities, Capability},
    revision::Revision,
};

/// The client of a call: its name, its revision and its capabilities.
///
/// The client chooses its name and version, and the server does not verify them. You can display them, but do not base
/// decisions on them.
#[derive(Clone, Debug)]
pub struct Client {
    revision: Revision,
    capabilities: Capabilities,
    info: Option<Arc<LazyInfo>>,
}

/// The client's `clientInfo`. It is parsed when it is first read, because most tools never read it.
#[derive(Debug)]
struct LazyInfo {
    text: Box<str>,
    read: OnceLock<Info>,
}

#[derive(Debug, Default)]
struct Info {
    name: Option<String>,
    version: Option<String>,
    title: Option<String>,
}

impl Client {
    /// Returns the client's name, if it sent one.
    pub fn name(&self) -> Option<&str> {
        self.info()?.name.as_deref()
    }

    /// Returns the client's own version, if it sent one.
    pub fn version(&self) -> Option<&str> {
        self.info()?.version.as_deref()
    }

    /// Returns the client's display name, if it sent one.
    pub fn title(&self) -> Option<&str> {
        self.info()?.title.as_deref()
    }

    /// Returns the protocol revision of this call.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns whether the client can show a form to the user. [`Ctx::elicit`](crate::Ctx::elicit) needs such a client.
    pub fn can_elicit(&self) -> bool {
        self.supports(Capability::Elicitation)
    }

    /// Returns whether the client can open a page for the user. [`Ctx::elicit_url`](crate::Ctx::elicit_url) needs such a client.
    pub fn can_elicit_url(&self) -> bool {
        self.supports(Capability::ElicitationUrl)
    }

    /// Returns whether the client declared this capability, and whether the client's protocol revision has the
    /// capability.
    pub fn supports(&self, capability: Capability) -> bool {
        self.capabilities.has(capability)
    }

    pub(crate) fn new(info: Option<&str>, revision: Revision, capabilities: Capabilities) -> Self {
        let info = info.map(|text| Arc::new(LazyInfo { text: text.into(), read: OnceLock::new() }));
        Self { revision, capabilities: capabilities.known_in(revision), info }
    }

    /// Creates the client of a call that waits between two requests. The client has no capabilities until the next
    /// request.
    pub(crate) fn disconnected(revision: Revision) -> Self {
        Self::new(None, revision, Capabilities::default())
    }

    /// Returns this client without its capabilities.
    pub(crate) fn without_capabilities(&self) -> Self {
        Self { capabilities: Capabilities::default(), ..self.clone() }
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// Returns the `clientInfo` object as JSON text.
    pub(crate) fn info_text(&self) -> Option<&str> {
        self.info.as_deref().map(|info| &*info.text)
    }

    fn info(&self) -> Option<&Info> {
        let lazy = self.info.as_deref()?;
        Some(lazy.read.get_or_init(|| Info::read(&lazy.text)))
    }
}

impl Info {
    /// Parses `clientInfo`. An unreadable member is treated as absent, because no decision depends on it.
    fn read(text: &str) -> Self {
        let mut members: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
        let mut text = |name| match members.swap_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        Self { name: text("name"), version: text("version"), title: text("title") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_member_of_the_client_info_hides_no_other_member() {
        let client = |info| Client::new(Some(info), Revision::LATEST, Capabilities::default());
        let odd = client(r#"{"name":"editor","version":5,"title":null}"#);
        assert_eq!((odd.name(), odd.version(), odd.title()), (Some("editor"), None, None));
        for info in ["null", "[]", "7", r#""editor""#] {
            assert_eq!(client(info).name(), None, "{info}");
        }
    }
}
