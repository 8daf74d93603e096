//! What a tool says about its effects.

use super::ToolDefinition;

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
