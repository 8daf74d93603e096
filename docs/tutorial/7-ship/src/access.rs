//! Who may call over HTTP: the server as an OAuth resource server.

use mcp_runtime::{
    Principal, Result,
    auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
    prelude::*,
    settings::Secret,
};

/// Where the server is, and the tokens that it accepts.
#[derive(Clone, Settings)]
pub struct Access {
    /// The URL at which clients reach the server.
    #[setting(default = "http://localhost:8765/mcp")]
    url: String,
    /// The token of the librarians, who register readers and lend books.
    staff_token: Option<Secret<String>>,
    /// The token of the terminal in the reading room.
    guest_token: Option<Secret<String>>,
}

impl Access {
    /// Requires a token of every client over HTTP.
    pub fn authorization(&self) -> Result<Authorization> {
        Ok(Authorization::new(&self.url, self.clone())
            .authorization_servers(["https://login.example.org"])
            .scopes(["desk:read"])
            .implies("desk:write", ["desk:read"]))
    }
}

impl TokenVerifier for Access {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(async move {
            if is_equal(self.staff_token.as_ref(), token) {
                Ok(Principal::new("staff").scopes(["desk:write"]))
            } else if is_equal(self.guest_token.as_ref(), token) {
                Ok(Principal::new("guest").scopes(["desk:read"]))
            } else {
                Err(TokenError::invalid("the library does not know this token"))
            }
        })
    }
}

/// Compares all bytes, so that the time does not tell how many of them are right.
fn is_equal(known: Option<&Secret<String>>, token: BearerToken<'_>) -> bool {
    known.is_some_and(|known| {
        let (known, given) = (known.expose_secret().as_bytes(), token.secret().as_bytes());
        let differ = known
            .iter()
            .zip(given)
            .fold(0, |differ, (a, b)| differ | (a ^ b));
        known.len() == given.len() && differ == 0
    })
}
