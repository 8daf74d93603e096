//! The five revisions of the protocol, and the features of each.

use std::fmt::{self, Display};

/// A revision of the Model Context Protocol. The variants are in order, oldest first.
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

    /// Whether the revision has batches: several messages in one array. Only 2025-03-26 has batches.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether a request to open a URL has an `elicitationId`, and a notification tells the client that the elicitation
    /// is completed.
    pub(crate) fn has_elicitation_id(self) -> bool {
        self == Self::V2025_11_25
    }

    /// Whether an HTTP stream starts with an empty event and can end while its call continues. Older clients fail on
    /// the empty event.
    pub(crate) fn has_polling(self) -> bool {
        self == Self::V2025_11_25
    }
}

/// Defines functions that return whether a revision has a feature. Each feature exists since the named revision.
macro_rules! features {
    ($($(#[$doc:meta])* $feature:ident: $since:ident,)*) => {
        impl Revision {
            $($(#[$doc])* pub(crate) fn $feature(self) -> bool { self >= Self::$since })*
        }
    };
}

features! {
    has_progress_message: V2025_03_26,
    has_tool_annotations: V2025_03_26,
    has_audio: V2025_03_26,
    /// Whether the revision has the capability `completions`, which servers declare if they complete arguments.
    has_completions_capability: V2025_03_26,
    /// Whether the revision has `title`, `outputSchema` and `_meta` of a tool, and `structuredContent`, `resource_link`
    /// and `lastModified` in a result.
    has_structured_content: V2025_06_18,
    /// Whether the revision has the request `elicitation/create`.
    has_elicitation: V2025_06_18,
    /// Whether `elicitation/create` has the mode `url`, and therefore the member `mode` in its `params`.
    has_url_elicitation: V2025_11_25,
    /// Whether each choice of a form contains its title. Older revisions list the titles separately, in `enumNames`.
    has_titled_choices: V2025_11_25,
    /// Whether form fields other than booleans can have a default value.
    has_form_defaults: V2025_11_25,
    /// Whether forms can have multiple-choice fields.
    has_multi_select: V2025_11_25,
    /// Whether sampling requests can have tools, and their messages can have several blocks.
    has_sampling_tools: V2025_11_25,
    /// Whether servers, tools, prompts, resources and templates have `icons`, and `Implementation` objects also
    /// `websiteUrl` and `description`.
    has_icons: V2025_11_25,
    /// Whether structured content can be any JSON value. In older revisions it must be an object.
    has_any_structured_content: V2026_07_28,
}

impl Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
