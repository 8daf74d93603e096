//! Limits on concurrent calls: how many run at once, and how much memory running and waiting calls use.

use std::{sync::Arc, time::Duration};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    engine::call::{
        limits::Permit,
        observer::{Observer as _, observer},
    },
    wire::protocol::error::RpcError,
};

/// The bytes that are counted for each call in addition to its message: for its task, its future and its connection.
const CALL: usize = 4 * 1024;

/// The memory limit of all calls on one connection, in KiB.
const MEMORY: usize = 64 * 1024;

/// The memory limit of all calls in a [`Room`] that several connections share, in KiB.
const SHARED_MEMORY: usize = 256 * 1024;

/// The capacity for concurrent calls, of one connection or of several connections together.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    capacity: Arc<Capacity>,
    /// The free slots for running calls of one client. `None` if the client has no limit of its own.
    own: Option<Arc<Semaphore>>,
}

/// What the calls of a [`Room`] share.
#[derive(Debug)]
struct Capacity {
    /// The free slots for running calls.
    running: Arc<Semaphore>,
    /// The free memory in KiB.
    memory: Semaphore,
    most_memory: usize,
    /// The limits that apply if several connections share the capacity.
    shared: Option<SharedCapacity>,
}

#[derive(Debug)]
struct SharedCapacity {
    /// The free slots for running and waiting calls.
    in_flight: Semaphore,
    /// The maximum time that a call waits for a slot to run.
    patience: Duration,
}

/// The memory and the slot of a running or waiting call. Dropping this value releases both.
pub(crate) struct Held {
    capacity: Arc<Capacity>,
    memory: usize,
    in_flight: usize,
}

impl Room {
    /// Creates the capacity of one connection, with `calls` slots for running calls.
    pub(crate) fn new(calls: usize) -> Self {
        Self::of(calls, MEMORY, None)
    }

    /// Creates a capacity that connections share, with `calls` slots for running calls, and `in_flight` slots for
    /// running and waiting calls together. A call waits at most for the time `patience`.
    pub(crate) fn shared(calls: usize, in_flight: usize, patience: Duration) -> Self {
        Self::of(calls, SHARED_MEMORY, Some(SharedCapacity { in_flight: places(in_flight), patience }))
    }

    fn of(calls: usize, most_memory: usize, shared: Option<SharedCapacity>) -> Self {
        let capacity =
            Capacity { running: Arc::new(places(calls)), memory: Semaphore::new(most_memory), most_memory, shared };
        Self { capacity: Arc::new(capacity), own: None }
    }

    /// Returns the same shared capacity with an additional limit for one client.
    pub(crate) fn with_own(&self, own: Arc<Semaphore>) -> Self {
        Self { capacity: Arc::clone(&self.capacity), own: Some(own) }
    }

    /// Admits a new call, whose message has `bytes` bytes.
    ///
    /// # Errors
    /// Returns the error for a call that exceeds a limit: that of its client, or that of all clients together. Nothing of
    /// the call has run.
    pub(crate) fn admit(&self, bytes: usize) -> Result<(), RpcError> {
        let capacity = &*self.capacity;
        let has_memory = capacity.memory.available_permits() >= capacity.units(bytes);
        let is_free = |slots: &Semaphore| slots.available_permits() > 0;
        let (of_client, of_server) = match &capacity.shared {
            Some(shared) => (self.own.as_deref().is_none_or(is_free), has_memory && is_free(&shared.in_flight)),
            None => (has_memory, true),
        };
        if of_client && of_server {
            return Ok(());
        }
        observer().turned_away("calls");
        Err(match of_client {
            true => Self::overloaded(),
            false => RpcError::too_many("you have reached your limit of calls in flight"),
        })
    }

    /// Returns the error for a call that found no slot in time.
    pub(crate) fn overloaded() -> RpcError {
        RpcError::overloaded("this server has reached its limit of calls in flight")
    }

    /// Returns whether a call can run now.
    pub(crate) fn is_free(&self) -> bool {
        self.capacity.running.available_permits() > 0
    }

    /// Reserves the memory of a call whose message has `bytes` bytes. If other calls have taken the memory since the
    /// call was admitted, the call begins without a reservation.
    pub(crate) fn hold(&self, bytes: usize) -> Held {
        let capacity = Arc::clone(&self.capacity);
        let memory = reserve(&capacity.memory, capacity.units(bytes));
        let in_flight = capacity.shared.as_ref().map_or(0, |shared| reserve(&shared.in_flight, 1));
        Held { capacity, memory, in_flight }
    }

    /// Acquires each slot that a call needs, if it is free now. If the server has no free slot now,
    /// [`enter`](Self::enter) waits for one.
    pub(crate) fn take(&self) -> Permit {
        Permit { of_server: take(&self.capacity.running), of_client: self.own.as_ref().and_then(take) }
    }

    /// Waits until `permit` has a slot of the server. Returns `None` if a call in a shared room has waited too long.
    pub(crate) async fn enter(&self, mut permit: Permit) -> Option<Permit> {
        if permit.of_server.is_none() {
            let Capacity { running, shared, .. } = &*self.capacity;
            let acquired = match shared {
                Some(shared) => tokio::time::timeout(shared.patience, running.acquire()).await.ok()?,
                None => running.acquire().await,
            };
            // Cannot fail: the semaphore is never closed.
            acquired.into_iter().for_each(SemaphorePermit::forget);
            permit.of_server = Some(Arc::clone(running));
        }
        Some(permit)
    }

    /// Waits until no call runs. `calls` is the number of all slots for running calls.
    pub(crate) async fn empty(&self, calls: usize) {
        drop(self.capacity.running.acquire_many(u32::try_from(calls).unwrap_or(u32::MAX)).await);
    }
}

impl Capacity {
    /// Returns the memory counted for a call, in KiB. The message counts twice, because the values and answers of the
    /// tool can contain the same data again. The result never exceeds the limit of all calls, so that a call of any
    /// size can run alone.
    fn units(&self, bytes: usize) -> usize {
        bytes.saturating_mul(2).saturating_add(CALL).div_ceil(1024).min(self.most_memory)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.capacity.memory.add_permits(self.memory);
        self.capacity.shared.iter().for_each(|shared| shared.in_flight.add_permits(self.in_flight));
    }
}

/// Takes `count` permits, and returns how many it has taken: all of them, or none if fewer are free.
fn reserve(permits: &Semaphore, count: usize) -> usize {
    let acquired = u32::try_from(count).ok().and_then(|count| permits.try_acquire_many(count).ok());
    acquired.map_or(0, |acquired| {
        acquired.forget();
        count
    })
}

fn take(places: &Arc<Semaphore>) -> Option<Arc<Semaphore>> {
    places.try_acquire().ok()?.forget();
    Some(Arc::clone(places))
}

fn places(calls: usize) -> Semaphore {
    Semaphore::new(calls.min(Semaphore::MAX_PERMITS))
}
