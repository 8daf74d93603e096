//! The routes of the conversation.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use mcp_runtime::plugin::PluginCall;
use serde::Deserialize;
use serde_json::json;

use crate::{
    Chat, agent,
    conversation::{Asking, blocking},
    conversations::Unwelcome,
    events,
    user::{ClientIp, User},
};

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
pub(crate) enum ApiError {
    NoUser,
    Busy,
    TooLong,
    TooMany(&'static str),
    Full(&'static str),
    ConversationFull,
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
async fn follow(State(chat): State<Chat>, User(user): User, headers: HeaderMap) -> Result<Response, ApiError> {
    if chat.conversations.is_ending() {
        return Err(ApiError::Full("the program ends"));
    }
    let conversation = chat.conversations.of(user.name()).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.split_once('-'));
    let seen = last.filter(|(began, _)| began.parse() == Ok(conversation.began()));
    let seen = seen.and_then(|(_, seen)| seen.parse().ok()).unwrap_or(0);
    let response = events::response(&chat.streams, conversation, seen);
    response.ok_or(ApiError::TooMany("too many tabs follow conversations: close one"))
}

async fn ask(
    State(chat): State<Chat>,
    User(user): User,
    ClientIp(address): ClientIp,
    Json(MessageBody { text }): Json<MessageBody>,
) -> Result<StatusCode, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::TooLong);
    }
    // Taken first, so that the conversation is in use, and stays, from here on.
    let conversation = chat.conversations.of(user.name()).await?;
    let conversations = Arc::clone(&chat.conversations);
    let welcomed = blocking(move || conversations.welcome(user.name(), address)).await?;
    welcomed.map_err(|unwelcome| match unwelcome {
        Unwelcome::Address => ApiError::TooMany("too many new users have come from your address: try again in an hour"),
        Unwelcome::Full => ApiError::Full("too many users are here: try again later"),
    })?;
    match conversation.ask(text).await? {
        Asking::Accepted => agent::spawn(chat, conversation),
        Asking::Busy => return Err(ApiError::Busy),
        Asking::Full => return Err(ApiError::ConversationFull),
    }
    Ok(StatusCode::ACCEPTED)
}

async fn stop(State(chat): State<Chat>, User(user): User) -> StatusCode {
    // A conversation at which the assistant works is in memory.
    if let Some(conversation) = chat.conversations.find(user.name()) {
        conversation.stop();
    }
    StatusCode::ACCEPTED
}

async fn clear(State(chat): State<Chat>, User(user): User) -> Result<StatusCode, ApiError> {
    chat.host().open_calls_as(user.clone()).iter().for_each(PluginCall::cancel);
    blocking(move || chat.conversations.clear(user.name())).await?;
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
            Self::NoUser => (StatusCode::UNAUTHORIZED, "no_user", "open the page first: it sets the cookie".to_owned()),
            Self::TooMany(words) => (StatusCode::TOO_MANY_REQUESTS, "too_many", words.to_owned()),
            Self::Full(words) => (StatusCode::SERVICE_UNAVAILABLE, "full", words.to_owned()),
            Self::ConversationFull => {
                (StatusCode::CONFLICT, "conversation_full", "this conversation is full: begin a new one".to_owned())
            }
            Self::Busy => (StatusCode::CONFLICT, "busy", "the assistant is still at work".to_owned()),
            Self::TooLong => {
                (StatusCode::PAYLOAD_TOO_LARGE, "too_long", format!("a message has at most {LONGEST} bytes"))
            }
            Self::Storage(error) => {
                eprintln!("a conversation cannot be stored: {error}");
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the conversation cannot be stored".to_owned())
            }
        };
        let mut response = (status, Json(json!({ "error": { "code": code, "message": message } }))).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("10"));
        }
        response
    }
}
