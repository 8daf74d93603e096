//! Room for calls: how many run at once, and how much those hold that run or wait.

#![cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has rooms that are shared"))]

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::call::permit::Permit;

/// What a call counts for besides its message: its task, its future, and what leads back to its client.
const CALL: usize = 4 * 1024;

/// What the calls of a connection may hold, in KiB.
const MEMORY: usize = 64 * 1024;

/// What all calls may hold that share a room, in KiB.
const SHARED_MEMORY: usize = 256 * 1024;

/// Room for the calls of a connection, or of many.
#[derive(Clone)]
pub(crate) struct Room {
    running: Arc<Semaphore>,
    /// What may still be held, in KiB.
    memory: Arc<Semaphore>,
    most_memory: usize,
    shared: Option<Shared>,
}

#[derive(Clone)]
struct Shared {
    /// For calls that run, or wait.
    in_flight: Arc<Semaphore>,
    /// This client's part of what may run.
    own: Option<Arc<Semaphore>>,
    /// How long a call waits for its turn to run.
    patience: Duration,
}

/// What a call holds that runs or waits, given back when it is dropped.
pub(crate) struct Held {
    _memory: Option<OwnedSemaphorePermit>,
    _in_flight: Option<OwnedSemaphorePermit>,
}

/// Who has as many calls as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// All clients together.
    Server,
    /// This one.
    Client,
}

impl Room {
    /// Room of one connection, for so many calls that run.
    pub(crate) fn new(calls: usize) -> Self {
        Self { running: places(calls), memory: places(MEMORY), most_memory: MEMORY, shared: None }
    }

    /// Room that many share, for so many calls that run and so many that run or wait. A call waits so long for its turn.
    pub(crate) fn shared(calls: usize, in_flight: usize, patience: Duration) -> Self {
        Self {
            running: places(calls),
            memory: places(SHARED_MEMORY),
            most_memory: SHARED_MEMORY,
            shared: Some(Shared { in_flight: places(in_flight), own: None, patience }),
        }
    }

    /// The same for a client that has a part of its own.
    pub(crate) fn with_own(&self, own: Arc<Semaphore>) -> Self {
        let mut room = self.clone();
        if let Some(shared) = &mut room.shared {
            shared.own = Some(own);
        }
        room
    }

    /// Why a call with so many bytes is refused now, if it is.
    pub(crate) fn refuses(&self, bytes: usize) -> Option<Full> {
        let lacks_memory = self.memory.available_permits() < self.units(bytes) as usize;
        if let Some(Shared { in_flight, own, .. }) = &self.shared {
            if own.as_ref().is_some_and(|own| own.available_permits() == 0) {
                return Some(Full::Client);
            }
            return (lacks_memory || in_flight.available_permits() == 0).then_some(Full::Server);
        }
        lacks_memory.then_some(Full::Client)
    }

    /// Whether a call may run now.
    pub(crate) fn is_free(&self) -> bool {
        self.running.available_permits() > 0
    }

    /// What a call with so many bytes holds from now on. One that was not refused, and finds less than it needs because
    /// others came in between, is let in all the same.
    pub(crate) fn hold(&self, bytes: usize) -> Held {
        Held {
            _memory: Arc::clone(&self.memory).try_acquire_many_owned(self.units(bytes)).ok(),
            _in_flight: self.shared.as_ref().and_then(|shared| Arc::clone(&shared.in_flight).try_acquire_owned().ok()),
        }
    }

    /// The places of a call, as far as they are free. It runs when [`enter`](Self::enter) has completed them.
    pub(crate) fn take(&self) -> Permit {
        let of_client = self.shared.as_ref().and_then(|shared| shared.own.as_ref().and_then(take));
        Permit { of_server: take(&self.running), of_client }
    }

    /// Waits for the place that is still missing. `None` if that takes too long.
    pub(crate) async fn enter(&self, mut permit: Permit) -> Option<Permit> {
        if permit.of_server.is_none() {
            let acquired = match &self.shared {
                Some(shared) => tokio::time::timeout(shared.patience, self.running.acquire()).await.ok()?,
                None => self.running.acquire().await,
            };
            // It is never closed.
            acquired.into_iter().for_each(SemaphorePermit::forget);
            permit.of_server = Some(Arc::clone(&self.running));
        }
        Some(permit)
    }

    /// Waits until none of its places, so many, is taken.
    pub(crate) async fn empty(&self, calls: usize) {
        drop(self.running.acquire_many(u32::try_from(calls).unwrap_or(u32::MAX)).await);
    }

    /// What a call counts for, in KiB: its message comes back in values and answers. One that has nothing beside it may be
    /// of any size.
    fn units(&self, bytes: usize) -> u32 {
        let units = bytes.saturating_mul(2).saturating_add(CALL).div_ceil(1024);
        u32::try_from(units.min(self.most_memory)).unwrap_or(u32::MAX)
    }
}

fn take(places: &Arc<Semaphore>) -> Option<Arc<Semaphore>> {
    places.try_acquire().ok()?.forget();
    Some(Arc::clone(places))
}

fn places(calls: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS)))
}
