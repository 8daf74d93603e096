//! Limits on concurrent calls: how many run at once, and how much memory running and waiting calls use.

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

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
    running: Arc<Semaphore>,
    /// The free memory in KiB.
    memory: Arc<Semaphore>,
    most_memory: usize,
    shared: Option<SharedRoom>,
}

#[derive(Clone, Debug)]
struct SharedRoom {
    /// The free slots for running and waiting calls.
    in_flight: Arc<Semaphore>,
    /// The free slots for running calls of one client. `None` if the client has no limit of its own.
    own: Option<Arc<Semaphore>>,
    /// The maximum time that a call waits for a slot to run.
    patience: Duration,
}

/// The memory and the slot of a running or waiting call. Dropping this value releases both.
pub(crate) struct Held {
    _memory: Option<OwnedSemaphorePermit>,
    _in_flight: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Creates the capacity of one connection, with `calls` slots for running calls.
    pub(crate) fn new(calls: usize) -> Self {
        Self { running: places(calls), memory: places(MEMORY), most_memory: MEMORY, shared: None }
    }

    /// Creates a capacity that connections share, with `calls` slots for running calls, and `in_flight` slots for
    /// running and waiting calls together. A call waits at most for the time `patience`.
    pub(crate) fn shared(calls: usize, in_flight: usize, patience: Duration) -> Self {
        Self {
            running: places(calls),
            memory: places(SHARED_MEMORY),
            most_memory: SHARED_MEMORY,
            shared: Some(SharedRoom { in_flight: places(in_flight), own: None, patience }),
        }
    }

    /// Returns the same shared capacity with an additional limit for one client.
    pub(crate) fn with_own(&self, own: Arc<Semaphore>) -> Self {
        let mut room = self.clone();
        if let Some(shared) = &mut room.shared {
            shared.own = Some(own);
        }
        room
    }

    /// Admits a new call, whose message has `bytes` bytes.
    ///
    /// # Errors
    /// Returns the error for a call that exceeds a limit: that of its client, or that of all clients together. Nothing of
    /// the call has run.
    pub(crate) fn admit(&self, bytes: usize) -> Result<(), RpcError> {
        let has_memory = self.memory.available_permits() >= self.units(bytes) as usize;
        let is_free = |slots: &Arc<Semaphore>| slots.available_permits() > 0;
        let (of_client, of_server) = match &self.shared {
            Some(SharedRoom { in_flight, own, .. }) => {
                (own.as_ref().is_none_or(is_free), has_memory && is_free(in_flight))
            }
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
        self.running.available_permits() > 0
    }

    /// Reserves the memory of a call whose message has `bytes` bytes. If other calls have taken the memory since the
    /// call was admitted, the call begins without a reservation.
    pub(crate) fn hold(&self, bytes: usize) -> Held {
        Held {
            _memory: Arc::clone(&self.memory).try_acquire_many_owned(self.units(bytes)).ok(),
            _in_flight: self.shared.as_ref().and_then(|shared| Arc::clone(&shared.in_flight).try_acquire_owned().ok()),
        }
    }

    /// Acquires each slot that a call needs, if it is free now. If the server has no free slot now,
    /// [`enter`](Self::enter) waits for one.
    pub(crate) fn take(&self) -> Permit {
        let of_client = self.shared.as_ref().and_then(|shared| shared.own.as_ref().and_then(take));
        Permit { of_server: take(&self.running), of_client }
    }

    /// Waits until `permit` has a slot of the server. Returns `None` if a call in a shared room has waited too long.
    pub(crate) async fn enter(&self, mut permit: Permit) -> Option<Permit> {
        if permit.of_server.is_none() {
            let acquired = match &self.shared {
                Some(shared) => tokio::time::timeout(shared.patience, self.running.acquire()).await.ok()?,
                None => self.running.acquire().await,
            };
            // Cannot fail: the semaphore is never closed.
            acquired.into_iter().for_each(SemaphorePermit::forget);
            permit.of_server = Some(Arc::clone(&self.running));
        }
        Some(permit)
    }

    /// Waits until no call runs. `calls` is the number of all slots for running calls.
    pub(crate) async fn empty(&self, calls: usize) {
        drop(self.running.acquire_many(u32::try_from(calls).unwrap_or(u32::MAX)).await);
    }

    /// Returns the memory counted for a call, in KiB. The message counts twice, because the values and answers of the
    /// tool can contain the same data again. The result never exceeds the limit of all calls, so that a call of any
    /// size can run alone.
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
