//! The model.

use std::time::Duration;

use mcp_runtime::providers::Model;

/// Returns the model's URL. Tests that need it are ignored by default; `.ci/model` runs them.
fn url() -> String {
    std::env::var("MCP_TEST_MODEL_URL")
        .expect("`MCP_TEST_MODEL_URL` is not set; `.ci/model` starts a model and sets it")
}

/// Returns the model with constrained decoding.
pub(crate) fn guided() -> Model {
    named("guided")
}

/// Returns the same model without constraints.
pub(crate) fn free() -> Model {
    named("free")
}

pub(crate) fn named(name: &str) -> Model {
    Model::openai_compatible(&url(), name).timeout(Duration::from_secs(600)).retries(0)
}
