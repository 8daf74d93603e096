//! What an operator sees of the mounted servers.

use super::mounts::Mounts;
use crate::Service;

/// The state of a mounted server. See [`Service::mounts`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MountStatus {
    /// The name of the mount.
    pub name: String,
    /// Whether the server has answered at least once, and has not failed for so long that its items were removed.
    pub is_loaded: bool,
    /// Why the server cannot be used now. Its items stay listed for a quarter of an hour.
    pub failure: Option<String>,
    /// How many of its tools are listed.
    pub tools: usize,
    /// How many of its prompts are listed.
    pub prompts: usize,
    /// How many of its resources and templates are listed.
    pub resources: usize,
    /// The items that are left out and why, and names in the settings of the mount that no tool has.
    pub warnings: Vec<String>,
}

impl Service {
    /// Returns the state of each [mounted](crate::Server::mount) server, in the order in which they were mounted. The
    /// lists of the servers are read when this server begins to serve.
    pub fn mounts(&self) -> Vec<MountStatus> {
        self.0.extensions.get::<Mounts>().map(|mounts| mounts.status()).unwrap_or_default()
    }
}
