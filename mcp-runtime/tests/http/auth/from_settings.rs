//! Authorization that is made from the settings of the server.

use axum::{Router, http::StatusCode};
use mcp_runtime::{auth::Authorization, prelude::*};

use super::{Tokens, call, server};

#[derive(Settings)]
#[setting(prefix = "MCPTEST_ACCESS")]
struct Access {
    /// The URL at which clients reach the server.
    #[setting(default = "https://mcp.example.com/mcp")]
    url: String,
    /// How long a token is at least.
    #[setting(default = 4)]
    shortest: u8,
}

impl Access {
    fn authorization(&self) -> mcp_runtime::Result<Authorization> {
        if self.shortest < 8 {
            return Err(format!("tokens of {} characters are too short", self.shortest).into());
        }
        Ok(Authorization::new(&self.url, Tokens))
    }
}

#[tokio::test]
async fn a_server_requires_the_tokens_of_its_settings() {
    let server = server().settings::<Access>();
    let server = server.authorization_from(|access: &Access| Ok::<_, String>(Authorization::new(&access.url, Tokens)));
    let app = Router::new().nest("/mcp", server.build().unwrap().router());
    assert_eq!(call(&app, "ann-read", "look").await.status, StatusCode::OK);
    assert_eq!(call(&app, "unknown", "look").await.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn an_error_of_the_function_is_an_error_of_the_server() {
    let server = server().settings::<Access>().authorization_from(Access::authorization);
    assert_eq!(
        server.build().unwrap_err().problems(),
        ["cannot make the authorization from the settings: tokens of 4 characters are too short"]
    );
}

#[test]
fn the_settings_must_be_declared_first() {
    let server = server().authorization_from(Access::authorization).settings::<Access>();
    let error = server.build().unwrap_err();
    let [problem] = error.problems() else { panic!("{error}") };
    assert!(problem.starts_with("`.authorization_from(…)` makes the authorization from `"), "{problem}");
    assert!(problem.contains("; add `.settings::<"), "{problem}");
}
