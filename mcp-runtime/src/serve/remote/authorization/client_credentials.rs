//! OAuth 2.1 with the credentials of a client that acts for itself, and not for a user.

use http::{HeaderValue, StatusCode};
use tokio::sync::Mutex;

use super::{
    bearer::bearer,
    challenge::BearerChallenge,
    discovery::{TokenSource, discover, private, resource_of},
    token::{CachedToken, request_token},
};
use crate::{
    serve::{
        remote::transport::{
            TransferError,
            http::{Authorizes, Authorizing, RefusedAuthorization, url::Endpoint},
        },
        settings::Secret,
    },
    wire::protocol::text::cut,
};

/// How much of a reason is shown, in characters. Servers decide about its length.
const SHOWN: usize = 1000;

/// Gets tokens for a server from its authorization server, with the id and the secret of a client (`client_credentials`).
///
/// The server says which authorization server it has. If others run the server, set [`issuer`](Self::issuer) or
/// [`token_url`](Self::token_url): otherwise the server decides who gets the secret.
///
/// A token is used until shortly before it expires, and each server gets a token that is valid for this server only.
#[derive(Debug)]
pub struct ClientCredentials {
    client_id: String,
    secret: Secret<String>,
    scopes: Vec<String>,
    issuer: Option<String>,
    token_url: Option<String>,
    /// Locked while a token is requested, so that one request serves all who wait for it.
    state: Mutex<TokenState>,
}

#[derive(Debug, Default)]
struct TokenState {
    source: Option<TokenSource>,
    /// The scopes of tokens, separated by spaces.
    scope: String,
    token: Option<CachedToken>,
}

impl ClientCredentials {
    /// Creates the credentials of a client that is registered at the authorization server.
    pub fn new(client_id: impl Into<String>, client_secret: impl Into<Secret<String>>) -> Self {
        Self {
            client_id: client_id.into(),
            secret: client_secret.into(),
            scopes: Vec::new(),
            issuer: None,
            token_url: None,
            state: Mutex::default(),
        }
    }

    /// Requests this scope. Without it, tokens have the scopes that the server asks for.
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Sends the credentials only to the authorization server with this issuer, for example `https://auth.example.com`.
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Requests tokens at this URL, whatever the server says. The credentials are sent in the header `Authorization`.
    pub fn token_url(mut self, token_url: impl Into<String>) -> Self {
        self.token_url = Some(token_url.into());
        self
    }

    /// Returns the value for a request. `None` if only the server can say where its token comes from.
    async fn current(&self, endpoint: &Endpoint) -> Result<Option<HeaderValue>, String> {
        let state = &mut *self.state.lock().await;
        if let Some(cached) = state.token.as_ref().filter(|cached| cached.is_fresh()) {
            return Ok(bearer(&cached.token));
        }
        if let (None, Some(url)) = (&state.source, &self.token_url) {
            state.source = Some(Self::fixed_source(endpoint, url)?);
            state.scope = self.scopes.join(" ");
        }
        if state.source.is_none() {
            return Ok(None);
        }
        self.renew(endpoint, state).await
    }

    /// Returns the value for the second try of a request.
    async fn renewed(
        &self,
        endpoint: &Endpoint,
        refusal: &RefusedAuthorization,
    ) -> Result<Option<HeaderValue>, String> {
        let challenge = BearerChallenge::read(&refusal.challenges);
        if challenge.error.as_deref() == Some("insufficient_scope") {
            let needed = challenge.scope.unwrap_or_else(|| "that the operation needs".to_owned());
            return Err(format!(
                "the server requires the scope `{needed}`; request it with `ClientCredentials::scope`"
            ));
        }
        if refusal.status != StatusCode::UNAUTHORIZED {
            return Ok(None);
        }
        let state = &mut *self.state.lock().await;
        let current = state.token.as_ref().filter(|cached| cached.is_fresh()).and_then(|cached| bearer(&cached.token));
        if current.is_some() && current != refusal.used {
            // Another request has got a new token meanwhile.
            return Ok(current);
        }
        state.token = None;
        if self.token_url.is_none() {
            let named = challenge.resource_metadata.as_deref();
            let source = discover(endpoint, named, self.issuer.as_deref()).await?;
            state.scope = match &*self.scopes {
                [] => challenge.scope.unwrap_or_else(|| source.scopes.join(" ")),
                scopes => scopes.join(" "),
            };
            state.source = Some(source);
        }
        self.renew(endpoint, state).await
    }

    async fn renew(&self, endpoint: &Endpoint, state: &mut TokenState) -> Result<Option<HeaderValue>, String> {
        let Some(source) = &state.source else { return Ok(None) };
        state.token = None;
        let got = request_token(endpoint, source, (&self.client_id, &self.secret), &state.scope).await?;
        let value = bearer(&got.token);
        state.token = Some(got);
        Ok(value)
    }

    fn fixed_source(endpoint: &Endpoint, url: &str) -> Result<TokenSource, String> {
        let token_url = private(url)?;
        Ok(TokenSource { token_url, resource: resource_of(endpoint), scopes: Vec::new(), in_body: false })
    }
}

impl Authorizes for ClientCredentials {
    fn authorization<'a>(&'a self, endpoint: &'a Endpoint) -> Authorizing<'a> {
        Box::pin(async { self.current(endpoint).await.map_err(|why| unauthorized(&why)) })
    }

    fn after_refusal<'a>(&'a self, endpoint: &'a Endpoint, refusal: &'a RefusedAuthorization) -> Authorizing<'a> {
        Box::pin(async { self.renewed(endpoint, refusal).await.map_err(|why| unauthorized(&why)) })
    }
}

fn unauthorized(why: &str) -> TransferError {
    TransferError::Unauthorized(cut(why, SHOWN).into_owned())
}
