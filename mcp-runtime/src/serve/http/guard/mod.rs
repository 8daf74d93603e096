//! The guard: what every endpoint over HTTP checks before anything of a request runs, and the budgets that all
//! endpoints of a service share. The endpoint for MCP, those of contracts and plugins, and routes of the author's own
//! behind the [layer](layer) pass the same function, [`Guard::around`].

pub(super) mod layer;

use std::{borrow::Cow, fmt, net::IpAddr, sync::Arc};

use axum::response::Response;
use bytes::Bytes;
use http::{
    Extensions, HeaderMap, HeaderValue, Method, StatusCode,
    header::{ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE},
    request::Parts,
};
use http_body::Body;

pub(crate) use super::refusal::{RefusedRequest, Render, status_of};
use super::{
    auth,
    limits::owner::Owner,
    origin::cors,
    refusal,
    shared::{settings::HttpPart, warnings::warn_of_endpoint},
};
use crate::{
    engine::call::{
        Principal,
        observer::{Observer as _, observer},
    },
    serve::server::{Service, concurrency::Room},
    wire::protocol::text::shortened,
};

/// The checks and limits of a service over HTTP, as a [`tower` layer](tower_layer::Layer) for routes of your own.
/// [`Service::guard`] creates it.
///
/// The endpoints of this crate have a guard already: [`Service::router`], `contract::rest`, `contract::jsonrpc` and
/// `PluginHost::router`. Routes that you write yourself are reachable for the same clients and web pages, so put them
/// behind the same guard:
///
/// ```
/// use axum::{Router, routing::post};
/// use mcp_runtime::Server;
/// # async fn import(body: String) -> String { body }
///
/// let service = Server::new("flights", "1.0.0").build().unwrap();
/// let own: Router = Router::new().route("/import", post(import)).layer(service.guard().max_body_size(64 * 1024));
/// let app = own.merge(service.mount("/mcp"));
/// ```
///
/// In this order, the guard
///
/// 1. checks `Host`, `Origin` and, for requests that can change something, `Sec-Fetch-Site`; see
///    [`AllowedHosts`](crate::http::AllowedHosts). A refused request gets 403. Pages of allowed origins get CORS headers;
/// 2. checks the token, if the server has an [`authorization`](crate::Server::authorization), and adds the
///    [`Principal`] to the extensions of the request: 401 or 403 with `WWW-Authenticate`;
/// 3. refuses clients that do not read their replies: 429, or 503 if all clients together have reached the limit;
/// 4. reads the body within the time and memory of [`HttpLimits`](crate::http::HttpLimits): 408, 413 or 429. The route gets
///    the whole body;
/// 5. waits for one of the slots of [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls), which the
///    request holds until the route has returned its response: 429 or 503.
///
/// An error is a problem document of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457), with `Retry-After` where the
/// client can try again.
#[derive(Clone)]
#[must_use = "a guard does nothing until it is a layer of a router"]
pub struct Guard {
    service: Service,
    shared: Arc<HttpPart>,
    max_body_size: usize,
    pub(crate) principal: Option<PrincipalFunction>,
    render: Render,
}

/// Returns the principal of a request.
pub(crate) type PrincipalFunction = Arc<dyn Fn(&Parts) -> Option<Principal> + Send + Sync>;

impl Service {
    /// Returns the checks and limits of this service over HTTP, for routes of your own. All endpoints and guards of a
    /// service share its limits.
    pub fn guard(&self) -> Guard {
        Guard {
            shared: self.http(),
            max_body_size: self.body_size(),
            service: self.clone(),
            principal: None,
            render: refusal::problem,
        }
    }
}

impl Guard {
    /// Sets the size of the largest accepted body, in bytes. Default: [`Server::max_message_size`], or 1 MiB.
    ///
    /// [`Server::max_message_size`]: crate::Server::max_message_size
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.max_body_size = bytes;
        self
    }

    /// Sets the function that finds the principal of a request, for example by a signed cookie. It runs after the
    /// checks of `Host` and `Origin`, and after the [`authorization`](crate::Server::authorization) of the server, if
    /// there is one. The guard adds the principal to the extensions of the request. Default: none, so that only the
    /// authorization, or a middleware outside of the guard, establishes a principal.
    pub fn principal(mut self, find: impl Fn(&Parts) -> Option<Principal> + Send + Sync + 'static) -> Self {
        self.principal = Some(Arc::new(find));
        self
    }

    /// Sets the function that writes the body of a refusal.
    pub(crate) fn render(mut self, render: Render) -> Self {
        self.render = render;
        self
    }

    /// Whether the guard can establish a principal.
    pub(crate) fn knows_principals(&self) -> bool {
        self.principal.is_some() || self.shared.admission.is_some()
    }

    /// Reports to the operator if another endpoint of this process differs in authorization from this one, such as "the
    /// MCP endpoint".
    pub(crate) fn warn_of_endpoint(&self, endpoint: &str) {
        if self.principal.is_none() {
            let endpoint = format!("{endpoint} of the server `{}`", self.service.0.settings.identity.name);
            warn_of_endpoint(endpoint, self.shared.admission.as_ref());
        }
    }

    /// Answers a request with `answer`, if it passes all checks of its head. `peer` is the address at the other end of
    /// the connection, if known.
    ///
    /// The parts are passed on in an `Arc`, because each nested future that takes a large value by move reserves space
    /// for it.
    pub(crate) async fn around<F: Future<Output = Response>>(
        &self,
        mut parts: Arc<Parts>,
        peer: Option<IpAddr>,
        answer: impl FnOnce(Arc<Parts>) -> F,
    ) -> Response {
        let shared = &*self.shared;
        let _answering = shared.lifecycle.exchanges.enter();
        let method = parts.method.clone();
        let mut origin = None;
        let owner = match self.check(&mut parts, peer, &mut origin).await {
            Ok(owner) => owner,
            Err(response) => return self.finish(response, &method, origin),
        };
        let response = auth::challenged(shared.admission.as_ref(), answer(parts).await);
        self.finish(shared.replies.track(response, owner), &method, origin)
    }

    /// Adds the headers that every response of the endpoint has, and reports the response. `origin` is that of the page
    /// that can read it.
    fn finish(&self, mut response: Response, method: &Method, origin: Option<HeaderValue>) -> Response {
        origin.into_iter().for_each(|origin| cors::allow(&mut response, origin));
        if self.service.0.is_stopping() {
            // The client must open a new connection, which can reach another instance.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        observer().responded(method.as_str(), response.status().as_u16());
        response
    }

    /// Checks the head of a request, and finds its principal. Returns the client whose quota the request counts against.
    /// Sets `origin` to that of the page that has sent the request, if the page is allowed.
    ///
    /// # Errors
    /// Returns the response to a request that is refused, or that is a preflight.
    async fn check(
        &self,
        parts: &mut Arc<Parts>,
        peer: Option<IpAddr>,
        origin: &mut Option<HeaderValue>,
    ) -> Result<Option<Owner>, Response> {
        let of_page = self.shared.allowed_hosts().check(&parts.method, &parts.uri, &parts.headers);
        *origin = of_page
            .map_err(|reason| self.refuse(RefusedRequest::of(StatusCode::FORBIDDEN, reason.to_string())))?
            .cloned();
        if origin.is_some() && cors::is_preflight(&parts.method, &parts.headers) {
            return Err(cors::preflight(&parts.headers));
        }
        self.admit(parts, peer).await.map_err(|refused| self.refuse(refused))
    }

    /// Finds the principal of a request, and returns the client whose quota the request counts against.
    async fn admit(&self, parts: &mut Arc<Parts>, peer: Option<IpAddr>) -> Result<Option<Owner>, RefusedRequest> {
        auth::admit(self.shared.admission.as_ref(), parts).await?;
        if let Some(principal) = self.principal.as_ref().and_then(|find| find(parts)) {
            Arc::make_mut(parts).extensions.insert(principal);
        }
        let owner = Owner::of(&parts.extensions, peer);
        self.shared.replies.admit(owner.as_ref())?;
        Ok(owner)
    }

    /// Reads the body of a request. Returns the error response if the body is too large, too slow or incomplete, or if
    /// the client sends too many bodies.
    pub(crate) async fn read(
        &self,
        body: impl Body<Data = Bytes> + Unpin,
        parts: &Parts,
        peer: Option<IpAddr>,
    ) -> Result<Bytes, Response> {
        let owner = || Owner::of(&parts.extensions, peer);
        let read = self.shared.bodies.read(body, self.max_body_size, owner).await;
        read.map_err(|refused| self.refuse(refused))
    }

    /// Reads a body like [`read`](Self::read), and rejects a body that is compressed or not declared as JSON.
    pub(crate) async fn read_json(
        &self,
        body: impl Body<Data = Bytes> + Unpin,
        parts: &Parts,
        peer: Option<IpAddr>,
    ) -> Result<Bytes, Response> {
        self.check_json(&parts.headers)?;
        self.read(body, parts, peer).await
    }

    /// Checks the headers that describe a body.
    ///
    /// # Errors
    /// Returns the response to a body that is compressed or not declared as JSON.
    #[expect(clippy::result_large_err, reason = "the response is moved once, which costs less than a box")]
    fn check_json(&self, headers: &HeaderMap) -> Result<(), Response> {
        let (mut is_json, mut encoding) = (None, None);
        // One pass, because each look-up by name would hash the name.
        for (name, value) in headers {
            if name == CONTENT_TYPE {
                is_json.get_or_insert_with(|| declares_json(value));
            } else if name == CONTENT_ENCODING {
                encoding = encoding.or_else(|| content_encoding(value));
            }
        }
        if is_json != Some(true) {
            let reason = "the body must be JSON; send `Content-Type: application/json`";
            return Err(self.refuse(RefusedRequest::of(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason)));
        }
        if let Some(encoding) = encoding {
            let reason = format!(
                "the body has the `Content-Encoding` `{}`, and this server reads only bodies that are not compressed",
                shortened(&encoding)
            );
            let refused = RefusedRequest::of(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason).close();
            let mut response = self.refuse(refused);
            response.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            return Err(response);
        }
        Ok(())
    }

    /// Returns the capacity for the calls of this principal.
    pub(crate) fn room(&self, principal: Option<&Principal>) -> Room {
        self.shared.rooms.of(principal.map(Principal::shared_name).as_ref())
    }

    pub(crate) fn refuse(&self, refused: RefusedRequest) -> Response {
        refused.into_response(self.render)
    }
}

/// Whether this `Content-Type` declares the body as JSON. This is also a matter of safety: without a preflight request,
/// a web page of another origin can send certain other content types, but not JSON.
fn declares_json(value: &HeaderValue) -> bool {
    // What most clients send.
    if value == "application/json" {
        return true;
    }
    let Ok(value) = value.to_str() else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim();
    let subtype = essence.get(..12).filter(|start| start.eq_ignore_ascii_case("application/")).map(|_| &essence[12..]);
    subtype
        .is_some_and(|subtype| subtype.eq_ignore_ascii_case("json") || subtype.to_ascii_lowercase().ends_with("+json"))
}

/// Returns how the body of a request with this `Content-Encoding` is encoded, if it is.
fn content_encoding(value: &HeaderValue) -> Option<Cow<'_, str>> {
    let encoding = String::from_utf8_lossy(value.as_bytes());
    let is_plain = encoding.split(',').all(|name| ["", "identity"].contains(&&*name.trim().to_lowercase()));
    (!is_plain).then_some(encoding)
}

/// Returns the principal of a request, if it has one.
pub(crate) fn principal(extensions: &Extensions) -> Option<Principal> {
    extensions.get().cloned()
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("max_body_size", &self.max_body_size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_body_is_declared_as_json_or_with_the_suffix_json() {
        let is_json = |value| declares_json(&HeaderValue::from_static(value));
        for value in ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"] {
            assert!(is_json(value), "{value}");
        }
        for value in ["", "text/plain", "text/json", "application/jsonp", "application/x-www-form-urlencoded"] {
            assert!(!is_json(value), "{value}");
        }
    }
}
