//! The command line without the feature `cli`. Its only command is `stdio`.

use std::{borrow::Cow, ffi::OsString, process::ExitCode};

use super::exit::{refuse, serve};
use crate::serve::server::{Server, Service};

pub(super) const COMMANDS_HELP: &str = "\
Commands of the server:
  stdio     Serve the MCP client at standard input and output (the default command)";

/// Gives the server the settings of the operator.
pub(super) async fn prepare(server: Server, arguments: &[OsString]) -> (Server, ()) {
    if unknown(arguments).is_some() {
        let server = server.without_warnings();
        #[cfg(feature = "settings")]
        let server = server.without_setting_values();
        return (server, ());
    }
    #[cfg(feature = "settings")]
    let server = Box::pin(super::operator::configure(server, Default::default(), None)).await.0;
    (server, ())
}

pub(super) async fn act(service: Service, arguments: Vec<OsString>, _: Option<()>) -> ExitCode {
    match unknown(&arguments) {
        None => serve(&service).await,
        Some(command) => refuse(format_args!(
            "unexpected argument `{command}`: this program was built without the feature `cli` of `mcp-runtime`, so \
             it accepts only the command `stdio`"
        )),
    }
}

/// Returns the first argument that is not expected. Element 0 is the program and is not checked.
fn unknown(arguments: &[OsString]) -> Option<Cow<'_, str>> {
    match arguments.get(1..)? {
        [] => None,
        [command] if command == "stdio" => None,
        [command, rest @ ..] => Some(if command == "stdio" { rest.first()? } else { command }.to_string_lossy()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stdio_without_the_feature_cli() {
        let asks_for = |words: &[&str]| {
            let arguments: Vec<_> = words.iter().map(OsString::from).collect();
            unknown(&arguments).map(Cow::into_owned)
        };
        assert_eq!(asks_for(&[]), None);
        assert_eq!(asks_for(&["server"]), None);
        assert_eq!(asks_for(&["server", "stdio"]), None);
        assert_eq!(asks_for(&["server", "tools", "x"]).as_deref(), Some("tools"));
        assert_eq!(asks_for(&["server", "stdio", "--x"]).as_deref(), Some("--x"));
    }
}
