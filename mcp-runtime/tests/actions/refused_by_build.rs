//! `build()` rejects actions that compile but cannot be called. The error names the action and the parameter.

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

struct Reports;

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "it is never read")]
struct Started {
    wait: Option<u32>,
}

fn broken() -> u32 {
    panic!("no limit is known")
}

/// Writes reports.
#[mcp_actions]
impl Reports {
    /// Starts a report.
    #[action(run)]
    async fn start(&self, #[params] _started: Started) {}

    /// Lists reports.
    #[action]
    async fn list(&self, #[serde(default = "broken")] _limit: u32) {}
}

#[test]
fn rejects_a_field_named_wait_and_a_default_that_panics() {
    let error = Server::new("s", "1").tool(Reports.into_actions()).build().unwrap_err().to_string();
    for line in [
        "tool `reports`: action `start`: `wait` is a built-in parameter that makes a call wait for the end of the run; \
         rename the field",
        "tool `reports`: action `list`: the default of `limit` panics: no limit is known",
    ] {
        assert!(error.contains(line), "{error}");
    }
}
