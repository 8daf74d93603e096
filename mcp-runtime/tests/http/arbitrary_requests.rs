//! The rules hold for any request, and a repeated request gets the same answer.

mod messages;

use std::sync::LazyLock;

use axum::{Router, body::Body, http::Request};
use jsonschema::Validator;
use proptest::{prelude::*, sample::select, test_runner::TestCaseResult};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use self::messages::{METHODS, body, meta, params, with_head};
use crate::http::rules::{self, Seen};

/// The schemas of messages. One is for results before 2026-07-28, and the other is for results since then.
static MESSAGE: LazyLock<[Validator; 2]> = LazyLock::new(|| {
    ["2025-11-25", "2026-07-28"].map(|revision| {
        let path = format!("{}/../tests/schemas/{revision}.json", env!("CARGO_MANIFEST_DIR"));
        let mut schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        schema["$ref"] = json!("#/$defs/JSONRPCMessage");
        jsonschema::validator_for(&schema).unwrap()
    })
});

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

/// Sends the request to two separate endpoints.
fn is_answered(request: &impl AsyncFn(&Router) -> Option<Request<Body>>) -> TestCaseResult {
    let once = || {
        runtime().block_on(async {
            let app = rules::app();
            Some(rules::holds(&app, request(&app).await?).await)
        })
    };
    let (Some(first), Some(second)) = (once(), once()) else { return Ok(()) };
    for message in &first.messages {
        let is_newest = message["result"].get("resultType").is_some();
        prop_assert!(MESSAGE[usize::from(is_newest)].is_valid(message), "{message}");
    }
    prop_assert_eq!(class(&first), class(&second));
    Ok(())
}

/// Returns all parts of the answer except the random ones, which are the states and the keys of questions.
fn class(seen: &Seen) -> impl PartialEq + std::fmt::Debug + use<> {
    let kinds = seen.messages.iter().map(|message| {
        let kind = message.get("method").map_or_else(|| json!("answer"), Value::clone);
        (kind, message.get("id").map(Value::is_string), message["error"]["code"].clone())
    });
    (seen.status, kinds.collect::<Vec<_>>())
}

/// Otherwise almost all random requests would be rejected at once.
#[test]
fn each_method_succeeds_in_a_session_or_without_one() {
    let succeeds = |how: char, method: &str, params: Value| {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let seen = runtime().block_on(async {
            let app = rules::app();
            let request = rules::request(&app, format!("{how}{request}").as_bytes()).await.unwrap();
            rules::holds(&app, request).await
        });
        seen.status == 200 && seen.messages.iter().all(|message| message.get("error").is_none())
    };
    for method in METHODS {
        let mut modern = params(method, "add");
        modern["_meta"] = meta();
        let in_session = succeeds('3', method, params(method, "add"));
        assert!(in_session || succeeds('a', method, modern), "{method}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_head_and_body(data in with_head()) {
        is_answered(&async |app| rules::request(app, &data).await)?;
    }

    #[test]
    fn any_body(how in select(b"a23".to_vec()), body in body()) {
        let data = [&[how][..], &body].concat();
        is_answered(&async |app| rules::request(app, &data).await)?;
    }
}
