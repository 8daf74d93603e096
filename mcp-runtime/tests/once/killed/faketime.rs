//! Wall clocks that jump, with `faketime`.

use std::{
    env, fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::LazyLock,
};

use crate::support::directory::Directory;

/// The wall clock of the processes that run with its environment variables. Their monotonic clock is not changed.
pub(super) struct Clock {
    directory: Directory,
    preload: &'static str,
}

impl Clock {
    /// Creates a correct clock. Returns `None` if `faketime` is not installed. Then the tests that need it are skipped,
    /// except in CI.
    pub(super) fn new() -> Option<Self> {
        static PRELOAD: LazyLock<Option<String>> = LazyLock::new(|| {
            let mut command = Command::new("faketime");
            let printed = command.args(["-m", "-f", "+0s", "printenv", "LD_PRELOAD"]).stderr(Stdio::null()).output();
            let preload = printed.ok().filter(|printed| printed.status.success());
            if preload.is_none() {
                assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "`faketime` is not installed");
                // Not with a macro, because the test harness captures its output.
                let words = "SKIPPED: all tests with wrong clocks, for `faketime` is not installed\n";
                std::io::stderr().write_all(words.as_bytes()).unwrap();
            }
            preload.map(|printed| String::from_utf8(printed.stdout).unwrap().trim().to_owned())
        });
        let clock = Self { directory: Directory::new("clock"), preload: PRELOAD.as_deref()? };
        clock.is_ahead_by(0);
        Some(clock)
    }

    /// Sets the clock ahead by this many seconds. A negative value sets the clock back.
    pub(super) fn is_ahead_by(&self, seconds: i64) {
        // Replaced atomically, so that a reader sees the old or the new text.
        let new = self.directory.path().join("new");
        fs::write(&new, format!("{seconds:+}s\n")).unwrap();
        fs::rename(new, self.file()).unwrap();
    }

    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let file = self.file().display().to_string();
        // With its memory from libc: `jemalloc`, which Redis has, asks for the time before there is one.
        let preload = format!("{}:libc.so.6", self.preload);
        let variables = [
            ("LD_PRELOAD", preload.as_str()),
            ("FAKETIME_TIMESTAMP_FILE", &file),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("NO_FAKE_STAT", "1"),
        ];
        variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("clock")
    }
}
