//! Calls over HTTP, for the page of an application.

mod body;
mod error;
mod events;
mod resource;
mod shown;

use std::collections::BTreeMap;

use axum::{
    Extension, Router,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, Uri},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::json;

use self::{
    body::{AnswerBody, CallBody, JsonBody},
    error::RouterError,
    shown::{ShownCall, shown_tools},
};
use super::{calls::answer::PluginAnswer, host::PluginHost};
use crate::{
    engine::call::Principal,
    serve::http::{json_body, view_frame},
};

impl PluginHost {
    /// Returns the routes for a page that calls the tools, follows the calls and answers their questions. Nest it under
    /// a path of the application; see [the wire format](super#over-the-wire).
    ///
    /// Every request needs the user in its extensions: a [`Principal`] that the application's middleware has inserted. A
    /// user sees only the user's own calls. A request without a user is answered with 401.
    ///
    /// The routes are behind the [guard](crate::http::Guard) of the host's server: it refuses requests to other hosts
    /// and of pages of other origins, and limits bodies and replies. By default only clients of the local machine are
    /// allowed; set [`Server::allowed_hosts`](crate::Server::allowed_hosts) for others. The routes accept only JSON
    /// bodies, so that a page of another origin cannot send a request without a preflight. If a cookie identifies the
    /// user, also set the attribute `SameSite` of the cookie.
    ///
    /// ```
    /// use axum::{Router, extract::Request, middleware::{Next, from_fn}, response::Response};
    /// use mcp_runtime::{Principal, Server, plugin::PluginHost};
    ///
    /// async fn identify(mut request: Request, next: Next) -> Response {
    ///     // A real application reads a session.
    ///     request.extensions_mut().insert(Principal::new("ann"));
    ///     next.run(request).await
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), mcp_runtime::plugin::StartError> {
    /// let host = PluginHost::builder(Server::new("app", "1.0.0")).start().await?;
    /// let app: Router = Router::new().nest("/plugins", host.router().layer(from_fn(identify)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn router(&self) -> Router {
        Router::new()
            .route("/tools", get(tools))
            .route("/calls", post(start).get(open_calls))
            .route("/calls/{id}", get(show).delete(cancel))
            .route("/calls/{id}/events", get(follow))
            .route("/calls/{id}/answers", post(answer))
            .route("/resources", get(read_resource))
            .route("/views", get(show_view))
            .route_layer(middleware::from_fn(require_user))
            .layer(self.server().guard().max_body_size(json_body::MOST_BYTES).render(error::of_refused))
            .with_state(self.clone())
    }
}

async fn require_user(request: Request, next: Next) -> Response {
    if request.extensions().get::<Principal>().is_none() {
        return RouterError::NoUser.into_response();
    }
    next.run(request).await
}

async fn tools(State(host): State<PluginHost>) -> Response {
    json_body::reply(StatusCode::OK, &json!({ "tools": shown_tools(&host) }))
}

async fn start(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    JsonBody(CallBody { tool, arguments }): JsonBody<CallBody>,
) -> Result<Response, RouterError> {
    let call = host.call_as(user, &tool, arguments).await?;
    Ok(json_body::reply(StatusCode::CREATED, &ShownCall::of(&call)))
}

async fn open_calls(State(host): State<PluginHost>, Extension(user): Extension<Principal>) -> Response {
    let calls = host.open_calls_as(user);
    let calls: Vec<_> = calls.iter().map(ShownCall::of).collect();
    json_body::reply(StatusCode::OK, &BTreeMap::from([("calls", calls)]))
}

async fn show(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    Path(id): Path<String>,
) -> Result<Response, RouterError> {
    let call = host.find_as(user, &id).await?;
    Ok(json_body::reply(StatusCode::OK, &ShownCall::of(&call)))
}

async fn cancel(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    Path(id): Path<String>,
) -> Result<Response, RouterError> {
    host.find_as(user, &id).await?.cancel();
    Ok(json_body::reply(StatusCode::ACCEPTED, &json!({})))
}

async fn follow(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    Path(id): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, RouterError> {
    let call = host.find_as(user, &id).await?;
    let after = events::last_seen(&headers, uri.query().unwrap_or_default());
    if !call.status().is_open() && after.is_some_and(|after| call.last_event() <= after) {
        // A browser's `EventSource` does not connect again after this status.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let place = host.0.followers.follow(&call.call)?;
    Ok(events::response(place, after.unwrap_or_default()))
}

async fn answer(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    Path(id): Path<String>,
    JsonBody(AnswerBody { seq, action, content }): JsonBody<AnswerBody>,
) -> Result<Response, RouterError> {
    host.find_as(user, &id).await?.call.answer(seq, PluginAnswer { action, content }).await?;
    Ok(json_body::reply(StatusCode::OK, &json!({})))
}

/// Reads a resource of the server for a view.
async fn read_resource(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    uri: Uri,
) -> Result<Response, RouterError> {
    let result = resource::read(&host, user, &resource::uri_of(&uri)?).await?;
    Ok(json_body::reply(StatusCode::OK, &result))
}

/// Returns the frame with a view.
async fn show_view(
    State(host): State<PluginHost>,
    Extension(user): Extension<Principal>,
    uri: Uri,
) -> Result<Response, RouterError> {
    let uri = resource::uri_of(&uri)?;
    let result = resource::read(&host, user, &uri).await?;
    Ok(view_frame::response(&uri, &*result)?)
}
