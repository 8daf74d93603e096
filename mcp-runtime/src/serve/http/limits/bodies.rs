//! Reads the bodies of requests, within limits of size, time and memory.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt as _;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout, timeout_at},
};

use super::{
    HttpLimits,
    owner::{Owner, OwnerCount, OwnerCounts},
};
use crate::{serve::http::refusal::RefusedRequest, wire::protocol::error::RpcError};

/// A body of more than this many bytes needs a permit.
const LARGE: usize = 64 * 1024;

/// The maximum total size of the large bodies that are received at the same time, in bytes.
const MAX_TOTAL_BYTES: usize = 256 * 1024 * 1024;

/// The default limit for one client is at least this number of large bodies, even if the server has fewer permits.
/// Bodies without a permit wait.
const MIN_PER_CLIENT: usize = 16;

/// How often the arrival rate of a large body is checked.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// The limits for the bodies of all requests.
pub(crate) struct BodyLimits {
    /// How long a body can take to arrive.
    time: Duration,
    /// The permits to receive a large body.
    permits: Semaphore,
    /// Each body that waits for a permit holds a clone.
    waiting: Arc<()>,
    /// How many large bodies one client can send at once, including bodies that wait.
    of_client: usize,
    owned: OwnerCounts,
    /// The minimum rate of a large body while other bodies wait, in bytes per second.
    min_rate: usize,
}

/// The permit to receive a large body. It is held while the body is received.
struct BodyPermit<'a> {
    limits: &'a BodyLimits,
    _owned: OwnerCount,
    _permit: Option<SemaphorePermit<'a>>,
    /// When the rate is checked.
    check: Instant,
    /// The bytes that have arrived since the rate was last checked.
    received: usize,
}

impl BodyLimits {
    /// Creates the limits for bodies of at most `body_size` bytes.
    pub(crate) fn new(body_size: usize, limits: &HttpLimits) -> Self {
        let permits = (MAX_TOTAL_BYTES / body_size.max(1)).clamp(1, Semaphore::MAX_PERMITS);
        Self {
            time: limits.request_timeout,
            permits: Semaphore::new(permits),
            waiting: Arc::default(),
            of_client: limits.large_bodies_per_client.unwrap_or((permits / 2).max(MIN_PER_CLIENT)),
            owned: OwnerCounts::default(),
            min_rate: limits.min_body_rate,
        }
    }

    /// Reads a body of at most `most` bytes. The function `owner` returns the client whose quota a large body counts
    /// against.
    ///
    /// # Errors
    /// Returns an error if the body is too large, too slow or incomplete, or if the client sends too many bodies.
    pub(crate) async fn read(
        &self,
        body: impl Body<Data = Bytes> + Unpin,
        most: usize,
        owner: impl Fn() -> Option<Owner>,
    ) -> Result<Bytes, RefusedRequest> {
        let mut read = pin!(self.collect(body, most, owner));
        let read = match without_timer(read.as_mut()).await {
            Some(read) => read,
            None => timeout(self.time, read).await.unwrap_or_else(|_| {
                Err(late(format!("the body of the request did not arrive within {:?}", self.time)))
            }),
        };
        read.map_err(RefusedRequest::close)
    }

    async fn collect(
        &self,
        mut body: impl Body<Data = Bytes> + Unpin,
        most: usize,
        owner: impl Fn() -> Option<Owner>,
    ) -> Result<Bytes, RefusedRequest> {
        let too_large = || {
            let reason = format!("the body must have at most {most} bytes");
            RefusedRequest::of(StatusCode::PAYLOAD_TOO_LARGE, reason)
        };
        // If the declared size is too large, rejects the body before it arrives.
        if usize::try_from(body.size_hint().lower()).map_or(true, |least| most < least) {
            return Err(too_large());
        }
        // Most bodies arrive in one piece, which is not copied.
        let mut one = Bytes::new();
        let mut many = BytesMut::new();
        let mut permit: Option<BodyPermit<'_>> = None;
        loop {
            let frame = match &mut permit {
                None => body.frame().await,
                Some(permit) => permit.unless_too_slow(body.frame()).await?,
            };
            let Some(frame) = frame else { break };
            let broken = |_| RpcError::parse("the body of the request is incomplete");
            let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
            let length = one.len() + many.len() + data.len();
            if most < length {
                return Err(too_large());
            }
            if one.is_empty() && many.is_empty() {
                one = data;
            } else {
                if LARGE < length && permit.is_none() {
                    permit = Some(self.permit(owner()).await?);
                }
                permit.iter_mut().for_each(|permit| permit.received += data.len());
                many.extend_from_slice(&std::mem::take(&mut one));
                many.extend_from_slice(&data);
            }
            if body.is_end_stream() {
                break;
            }
        }
        Ok(if one.is_empty() { many.freeze() } else { one })
    }

    /// Waits for a permit to receive the rest of a large body.
    async fn permit(&self, owner: Option<Owner>) -> Result<BodyPermit<'_>, RefusedRequest> {
        let most = self.of_client;
        let Some(owned) = self.owned.add(owner, 1, most) else {
            let reason = format!("you can send at most {most} messages of more than {LARGE} bytes at once");
            return Err(RpcError::too_many(&reason).into());
        };
        let permit = match self.permits.try_acquire() {
            Ok(permit) => Some(permit),
            Err(_) => {
                let _waits = Arc::clone(&self.waiting);
                // The semaphore is never closed.
                self.permits.acquire().await.ok()
            }
        };
        let check = Instant::now() + RATE_WINDOW;
        Ok(BodyPermit { limits: self, _owned: owned, _permit: permit, check, received: 0 })
    }
}

impl BodyPermit<'_> {
    /// Waits for the future `next`, which reads the next part of the body, and returns its output.
    ///
    /// # Errors
    /// Returns an error if the body arrives too slowly while other bodies wait.
    async fn unless_too_slow<T>(&mut self, next: impl Future<Output = T>) -> Result<T, RefusedRequest> {
        let mut next = std::pin::pin!(next);
        loop {
            if let Ok(next) = timeout_at(self.check, next.as_mut()).await {
                return Ok(next);
            }
            let least = self.limits.min_rate;
            if self.received < least && Arc::strong_count(&self.limits.waiting) > 1 {
                return Err(late(format!(
                    "the body of the request arrived too slowly while other requests waited; send at least {least} \
                     bytes/s"
                )));
            }
            (self.received, self.check) = (0, Instant::now() + RATE_WINDOW);
        }
    }
}

/// Polls a future twice. Returns its output, or `None` if it is not ready then. A connection passes the body of a
/// request on when it is asked for, so a body that has arrived with its head is ready at the second poll.
async fn without_timer<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    let mut is_first = true;
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Pending if std::mem::take(&mut is_first) => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Pending => Poll::Ready(None),
        Poll::Ready(output) => Poll::Ready(Some(output)),
    })
    .await
}

/// Creates the refusal of a request whose body is late.
fn late(reason: String) -> RefusedRequest {
    RefusedRequest::of(StatusCode::REQUEST_TIMEOUT, reason)
}
