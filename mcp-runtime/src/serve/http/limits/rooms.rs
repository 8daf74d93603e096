//! Concurrency limits of calls over HTTP: one for all clients together, and one for each client.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use tokio::sync::Semaphore;

use super::HttpLimits;
use crate::{base::mutex::Mutex, serve::server::concurrency::Room};

/// When the map has this many principals, principals without calls are removed before a new one is added.
const MAX_PRINCIPALS: usize = 1024;

pub(crate) struct Rooms {
    all: Room,
    /// How many calls can run at once.
    running: usize,
    /// How many calls of one client can run at once.
    each: usize,
    principals: Mutex<HashMap<Arc<str>, Weak<Semaphore>>>,
}

impl Rooms {
    /// Creates the limits for a server that runs at most `running` calls at once.
    pub(crate) fn new(running: usize, limits: &HttpLimits) -> Self {
        Self {
            all: Room::shared(running, limits.calls_in_flight, limits.queue_timeout),
            running,
            each: limits.calls_per_client.unwrap_or(running.div_ceil(2)),
            principals: Mutex::default(),
        }
    }

    /// Returns the capacity for a request without session. Without a principal, only the limits for all clients
    /// together apply.
    pub(crate) fn of(&self, principal: Option<&Arc<str>>) -> Room {
        match principal {
            Some(principal) => self.all.with_own(self.own(principal)),
            None => self.all.clone(),
        }
    }

    /// Returns the capacity for a session. If the session has no principal, the session itself counts as one client.
    pub(crate) fn of_session(&self, principal: Option<&Arc<str>>) -> Room {
        self.all.with_own(principal.map_or_else(|| self.places(), |principal| self.own(principal)))
    }

    /// Returns the limit that all calls of this principal share, inside and outside of sessions.
    fn own(&self, principal: &Arc<str>) -> Arc<Semaphore> {
        let mut principals = self.principals.lock();
        if let Some(own) = principals.get(principal).and_then(Weak::upgrade) {
            return own;
        }
        if principals.len() >= MAX_PRINCIPALS && principals.len() == principals.capacity() {
            principals.retain(|_, own| own.strong_count() > 0);
        }
        let own = self.places();
        principals.insert(Arc::clone(principal), Arc::downgrade(&own));
        own
    }

    /// Waits until no call runs.
    pub(crate) async fn wait_until_none_runs(&self) {
        self.all.empty(self.running).await;
    }

    fn places(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(self.each.min(Semaphore::MAX_PERMITS)))
    }
}
