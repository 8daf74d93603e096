//! Room for calls that run at once.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Room for the calls of a connection. Where others share it a call does not wait for a place: it is refused.
#[derive(Clone)]
pub(crate) struct Room {
    running: Arc<Semaphore>,
    #[cfg(feature = "http")]
    shared: Option<Shared>,
}

#[cfg(feature = "http")]
#[derive(Clone)]
struct Shared {
    /// For calls that run, or wait for an answer.
    in_flight: Arc<Semaphore>,
    /// This client's part of what may run.
    own: Option<Arc<Semaphore>>,
}

/// The places of a call, given back when they are dropped.
#[derive(Default)]
pub(crate) struct Permit([Option<Arc<Semaphore>>; 2]);

/// Who has as many calls as may be.
#[cfg(feature = "http")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// All clients together.
    Server,
    /// This one.
    Client,
}

impl Room {
    /// Room for so many calls of one connection.
    pub(crate) fn new(calls: usize) -> Self {
        Self {
            running: places(calls),
            #[cfg(feature = "http")]
            shared: None,
        }
    }

    /// Room that many share, for so many calls that run and so many that run or wait.
    #[cfg(feature = "http")]
    pub(crate) fn shared(calls: usize, in_flight: usize) -> Self {
        Self { running: places(calls), shared: Some(Shared { in_flight: places(in_flight), own: None }) }
    }

    /// The same for a client that has a part of its own.
    #[cfg(feature = "http")]
    pub(crate) fn with_own(&self, own: Arc<Semaphore>) -> Self {
        let mut room = self.clone();
        if let Some(shared) = &mut room.shared {
            shared.own = Some(own);
        }
        room
    }

    /// Why a call is refused now, if it is.
    #[cfg(feature = "http")]
    pub(crate) fn refuses(&self) -> Option<Full> {
        let Shared { in_flight, own } = self.shared.as_ref()?;
        if own.as_ref().is_some_and(|own| own.available_permits() == 0) {
            return Some(Full::Client);
        }
        (in_flight.available_permits() == 0 || !self.is_free()).then_some(Full::Server)
    }

    pub(crate) fn is_free(&self) -> bool {
        self.running.available_permits() > 0
    }

    /// Places for a call that is not refused, and may have begun already: one whose last place was taken meanwhile runs
    /// all the same. Nothing if it must wait.
    pub(crate) fn take(&self) -> Option<Permit> {
        let running = take(&self.running);
        #[cfg(feature = "http")]
        if let Some(shared) = &self.shared {
            return Some(Permit([running, shared.own.as_ref().and_then(take)]));
        }
        running.map(|running| Permit([Some(running), None]))
    }

    /// The place of a call that runs or waits, until it is over.
    #[cfg(feature = "http")]
    pub(crate) fn take_in_flight(&self) -> Permit {
        Permit([self.shared.as_ref().and_then(|shared| take(&shared.in_flight)), None])
    }

    /// Waits for a place.
    pub(crate) async fn enter(&self) -> Permit {
        // It is never closed.
        let taken = self.running.acquire().await.map(SemaphorePermit::forget);
        Permit([taken.ok().map(|()| Arc::clone(&self.running)), None])
    }

    /// Waits until none of its places, so many, is taken.
    #[cfg(any(feature = "http", feature = "stdio"))]
    pub(crate) async fn empty(&self, calls: usize) {
        drop(self.running.acquire_many(u32::try_from(calls).unwrap_or(u32::MAX)).await);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.iter().flatten().for_each(|places| places.add_permits(1));
    }
}

fn take(places: &Arc<Semaphore>) -> Option<Arc<Semaphore>> {
    places.try_acquire().ok()?.forget();
    Some(Arc::clone(places))
}

fn places(calls: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS)))
}
