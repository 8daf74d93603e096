//! The file that names the servers.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    num::NonZeroU32,
};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// The servers by their names.
    #[serde(default)]
    pub(crate) servers: BTreeMap<String, ServerConfig>,
    pub(crate) authorization: Option<AuthorizationConfig>,
    /// The largest number of calls of each caller in a minute.
    pub(crate) calls_per_minute: Option<NonZeroU32>,
    /// Where Prometheus reads the measurements.
    pub(crate) metrics: Option<SocketAddr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuthorizationConfig {
    /// The URL that clients use.
    pub(crate) resource: String,
    pub(crate) issuer: String,
    /// The URL of the issuer's keys.
    pub(crate) keys: String,
}

/// A server: a command or a URL, and what it offers.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerConfig {
    pub(crate) command: Vec<String>,
    pub(crate) url: Option<String>,
    /// The names of the variables that the process gets, besides `PATH` and the like.
    pub(crate) environment: BTreeSet<String>,
    /// The name of the variable with the bearer token.
    pub(crate) token_env: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) only: Option<Vec<String>>,
    pub(crate) except: Vec<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) tools_only: bool,
    /// Whether models read the instructions of the server.
    pub(crate) instructions: bool,
    /// The changes of single tools, by their names at the server.
    pub(crate) tools: BTreeMap<String, ToolConfig>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolConfig {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    /// Parameters with values that callers do not see.
    pub(crate) fixed: BTreeMap<String, toml::Value>,
    /// Optional parameters that callers do not see.
    pub(crate) hidden: Vec<String>,
    pub(crate) scopes: Vec<String>,
}
