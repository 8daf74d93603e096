//! The user: whoever has the cookie. A real application has a sign-in instead.

use axum::{
    extract::Request,
    http::{
        HeaderValue,
        header::{COOKIE, SET_COOKIE},
    },
    middleware::Next,
    response::Response,
};
use mcp_runtime::Principal;
use sha2::{Digest as _, Sha256};

const NAME: &str = "session";

/// Finds the user by the cookie, or creates one.
pub(crate) async fn identify(mut request: Request, next: Next) -> Response {
    let cookies = request.headers().get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let known = cookies.flat_map(|cookies| cookies.split("; ")).find_map(|cookie| {
        let session = cookie.strip_prefix(NAME)?.strip_prefix('=')?;
        let is_ours = session.len() == 32 && session.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_ours.then(|| session.to_owned())
    });
    let (session, is_new) = match known {
        Some(session) => (session, false),
        None => (random(), true),
    };
    // The name of a principal is no secret, the cookie is.
    let name: String = Sha256::digest(&session)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    request.extensions_mut().insert(Principal::new(name));
    let mut response = next.run(request).await;
    let cookie = format!("{NAME}={session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    if let Some(cookie) = is_new.then(|| HeaderValue::from_str(&cookie).ok()).flatten() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// Returns 128 random bits as hexadecimal digits.
fn random() -> String {
    let mut bytes = [0; 16];
    // The operating system has random numbers, or nothing works.
    getrandom::fill(&mut bytes).expect("random numbers of the operating system");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
