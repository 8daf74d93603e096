//! The routes of the conversation.

use axum::{
    Extension, Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use mcp_runtime::{Principal, plugin::PluginCall};
use serde::Deserialize;
use serde_json::json;

use crate::{Chat, agent, events};

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
    Ok(events::response(conversation, seen))
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
