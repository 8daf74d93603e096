//! The metadata of the server as a protected resource (RFC 9728).

use std::collections::BTreeSet;

use axum::{
    Router,
    extract::State,
    http::{
        StatusCode,
        header::{
            ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
            CONTENT_TYPE,
        },
    },
    response::IntoResponse,
    routing::get,
};
use serde_json::{Value, json};

use super::{authorizer::Authorizer, url::WELL_KNOWN};
use crate::{engine::tool::registry::Registry, serve::server::Service};

impl Service {
    /// Returns a router with the protected resource metadata (RFC 9728), which tells clients where to get a token.
    /// Merge it at the root of the application in which the [`router`](Self::router) is mounted:
    ///
    /// ```
    /// # use mcp_runtime::{Principal, Server, auth::{Authorization, BearerToken, TokenFuture, TokenVerifier}};
    /// # struct Anybody;
    /// # impl TokenVerifier for Anybody {
    /// #     fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
    /// #         Box::pin(async { Ok(Principal::new("ann")) })
    /// #     }
    /// # }
    /// let authorization = Authorization::new("https://example.com/mcp", Anybody)
    ///     .authorization_servers(["https://auth.example.com"]);
    /// let service = Server::new("flights", "1.0.0").authorization(authorization).build().unwrap();
    /// let app: axum::Router = axum::Router::new()
    ///     .nest("/mcp", service.router())
    ///     .merge(service.metadata_router()); // `/.well-known/oauth-protected-resource/mcp`
    /// ```
    ///
    /// The metadata is public, so put no authentication in front of this router. [`serve_http`](Self::serve_http) also
    /// serves the metadata. The router is empty if the server has no [`authorization`](crate::Server::authorization).
    pub fn metadata_router(&self) -> Router {
        self.metadata_at(|own| vec![own.to_owned()])
    }

    /// Returns a router for a host with the endpoint at `path`. It serves the metadata at four paths: the path that
    /// belongs to the resource's public URL, `WELL_KNOWN`, `path` + `WELL_KNOWN`, and `WELL_KNOWN` + `path`.
    pub(crate) fn metadata_of_host(&self, path: &str) -> Router {
        self.metadata_at(|own| {
            let paths =
                [own.to_owned(), WELL_KNOWN.to_owned(), format!("{path}{WELL_KNOWN}"), format!("{WELL_KNOWN}{path}")];
            BTreeSet::from(paths)
        })
    }

    /// Returns a router with the metadata at a path below the endpoint. The router is empty if the resource is at the
    /// root of its host, or if the server has no authorization.
    pub(crate) fn metadata_of_endpoint(&self) -> Router {
        self.metadata_at(|own| Some(WELL_KNOWN.to_owned()).filter(|path| path != own))
    }

    /// Returns a router with the metadata at these paths. The function gets the path that belongs to the resource's
    /// public URL.
    fn metadata_at<P: IntoIterator<Item = String>>(&self, paths: impl FnOnce(&str) -> P) -> Router {
        let http = self.http();
        let paths = http.admission.as_ref().map(|admission| paths(&admission.metadata_path));
        paths.into_iter().flatten().fold(Router::new(), |router, path| {
            router.route(&path, get(show).options(preflight).with_state(self.clone()))
        })
    }
}

fn document(admission: &Authorizer, registry: &Registry) -> Value {
    let of_items = registry.all().flat_map(|item| item.definition.scopes.iter().map(|scope| &**scope));
    let mut scopes: Vec<&str> = Vec::new();
    for scope in admission.settings.scopes.iter().map(String::as_str).chain(of_items) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let mut document = json!({
        "resource": admission.settings.resource,
        "resource_name": admission.name,
        "authorization_servers": admission.settings.servers,
        "bearer_methods_supported": ["header"],
    });
    if !scopes.is_empty() {
        document["scopes_supported"] = json!(scopes);
    }
    document
}

/// Answers with the metadata. The document is created for each request, because tools that are added later can have new
/// scopes. Any page can read it, because a client can run in a browser.
async fn show(State(service): State<Service>) -> impl IntoResponse {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    let http = service.http();
    let document = http.admission.as_ref().map(|admission| document(admission, &service.0.registry.read()).to_string());
    (headers, document.unwrap_or_default())
}

async fn preflight() -> impl IntoResponse {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "*"),
    ];
    (StatusCode::NO_CONTENT, headers)
}
