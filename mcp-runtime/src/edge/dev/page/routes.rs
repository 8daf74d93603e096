//! The routes of the page, as `dev-page/src/dev-api.d.ts` lists them.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    Router,
    body::Body,
    extract::{Path, Request, State},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, StatusCode, Uri,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use http_body::Frame;
use serde_json::json;

use super::{
    access::{PageToken, require_token},
    body::{ClockBody, DevAnswerBody, DevJson, DevResourceBody, FaultBody, SetupBody},
    document,
    error::{PageError, of_refused},
    events, query,
};
use crate::{
    edge::dev::{
        session::{DevCompletion, DevSession, NewCall},
        target::ClientSetup,
    },
    serve::{
        http::{json_body, view_frame},
        server::Service,
    },
};

/// What all routes share.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) session: Arc<DevSession>,
    pub(super) token: Arc<PageToken>,
}

type PageReply = Result<Response, PageError>;

/// Returns the routes behind the guard of this service and behind the token.
pub(super) fn router(page: Page, service: &Service) -> Router {
    Router::new()
        .route("/", get(async || document::response()))
        .route("/views", get(show_view))
        .route("/api/state", get(state))
        .route("/api/events", get(follow))
        .route("/api/items", post(items))
        .route("/api/completions", post(completions))
        .route("/api/calls", post(call).get(calls))
        .route("/api/calls/{id}", get(show).delete(cancel))
        .route("/api/calls/{id}/answers", post(answer))
        .route("/api/calls/{id}/faults", post(fault).delete(disarm))
        .route("/api/calls/{id}/record", get(record))
        .route("/api/calls/{id}/commands", get(commands))
        .route("/api/calls/{id}/test", get(as_test))
        .route("/api/commands", post(commands_of_input))
        .route("/api/messages", get(messages))
        .route("/api/messages/{n}", get(message))
        .route("/api/check", get(check))
        .route("/api/server/restart", post(restart))
        .route("/api/server/clock", post(advance_clock))
        .route("/api/recording", get(recording))
        .route("/api/resources", post(resource))
        .fallback(async || PageError::NoSuchPath.into_response())
        .layer(middleware::from_fn_with_state(page.clone(), require_token))
        .layer(service.guard().max_body_size(json_body::MOST_BYTES).render(of_refused))
        .layer(middleware::from_fn(protect))
        .with_state(page)
}

/// Adds the headers that all responses have, also refusals.
async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    document::protect(response.headers_mut());
    response
}

fn ok(body: &impl serde::Serialize) -> Response {
    json_body::reply(StatusCode::OK, body)
}

async fn state(State(page): State<Page>) -> Response {
    ok(&page.session.state())
}

async fn follow(State(page): State<Page>, headers: HeaderMap) -> Response {
    events::response(&page.session, &headers)
}

async fn items(State(page): State<Page>, DevJson(SetupBody { setup }): DevJson<SetupBody>) -> PageReply {
    Ok(ok(&page.session.list(&setup).await?))
}

async fn completions(State(page): State<Page>, DevJson(request): DevJson<DevCompletion>) -> PageReply {
    Ok(ok(&page.session.complete(request).await?))
}

async fn call(State(page): State<Page>, DevJson(new): DevJson<NewCall>) -> PageReply {
    Ok(json_body::reply(StatusCode::CREATED, &page.session.call(new)?))
}

async fn calls(State(page): State<Page>) -> Response {
    ok(&json!({ "calls": page.session.calls() }))
}

async fn show(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    Ok(ok(&page.session.find(&id)?))
}

async fn cancel(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    page.session.cancel(&id)?;
    Ok(json_body::reply(StatusCode::ACCEPTED, &json!({})))
}

async fn answer(
    State(page): State<Page>,
    Path(id): Path<String>,
    DevJson(DevAnswerBody { seq, answer }): DevJson<DevAnswerBody>,
) -> PageReply {
    page.session.answer(&id, seq, answer)?;
    Ok(ok(&json!({})))
}

async fn fault(
    State(page): State<Page>,
    Path(id): Path<String>,
    DevJson(FaultBody { fault }): DevJson<FaultBody>,
) -> PageReply {
    page.session.fault(&id, fault)?;
    Ok(ok(&json!({})))
}

async fn disarm(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    page.session.disarm(&id)?;
    Ok(ok(&json!({})))
}

async fn record(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    Ok(ok(&page.session.record(&id).await?))
}

async fn commands(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    Ok(ok(&page.session.commands(&id)?))
}

async fn commands_of_input(State(page): State<Page>, DevJson(new): DevJson<NewCall>) -> PageReply {
    Ok(ok(&page.session.commands_of_input(&new)?))
}

async fn as_test(State(page): State<Page>, Path(id): Path<String>) -> PageReply {
    Ok(ok(&page.session.as_test(&id).await?))
}

async fn messages(State(page): State<Page>, uri: Uri) -> PageReply {
    Ok(ok(&page.session.messages(&query::messages(&uri)?)))
}

async fn message(State(page): State<Page>, Path(n): Path<String>) -> PageReply {
    let n = n.parse().map_err(|_| PageError::Unreadable(format!("`{n}` is not the number of a message")))?;
    Ok(ok(&page.session.message(n)?))
}

async fn check(State(page): State<Page>) -> PageReply {
    Ok(ok(&page.session.check().await?))
}

async fn restart(State(page): State<Page>) -> PageReply {
    page.session.restart().await?;
    Ok(ok(&json!({})))
}

async fn advance_clock(State(page): State<Page>, DevJson(ClockBody { seconds }): DevJson<ClockBody>) -> PageReply {
    page.session.advance_clock(seconds).await?;
    Ok(ok(&json!({})))
}

async fn resource(
    State(page): State<Page>,
    DevJson(DevResourceBody { uri, setup }): DevJson<DevResourceBody>,
) -> PageReply {
    Ok(ok(&page.session.read_resource(&setup, &uri).await?))
}

/// Returns the frame with a view. The frame is a document of its own, so the browser asks for it.
async fn show_view(State(page): State<Page>, uri: Uri) -> PageReply {
    let missing = |name: &str| PageError::Unreadable(format!("the query lacks `{name}`"));
    let view = query::parameter(&uri, "uri").ok_or_else(|| missing("uri"))?;
    let setup = query::parameter(&uri, "setup").ok_or_else(|| missing("setup"))?;
    let setup: ClientSetup = serde_json::from_str(&setup)
        .map_err(|error| PageError::Unreadable(format!("the `setup` of the query cannot be read: {error}")))?;
    let result = page.session.read_resource(&setup, &view).await?;
    Ok(view_frame::response(&view, &result)?)
}

/// Returns the session as a file.
async fn recording(State(page): State<Page>) -> Response {
    let lines = LineBody(Box::new(page.session.recorded()));
    let mut response = Response::new(Body::new(lines));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
    headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"session.mcp-dev.jsonl\""));
    response
}

/// A body whose pieces are lines, which are made when the client reads them.
struct LineBody(Box<dyn Iterator<Item = String> + Send>);

impl http_body::Body for LineBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.next().map(|line| Ok(Frame::data(line.into()))))
    }
}
