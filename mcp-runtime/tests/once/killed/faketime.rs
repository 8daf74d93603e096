//! Wall clocks that step, by `faketime`.

use std::{
    env, fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::LazyLock,
};

use crate::directory::Directory;

/// The wall clock of the processes that have its environment. Their monotonic clock is the real one.
pub(super) struct Clock {
    directory: Directory,
    preload: &'static str,
}

impl Clock {
    /// A right one. None where `faketime` is not installed: every test that needs it is skipped there, but for
    /// continuous integration.
    pub(super) fn new() -> Option<Self> {
        static PRELOAD: LazyLock<Option<String>> = LazyLock::new(|| {
            let mut command = Command::new("faketime");
            let printed = command.args(["-m", "-f", "+0s", "printenv", "LD_PRELOAD"]).stderr(Stdio::null()).output();
            let preload = printed.ok().filter(|printed| printed.status.success());
            if preload.is_none() {
                assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "`faketime` is not installed");
                // Not by a macro, whose words would be kept back.
                let words = "SKIPPED: all tests with wrong clocks, for `faketime` is not installed\n";
                std::io::stderr().write_all(words.as_bytes()).unwrap();
            }
            preload.map(|printed| String::from_utf8(printed.stdout).unwrap().trim().to_owned())
        });
        let clock = Self { directory: Directory::new("clock"), preload: PRELOAD.as_deref()? };
        clock.is_ahead_by(0);
        Some(clock)
    }

    /// Puts it ahead by so many seconds, or back.
    pub(super) fn is_ahead_by(&self, seconds: i64) {
        // Whoever reads it meanwhile reads it whole.
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
