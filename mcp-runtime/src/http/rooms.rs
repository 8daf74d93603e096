//! Room for calls over HTTP: all clients share it, and none may take all of it.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use tokio::sync::Semaphore;

use super::HttpLimits;
use crate::{mutex::Mutex, server::concurrency::Room};

/// So many names are kept before those are forgotten that have no calls.
const NAMES: usize = 1024;

pub(super) struct Rooms {
    all: Room,
    /// How many calls may run.
    running: usize,
    /// How many of them may be those of one client.
    each: usize,
    principals: Mutex<HashMap<Arc<str>, Weak<Semaphore>>>,
}

impl Rooms {
    /// For so many calls that run.
    pub(super) fn new(running: usize, limits: &HttpLimits) -> Self {
        Self {
            all: Room::shared(running, limits.calls_in_flight, limits.queue_timeout),
            running,
            each: limits.calls_per_client.unwrap_or(running.div_ceil(2)),
            principals: Mutex::default(),
        }
    }

    /// For a request that stands alone. Whose it is says only its principal.
    pub(super) fn of(&self, principal: Option<&Arc<str>>) -> Room {
        match principal {
            Some(principal) => self.all.with_own(self.own(principal)),
            None => self.all.clone(),
        }
    }

    /// For a session: a client of its own where there is no principal.
    pub(super) fn of_session(&self, principal: Option<&Arc<str>>) -> Room {
        self.all.with_own(principal.map_or_else(|| self.places(), |principal| self.own(principal)))
    }

    /// What all calls of a principal share, in sessions and without.
    fn own(&self, principal: &Arc<str>) -> Arc<Semaphore> {
        let mut principals = self.principals.lock();
        if let Some(own) = principals.get(principal).and_then(Weak::upgrade) {
            return own;
        }
        if principals.len() >= NAMES && principals.len() == principals.capacity() {
            principals.retain(|_, own| own.strong_count() > 0);
        }
        let own = self.places();
        principals.insert(Arc::clone(principal), Arc::downgrade(&own));
        own
    }

    /// Waits until no call runs.
    pub(super) async fn wait_until_none_runs(&self) {
        self.all.empty(self.running).await;
    }

    fn places(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(self.each.min(Semaphore::MAX_PERMITS)))
    }
}
