//! The error of settings that cannot be read.

use std::fmt;

/// The error of settings that cannot be read. It lists everything that is missing or wrong, one problem on each line,
/// and where each missing setting can be set. It never contains the value of a secret. `{:?}` prints the same text.
pub struct SettingsError(Vec<String>);

impl SettingsError {
    pub(crate) fn of(problems: Vec<String>) -> Self {
        Self(problems)
    }

    /// Returns the problems, one sentence each.
    pub fn problems(&self) -> &[String] {
        &self.0
    }

    pub(crate) fn into_problems(self) -> Vec<String> {
        self.0
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            [problem] => write!(f, "the settings cannot be read: {problem}"),
            problems => write!(f, "the settings cannot be read:\n  - {}", problems.join("\n  - ")),
        }
    }
}

/// Writes the same text as `Display`, because Rust uses `Debug` to print the error that `main` returns.
impl fmt::Debug for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for SettingsError {}
