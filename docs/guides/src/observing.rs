//! The code of the page `observing`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

// ANCHOR: tool
use mcp_runtime::{Result, prelude::*};

/// Weighs an animal.
#[mcp_tool(read_only)]
async fn weigh(ctx: &Ctx, animal: String) -> Result<Text<u32>> {
    // For the client of this call: the person or the model that waits.
    ctx.log(Level::Info, "on the scales");
    // For the operator, and through `client_layer` for the client too.
    tracing::info!("the scales are calibrated");
    if animal == "whale" { Err("a whale is too heavy".into()) } else { Ok(Text(7)) }
}
// ANCHOR_END: tool

// ANCHOR: subscriber
use mcp_runtime::telemetry::client_layer;
use tracing_subscriber::{Layer as _, filter::LevelFilter, layer::SubscriberExt as _};

/// Writes spans and events to standard error, and sends the events of a call to its client.
fn subscriber() -> impl tracing::Subscriber + Send + Sync {
    let operator = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(LevelFilter::INFO);
    tracing_subscriber::registry().with(client_layer()).with(operator)
}
// ANCHOR_END: subscriber

// ANCHOR: traces
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanExporter};

/// Exports the spans, for example with `opentelemetry-otlp`. Shut the returned provider down at the end.
fn traces(exporter: impl SpanExporter + 'static) -> (SdkTracerProvider, impl tracing::Subscriber + Send + Sync) {
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("zoo"));
    (provider, tracing_subscriber::registry().with(client_layer()).with(layer))
}
// ANCHOR_END: traces

// ANCHOR: metrics
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Installs the recorder before the server is built. The handle renders the page that Prometheus scrapes.
fn measure() -> Result<PrometheusHandle, BuildError> {
    let seconds = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0];
    PrometheusBuilder::new()
        .with_recommended_naming(true)
        .set_buckets_for_metric(Matcher::Full("mcp.server.operation.duration".to_owned()), &seconds)?
        .install_recorder()
}
// ANCHOR_END: metrics

// ANCHOR: app
use axum::{Router, routing::get};

/// The endpoint, the health checks, and the page of Prometheus on one listener.
fn app(service: &mcp_runtime::Service, metrics: PrometheusHandle) -> Router {
    let page = move || std::future::ready(metrics.render());
    Router::new().merge(service.mount("/mcp")).merge(service.health_router()).route("/metrics", get(page))
}
// ANCHOR_END: app

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use axum::{
        body::Body,
        http::{Request, StatusCode},
    };
    use mcp_runtime::{Revision, testing::Client};
    use serde_json::json;
    use tower::ServiceExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn service() -> mcp_runtime::Service {
        Server::new("zoo", "1.0.0").tools(tools![weigh]).build().unwrap()
    }

    #[tokio::test]
    async fn the_operator_sees_the_call_and_not_its_arguments() {
        let written = Written::default();
        let writer = {
            let written = written.clone();
            move || written.clone()
        };
        let operator = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
        let _guard = tracing_subscriber::registry().with(client_layer()).with(operator).set_default();
        let service = service();
        let revisions = [Revision::V2025_11_25, Revision::LATEST];
        // The test of another thread, without a subscriber, can reach an event or a span first. `tracing` then drops it for all
        // threads until it asks again.
        for revision in revisions {
            Client::new(&service, revision).call("weigh", json!({ "animal": "cat" })).await;
        }
        tracing::callsite::rebuild_interest_cache();
        for revision in revisions {
            let mut client = Client::new(&service, revision);
            let weighed = client.call("weigh", json!({ "animal": "hunter2" })).await;
            let data: Vec<_> = weighed.logs().iter().map(|log| log.data.clone()).collect();
            assert_eq!(data, ["on the scales", "the scales are calibrated"], "{revision}");
            assert!(client.call("weigh", json!({ "animal": "whale" })).await.is_error());
        }
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert!(text.contains("the scales are calibrated") && text.contains("execute_tool weigh"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("whale"), "{text}");
    }

    #[tokio::test]
    async fn a_failed_call_is_counted_as_a_tool_error() {
        let recorder = PrometheusBuilder::new().with_recommended_naming(true).build_recorder();
        let handle = recorder.handle();
        let _measuring = metrics::set_default_local_recorder(&recorder);
        let service = service();
        let mut client = Client::modern(&service);
        client.call("weigh", json!({ "animal": "cat" })).await;
        client.call("weigh", json!({ "animal": "whale" })).await;
        let page = handle.render();
        let counted = |outcome: &str| {
            let line = |line: &&str| line.contains("call_duration_seconds_count") && line.contains(outcome);
            page.lines().find(line).is_some_and(|line| line.ends_with(" 1"))
        };
        assert!(counted(r#"outcome="done""#) && counted(r#"outcome="tool_error""#), "{page}");
        assert!(!page.contains("whale"), "{page}");
    }

    #[tokio::test]
    async fn a_retired_service_is_alive_and_not_ready() {
        let service = service();
        let recorder = PrometheusBuilder::new().build_recorder();
        let app = app(&service, recorder.handle());
        let status = async |path: &str| {
            let request = Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
            app.clone().oneshot(request).await.unwrap().status()
        };
        assert_eq!(status("/health/ready").await, StatusCode::OK);
        assert_eq!(status("/metrics").await, StatusCode::OK);
        service.retire();
        assert_eq!(status("/health/ready").await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(status("/health").await, StatusCode::OK);
    }
}
