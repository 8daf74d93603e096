//! Authorization: bearer tokens, as a resource server of OAuth 2.1 accepts them.
//!
//! `authorizer.rs` checks the token of each request, and builds the responses to rejected requests.
//! `metadata.rs` publishes where clients get a token.

mod authorization;
mod authorizer;
#[cfg(feature = "dev")]
pub(crate) mod development;
#[cfg(feature = "jwt")]
mod jwt;
mod metadata;
mod url;
mod verifier;

use std::sync::Arc;

use axum::response::Response;
use http::{
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
    request::Parts,
};

pub use self::authorization::Authorization;
pub(crate) use self::authorizer::Authorizer;
use self::authorizer::challenge;
#[cfg(feature = "jwt")]
pub use self::jwt::{Jwks, JwksError, JwtVerifier};
pub use self::verifier::{BearerToken, TokenError, TokenFuture, TokenVerifier};
use super::refusal::{NeededScopes, RefusedRequest};

/// Checks the token of a request. Adds the token's principal to the extensions, and removes the token from the headers.
///
/// # Errors
/// Returns the reason why the request is rejected.
pub(super) async fn admit(admission: Option<&Authorizer>, parts: &mut Arc<Parts>) -> Result<(), RefusedRequest> {
    let Some(admission) = admission else {
        #[cfg(feature = "dev")]
        development::identify(parts);
        return Ok(());
    };
    let principal = admission.admit(&parts.headers).await?;
    let parts = Arc::make_mut(parts);
    parts.headers.remove(AUTHORIZATION);
    parts.extensions.insert(principal);
    Ok(())
}

/// If a response rejects a call for missing scopes, adds a challenge with all scopes that the call needs.
pub(super) fn challenged(admission: Option<&Authorizer>, mut response: Response) -> Response {
    let Some(NeededScopes(needed)) = response.extensions_mut().remove() else { return response };
    let mut scopes: Vec<String> = admission.map(|admission| admission.settings.scopes.clone()).unwrap_or_default();
    for scope in needed {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    let described = ("insufficient_scope", "the token does not grant what the tool needs");
    let metadata = admission.map(|admission| &*admission.metadata_url);
    if let Some(challenge) = challenge(Some(described), &scopes, metadata) {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::{Server, engine::call::Principal};

    struct AcceptsAnn;

    impl TokenVerifier for AcceptsAnn {
        fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
            Box::pin(async { Ok(Principal::new("ann")) })
        }
    }

    #[tokio::test]
    async fn only_the_verifier_sees_the_token() {
        let authorization = Authorization::new("https://mcp.example.com", AcceptsAnn)
            .authorization_servers(["https://auth.example.com"]);
        let service = Server::new("s", "1").authorization(authorization).build().unwrap();
        let request = Request::builder().header(AUTHORIZATION, "Bearer sesame").body(()).unwrap();
        let mut parts = Arc::new(request.into_parts().0);
        admit(service.http().admission.as_ref(), &mut parts).await.unwrap();
        assert!(parts.headers.is_empty());
        assert_eq!(parts.extensions.get(), Some(&Principal::new("ann")));
    }
}
