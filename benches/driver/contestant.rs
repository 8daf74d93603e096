//! The servers that are compared.

use std::process::Command;

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    path: &'static str,
}

/// In the order of the report's columns.
pub(crate) const ALL: [Contestant; 3] = [
    Contestant { name: "floor", path: env!("CARGO_BIN_EXE_floor") },
    Contestant { name: "rmcp", path: env!("CARGO_BIN_EXE_rmcp_server") },
    Contestant { name: "mcp-runtime", path: env!("CARGO_BIN_EXE_ours") },
];

impl Contestant {
    /// The command that serves `tools` tools on stdio, as the last words behind those of `wrapper`.
    pub(crate) fn command(&self, wrapper: &[&str], tools: u32) -> Command {
        let mut command = match wrapper {
            [] => Command::new(self.path),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(self.path);
                command
            }
        };
        command.arg(tools.to_string());
        command
    }
}
