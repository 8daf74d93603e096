//! What a tool says about its effects.

use serde::{Deserialize, Serialize};

use super::ToolDefinition;

/// Hints for the host about the safety of the tool. No code verifies the hints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ToolAnnotations {
    #[serde(rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    pub(crate) read_only: Option<bool>,
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    pub(crate) destructive: Option<bool>,
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent: Option<bool>,
    #[serde(rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    pub(crate) open_world: Option<bool>,
}

impl ToolDefinition {
    /// Sets whether the tool changes nothing. Default: not published, which hosts read as `false`.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// Sets whether the tool can destroy something. Default: not published, which hosts read as `true`.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// Sets whether two calls with the same arguments have the same effect as one call. Default: not published, which
    /// hosts read as `false`.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// Sets whether the tool reaches beyond the server, for instance to the web. Default: not published, which hosts
    /// read as `true`.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// Returns whether the tool is declared idempotent or read-only.
    pub(crate) fn may_run_again(&self) -> bool {
        self.annotations.idempotent == Some(true) || self.annotations.read_only == Some(true)
    }
}
