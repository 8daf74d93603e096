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
