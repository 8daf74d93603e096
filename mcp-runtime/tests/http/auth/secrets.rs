//! A token is a password: it stands nowhere but in its header.

use mcp_runtime::auth::{BearerToken, TokenError};

use super::{app, authorization, call, server};

#[test]
fn what_is_shown_has_no_tokens() {
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

#[cfg(feature = "tracing")]
#[tokio::test]
async fn no_log_repeats_a_token() {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex},
    };

    use axum::http::StatusCode;
    use serde_json::json;
    use tracing_subscriber::fmt::MakeWriter;

    use super::{alone, with_token};
    use crate::wire::send;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Log {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing_level()).with_writer(log.clone()).finish();
    let _guard = tracing_subscriber::util::SubscriberInitExt::set_default(subscriber);
    let app = app();
    for token in ["ann-read", "forged-SESAME", "away", "past"] {
        for tool in ["whoami", "look", "reserve"] {
            call(&app, token, tool).await;
        }
    }
    let refused = send(&app, with_token("SESAME,SESAME", alone("tools/list", json!({})))).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("the server of tokens is away"), "the operator learns why: {log}");
    assert!(log.contains("whoami"), "there are spans: {log}");
    for token in ["ann-read", "SESAME", "Bearer"] {
        assert!(!log.contains(token), "{token}: {log}");
    }
}

#[cfg(feature = "tracing")]
fn tracing_level() -> tracing_subscriber::filter::LevelFilter {
    tracing_subscriber::filter::LevelFilter::TRACE
}
