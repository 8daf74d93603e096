//! Limits the memory for large bodies while they are received.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::Poll,
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, Sleep, sleep},
};

use super::{
    HttpLimits,
    owner::{OwnedCounts, Owner},
};

/// The maximum total size of the large bodies that are received at the same time, in bytes.
const MAX_TOTAL_BYTES: usize = 256 * 1024 * 1024;

/// The default limit for one client is at least this number of bodies, even if the server has fewer permits. Bodies
/// without a permit wait.
const MIN_PER_CLIENT: usize = 16;

/// How often the arrival rate of a body is checked.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// The reason why a body was not read.
pub(crate) enum NoBody {
    TooLarge,
    Broken,
    /// The client has reached its limit of large bodies.
    TooMany,
    /// The body arrives too slowly while other bodies wait for a permit.
    TooSlow,
}

pub(crate) struct LargeBodies {
    places: Semaphore,
    /// The number of bodies that wait for a permit.
    waiting: AtomicUsize,
    /// How many bodies one client can send at once, including bodies that wait.
    of_client: usize,
    owned: OwnedCounts,
    /// The minimum rate of a body while other bodies wait, in bytes per second.
    min_rate: usize,
}

/// The permit to receive a large body. It is held while the body is received.
pub(crate) struct BodyPermit<'a> {
    bodies: &'a LargeBodies,
    _owned: OwnedBody<'a>,
    _place: Option<SemaphorePermit<'a>>,
    window: Pin<Box<Sleep>>,
    /// The bytes that have arrived since the rate was last checked.
    received: usize,
}

/// Counts a body against its client's limit until dropped.
struct OwnedBody<'a>(&'a LargeBodies, Option<Owner>);

/// Counts a body as waiting until dropped.
struct WaitingGuard<'a>(&'a AtomicUsize);

impl LargeBodies {
    /// Creates the limits for bodies of at most `body_size` bytes.
    pub(crate) fn new(body_size: usize, limits: &HttpLimits) -> Self {
        let places = (MAX_TOTAL_BYTES / body_size.max(1)).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            places: Semaphore::new(places),
            waiting: AtomicUsize::new(0),
            of_client: limits.large_bodies_per_client.unwrap_or((places / 2).max(MIN_PER_CLIENT)),
            owned: OwnedCounts::default(),
            min_rate: limits.min_body_rate,
        }
    }

    /// Waits for a permit to receive the rest of a large body.
    ///
    /// # Errors
    /// Returns an error if the client has reached its limit.
    pub(crate) async fn enter(&self, owner: Option<&Owner>) -> Result<BodyPermit<'_>, NoBody> {
        if owner.is_some_and(|owner| !self.owned.add(owner, 1, self.of_client)) {
            return Err(NoBody::TooMany);
        }
        // Bodies of unknown clients are not counted.
        let owned = OwnedBody(self, owner.cloned());
        let place = match self.places.try_acquire() {
            Ok(place) => Some(place),
            Err(_) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let _waits = WaitingGuard(&self.waiting);
                // The semaphore is never closed.
                self.places.acquire().await.ok()
            }
        };
        Ok(BodyPermit { bodies: self, _owned: owned, _place: place, window: Box::pin(sleep(RATE_WINDOW)), received: 0 })
    }

    pub(crate) fn min_rate(&self) -> usize {
        self.min_rate
    }

    pub(crate) fn of_client(&self) -> usize {
        self.of_client
    }
}

impl BodyPermit<'_> {
    /// Records that this many more bytes of the body have arrived.
    pub(crate) fn received(&mut self, bytes: usize) {
        self.received += bytes;
    }

    /// Waits for the future `next`, which reads the next part of the body, and returns its output.
    ///
    /// # Errors
    /// Returns an error if the body arrives too slowly while other bodies wait.
    pub(crate) async fn unless_too_slow<T>(&mut self, next: impl Future<Output = T>) -> Result<T, NoBody> {
        let mut next = std::pin::pin!(next);
        poll_fn(|cx| {
            if let Poll::Ready(next) = next.as_mut().poll(cx) {
                return Poll::Ready(Ok(next));
            }
            while self.window.as_mut().poll(cx).is_ready() {
                if self.received < self.bodies.min_rate && self.bodies.waiting.load(Ordering::Relaxed) > 0 {
                    return Poll::Ready(Err(NoBody::TooSlow));
                }
                self.received = 0;
                self.window.as_mut().reset(Instant::now() + RATE_WINDOW);
            }
            Poll::Pending
        })
        .await
    }
}

impl Drop for OwnedBody<'_> {
    fn drop(&mut self) {
        self.1.iter().for_each(|owner| self.0.owned.remove(owner, 1));
    }
}

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
