//! Parameters that a model has rejected, so that later requests avoid them.

use serde_json::Value;

use super::failure::Refusal;

/// The quirks of a model that were found so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quirks {
    /// Whether the model rejects a temperature, as reasoning models do.
    pub(super) has_its_temperature: bool,
    /// Whether the model thinks by default, and cannot be forced to call a tool while it thinks.
    pub(super) thinks: bool,
    /// Whether the model does not support tools.
    pub(super) has_no_tools: bool,
}

impl Quirks {
    /// Returns these quirks and the one that caused a rejection, so that a retry without the rejected parameter can
    /// succeed. Returns `None` if the cause is not a quirk, or a known one.
    pub(super) fn with_cause(mut self, refused: &Refusal, body: &Value) -> Option<Self> {
        if refused.status != 400 {
            return None;
        }
        let said = refused.said.to_lowercase();
        let quirk = if said.contains("temperature") && body.pointer("/temperature").is_some() {
            &mut self.has_its_temperature
        } else if said.contains("thinking") && said.contains("tool_choice") && body.get("thinking").is_none() {
            &mut self.thinks
        } else if said.contains("does not support tools") && body.get("tools").is_some() {
            &mut self.has_no_tools
        } else {
            return None;
        };
        (!std::mem::replace(quirk, true)).then_some(self)
    }
}
