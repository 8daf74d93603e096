//! The names of the server's own settings, which no other setting can have.

use super::definition::SettingDefinition;
use crate::{base::const_eq::same, engine::elicit::Problem};

/// The table of the settings file that has the settings of the server itself.
pub(crate) const TABLE: &str = "mcp";

/// The options of the commands of `Server::run`. The command line has them in every program.
pub(crate) const FLAGS: &[&str] = &[
    "addr",
    "allow-host",
    "allow-origin",
    "answer",
    "config",
    "detach",
    "filled",
    "help",
    "json",
    "log",
    "log-level",
    "path",
    "retire",
    "version",
];

/// The variables that configure every server.
pub(crate) const VARIABLES: &[&str] = &[
    "MCP_ALLOW_HOST",
    "MCP_ALLOW_ORIGIN",
    "MCP_CONFIG",
    "MCP_DEV",
    "MCP_DEV_CLOCK",
    "MCP_DEV_PRINCIPAL",
    "MCP_DEV_TOKEN_KEY",
    "MCP_HTTP_ADDR",
    "MCP_HTTP_PATH",
    "MCP_HTTP_RETIRE",
    "MCP_LOG_LEVEL",
    "MCP_MODEL",
    "MCP_MODEL_KEY",
    "MCP_MODEL_URL",
    "MCP_STATE_KEY",
    "MCP_STATE_KEY_FILE",
    "MCP_STORE",
    "MCP_STORE_FILE",
];

/// Returns why a setting cannot have its name, variable or option, if they belong to the server.
pub(super) const fn problem(setting: &SettingDefinition) -> Option<Problem> {
    if same(setting.field.name, TABLE) {
        let problem =
            Problem::new("`").with(TABLE).with("` is the table of the server's own settings in a settings file");
        return Some(problem.with("; write `#[setting(rename = \"…\")]` with another name"));
    }
    if contains(VARIABLES, setting.env) {
        let problem = Problem::new("the variable `").with(setting.env).with("` is a setting of the server itself");
        return Some(problem.with("; write `#[setting(env = \"…\")]` with another name"));
    }
    match setting.flag {
        Some(flag) if contains(FLAGS, flag) => {
            let problem = Problem::new("the option `--").with(flag).with("` belongs to the commands of the server");
            Some(problem.with("; write `#[setting(flag = \"…\")]` with another name"))
        }
        _ => None,
    }
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if same(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}
