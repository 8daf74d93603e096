//! The program of this process, started again as a host starts it.

use std::ffi::OsString;

use tokio::process::Command;

/// What the command `http` writes before its URL.
#[cfg(feature = "http")]
pub(crate) const SERVING: &str = "serving MCP clients at ";

/// How this program is started again.
pub(crate) struct OwnProgram {
    pub(crate) path: String,
    /// The arguments before the command: the program's own flags, and the options of settings.
    pub(crate) arguments: Vec<OsString>,
}

impl OwnProgram {
    /// Returns a command that starts the program with this command and its options.
    pub(crate) fn command(&self, command: &[&str]) -> Command {
        let mut own = Command::new(&self.path);
        own.args(&self.arguments).args(command);
        own
    }
}

/// Returns the error in what a process has written to standard error. Its log is left out, because it can contain
/// anything.
pub(crate) fn error_of(written: &str) -> String {
    const LONGEST: usize = 2000;
    let begin = written.rfind("\nerror: ").map(|at| at + 1).or_else(|| written.starts_with("error: ").then_some(0));
    let error = begin.map_or("", |begin| &written[begin + "error: ".len()..]);
    error.trim().chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_error_of_a_process_is_shown() {
        assert_eq!(error_of("error: a\n  - b\n"), "a\n  - b");
        assert_eq!(error_of("password: x\nerror: a"), "a");
        assert_eq!(error_of("password: x\n"), "");
    }
}
