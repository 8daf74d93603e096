//! Recordings never contain the data of calls.

use std::sync::{Arc, Mutex};

use mcp_runtime::telemetry::client_layer;
use serde_json::json;
use tracing_subscriber::prelude::*;

use crate::support::log::set_default;
use crate::watching::{
    recorder::Seen,
    tools::{accept, answer, ask, call, legacy, post_call, service},
};

/// A text that the tests put into arguments, answers, tokens and headers.
const SECRET: &str = "hunter2";

/// The output of a layer.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_argument_answer_or_token_is_recorded_at_any_level() {
    let (seen, written) = (Seen::default(), Written::default());
    let writer = {
        let written = written.clone();
        move || written.clone()
    };
    let operator = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    let _guard = set_default(tracing_subscriber::registry().with(client_layer()).with(operator).with(seen.clone()));
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let measured = recorder.handle();
    let _measuring = metrics::set_default_local_recorder(&recorder);

    let service = service();
    let secret = json!({ "text": SECRET });
    let mut client = service.memory();
    let mut said = 0;
    for message in [
        call("echo", secret.clone()),
        call("echo", json!({ "text": [SECRET] })),
        call("echo", json!({ SECRET: 1 })),
        call("fail", secret.clone()),
        call("sleeps", json!({})),
    ] {
        said += usize::from(ask(&mut client, &message).await.to_string().contains(SECRET));
    }
    assert!(3 <= said, "the client is told");
    let asked = ask(&mut client, &call("book", secret.clone())).await;
    for responses in [json!(SECRET), accept(SECRET)] {
        ask(&mut client, &answer("book", secret.clone(), &asked, &responses)).await;
    }
    let mut wrong_state = answer("book", secret.clone(), &asked, &accept(SECRET));
    wrong_state["params"]["requestState"] = json!(SECRET);
    ask(&mut client, &wrong_state).await;

    let mut session = legacy(&service, "2025-11-25").await;
    let request = json!({ "name": "book", "arguments": secret });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request });
    let question = ask(&mut session, &request).await;
    let told = json!({ "jsonrpc": "2.0", "id": question["id"], "result": accept(SECRET) });
    assert!(ask(&mut session, &told).await.to_string().contains(SECRET));

    let app = service.router();
    let headers = [("authorization", "Bearer hunter2"), ("cookie", SECRET), ("idempotency-key", SECRET)];
    post_call(&app, &headers, &call("echo", json!({ "text": SECRET }))).await;
    let mut baggage = call("echo", json!({ "text": SECRET }));
    baggage["params"]["_meta"]["traceparent"] = json!("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    baggage["params"]["_meta"]["baggage"] = json!("user=hunter2");
    ask(&mut client, &baggage).await;
    // A request whose header and body differ is rejected without repeating either.
    let region = call("region", json!({ "region": SECRET }));
    let mismatch = post_call(&app, &[("mcp-param-region", "other hunter2")], &region).await;
    assert!(mismatch.contains("-32020") && mismatch.contains(SECRET), "{mismatch}");

    let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(written.contains("call done") && written.contains("request refused"), "{written}");
    for recorded in [written, seen.text(), measured.render()] {
        assert!(recorded.contains("echo"));
        assert!(!recorded.contains(SECRET), "{recorded}");
    }
}
