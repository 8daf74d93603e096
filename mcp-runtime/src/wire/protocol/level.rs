//! The severity of a log message.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// The severity of a log message, with the names of RFC 5424. The variants are in order, least severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Details for debugging the tool.
    Debug,
    /// Normal operation.
    Info,
    /// Normal, but significant.
    Notice,
    /// A possible problem.
    Warning,
    /// A failure.
    Error,
    /// A part of the tool is unusable.
    Critical,
    /// An operator must act at once.
    Alert,
    /// The tool is unusable.
    Emergency,
}

impl Level {
    /// All levels, least severe first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Returns the level's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
