//! The tools and prompts of a server, as the command line shows them.

pub(crate) mod askable;
pub(crate) mod item;
pub(crate) mod json_error;
pub(crate) mod page;
pub(crate) mod parameter;
pub(crate) mod reading;
#[cfg(feature = "actions")]
pub(crate) mod runs;
pub(crate) mod table;

/// Without the feature `actions`, no call begins a run.
#[cfg(not(feature = "actions"))]
pub(crate) mod runs {
    use serde_json::value::RawValue;

    use crate::engine::tool::registered::RegisteredTool;

    pub(crate) fn can_detach(_: &RegisteredTool) -> bool {
        false
    }

    pub(crate) fn waiting(_: &RegisteredTool, _: &RawValue) -> Option<Box<RawValue>> {
        None
    }
}

use crate::wire::schema::nearest::nearest;

/// Returns a suggestion to append to the error about an unknown word, or an empty text if no known word is similar.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(word, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}
