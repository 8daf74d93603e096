//! A token appears only in its header.

use mcp_runtime::auth::{BearerToken, TokenError};

use super::{app, authorization, call, server};

#[test]
fn debug_output_contains_no_token() {
    let token = BearerToken::new("sesame", "https://mcp.example.com/mcp");
    assert_eq!(format!("{token:?}"), r#"BearerToken { resource: "https://mcp.example.com/mcp", .. }"#);
    let authorization = authorization();
    let shown = format!("{authorization:?}");
    assert!(shown.starts_with(r#"Authorization { resource: "https://mcp.example.com/mcp""#), "{shown}");
    let service = server().authorization(authorization).build().unwrap();
    assert!(format!("{service:?}").starts_with("Service"));
    assert_eq!(TokenError::unavailable("x").to_string(), "tokens cannot be verified at the moment");
}

#[tokio::test]
async fn no_answer_repeats_a_token() {
    let app = app();
    for token in ["ann-read", "forged-SESAME", "past", "away"] {
        for tool in ["whoami", "look", "reserve", "nonesuch"] {
            let reply = call(&app, token, tool).await;
            let headers = format!("{:?}", reply.headers);
            assert!(
                !reply.text.contains(token) && !headers.contains(token),
                "{token} {tool}: {headers} {}",
                reply.text
            );
        }
    }
}
