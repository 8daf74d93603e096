//! Sends a request to the service, and receives its answer.

use std::time::Duration;

use reqwest::{
    Client, Method, Response, StatusCode, Url,
    header::{CONTENT_TYPE, LOCATION},
    redirect,
};
use tokio::time::{Instant, sleep, timeout_at};

use super::{credentials::Credentials, failure::ApiFailure, request::ApiRequest, table::ApiOperation};
use crate::base::{backoff, error::chain, this_machine::is_this_machine};

const CONNECTING: Duration = Duration::from_secs(10);
/// In place of a time limit that no clock reaches.
const NEVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);
const MAX_REDIRECTS: usize = 5;

/// A server of the API.
#[derive(Clone, Debug)]
pub(super) struct Exchanger {
    pub(super) client: Client,
    pub(super) base: Url,
    /// Whether the server gets credentials: only if the author has named it.
    pub(super) is_trusted: bool,
    pub(super) limits: ApiLimits,
}

/// The limits of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct ApiLimits {
    pub(super) timeout: Duration,
    pub(super) retries: u32,
    pub(super) max_response: usize,
}

/// An answer of the service, whatever its status.
pub(super) struct ApiResponse {
    pub(super) status: StatusCode,
    /// The media type without its parameters, in small letters.
    pub(super) media_type: String,
    /// Where a redirect leads.
    pub(super) location: Option<String>,
    pub(super) body: Vec<u8>,
    retry_after: Option<Duration>,
}

impl Exchanger {
    /// Sends the request, and repeats it as configured. An error of the service is a [`ApiFailure`].
    pub(super) async fn send(
        &self,
        operation: &ApiOperation,
        mut request: ApiRequest,
        credentials: &Credentials,
    ) -> Result<ApiResponse, ApiFailure> {
        let ApiLimits { timeout, retries, .. } = self.limits;
        if self.is_trusted {
            let applied = credentials.apply(operation, &mut request.url, &mut request.headers);
            applied.map_err(ApiFailure::Credential)?;
        }
        let end = Instant::now().checked_add(timeout).unwrap_or_else(|| Instant::now() + NEVER);
        let mut tries = 1;
        loop {
            let sent = timeout_at(end, self.once(operation, &request, credentials)).await;
            let failure = match sent.unwrap_or(Err(ApiFailure::TimedOut(timeout))) {
                Ok(received) if received.status.is_success() || received.is_documented_redirect(operation) => {
                    return Ok(received);
                }
                Ok(received) => {
                    ApiFailure::Refused { retry_after: received.retry_after, received: Box::new(received), tries }
                }
                Err(failure) => failure,
            };
            if tries > retries || !failure.is_temporary(operation) {
                return Err(failure);
            }
            let delay = backoff::delay(tries, failure.retry_after());
            let Some(delay) = delay.filter(|delay| Instant::now() + *delay < end) else { return Err(failure) };
            sleep(delay).await;
            tries += 1;
        }
    }

    async fn once(
        &self,
        operation: &ApiOperation,
        request: &ApiRequest,
        credentials: &Credentials,
    ) -> Result<ApiResponse, ApiFailure> {
        let ApiRequest { url, headers, body } = request;
        // The methods of the table are those of HTTP.
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap_or_default();
        let mut building = self.client.request(method, url.clone()).headers(headers.clone());
        if let Some(body) = body {
            building = building.body(body.clone());
        }
        let response = building.send().await.map_err(|error| lost(error, credentials))?;
        let status = response.status();
        let retry_after = backoff::retry_after(response.headers());
        let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        match self.whole(response, credentials).await {
            Ok(body) => Ok(ApiResponse { status, media_type, location, body, retry_after }),
            // The status is enough.
            Err(_) if !status.is_success() => {
                Ok(ApiResponse { status, media_type, location, body: Vec::new(), retry_after })
            }
            Err(failure) => Err(failure),
        }
    }

    async fn whole(&self, mut response: Response, credentials: &Credentials) -> Result<Vec<u8>, ApiFailure> {
        let longest = self.limits.max_response;
        if let Some(length) = response.content_length().filter(|length| *length > longest as u64) {
            return Err(ApiFailure::TooLong { longest, length: Some(length) });
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| lost(error, credentials))? {
            if body.len() + chunk.len() > longest {
                return Err(ApiFailure::TooLong { longest, length: None });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

impl ApiResponse {
    /// Returns whether the answer is a redirect that is not followed, and that the document describes.
    pub(super) fn is_documented_redirect(&self, operation: &ApiOperation) -> bool {
        operation.redirects && self.status.is_redirection() && self.location.is_some()
    }
}

/// The URL is not told: it can contain a key.
fn lost(error: reqwest::Error, credentials: &Credentials) -> ApiFailure {
    let (is_connect, error) = (error.is_connect(), error.without_url());
    let problem = credentials.quote(&chain(&error));
    if is_connect { ApiFailure::Unreachable(problem) } else { ApiFailure::Lost(problem) }
}

/// Creates the client. It follows redirects only inside of the origin, because others would get the credentials.
///
/// # Errors
/// Returns why no connection can be made.
pub(super) fn client(base: &Url) -> Result<Client, String> {
    let inside = redirect::Policy::custom(|attempt| {
        let is_inside = attempt.previous().last().is_some_and(|from| from.origin() == attempt.url().origin());
        if is_inside && attempt.previous().len() <= MAX_REDIRECTS { attempt.follow() } else { attempt.stop() }
    });
    let client = Client::builder().redirect(inside).referer(false).connect_timeout(CONNECTING);
    let client = client.user_agent(concat!("mcp-runtime/", env!("CARGO_PKG_VERSION")));
    // `http` needs no certificates, so it must work on a system without them.
    let client = if base.scheme() == "https" { client } else { client.tls_certs_only([]) };
    let is_here = base.host_str().is_some_and(is_this_machine);
    let client = if is_here { client.no_proxy() } else { client };
    client.build().map_err(|error| format!("connections cannot be made: {}", chain(&error)))
}
