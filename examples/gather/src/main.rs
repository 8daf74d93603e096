//! A gateway: offers the tools, prompts and resources of the servers that a file names.

mod config;
mod limits;
mod mounts;

use std::{env, fs, process::ExitCode};

use mcp_runtime::{
    auth::{Authorization, Jwks, JwtVerifier},
    layer,
    prelude::*,
    telemetry::describe_metrics,
};
use metrics_exporter_prometheus::PrometheusBuilder;

use crate::{
    config::{AuthorizationConfig, Config},
    limits::{CallLimit, audit},
};

/// The file, if the variable `GATHER_CONFIG` does not name another one.
const FILE: &str = "gather.toml";

/// Why the gateway cannot start.
type Problem = Box<dyn std::error::Error>;

fn server() -> Result<Server, Problem> {
    let path = env::var("GATHER_CONFIG").unwrap_or_else(|_| FILE.to_owned());
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let config: Config = toml::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    let mut server = Server::new("gather", env!("CARGO_PKG_VERSION"))
        .title("Gateway")
        // Callers see only what they may use.
        .hide_unauthorized(true)
        .layer(layer::from_fn(audit));
    if let Some(calls) = config.calls_per_minute {
        server = server.layer(CallLimit::new(calls));
    }
    if let Some(authorization) = config.authorization {
        server = server.authorization(authorized(authorization)?);
    }
    if let Some(address) = config.metrics {
        PrometheusBuilder::new().with_http_listener(address).install()?;
        describe_metrics();
    }
    for (name, server_config) in config.servers {
        let mount = mounts::mount(server_config).map_err(|error| format!("{path}: the server `{name}`: {error}"))?;
        server = server.mount(name, mount);
    }
    Ok(server)
}

/// Requires signed tokens over HTTP.
fn authorized(AuthorizationConfig { resource, issuer, keys }: AuthorizationConfig) -> Result<Authorization, Problem> {
    let verifier = JwtVerifier::new(issuer, Jwks::from_url(&keys)?);
    Ok(Authorization::new(resource, verifier))
}

#[tokio::main]
async fn main() -> ExitCode {
    match server() {
        Ok(server) => server.run().await,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}
