//! The events of a session as server-sent events.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
use http_body::{Body as HttpBody, Frame};
use tokio::{sync::futures::OwnedNotified, time::Sleep};

use crate::edge::dev::session::{
    DevSession,
    hub::{EventHub, NextEvent},
};

/// How often a silent stream sends a comment, so that a connection that is gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Returns a stream of the events after the last one that the client has seen, or if they are not kept any more, of the
/// current state and what follows.
pub(super) fn response(session: &Arc<DevSession>, headers: &HeaderMap) -> Response {
    let hub = Arc::clone(&session.hub);
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let resumed = last.filter(|last| hub.after(*last) != NextEvent::Missed);
    // What happens while the snapshot is made comes again afterwards.
    let seen = resumed.unwrap_or_else(|| hub.last());
    let first = match resumed {
        Some(_) => VecDeque::new(),
        None => session.snapshot().iter().map(|event| written(seen, event)).collect(),
    };
    let stream = EventStream { hub, seen, first, changed: None, silence: None };
    let mut response = Response::new(Body::new(stream));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response
}

fn written(id: u64, event: &str) -> Bytes {
    format!("id: {id}\ndata: {event}\n\n").into()
}

/// A stream that holds no events of its own. It ends if the client was too slow to get all of them; the client then
/// connects again.
struct EventStream {
    hub: Arc<EventHub>,
    /// The id of the last event that was sent.
    seen: u64,
    first: VecDeque<Bytes>,
    /// Completes when there is another event.
    changed: Option<Pin<Box<OwnedNotified>>>,
    silence: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for EventStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(event) = self.first.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(event))));
        }
        loop {
            if let Some(changed) = &mut self.changed {
                if changed.as_mut().poll(cx).is_pending() {
                    let silence = self.silence.get_or_insert_with(|| Box::pin(tokio::time::sleep(KEEP_ALIVE)));
                    ready!(silence.as_mut().poll(cx));
                    self.silence = None;
                    return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n")))));
                }
                self.changed = None;
            }
            // Begins to wait before it looks, so that no event is missed.
            let mut changed = Box::pin(Arc::clone(&self.hub.changed).notified_owned());
            changed.as_mut().enable();
            match self.hub.after(self.seen) {
                NextEvent::Event(id, event) => {
                    self.seen = id;
                    self.silence = None;
                    return Poll::Ready(Some(Ok(Frame::data(written(id, &event)))));
                }
                NextEvent::NoneYet => self.changed = Some(changed),
                NextEvent::Missed => return Poll::Ready(None),
            }
        }
    }
}
