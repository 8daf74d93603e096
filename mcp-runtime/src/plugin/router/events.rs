//! The timeline of a call as server-sent events.

use std::{
    collections::VecDeque,
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    http::{HeaderMap, HeaderValue},
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_core::Stream;

use crate::plugin::{PluginCall, PluginHost, live::LiveCall, state::HostState, timeline::TimelineRead};

/// How often a silent stream sends a comment, so that proxies keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Returns the id of the last event that the client has seen: the header `Last-Event-ID`, or else the
/// parameter `after` of the query.
pub(super) fn last_seen(headers: &HeaderMap, query: &str) -> Option<u64> {
    let header = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|id| id.parse().ok());
    let after = || query.split('&').find_map(|pair| pair.strip_prefix("after=")?.parse().ok());
    header.or_else(after)
}

/// Returns a stream of the events with an id above `after`. Later events follow when they happen.
pub(super) fn response(host: &PluginHost, PluginCall { call, .. }: PluginCall, after: u64) -> Response {
    let events = CallEvents { host: Arc::clone(&host.0), call, seen: after, read: VecDeque::new(), reading: None };
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    // Stops nginx from buffering the stream.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

struct CallEvents {
    host: Arc<HostState>,
    call: Arc<LiveCall>,
    seen: u64,
    read: VecDeque<(u64, Arc<str>)>,
    reading: Option<EventReading>,
}

type EventReading = Pin<Box<dyn Future<Output = Option<TimelineRead>> + Send>>;

impl Stream for CallEvents {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some((id, text)) = self.read.pop_front() {
                self.seen = id;
                let event = Event::default().id(id.to_string()).event(name_of(&text)).data(&*text);
                return Poll::Ready(Some(Ok(event)));
            }
            let (host, call, seen) = (Arc::clone(&self.host), Arc::clone(&self.call), self.seen);
            let reading = self
                .reading
                .get_or_insert_with(|| Box::pin(async move { host.until_streams_end(call.timeline.read(seen)).await }));
            let read = ready!(reading.as_mut().poll(cx));
            self.reading = None;
            match read {
                Some(TimelineRead::Events(events)) => self.read = events.into(),
                Some(TimelineRead::Over) | None => return Poll::Ready(None),
            }
        }
    }
}

/// Returns the type of an event. In the text, the type follows the id and the time.
fn name_of(text: &str) -> &str {
    let name = text.split_once(r#""type":""#).and_then(|(_, rest)| rest.split_once('"'));
    name.map_or("message", |(name, _)| name)
}
