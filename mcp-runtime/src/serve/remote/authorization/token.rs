//! Requests a token with the credentials of a client (RFC 6749, section 4.4).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use form_urlencoded::{Serializer, byte_serialize};
use http::{
    HeaderValue, Request, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use http_body_util::Full;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Duration, Instant};
use zeroize::Zeroizing;

use super::discovery::{TokenSource, ask};
use crate::{
    serve::{remote::transport::http::url::Endpoint, settings::Secret},
    wire::protocol::text::cut,
};

/// A token is replaced so long before it expires.
const MARGIN: Duration = Duration::from_secs(30);

/// The largest accepted lifetime, so that no sum of times overflows.
const LONGEST: u64 = 365 * 24 * 60 * 60;

/// How much of an explanation is shown, in characters.
const SHOWN: usize = 300;

/// A token, and the time until which it is used. `None` if the authorization server does not say when it expires.
#[derive(Debug)]
pub(super) struct CachedToken {
    pub(super) token: Secret<String>,
    until: Option<Instant>,
}

impl CachedToken {
    pub(super) fn is_fresh(&self) -> bool {
        self.until.is_none_or(|until| Instant::now() < until)
    }
}

#[derive(Deserialize)]
struct TokenReply {
    access_token: Option<String>,
    token_type: Option<String>,
    #[serde(default)]
    expires_in: Value,
    error: Option<String>,
    error_description: Option<String>,
}

/// Requests a token.
///
/// # Errors
/// Returns the reason why there is none, without a secret.
pub(super) async fn request_token(
    endpoint: &Endpoint,
    source: &TokenSource,
    (client_id, secret): (&str, &Secret<String>),
    scope: &str,
) -> Result<CachedToken, String> {
    let request = token_request(source, client_id, secret, scope)?;
    let (status, text) = ask(endpoint, request).await?;
    let text = Zeroizing::new(text);
    let url = &source.token_url;
    read(status, &text, secret).map_err(|why| format!("the authorization server `{url}` gave no token: {why}"))
}

fn token_request(
    source: &TokenSource,
    client_id: &str,
    secret: &Secret<String>,
    scope: &str,
) -> Result<Request<Full<Bytes>>, String> {
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials").append_pair("resource", &source.resource);
    if !scope.is_empty() {
        form.append_pair("scope", scope);
    }
    if source.in_body {
        form.append_pair("client_id", client_id).append_pair("client_secret", secret.expose_secret());
    }
    let mut request = Request::post(&source.token_url)
        .header(ACCEPT, "application/json")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Full::from(form.finish()))
        .map_err(|error| error.to_string())?;
    if !source.in_body {
        request.headers_mut().insert(AUTHORIZATION, basic(client_id, secret)?);
    }
    Ok(request)
}

fn read(status: StatusCode, text: &str, secret: &Secret<String>) -> Result<CachedToken, String> {
    // The text of a parser's error can quote a token.
    let reply: TokenReply = serde_json::from_str(text).map_err(|_| format!("HTTP {status}, without a valid reply"))?;
    let token = reply.access_token.map(Secret::new);
    if let Some(error) = &reply.error {
        let description = reply.error_description.filter(|text| !text.contains(secret.expose_secret().as_str()));
        let description = description.map(|text| format!(": {text}")).unwrap_or_default();
        return Err(cut(&format!("{error}{description}"), SHOWN).into_owned());
    }
    let Some(token) = token.filter(|_| status.is_success()) else {
        return Err(format!("HTTP {status}, without a token"));
    };
    let kind = reply.token_type.unwrap_or_default();
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(format!("the type of the token is `{}`, and not `Bearer`", cut(&kind, SHOWN)));
    }
    if token.expose_secret().is_empty() || !token.expose_secret().bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("the token cannot be sent in a header".to_owned());
    }
    let seconds = reply.expires_in.as_u64().or_else(|| reply.expires_in.as_str()?.parse().ok());
    let until = seconds.map(|seconds| {
        let lifetime = Duration::from_secs(seconds.min(LONGEST));
        Instant::now() + lifetime.saturating_sub(MARGIN.min(lifetime / 2))
    });
    Ok(CachedToken { token, until })
}

fn basic(client_id: &str, secret: &Secret<String>) -> Result<HeaderValue, String> {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let pair = Zeroizing::new(format!("{}:{}", encoded(client_id), &*Zeroizing::new(encoded(secret.expose_secret()))));
    let value = Zeroizing::new(format!("Basic {}", STANDARD.encode(&*pair)));
    let mut value = HeaderValue::from_str(&value).map_err(|_| "the credentials cannot be sent in a header")?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_token_is_fresh_until_shortly_before_it_expires() {
        for (expires_in, fresh) in [(json!(100), 70), (json!("100"), 70), (json!(20), 10), (json!(u64::MAX), 1_000_000)]
        {
            let reply = json!({ "access_token": "a", "token_type": "Bearer", "expires_in": expires_in }).to_string();
            let token = read(StatusCode::OK, &reply, &Secret::new(String::new())).unwrap();
            advance(Duration::from_secs(fresh - 1)).await;
            assert!(token.is_fresh(), "{expires_in}");
            advance(Duration::from_secs(2)).await;
            assert_eq!(token.is_fresh(), fresh == 1_000_000, "{expires_in}");
        }
    }
}
