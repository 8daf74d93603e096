//! The span of a request to a model. Its fields follow OpenTelemetry's conventions for generative AI.

use std::time::Duration;

use tracing::{Instrument as _, debug, field::Empty, info_span, warn};

use super::{address::Address, failure::Failure, model::Model};
use crate::sample::{Sampled, SamplingRequest, StopReason};

/// Runs a request within a span, which records the usage and the outcome. The span does not contain the conversation.
pub(super) async fn watched(
    model: &Model,
    request: &SamplingRequest,
    asking: impl Future<Output = Result<Sampled, Failure>>,
) -> Result<Sampled, Failure> {
    let address = model.address.as_ref().ok();
    let span = info_span!(
        "mcp.chat",
        otel.name = format!("chat {}", model.name),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = model.dialect.provider(),
        gen_ai.request.model = model.name,
        gen_ai.request.max_tokens = request.max_tokens,
        gen_ai.request.temperature = request.temperature,
        "gen_ai.output.type" = if request.schema.is_some() { "json" } else { "text" },
        gen_ai.response.model = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        server.address = address.map(Address::host),
        server.port = address.and_then(Address::port),
        "error.type" = Empty,
    );
    let result = asking.instrument(span.clone()).await;
    match &result {
        Ok(reply) => {
            span.record("gen_ai.response.model", reply.model.as_str());
            span.record("gen_ai.response.finish_reasons", reply.stop_reason.as_ref().map(StopReason::as_str));
            if let Some(usage) = reply.usage {
                span.record("gen_ai.usage.input_tokens", usage.input);
                span.record("gen_ai.usage.output_tokens", usage.output);
            }
            span.in_scope(|| debug!("the model replied"));
        }
        Err(failure) => {
            let kind = failure.kind();
            span.record("otel.status_code", "ERROR");
            span.record("error.type", kind.as_str());
            span.in_scope(|| warn!("error.type" = kind, "the request to the model failed"));
        }
    }
    result
}

/// Records a retry after this delay.
pub(super) fn again(failure: &Failure, delay: Duration) {
    let delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
    warn!("error.type" = failure.kind(), delay_ms, "retrying the request to the model");
}
