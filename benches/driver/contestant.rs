//! The servers that are compared.

use std::{borrow::Cow, env, path::Path, process::Command};

use crate::{Result, workload::Workload};

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    path: Cow<'static, str>,
}

/// In the order of the report's columns.
pub(crate) const ALL: [Contestant; 3] = [
    Contestant::new("floor", env!("CARGO_BIN_EXE_floor")),
    Contestant::new("rmcp", env!("CARGO_BIN_EXE_rmcp_server")),
    Contestant::new("mcp-runtime", env!("CARGO_BIN_EXE_ours")),
];

/// Our tools that ask. A program of their own: what the other tools cost does not depend on them.
pub(crate) const ASKING: Contestant = Contestant::new("mcp-runtime asking", env!("CARGO_BIN_EXE_ours_asking"));

/// The same, sealed. Built here: a program that were built together with the others would give its feature to them.
pub(crate) fn sealed() -> Result<Contestant> {
    let folder = Path::new(env!("CARGO_BIN_EXE_ours")).parent().ok_or("a program without a folder")?;
    let target = folder.parent().ok_or("a program without a target folder")?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--quiet", "--locked", "--profile", "bench", "--package", "mcp-benches-sealed"];
    let built = Command::new(cargo).args(arguments).arg("--target-dir").arg(target).status()?;
    if !built.success() {
        return Err("`mcp-benches-sealed` does not build".into());
    }
    let path = target.join("release/ours_sealed").to_str().ok_or("a path that is no text")?.to_owned();
    Ok(Contestant { name: "mcp-runtime sealed", path: path.into() })
}

impl Contestant {
    const fn new(name: &'static str, path: &'static str) -> Self {
        Self { name, path: Cow::Borrowed(path) }
    }

    /// The command that serves what a workload needs on stdio, as the last words behind those of `wrapper`.
    pub(crate) fn command(&self, wrapper: &[&str], workload: &Workload) -> Command {
        let mut command = match wrapper {
            [] => Command::new(&*self.path),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(&*self.path);
                command
            }
        };
        command.arg(workload.served());
        command
    }
}
