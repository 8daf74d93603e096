//! Enums without data: plain, documented, and in part.

use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Seat {
    Window,
    #[default]
    InBetween,
    Aisle,
}

/// What became of a run.
#[derive(Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Still at it.
    #[default]
    Working,
    /// Done.
    Completed,
    /// Ended with an error.
    Failed,
}

/// Some of its variants are described.
#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
pub(crate) enum Mixed {
    Plain,
    /// This one has a story.
    Described,
}

/// There is no choice.
#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
pub(crate) enum Only {
    /// The only one.
    This,
}

/// Takes one of several.
#[mcp_tool(read_only)]
pub(crate) async fn choices(
    /// Where to sit.
    _seat: Seat,
    _status: Status,
    /// The status, described where it is used.
    _described: Status,
    _mixed: Mixed,
    _only: Only,
    #[serde(default)] _default_seat: Seat,
    #[serde(default)] _default_status: Status,
) {
}

/// Takes one of several, or none.
#[mcp_tool(read_only)]
pub(crate) async fn optional_choices(
    /// Where to sit.
    _seat: Option<Seat>,
    _status: Option<Status>,
    /// The status, described where it is used.
    _described: Option<Status>,
    _mixed: Option<Mixed>,
    _only: Option<Only>,
) {
}

/// Takes some of several.
#[mcp_tool(read_only)]
pub(crate) async fn lists_of_choices(
    /// Where to sit.
    _seats: Vec<Seat>,
    _statuses: Vec<Status>,
    _optional: Option<Vec<Status>>,
    _gaps: Vec<Option<Status>>,
    _pair: (Seat, Seat),
) {
}
