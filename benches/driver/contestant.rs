//! The servers that are compared.

use std::{borrow::Cow, env, path::Path, process::Command};

use crate::{
    Result,
    conversation::Conversation,
    workload::{Ask, Era, Workload},
};

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    path: Cow<'static, str>,
}

/// The contestants, in the order of the report's columns.
pub(crate) const ALL: [Contestant; 3] = [
    Contestant::new("floor", env!("CARGO_BIN_EXE_floor")),
    Contestant::new("rmcp", env!("CARGO_BIN_EXE_rmcp_server")),
    Contestant::new("mcp-runtime", env!("CARGO_BIN_EXE_ours")),
];

/// The tools of `mcp-runtime` that ask the user. They are in a separate program, so that they do not change the cost of
/// the other tools.
pub(crate) const ASKING: Contestant = Contestant::new("mcp-runtime asking", env!("CARGO_BIN_EXE_ours_asking"));

/// Servers with 1,000 resources, or with a prompt whose argument is completed.
pub(crate) const LISTS: [Contestant; 3] = [
    Contestant::new("floor", env!("CARGO_BIN_EXE_floor")),
    Contestant::new("rmcp lists", env!("CARGO_BIN_EXE_rmcp_lists")),
    Contestant::new("mcp-runtime lists", env!("CARGO_BIN_EXE_ours_lists")),
];

/// Returns the same program with sealed states.
pub(crate) fn sealed() -> Result<Contestant> {
    of_http_package("ours_sealed", "mcp-runtime sealed")
}

/// Builds and returns a program of the package for HTTP. If Cargo built it together with the programs of this package,
/// they would get its features too.
pub(crate) fn of_http_package(program: &str, name: &'static str) -> Result<Contestant> {
    let folder = Path::new(env!("CARGO_BIN_EXE_ours")).parent().ok_or("a program without a folder")?;
    let target = folder.parent().ok_or("a program without a target folder")?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments =
        ["build", "--quiet", "--locked", "--profile", "bench", "--package", "mcp-benches-http", "--bin", program];
    let built = Command::new(cargo).args(arguments).arg("--target-dir").arg(target).status()?;
    if !built.success() {
        return Err(format!("`{program}` does not build").into());
    }
    let path = target.join("release").join(program).to_str().ok_or("a path that is no text")?.to_owned();
    Ok(Contestant { name, path: path.into() })
}

impl Contestant {
    pub(crate) const fn new(name: &'static str, path: &'static str) -> Self {
        Self { name, path: Cow::Borrowed(path) }
    }

    /// Returns the command that serves the tools of a workload on stdio. The words of `wrapper` come first.
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

/// Checks that every server gives correct replies. Otherwise, the figures would be meaningless.
pub(crate) fn check_replies() -> Result<()> {
    for contestant in &ALL {
        for ask in [Ask::Echo(100), Ask::Echo(100_000), Ask::List] {
            for (era, tools) in [(Era::Modern, 1), (Era::Legacy, 1), (Era::Modern, 100), (Era::Legacy, 100)] {
                let workload = Workload { ask, era, tools };
                let asked = || -> Result<()> {
                    let mut conversation = Conversation::start(contestant.command(&[], &workload), &workload)?;
                    conversation.ask(&workload, 2)?;
                    conversation.end()
                };
                asked().map_err(|error| format!("{}, {workload}: {error}", contestant.name))?;
            }
        }
    }
    Ok(())
}
