//! The routes: the page, the messages of the chat, the calls of its tools, and the MCP endpoint.

use std::sync::Arc;

use axum::{
    Extension, Json, Router,
    extract::{Request, State},
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use mcp_runtime::{
    Principal,
    plugin::{PluginHost, StartError},
    prelude::*,
    providers::Model,
};
use serde_json::{Value, json};

use crate::{
    assistant::{self, Line},
    booking::book_table,
};

/// Scripts and styles come from this program only, so that text of a model or a tool can bring none.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

#[derive(Clone)]
struct Chat {
    host: PluginHost,
    model: Option<Arc<Model>>,
}

/// Returns the application.
pub async fn app(model: Option<Model>) -> Result<Router, StartError> {
    let server =
        Server::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).tools(tools![book_table]);
    let host = PluginHost::builder(server).start().await?;
    let chat = Chat {
        host: host.clone(),
        model: model.map(Arc::new),
    };
    let messages = Router::new()
        .route("/messages", post(message))
        .with_state(chat)
        .layer(host.server().guard());
    let of_user = messages
        .nest("/plugin", host.router())
        .layer(middleware::from_fn(identify));
    Ok(of_user
        .route(
            "/",
            get(async || {
                file(
                    "text/html; charset=utf-8",
                    include_str!("../web/index.html"),
                )
            }),
        )
        .route(
            "/page.js",
            get(async || {
                file(
                    "text/javascript; charset=utf-8",
                    include_str!("../web/page.js"),
                )
            }),
        )
        .route(
            "/page.css",
            get(async || file("text/css; charset=utf-8", include_str!("../web/page.css"))),
        )
        .merge(host.server().mount("/mcp")))
}

/// Says who the user of a request is. A program that others can reach reads a session here.
async fn identify(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Principal::new("me"));
    next.run(request).await
}

/// Replies to the last message of a conversation, and starts the calls that the assistant wants. The page follows them.
async fn message(
    State(chat): State<Chat>,
    Extension(user): Extension<Principal>,
    Json(lines): Json<Vec<Line>>,
) -> Json<Value> {
    let reply = assistant::reply(chat.model.as_deref(), &chat.host, &lines).await;
    let mut calls = Vec::new();
    let mut text = reply.text;
    for (tool, arguments) in reply.calls {
        match chat.host.call_as(user.clone(), &tool, arguments).await {
            Ok(call) => calls.push(call.id().to_owned()),
            Err(error) => text = format!("{text}\n{tool}: {error}"),
        }
    }
    Json(json!({ "text": text.trim(), "calls": calls }))
}

fn file(kind: &'static str, content: &'static str) -> impl IntoResponse {
    (
        [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)],
        content,
    )
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::StatusCode};
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;

    async fn send(app: &Router, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost");
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let response = app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    async fn say(app: &Router, text: &str) -> Value {
        let (status, reply) = send(
            app,
            "POST",
            "/messages",
            json!([{ "role": "user", "text": text }]),
        )
        .await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        reply
    }

    #[tokio::test]
    async fn a_tool_asks_in_the_conversation() {
        let app = app(None).await.unwrap();
        let reply = say(&app, r#"book_table {"people": 2}"#).await;
        let call = format!("/plugin/calls/{}", reply["calls"][0].as_str().unwrap());
        let (_, shown) = send(&app, "GET", &call, Value::Null).await;
        assert_eq!(
            shown["question"]["message"],
            "A table for 2: where do you want to sit?"
        );

        let answer =
            json!({ "seq": 1, "action": "accept", "content": { "name": "Ada", "seat": "any" } });
        let (status, refusal) = send(&app, "POST", &format!("{call}/answers"), answer).await;
        assert_eq!(status, StatusCode::OK, "{refusal}");
    }

    #[tokio::test]
    async fn without_a_model_the_chat_says_what_it_can_do() {
        let app = app(None).await.unwrap();
        assert!(
            say(&app, "Hello!").await["text"]
                .as_str()
                .unwrap()
                .contains("book_table")
        );
        assert!(
            say(&app, "book_table two").await["text"]
                .as_str()
                .unwrap()
                .contains("not JSON")
        );
    }

    #[tokio::test]
    async fn other_sites_cannot_use_the_page() {
        let app = app(None).await.unwrap();
        let request = Request::builder()
            .method("POST")
            .uri("/messages")
            .header("host", "evil.example");
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from("[]"))
            .unwrap();
        assert_eq!(
            app.oneshot(request).await.unwrap().status(),
            StatusCode::FORBIDDEN
        );
    }
}
