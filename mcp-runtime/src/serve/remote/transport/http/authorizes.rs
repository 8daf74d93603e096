//! What a client needs of those who authorize its requests.

use std::{fmt, pin::Pin};

use http::{HeaderMap, HeaderValue, StatusCode, header::WWW_AUTHENTICATE};

use super::url::Endpoint;
use crate::serve::remote::transport::TransferError;

/// Authorizes the requests to an endpoint.
pub(crate) trait Authorizes: fmt::Debug + Send + Sync {
    /// Returns the value of the header `Authorization` for the next request, if it needs one.
    ///
    /// # Errors
    /// Returns the reason why there is no value. The request is not sent.
    fn authorization<'a>(&'a self, endpoint: &'a Endpoint) -> Authorizing<'a>;

    /// Returns the value for the second try of a request that the server has refused. `None` if a second try is useless.
    ///
    /// # Errors
    /// Returns the reason why the request is not authorized.
    fn after_refusal<'a>(&'a self, endpoint: &'a Endpoint, refusal: &'a RefusedAuthorization) -> Authorizing<'a>;
}

/// A future that authorizes a request.
pub(crate) type Authorizing<'a> = Pin<Box<dyn Future<Output = Result<Option<HeaderValue>, TransferError>> + Send + 'a>>;

/// A response with 401, or with 403 and a challenge.
pub(crate) struct RefusedAuthorization {
    pub(crate) status: StatusCode,
    /// The values of `WWW-Authenticate`.
    pub(crate) challenges: Vec<String>,
    /// The value of `Authorization` that was refused.
    pub(crate) used: Option<HeaderValue>,
}

impl RefusedAuthorization {
    /// Reads the head of a response. Returns `None` if it does not refuse the authorization.
    pub(super) fn of(status: StatusCode, headers: &HeaderMap, used: Option<HeaderValue>) -> Option<Self> {
        let challenges = headers.get_all(WWW_AUTHENTICATE).iter();
        let challenges: Vec<_> = challenges.filter_map(|value| Some(value.to_str().ok()?.to_owned())).collect();
        let is_refusal = match status {
            StatusCode::UNAUTHORIZED => true,
            StatusCode::FORBIDDEN => !challenges.is_empty(),
            _ => false,
        };
        is_refusal.then_some(Self { status, challenges, used })
    }
}
