//! A program that a client starts as its server, again whenever the server has ended.

use std::{
    env,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    process,
};

use tokio::process::Command;

use super::{OnDrop, Process, TransferError};

/// The variables of this program's environment that the server gets, as from the official SDKs. Other variables can
/// contain secrets of this program.
const INHERITED: &[&str] = if cfg!(windows) {
    &[
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PROCESSOR_ARCHITECTURE",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
    ]
} else {
    &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"]
};

/// The command line of a server, its own environment variables, and its working directory.
pub(crate) struct RemoteProgram {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, Option<OsString>)>,
    directory: Option<PathBuf>,
}

impl RemoteProgram {
    /// Starts the program. The connection ends if the server sends a message of more than `max_message` bytes.
    ///
    /// # Errors
    /// Returns the reason why the program cannot be started.
    pub(crate) fn start(&self, max_message: usize) -> Result<Process, TransferError> {
        Process::spawn(&mut self.command(), max_message, OnDrop::End)
    }

    /// Returns the name or the path of the program.
    pub(crate) fn name(&self) -> &OsStr {
        &self.program
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear();
        for name in INHERITED {
            if let Some(value) = env::var_os(name)
                // A function of a shell, which would run code in another shell.
                && !value.as_encoded_bytes().starts_with(b"()")
            {
                command.env(name, value);
            }
        }
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

impl From<&process::Command> for RemoteProgram {
    fn from(command: &process::Command) -> Self {
        let variables = command.get_envs();
        Self {
            program: command.get_program().to_owned(),
            arguments: command.get_args().map(OsStr::to_owned).collect(),
            variables: variables.map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned))).collect(),
            directory: command.get_current_dir().map(Path::to_owned),
        }
    }
}

impl fmt::Debug for RemoteProgram {
    /// Leaves out the arguments and the environment, which can contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteProgram").field("program", &self.program).finish_non_exhaustive()
    }
}
