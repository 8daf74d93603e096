//! The program as a process that is killed.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// A folder for the data of programs. It is removed at the end.
pub(crate) struct Data(pub(crate) PathBuf);

impl Data {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("chat-kills-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// Returns the lines of a file with this text. A file that does not exist has none.
    pub(crate) fn lines(&self, file: &str, text: &str) -> usize {
        let content = fs::read_to_string(self.0.join(file)).unwrap_or_default();
        content.lines().filter(|line| line.contains(text)).count()
    }

    /// Starts the program. `address` is its address, or one with the port 0.
    pub(crate) fn start(&self, address: &str) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chat"));
        command.env("CHAT_ADDR", address).env("CHAT_DATA", &self.0).env_remove("MCP_MODEL");
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("the program prints its address").to_owned();
        Program { process, address }
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A running program. Dropping it kills it without warning.
pub(crate) struct Program {
    process: Child,
    pub(crate) address: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
