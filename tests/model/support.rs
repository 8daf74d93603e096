//! The model.

use std::time::Duration;

use mcp_runtime::providers::Model;

/// Where the model is. Tests that need it are ignored unless they are asked for, and then it is there.
fn url() -> String {
    std::env::var("MCP_TEST_MODEL_URL")
        .expect("`MCP_TEST_MODEL_URL` is not set; `.ci/model` starts a model and sets it")
}

/// The model that is held to what is asked of it.
pub(crate) fn guided() -> Model {
    named("guided")
}

/// The same model, which writes what it likes.
pub(crate) fn free() -> Model {
    named("free")
}

pub(crate) fn named(name: &str) -> Model {
    Model::openai_compatible(&url(), name).timeout(Duration::from_secs(120)).retries(0)
}
