//! The routes of the conversation.

use std::{convert::Infallible, pin::Pin, sync::Arc, time::Duration};

use axum::{
    Extension, Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::{get, post},
};
use futures_core::Stream;
use mcp_runtime::{Principal, plugin::PluginCall};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::watch;

use crate::{Chat, agent, conversation::Conversation, item::Item};

/// How long a page waits before it connects again.
const RETRY: Duration = Duration::from_millis(500);

/// The longest message of a user, in bytes.
const LONGEST: usize = 32 * 1024;

pub(crate) fn routes(chat: Chat) -> Router {
    Router::new()
        .route("/api/model", get(model))
        .route("/api/chat", get(follow).delete(clear))
        .route("/api/chat/messages", post(ask))
        .route("/api/chat/stop", post(stop))
        .with_state(chat)
}

/// The error of a route.
enum ApiError {
    Busy,
    TooLong,
    Storage(std::io::Error),
}

#[derive(Deserialize)]
struct MessageBody {
    text: String,
}

async fn model(State(chat): State<Chat>) -> Response {
    Json(json!({ "model": &*chat.assistant.name })).into_response()
}

/// Sends the entries of the conversation, and the later ones as they come.
async fn follow(
    State(chat): State<Chat>,
    Extension(user): Extension<Principal>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let conversation = chat.conversations.of(user.name())?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.split_once('-'));
    let seen = last.filter(|(began, _)| began.parse() == Ok(conversation.began()));
    let seen = seen.and_then(|(_, seen)| seen.parse().ok()).unwrap_or(0);
    let items = Items { changed: conversation.length.subscribe(), conversation, seen, ready: Vec::new() };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(stream(items)).keep_alive(keep_alive).into_response())
}

async fn ask(
    State(chat): State<Chat>,
    Extension(user): Extension<Principal>,
    Json(MessageBody { text }): Json<MessageBody>,
) -> Result<StatusCode, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::TooLong);
    }
    let conversation = chat.conversations.of(user.name())?;
    if !conversation.ask(text)? {
        return Err(ApiError::Busy);
    }
    agent::spawn(chat, conversation);
    Ok(StatusCode::ACCEPTED)
}

async fn stop(State(chat): State<Chat>, Extension(user): Extension<Principal>) -> Result<StatusCode, ApiError> {
    chat.conversations.of(user.name())?.stop();
    Ok(StatusCode::ACCEPTED)
}

async fn clear(State(chat): State<Chat>, Extension(user): Extension<Principal>) -> Result<StatusCode, ApiError> {
    chat.host().open_calls_as(user.clone()).iter().for_each(PluginCall::cancel);
    chat.conversations.clear(user.name())?;
    Ok(StatusCode::NO_CONTENT)
}

/// The entries that a page has not seen yet.
struct Items {
    conversation: Arc<Conversation>,
    changed: watch::Receiver<u64>,
    seen: u64,
    /// The next entries, in reverse order.
    ready: Vec<Arc<Item>>,
}

impl Items {
    async fn next(&mut self) -> Option<Arc<Item>> {
        loop {
            if let Some(item) = self.ready.pop() {
                self.seen = item.id;
                return Some(item);
            }
            if *self.changed.borrow_and_update() == u64::MAX {
                return None;
            }
            self.ready = self.conversation.after(self.seen);
            self.ready.reverse();
            if self.ready.is_empty() {
                self.changed.changed().await.ok()?;
            }
        }
    }
}

/// The stream of events. The page tells by the event `begin` that the entries come from the beginning.
fn stream(items: Items) -> impl Stream<Item = Result<Event, Infallible>> {
    type Next = Pin<Box<dyn Future<Output = (Items, Option<Arc<Item>>)> + Send>>;
    struct ItemEvents {
        next: Option<Next>,
        first: Option<Event>,
    }
    fn next(mut items: Items) -> Next {
        Box::pin(async move {
            let item = items.next().await;
            (items, item)
        })
    }
    impl Stream for ItemEvents {
        type Item = Result<Event, Infallible>;

        fn poll_next(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Option<Self::Item>> {
            use std::task::{Poll, ready};
            if let Some(first) = self.first.take() {
                return Poll::Ready(Some(Ok(first)));
            }
            let Some(waiting) = &mut self.next else { return Poll::Ready(None) };
            let (items, item) = ready!(waiting.as_mut().poll(cx));
            let Some(item) = item else {
                self.next = None;
                return Poll::Ready(None);
            };
            let data = serde_json::to_string(&*item).unwrap_or_default();
            let id = format!("{}-{}", items.conversation.began(), item.id);
            self.next = Some(next(items));
            Poll::Ready(Some(Ok(Event::default().id(id).event("item").data(data))))
        }
    }
    let first = (items.seen == 0).then(|| Event::default().event("begin").retry(RETRY).data("{}"));
    ItemEvents { next: Some(next(items)), first }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, message) = match self {
            Self::Busy => (StatusCode::CONFLICT, "busy", "the assistant is still at work".to_owned()),
            Self::TooLong => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too_long", format!("a message has at most {LONGEST} bytes"))
            }
            Self::Storage(error) => {
                eprintln!("a conversation cannot be stored: {error}");
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the conversation cannot be stored".to_owned())
            }
        };
        (status, Json(json!({ "error": { "code": code, "message": message } }))).into_response()
    }
}
