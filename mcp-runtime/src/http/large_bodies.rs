//! Room for large bodies while they are received: together they would be more than there is memory.

use std::{
    collections::HashMap,
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

use super::{HttpLimits, body::Unread, owner::Owner};
use crate::mutex::Mutex;

/// So many bytes the large bodies have together that are being received.
const ALL: usize = 256 * 1024 * 1024;

/// Where so few have room at once, one client may have more: they wait.
const LEAST_OF_CLIENT: usize = 16;

/// How often it is looked at how fast a body arrives.
const WINDOW: Duration = Duration::from_secs(1);

pub(super) struct LargeBodies {
    places: Semaphore,
    /// Bodies that wait for a place.
    waiting: AtomicUsize,
    /// How many one client may have, with those that wait.
    of_client: usize,
    owned: Mutex<HashMap<Owner, usize>>,
    /// In bytes per second.
    min_rate: usize,
}

/// The place of a large body, until it is received.
pub(super) struct Place<'a> {
    bodies: &'a LargeBodies,
    _owned: Owned<'a>,
    _place: Option<SemaphorePermit<'a>>,
    window: Pin<Box<Sleep>>,
    /// The bytes that have arrived in this window.
    received: usize,
}

/// What counts a body as one of its client's.
struct Owned<'a>(&'a LargeBodies, Option<Owner>);

/// What counts a body as one that waits.
struct Waits<'a>(&'a AtomicUsize);

impl LargeBodies {
    /// For bodies of at most this size.
    pub(super) fn new(body_size: usize, limits: &HttpLimits) -> Self {
        let places = (ALL / body_size.max(1)).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            places: Semaphore::new(places),
            waiting: AtomicUsize::new(0),
            of_client: limits.large_bodies_per_client.unwrap_or((places / 2).max(LEAST_OF_CLIENT)),
            owned: Mutex::default(),
            min_rate: limits.min_body_rate,
        }
    }

    /// Waits for a place. Meanwhile the rest of the body is left with its client.
    ///
    /// # Errors
    /// The client has as many as it may.
    pub(super) async fn enter(&self, owner: Option<&Owner>) -> Result<Place<'_>, Unread> {
        let owned = self.own(owner)?;
        let place = match self.places.try_acquire() {
            Ok(place) => Some(place),
            Err(_) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let _waits = Waits(&self.waiting);
                // It is never closed.
                self.places.acquire().await.ok()
            }
        };
        Ok(Place { bodies: self, _owned: owned, _place: place, window: Box::pin(sleep(WINDOW)), received: 0 })
    }

    pub(super) fn min_rate(&self) -> usize {
        self.min_rate
    }

    pub(super) fn of_client(&self) -> usize {
        self.of_client
    }

    /// Counts a body as one of its client's. Whose the others are is not known.
    fn own(&self, owner: Option<&Owner>) -> Result<Owned<'_>, Unread> {
        let Some(owner) = owner else { return Ok(Owned(self, None)) };
        let mut owned = self.owned.lock();
        let count = owned.entry(owner.clone()).or_default();
        // One that has too many has one at least, and stands there already.
        if *count >= self.of_client {
            return Err(Unread::TooMany);
        }
        *count += 1;
        Ok(Owned(self, Some(owner.clone())))
    }
}

impl Place<'_> {
    /// Counts what has arrived.
    pub(super) fn received(&mut self, bytes: usize) {
        self.received += bytes;
    }

    /// What `next` gives.
    ///
    /// # Errors
    /// The body arrives too slowly, and others wait.
    pub(super) async fn unless_too_slow<T>(&mut self, next: impl Future<Output = T>) -> Result<T, Unread> {
        let mut next = std::pin::pin!(next);
        poll_fn(|cx| {
            if let Poll::Ready(next) = next.as_mut().poll(cx) {
                return Poll::Ready(Ok(next));
            }
            while self.window.as_mut().poll(cx).is_ready() {
                if self.received < self.bodies.min_rate && self.bodies.waiting.load(Ordering::Relaxed) > 0 {
                    return Poll::Ready(Err(Unread::TooSlow));
                }
                self.received = 0;
                self.window.as_mut().reset(Instant::now() + WINDOW);
            }
            Poll::Pending
        })
        .await
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        let Some(owner) = self.1.take() else { return };
        let mut owned = self.0.owned.lock();
        if let Some(count) = owned.get_mut(&owner) {
            *count -= 1;
            if *count == 0 {
                owned.remove(&owner);
            }
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
