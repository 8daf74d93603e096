//! The span of a request to a model. Its fields follow OpenTelemetry's conventions for generative AI.

use std::time::Duration;

use tracing::{Instrument as _, debug, field::Empty, info_span, warn};

use crate::engine::call::observer::{ChatEnd, ChatRequest};

/// Runs a request to a model in a span. The span records the usage and the outcome, but not the conversation.
pub(crate) async fn chat<F: Future>(
    chat: &ChatRequest<'_>,
    future: F,
    end: impl FnOnce(&F::Output) -> ChatEnd<'_>,
) -> F::Output {
    let span = info_span!(
        "mcp.chat",
        otel.name = format!("chat {}", chat.model),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = chat.provider,
        gen_ai.request.model = chat.model,
        gen_ai.request.max_tokens = chat.max_tokens,
        gen_ai.request.temperature = chat.temperature,
        "gen_ai.output.type" = if chat.wants_json { "json" } else { "text" },
        gen_ai.response.model = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        server.address = chat.host,
        server.port = chat.port,
        "error.type" = Empty,
    );
    let output = future.instrument(span.clone()).await;
    match end(&output) {
        ChatEnd::Replied { model, stop_reason, input_tokens, output_tokens } => {
            span.record("gen_ai.response.model", model);
            span.record("gen_ai.response.finish_reasons", stop_reason);
            span.record("gen_ai.usage.input_tokens", input_tokens);
            span.record("gen_ai.usage.output_tokens", output_tokens);
            span.in_scope(|| debug!("the model replied"));
        }
        ChatEnd::Failed(kind) => {
            span.record("otel.status_code", "ERROR");
            span.record("error.type", &*kind);
            span.in_scope(|| warn!("error.type" = &*kind, "the request to the model failed"));
        }
    }
    output
}

/// Records that a request to a model will be retried after this delay.
pub(crate) fn chat_retried(error_type: &str, delay: Duration) {
    let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
    warn!("error.type" = error_type, delay_ms, "retrying the request to the model");
}
