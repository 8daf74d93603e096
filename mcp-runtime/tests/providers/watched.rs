//! Spans of requests to models, and what they must not contain.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use mcp_runtime::sample::SamplingRequest;
use serde_json::json;
use tracing_subscriber::{filter::LevelFilter, fmt::format::FmtSpan};

use crate::{providers::support::*, support::log::set_default};

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    pub(crate) fn start(level: LevelFilter) -> (Self, tracing::subscriber::DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(level)
            .with_span_events(FmtSpan::CLOSE)
            .with_writer(move || writer.clone())
            .finish();
        (log, set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

#[tokio::test]
async fn a_span_records_the_model_and_its_usage() {
    let server = server(ok(said("Hello!"))).await;
    let (log, guard) = Log::start(LevelFilter::INFO);
    sample(&openai(&server), &SamplingRequest::new("a secret question", 100)).await.unwrap();
    drop(guard);
    let text = log.text();
    for field in [
        "mcp.chat{",
        r#"otel.name="chat gpt-x""#,
        r#"otel.kind="client""#,
        r#"gen_ai.operation.name="chat""#,
        r#"gen_ai.provider.name="openai""#,
        r#"gen_ai.request.model="gpt-x""#,
        "gen_ai.request.max_tokens=100",
        r#"gen_ai.response.model="gpt-x-2026-01-01""#,
        r#"gen_ai.response.finish_reasons="endTurn""#,
        "gen_ai.usage.input_tokens=19",
        "gen_ai.usage.output_tokens=10",
        r#"server.address="127.0.0.1""#,
        &format!("server.port={}", server.address().port()),
    ] {
        assert!(text.contains(field), "{field}: {text}");
    }
    assert!(!text.contains("secret question") && !text.contains("Hello!") && !text.contains("error.type"), "{text}");
}

#[tokio::test]
async fn records_the_error_type_without_the_key() {
    let busy = status(500, json!({ "error": { "message": format!("no {KEY}") } })).insert_header("retry-after", "0");
    let server = server_then(busy, status(401, json!({ "error": KEY }))).await;
    let (log, guard) = Log::start(LevelFilter::TRACE);
    failed(&openai(&server)).await;
    drop(guard);
    let text = log.text();
    assert!(text.contains(r#"retrying the request to the model error.type="500" delay_ms=0"#), "{text}");
    assert!(text.contains(r#"the request to the model failed error.type="401""#), "{text}");
    assert!(text.contains(r#"otel.status_code="ERROR""#), "{text}");
    assert!(!text.contains(&KEY[..8]), "{text}");
}
