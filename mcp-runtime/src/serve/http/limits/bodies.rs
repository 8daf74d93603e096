//! Reads the bodies of requests, within limits of size, time and memory.

use std::{future::poll_fn, pin::Pin, sync::Arc, task::Poll, time::Duration};

use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame};
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

/// A piece of a body. `None` is the end of the body.
type BodyPiece<B> = Option<Result<Frame<Bytes>, <B as Body>::Error>>;

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
    pub(crate) async fn read<B>(
        &self,
        mut body: B,
        most: usize,
        owner: impl Fn() -> Option<Owner>,
    ) -> Result<Bytes, RefusedRequest>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        // If the declared size is too large, rejects the body before it arrives.
        if usize::try_from(body.size_hint().lower()).map_or(true, |least| most < least) {
            return Err(too_large(most).close());
        }
        let pieces = match piece_at_once(&mut body).await {
            // Most bodies arrive in one piece together with their head. They are not copied, and need no timer.
            Some(Some(frame)) if body.is_end_stream() => return data_of(frame, 0, most).map_err(RefusedRequest::close),
            // Boxed, so that the future of a request reserves no space for bodies that arrive in several pieces.
            first => Box::pin(timeout(self.time, self.collect(first, body, most, owner))),
        };
        let read = pieces
            .await
            .unwrap_or_else(|_| Err(late(format!("the body of the request did not arrive within {:?}", self.time))));
        read.map_err(RefusedRequest::close)
    }

    /// Reads a body that arrives in several pieces. `first` is the first of them, if it has arrived.
    async fn collect<B>(
        &self,
        mut first: Option<BodyPiece<B>>,
        mut body: B,
        most: usize,
        owner: impl Fn() -> Option<Owner>,
    ) -> Result<Bytes, RefusedRequest>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        // A body of one piece is not copied.
        let mut one = Bytes::new();
        let mut many = BytesMut::new();
        let mut permit: Option<BodyPermit<'_>> = None;
        loop {
            let piece = match (first.take(), &mut permit) {
                (Some(piece), _) => piece,
                (None, None) => body.frame().await,
                (None, Some(permit)) => permit.unless_too_slow(body.frame()).await?,
            };
            let Some(frame) = piece else { break };
            let before = one.len() + many.len();
            let data = data_of(frame, before, most)?;
            if before == 0 {
                one = data;
            } else {
                if LARGE < before + data.len() && permit.is_none() {
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

/// Polls for the first piece of a body twice. Returns `None` if it has not arrived then. A connection passes the body of
/// a request on when it is asked for, so a piece that has arrived with its head is there at the second poll.
async fn piece_at_once<B: Body<Data = Bytes> + Unpin>(body: &mut B) -> Option<BodyPiece<B>> {
    let mut is_first = true;
    poll_fn(|cx| match Pin::new(&mut *body).poll_frame(cx) {
        Poll::Pending if std::mem::take(&mut is_first) => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Pending => Poll::Ready(None),
        Poll::Ready(piece) => Poll::Ready(Some(piece)),
    })
    .await
}

/// Returns the data of a piece of a body, which is empty if the piece has trailers. `before` is the number of bytes that
/// have arrived before it, and `most` is the limit for the whole body.
fn data_of<E>(frame: Result<Frame<Bytes>, E>, before: usize, most: usize) -> Result<Bytes, RefusedRequest> {
    let frame = frame.map_err(|_| RpcError::parse("the body of the request is incomplete"))?;
    let data = frame.into_data().unwrap_or_default();
    if most - before < data.len() { Err(too_large(most)) } else { Ok(data) }
}

/// Creates the refusal of a request whose body is larger than `most` bytes.
fn too_large(most: usize) -> RefusedRequest {
    RefusedRequest::of(StatusCode::PAYLOAD_TOO_LARGE, format!("the body must have at most {most} bytes"))
}

/// Creates the refusal of a request whose body is late.
fn late(reason: String) -> RefusedRequest {
    RefusedRequest::of(StatusCode::REQUEST_TIMEOUT, reason)
}
