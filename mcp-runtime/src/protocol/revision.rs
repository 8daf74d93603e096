//! The five revisions of the protocol, and the features of each.

use std::fmt::{self, Display};

/// A revision of the Model Context Protocol, oldest first.
///
/// The first four are *legacy*: a handshake opens a session. The last is *modern*: every request is self-contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that starts with a handshake.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// Returns the revision's name on the wire: its date.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Returns the revision with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Returns whether requests are self-contained, without a handshake.
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Arrays of messages exist only in 2025-03-26.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    pub(crate) fn has_progress_message(self) -> bool {
        self >= Self::V2025_03_26
    }

    pub(crate) fn has_tool_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    /// `title`, `outputSchema` and `_meta` of a tool; `structuredContent`, `resource_link` and
    /// `lastModified` in a result.
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// `elicitation/create`.
    pub(crate) fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// The mode `url`, and with it the member `mode`.
    pub(crate) fn has_url_elicitation(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// The `elicitationId` of a URL, and the notification that it is completed.
    pub(crate) fn has_elicitation_id(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Choices with their titles beside them; before, the titles are a separate list.
    pub(crate) fn has_titled_choices(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Defaults of fields other than booleans.
    pub(crate) fn has_form_defaults(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Multiple-choice fields in a form.
    pub(crate) fn has_multi_select(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Tools in sampling, and several blocks in one message.
    pub(crate) fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Streams that end while their call continues, and that start with an empty event. Older clients fail on that
    /// event.
    #[cfg(feature = "http")]
    pub(crate) fn has_polling(self) -> bool {
        self == Self::V2025_11_25
    }

    /// `icons`, `websiteUrl` and `description` of an implementation.
    pub(crate) fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Structured content that is not an object, and output schemas that do not describe an object.
    pub(crate) fn has_any_structured_content(self) -> bool {
        self >= Self::V2026_07_28
    }
}

impl Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
