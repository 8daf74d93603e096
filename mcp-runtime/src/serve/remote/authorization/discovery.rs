//! Finds out where a token for a server comes from: from the metadata of the server as a protected resource (RFC 9728) and
//! the metadata of its authorization server (RFC 8414, or OpenID Connect Discovery).

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, Uri, header::ACCEPT};
use http_body_util::Full;
use hyper::body::Incoming;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::time::timeout;

use crate::{
    base::this_machine::is_this_machine,
    serve::remote::transport::{
        TransferError,
        http::{
            text_of,
            url::{Endpoint, is_private},
        },
    },
};

/// How long a server may take to answer.
const LIMIT: Duration = Duration::from_secs(10);

/// The largest accepted document, in bytes.
const MAX_DOCUMENT: usize = 1024 * 1024;

/// Where a token for a server comes from.
#[derive(Clone, Debug)]
pub(super) struct TokenSource {
    pub(super) token_url: Uri,
    /// The server for which the token is valid.
    pub(super) resource: String,
    /// The scopes that the metadata of the server names.
    pub(super) scopes: Vec<String>,
    /// Whether the credentials are sent in the body of the request, because the header `Authorization` is not accepted.
    pub(super) in_body: bool,
}

#[derive(Deserialize)]
struct ResourceMetadata {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

#[derive(Deserialize)]
struct IssuerMetadata {
    issuer: String,
    token_endpoint: String,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// Finds the authorization server of an endpoint. `named` is the URL of the metadata in a challenge. If `issuer` is given,
/// only this authorization server is accepted.
///
/// # Errors
/// Says what the metadata lacks.
pub(super) async fn discover(
    endpoint: &Endpoint,
    named: Option<&str>,
    issuer: Option<&str>,
) -> Result<TokenSource, String> {
    let metadata = resource_metadata(endpoint, named).await?;
    let (resource, servers, scopes) = match metadata {
        Some(found) => (found.resource, found.authorization_servers, found.scopes_supported),
        // Until 2025-03-26 the server was its own authorization server.
        None => (resource_of(endpoint), vec![origin(endpoint.uri())], Vec::new()),
    };
    let server = match issuer {
        Some(issuer) => servers.iter().find(|server| is_same(server, issuer)).ok_or_else(|| {
            format!("the server names the authorization servers {servers:?}, but the credentials are for `{issuer}`")
        })?,
        None => servers.first().ok_or("the metadata of the server names no authorization server; set `token_url`")?,
    };
    let found = issuer_metadata(endpoint, server).await?;
    let methods = found.token_endpoint_auth_methods_supported.unwrap_or_default();
    let accepts = |method: &str| methods.iter().any(|accepted| accepted == method);
    if !methods.is_empty() && !accepts("client_secret_basic") && !accepts("client_secret_post") {
        return Err(format!("the authorization server `{server}` accepts no client secret, only {methods:?}"));
    }
    let in_body = !methods.is_empty() && !accepts("client_secret_basic");
    let token_url = usable(endpoint, &found.token_endpoint)?;
    Ok(TokenSource { token_url, resource, scopes, in_body })
}

/// Returns the name of an endpoint in requests for tokens (RFC 8707): its URL, without a query.
pub(super) fn resource_of(endpoint: &Endpoint) -> String {
    format!("{}{}", origin(endpoint.uri()), path_of(endpoint.uri()))
}

/// Sends a request that has to do with tokens. Returns the status and the body.
pub(super) async fn ask(endpoint: &Endpoint, request: Request<Full<Bytes>>) -> Result<(StatusCode, String), String> {
    let url = request.uri().clone();
    let client = endpoint.client_for(&url)?;
    let answered = async {
        let response: Response<Incoming> = client.send(request).await?;
        Ok::<_, TransferError>((response.status(), text_of(response, MAX_DOCUMENT).await?))
    };
    let answered = timeout(LIMIT, answered).await;
    Ok(answered.map_err(|_| format!("`{url}` has not answered within {} s", LIMIT.as_secs()))??)
}

/// Parses a URL that gets credentials.
///
/// # Errors
/// Fails if others could read what is sent there.
pub(super) fn private(url: &str) -> Result<Uri, String> {
    let uri: Uri = url.parse().map_err(|error| format!("`{url}` is not a URL: {error}"))?;
    if uri.authority().is_none() || !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err(format!("`{url}` is not an `https` URL"));
    }
    is_private(&uri)?;
    Ok(uri)
}

/// Parses a URL that a server has named.
///
/// # Errors
/// Fails if others could read what is sent there, or if a server elsewhere names this machine.
fn usable(endpoint: &Endpoint, url: &str) -> Result<Uri, String> {
    let uri = private(url)?;
    let is_here = |uri: &Uri| uri.host().is_some_and(is_this_machine);
    if is_here(&uri) && !is_here(endpoint.uri()) {
        return Err(format!("`{url}` is on this machine, but the server that names it is not"));
    }
    Ok(uri)
}

async fn resource_metadata(endpoint: &Endpoint, named: Option<&str>) -> Result<Option<ResourceMetadata>, String> {
    let well_known = format!("{}/.well-known/oauth-protected-resource", origin(endpoint.uri()));
    let urls = match named {
        Some(url) => vec![url.to_owned()],
        None => vec![format!("{well_known}{}", path_of(endpoint.uri())), well_known],
    };
    let found: Option<ResourceMetadata> = first_of(endpoint, &urls).await?;
    match &found {
        None if named.is_some() => Err(format!("there is no metadata at {urls:?}")),
        Some(ResourceMetadata { resource, .. }) if !contains(resource, endpoint.uri()) => {
            Err(format!("the metadata of the server is about `{resource}`, and not about `{}`", resource_of(endpoint)))
        }
        _ => Ok(found),
    }
}

async fn issuer_metadata(endpoint: &Endpoint, server: &str) -> Result<IssuerMetadata, String> {
    let uri = usable(endpoint, server)?;
    let (origin, path) = (origin(&uri), path_of(&uri));
    let mut urls = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        urls.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    let found: Option<IssuerMetadata> = first_of(endpoint, &urls).await?;
    let found =
        found.ok_or_else(|| format!("the authorization server has no metadata at {urls:?}; set `token_url`"))?;
    // Otherwise one authorization server could speak for another.
    if !is_same(&found.issuer, server) {
        return Err(format!("the metadata of the authorization server `{server}` is that of `{}`", found.issuer));
    }
    Ok(found)
}

/// Fetches the first of these documents that exists.
async fn first_of<T: DeserializeOwned>(endpoint: &Endpoint, urls: &[String]) -> Result<Option<T>, String> {
    for url in urls {
        let uri = usable(endpoint, url)?;
        let request = Request::get(uri).header(ACCEPT, "application/json").body(Full::default());
        let (status, text) = ask(endpoint, request.map_err(|error| error.to_string())?).await?;
        if status.is_success() {
            return serde_json::from_str(&text).map(Some).map_err(|error| format!("the metadata at `{url}`: {error}"));
        }
        if !status.is_client_error() {
            return Err(format!("`{url}` has answered with HTTP {status}"));
        }
    }
    Ok(None)
}

fn origin(uri: &Uri) -> String {
    let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
    format!("{}://{authority}", uri.scheme_str().unwrap_or_default())
}

/// Returns the path without the slash at its end.
fn path_of(uri: &Uri) -> &str {
    uri.path().trim_end_matches('/')
}

fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// Whether an endpoint is a part of a resource: it has the same origin, and its path is below that of the resource.
fn contains(resource: &str, endpoint: &Uri) -> bool {
    let Ok(resource) = resource.parse::<Uri>() else { return false };
    let rest = path_of(endpoint).strip_prefix(path_of(&resource));
    origin(&resource).eq_ignore_ascii_case(&origin(endpoint))
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_contains_what_is_below_it() {
        let contains = |resource: &str| contains(resource, &"https://a.com/v1/mcp".parse().unwrap());
        for resource in ["https://a.com/v1/mcp", "https://a.com/v1/mcp/", "https://a.com/v1", "https://a.com"] {
            assert!(contains(resource), "{resource}");
        }
        for resource in ["https://a.com/v1/m", "https://a.com/v1/mcp/b", "https://b.com", "http://a.com", "", "/v1"] {
            assert!(!contains(resource), "{resource}");
        }
    }

    #[test]
    fn a_server_elsewhere_cannot_name_this_machine_or_what_others_can_read() {
        let endpoint = |url| Endpoint::parse(url).unwrap();
        let here = endpoint("http://127.0.0.1:1/mcp");
        // An `http` endpoint, because the machine of a test may have no certificates.
        let elsewhere = endpoint("http://a.com/mcp");
        assert!(usable(&here, "http://localhost:2/token").is_ok());
        assert!(usable(&elsewhere, "https://b.com/token").is_ok());
        for url in ["http://localhost:2/token", "https://127.0.0.1/", "http://b.com/token", "file:///a", "/token", ""] {
            assert!(usable(&elsewhere, url).is_err(), "{url}");
        }
    }
}
