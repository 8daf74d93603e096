//! Identifies users by a cookie that this program has signed. A real application has a sign-in instead.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request, State},
    http::{
        HeaderName, HeaderValue, Method,
        header::{COOKIE, SET_COOKIE},
        request::Parts,
    },
    middleware::Next,
    response::Response,
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use mcp_runtime::Principal;
use sha2::{Digest as _, Sha256};

use crate::{Chat, api::ApiError};

const NAME: &str = "session";

/// Signs the sessions of users.
#[derive(Clone)]
pub(crate) struct Signer(Arc<[u8; 32]>);

impl Signer {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(Arc::new(key))
    }

    /// Returns a new session: random digits and their signature.
    fn new_session(&self) -> String {
        let mut bytes = [0; 16];
        // The operating system has random numbers, or nothing works.
        getrandom::fill(&mut bytes).expect("random numbers of the operating system");
        let id = hex(&bytes);
        let signature = hex(&self.mac(&id).finalize().into_bytes());
        format!("{id}.{signature}")
    }

    /// Returns whether this program has signed the session.
    fn has_signed(&self, session: &str) -> bool {
        let Some((id, signature)) = session.split_once('.') else { return false };
        unhex(signature).is_some_and(|signature| self.mac(id).verify_slice(&signature).is_ok())
    }

    fn mac(&self, id: &str) -> Hmac<Sha256> {
        let mut mac = Hmac::new_from_slice(&*self.0).expect("a key of any length is allowed");
        mac.update(id.as_bytes());
        mac
    }
}

/// Finds the user by the cookie. The page sets the cookie, so that its first requests, which run side by side, have it.
/// The program stores nothing for a user until the user sends a message.
pub(crate) async fn identify(State(chat): State<Chat>, mut request: Request, next: Next) -> Response {
    let cookies = request.headers().get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let sessions = cookies.flat_map(|cookies| cookies.split("; ")).filter_map(|cookie| {
        let session = cookie.strip_prefix(NAME)?.strip_prefix('=')?;
        chat.signer.has_signed(session).then(|| name_of(session))
    });
    let known = sessions.into_iter().next();
    let is_page = request.method() == Method::GET && request.uri().path() == "/";
    let needs_cookie = known.is_none() && is_page;
    if let Some(name) = known {
        request.extensions_mut().insert(Principal::new(name));
    }
    let mut response = next.run(request).await;
    if needs_cookie {
        let session = chat.signer.new_session();
        let cookie = format!("{NAME}={session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        response.headers_mut().extend(HeaderValue::from_str(&cookie).ok().map(|cookie| (SET_COOKIE, cookie)));
    }
    response
}

/// The user of a request.
pub(crate) struct User(pub(crate) Principal);

impl<S: Sync> FromRequestParts<S> for User {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().map(Self).ok_or(ApiError::NoUser)
    }
}

/// The address that a request counts against: that of the connection, or the one in the header of
/// [`Settings::address_header`](crate::Settings::address_header).
pub(crate) struct ClientIp(pub(crate) Option<std::net::IpAddr>);

impl FromRequestParts<Chat> for ClientIp {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, chat: &Chat) -> Result<Self, Self::Rejection> {
        let in_header = |name: &HeaderName| parts.headers.get(name)?.to_str().ok()?.trim().parse().ok();
        let connected = || parts.extensions.get().map(|ConnectInfo::<SocketAddr>(address)| address.ip());
        Ok(Self(chat.address_header.as_ref().and_then(in_header).or_else(connected)))
    }
}

/// Returns the name of the user with this session. The session is a secret, the name is not.
fn name_of(session: &str) -> String {
    hex(&Sha256::digest(session)[..16])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}
