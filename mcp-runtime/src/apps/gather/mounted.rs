//! A mounted server while this server runs.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};

use super::{loaded::LoadedItems, mount::Mount};
use crate::{base::mutex::Mutex, serve::remote::Remote};

/// How long all lists of a server can take together.
const LOADING: Duration = Duration::from_secs(5 * 60);

/// How long the items of a server that fails stay listed.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// A mounted server.
pub(super) struct Mounted {
    pub(super) name: String,
    /// What stands before the names of its items.
    pub(super) prefix: String,
    pub(super) remote: Remote,
    pub(super) mount: Mount,
    /// Identifies this server among gateways.
    pub(super) gateway: Arc<str>,
    state: Mutex<MountedState>,
}

#[derive(Default)]
struct MountedState {
    items: Option<Arc<LoadedItems>>,
    failure: Option<MountFailure>,
}

#[derive(Clone)]
struct MountFailure {
    since: Instant,
    reason: String,
}

impl Mounted {
    pub(super) fn new(name: String, mount: Mount, gateway: Arc<str>) -> Self {
        let prefix = mount.prefix.as_ref().map_or_else(|| format!("{name}_"), |prefix| prefix.clone().into_owned());
        // Errors call the server as the author does here.
        let remote = mount.remote.clone().called(&name);
        Self { name, prefix, remote, mount, gateway, state: Mutex::default() }
    }

    /// Reads the lists of the server again. Returns whether it has answered.
    pub(super) async fn refresh(&self) -> bool {
        let before = self.items();
        let reading = timeout(LOADING, LoadedItems::read(self, before.as_deref())).await;
        let reason = match reading {
            Ok(Ok(items)) => {
                let known = before.as_ref().map_or(&[][..], |before| &before.warnings.texts);
                for warning in items.warnings.texts.iter().filter(|warning| !known.contains(warning)) {
                    crate::report!("mounted server `{}`: {warning}", self.name);
                }
                *self.state.lock() = MountedState { items: Some(items.into()), failure: None };
                return true;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("the server `{}` has not sent its lists within {LOADING:?}", self.name),
        };
        self.note(&reason);
        false
    }

    /// Notes a failure. Tells the operator about the first one.
    fn note(&self, reason: &str) {
        let mut state = self.state.lock();
        let failure = state.failure.take();
        let is_first = failure.is_none();
        let since = failure.map_or_else(Instant::now, |failure| failure.since);
        if since.elapsed() > KEPT {
            state.items = None;
        }
        state.failure = Some(MountFailure { since, reason: reason.to_owned() });
        drop(state);
        if is_first {
            crate::report!("mounted server `{}` has failed, and is tried again: {reason}", self.name);
        }
    }

    /// Returns the items that the server has offered last, unless it has failed for long.
    pub(super) fn items(&self) -> Option<Arc<LoadedItems>> {
        self.state.lock().items.clone()
    }

    /// Returns whether resources of the server can be read.
    pub(super) fn has_resources(&self) -> bool {
        self.items().is_some_and(|items| items.has_resources)
    }

    /// Returns why the server cannot be used now.
    pub(super) fn failure(&self) -> Option<String> {
        self.state.lock().failure.as_ref().map(|failure| failure.reason.clone())
    }
}
