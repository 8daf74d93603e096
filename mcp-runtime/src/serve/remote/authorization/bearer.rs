//! A bearer token that does not change.

use std::future::ready;

use http::HeaderValue;

use crate::serve::{
    remote::transport::http::{Authorizes, Authorizing, RefusedAuthorization, url::Endpoint},
    settings::Secret,
};

/// Sends the same token with each request.
#[derive(Debug)]
pub(crate) struct FixedBearer(Secret<String>);

impl FixedBearer {
    /// # Errors
    /// Fails if the token cannot be sent in a header. The error does not contain the token.
    pub(crate) fn new(token: impl Into<Secret<String>>) -> Result<Self, String> {
        let token = token.into();
        if token.expose_secret().is_empty() || !token.expose_secret().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the bearer token is not valid: it must consist of visible ASCII characters".to_owned());
        }
        Ok(Self(token))
    }
}

impl Authorizes for FixedBearer {
    fn authorization<'a>(&'a self, _: &'a Endpoint) -> Authorizing<'a> {
        Box::pin(ready(Ok(bearer(&self.0))))
    }

    fn after_refusal<'a>(&'a self, _: &'a Endpoint, _: &'a RefusedAuthorization) -> Authorizing<'a> {
        Box::pin(ready(Ok(None)))
    }
}

/// Returns the value of `Authorization` for a token, which `Debug` does not show.
pub(super) fn bearer(token: &Secret<String>) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
}
