//! The five revisions of the protocol, and what each can carry.

use std::fmt::{self, Display};

/// A revision of the Model Context Protocol, oldest first.
///
/// The first four are *legacy*: a handshake opens a session. The last is *modern*: every request carries what
/// the server must know.
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
    /// All, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that opens with a handshake.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The revision's name on the wire: its date.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == name)
    }

    /// Whether requests stand alone, without a handshake.
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Arrays of messages came with 2025-03-26 and went with 2025-06-18.
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

    /// `elicitationId` of a visit, and the notification that it is over.
    pub(crate) fn has_elicitation_id(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Choices with their titles beside them; before, titles are a list of their own.
    pub(crate) fn has_titled_choices(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Defaults of other fields than booleans.
    pub(crate) fn has_form_defaults(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Lists of choices in a form.
    pub(crate) fn has_multi_select(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Tools in sampling, and several blocks in one of its messages.
    pub(crate) fn has_sampling_tools(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Streams that are ended while their call goes on, and begin with an event of no message. Older clients fall over
    /// that.
    #[cfg(feature = "http")]
    pub(crate) fn has_polling(self) -> bool {
        self == Self::V2025_11_25
    }

    /// `icons`, `websiteUrl` and `description` of an implementation.
    pub(crate) fn has_icons(self) -> bool {
        self >= Self::V2025_11_25
    }

    /// Structured content that is not an object, and output schemas whose root is none.
    pub(crate) fn has_any_structured_content(self) -> bool {
        self >= Self::V2026_07_28
    }
}

impl Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
