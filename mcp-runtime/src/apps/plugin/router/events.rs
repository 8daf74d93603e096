//! The timeline of a call as server-sent events.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{
        HeaderMap, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::Response,
};
use futures_core::Stream;
use tokio::{sync::futures::OwnedNotified, time::Sleep};

use crate::apps::plugin::{calls::followers::FollowerPlace, timeline::TimelineEntry};

/// How often a silent stream sends a comment, so that proxies keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The most bytes that a stream hands out at once. A client that does not read makes the server hold only a few of
/// these pieces, whatever the size of an event.
const PIECE: usize = 4 * 1024;

/// Returns the id of the last event that the client has seen: the header `Last-Event-ID`, or else the
/// parameter `after` of the query.
pub(super) fn last_seen(headers: &HeaderMap, query: &str) -> Option<u64> {
    let header = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|id| id.parse().ok());
    let after = || query.split('&').find_map(|pair| pair.strip_prefix("after=")?.parse().ok());
    header.or_else(after)
}

/// Returns a stream of the events with an id above `after`. Later events follow when they happen.
pub(super) fn response(place: FollowerPlace, after: u64) -> Response {
    let events = CallEvents { place, seen: after, partly: None, changed: None, silence: None };
    let mut response = Response::new(Body::from_stream(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Stops nginx from buffering the stream.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct CallEvents {
    place: FollowerPlace,
    /// The id of the last event that was sent completely.
    seen: u64,
    /// The next event, if a part of it was sent.
    partly: Option<PartlySent>,
    /// Completes when the timeline has changed. `None` before it is known that there is nothing to send.
    changed: Option<Pin<Box<OwnedNotified>>>,
    silence: Option<Pin<Box<Sleep>>>,
}

/// An event of which a part was sent.
struct PartlySent {
    id: u64,
    length: usize,
    sent: usize,
}

impl Stream for CallEvents {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(changed) = &mut self.changed {
                if changed.as_mut().poll(cx).is_pending() {
                    return self.poll_silence(cx);
                }
                self.changed = None;
            }
            // Begins to wait before it looks, so that no event is missed.
            let mut changed = Box::pin(Arc::clone(self.place.changed()).notified_owned());
            changed.as_mut().enable();
            let Some(call) = self.place.call() else { return Poll::Ready(None) };
            let is_over = call.timeline.is_over();
            match self.next_piece(|after| call.timeline.first_after(after)) {
                Some(piece) if !piece.is_empty() => {
                    self.silence = None;
                    return Poll::Ready(Some(Ok(piece.into())));
                }
                Some(_) if !is_over => self.changed = Some(changed),
                _ => return Poll::Ready(None),
            }
        }
    }
}

impl CallEvents {
    /// Returns the next bytes of the stream, or no bytes if there is no event yet. Returns `None` if the stream must end
    /// because a part of an event was sent that the timeline has dropped since.
    fn next_piece(&mut self, first_after: impl Fn(u64) -> Option<TimelineEntry>) -> Option<Vec<u8>> {
        let mut piece = Vec::new();
        while piece.len() < PIECE {
            let partly = self.partly.take();
            let Some(next) = first_after(self.seen) else { return partly.is_none().then_some(piece) };
            let (TimelineEntry { id, name, .. }, text) = (&next, next.text());
            let sent = match partly {
                Some(partly) if (partly.id, partly.length) != (*id, text.len()) => return None,
                Some(partly) => partly.sent,
                None => 0,
            };
            if sent == 0 {
                piece.extend_from_slice(format!("id: {id}\nevent: {name}\ndata: ").as_bytes());
            }
            let end = text.len().min(sent + PIECE);
            piece.extend_from_slice(&text.as_bytes()[sent..end]);
            if end == text.len() {
                piece.extend_from_slice(b"\n\n");
                self.seen = *id;
            } else {
                self.partly = Some(PartlySent { id: *id, length: text.len(), sent: end });
            }
        }
        Some(piece)
    }

    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let silence = self.silence.get_or_insert_with(|| Box::pin(tokio::time::sleep(KEEP_ALIVE)));
        match silence.as_mut().poll(cx) {
            Poll::Ready(()) => {
                self.silence = None;
                Poll::Ready(Some(Ok(Bytes::from_static(b":\n\n"))))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}
