//! Development mode. The command `dev` starts its child processes with these environment variables.
//!
//! Without [`MODE`] every other variable is ignored. In a build without debug assertions, `MODE` must be [`ANY_BUILD`],
//! so that a variable alone does not make a released program accept tokens that another program has signed.

use std::{env, sync::LazyLock, time::Duration};

/// Turns development mode on.
pub(crate) const MODE: &str = "MCP_DEV";

/// The value of [`MODE`] for any build. The command sets it after `--allow-release`.
pub(crate) const ANY_BUILD: &str = "any-build";

/// By how many seconds the clock of the process is ahead.
pub(crate) const CLOCK: &str = "MCP_DEV_CLOCK";

/// The key of development tokens, as hexadecimal digits.
pub(crate) const TOKEN_KEY: &str = "MCP_DEV_TOKEN_KEY";

/// The principal of the client on standard input, as JSON: `{"name": "ann", "scopes": ["flights:read"]}`.
pub(crate) const PRINCIPAL: &str = "MCP_DEV_PRINCIPAL";

static IS_ON: LazyLock<bool> =
    LazyLock::new(|| env::var(MODE).is_ok_and(|mode| turns_on(&mode, cfg!(debug_assertions))));

static CLOCK_AHEAD: LazyLock<Duration> =
    LazyLock::new(|| Duration::from_secs(variable(CLOCK).and_then(|seconds| seconds.parse().ok()).unwrap_or_default()));

/// Whether a command `dev` has started this process.
pub(crate) fn is_on() -> bool {
    *IS_ON
}

/// Returns the value of this variable in development mode.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|_| is_on())
}

/// Returns by how much the clock of this process is ahead.
pub(crate) fn clock_ahead() -> Duration {
    *CLOCK_AHEAD
}

fn turns_on(mode: &str, has_debug_assertions: bool) -> bool {
    mode == ANY_BUILD || !mode.is_empty() && has_debug_assertions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_build_needs_more_than_the_variable() {
        assert!(turns_on("1", true));
        assert!(!turns_on("1", false));
        assert!(turns_on(ANY_BUILD, false));
        assert!(!turns_on("", true));
    }
}
