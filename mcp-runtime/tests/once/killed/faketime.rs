//! Wall clocks that jump, with `faketime`.

use std::{env, fs, io::Write as _, path::PathBuf, sync::LazyLock};

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
            let preload = library();
            if preload.is_none() {
                assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "`faketime` is not installed");
                // Not with a macro, because the test harness captures its output.
                let words = "SKIPPED: all tests with wrong clocks, for `faketime` is not installed\n";
                std::io::stderr().write_all(words.as_bytes()).unwrap();
            }
            preload
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

    /// Returns what a process needs in its environment. To be used for a process that starts at once.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        remove_leftovers();
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

/// Returns the file to preload. Not asked of the program `faketime`, which fails if a process of its number was killed.
fn library() -> Option<String> {
    let name = "faketime/libfaketimeMT.so.1";
    let mut folders = vec![PathBuf::from("/usr/lib"), PathBuf::from("/usr/lib64"), PathBuf::from("/usr/local/lib")];
    folders.extend(fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path()));
    let file = folders.into_iter().map(|folder| folder.join(name)).find(|file| file.exists())?;
    Some(file.display().to_string())
}

/// Removes the shared memory of processes that were killed. The library names it after the number of its process, and a
/// process that gets the number of a killed one would not start.
fn remove_leftovers() {
    for file in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        let name = file.file_name();
        let name = name.to_string_lossy();
        let process = name.strip_prefix("faketime_shm_").or_else(|| name.strip_prefix("sem.faketime_sem_"));
        if process.is_some_and(|process| !PathBuf::from("/proc").join(process).exists()) {
            let _ = fs::remove_file(file.path());
        }
    }
}
