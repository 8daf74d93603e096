//! The servers that are compared.

use std::process::Command;

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    path: &'static str,
}

/// The contestants, in the order of the report's columns.
pub(crate) const ALL: [Contestant; 3] = [
    Contestant { name: "floor", path: env!("CARGO_BIN_EXE_http_floor") },
    Contestant { name: "rmcp", path: env!("CARGO_BIN_EXE_http_rmcp") },
    Contestant { name: "mcp-runtime", path: env!("CARGO_BIN_EXE_http_ours") },
];

/// The server of `mcp-runtime` with a tool that returns how many bytes are allocated. It is a separate program, because
/// counting costs instructions.
pub(crate) const COUNTED: Contestant =
    Contestant { name: "mcp-runtime counted", path: env!("CARGO_BIN_EXE_http_counted") };

/// The server of `mcp-runtime` on several threads.
pub(crate) const THREADS: Contestant =
    Contestant { name: "mcp-runtime on threads", path: env!("CARGO_BIN_EXE_http_threads") };

impl Contestant {
    /// Returns the command that starts the server. The words of `wrapper` come first.
    pub(crate) fn command(&self, wrapper: &[&str]) -> Command {
        match wrapper {
            [] => Command::new(self.path),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(self.path);
                command
            }
        }
    }
}
