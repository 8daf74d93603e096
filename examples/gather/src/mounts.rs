//! Mounts the servers of the file.

use std::{env, process::Command};

use mcp_runtime::remote::{Mount, Remote};

use crate::config::ServerConfig;

/// Why a server cannot be mounted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerProblem {
    #[error("write either `command` or `url`")]
    Target,
    #[error("the variable `{0}` is not set")]
    Variable(String),
    #[error("`token_env` is for a server with a `url`; name the variables of a process in `environment`")]
    Token,
}

pub(crate) fn mount(config: ServerConfig) -> Result<Mount, ServerProblem> {
    let mut mount = Mount::new(remote(&config)?);
    if let Some(prefix) = config.prefix {
        mount = mount.prefix(prefix);
    }
    if let Some(only) = config.only {
        mount = mount.only(only);
    }
    if config.tools_only {
        mount = mount.tools_only();
    }
    if config.instructions {
        mount = mount.instructions();
    }
    mount = config.scopes.into_iter().fold(mount.except(config.except), Mount::scope);
    for (tool, changes) in config.tools {
        if let Some(name) = changes.name {
            mount = mount.rename(&tool, name);
        }
        if let Some(description) = changes.description {
            mount = mount.describe(&tool, description);
        }
        for (parameter, value) in changes.fixed {
            mount = mount.fix(&tool, parameter, value);
        }
        mount = changes.hidden.into_iter().fold(mount, |mount, parameter| mount.hide(&tool, parameter));
        mount = changes.scopes.into_iter().fold(mount, |mount, scope| mount.tool_scope(&tool, scope));
    }
    Ok(mount)
}

fn remote(config: &ServerConfig) -> Result<Remote, ServerProblem> {
    let remote = match (&config.command[..], &config.url) {
        ([program, arguments @ ..], None) => {
            let mut command = Command::new(program);
            command.args(arguments);
            for name in &config.environment {
                command.env(name, variable(name)?);
            }
            Remote::stdio(&command)
        }
        ([], Some(url)) => Remote::http(url),
        _ => return Err(ServerProblem::Target),
    };
    match &config.token_env {
        None => Ok(remote),
        Some(_) if config.url.is_none() => Err(ServerProblem::Token),
        Some(name) => Ok(remote.bearer_token(variable(name)?)),
    }
}

fn variable(name: &str) -> Result<String, ServerProblem> {
    env::var(name).map_err(|_| ServerProblem::Variable(name.to_owned()))
}
