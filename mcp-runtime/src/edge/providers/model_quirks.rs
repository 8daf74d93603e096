//! Parameters that a model has rejected, so that later requests avoid them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::Value;

use super::failure::Refusal;

/// The quirks of a model that were found so far.
#[derive(Default)]
pub(super) struct Quirks {
    temperature: AtomicBool,
    thinking: AtomicBool,
    tools: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QuirksSnapshot {
    /// Whether the model rejects a temperature, as reasoning models do.
    pub(super) has_its_temperature: bool,
    /// Whether the model thinks by default, and cannot be forced to call a tool while it thinks.
    pub(super) thinks: bool,
    /// Whether the model does not support tools.
    pub(super) has_no_tools: bool,
}

impl Quirks {
    pub(super) fn get(&self) -> QuirksSnapshot {
        QuirksSnapshot {
            has_its_temperature: self.temperature.load(Relaxed),
            thinks: self.thinking.load(Relaxed),
            has_no_tools: self.tools.load(Relaxed),
        }
    }

    /// Records the quirk that caused a rejection. Returns whether the quirk is new. If it is new, a retry without the
    /// rejected parameter can succeed.
    pub(super) fn learn(&self, known: QuirksSnapshot, refused: &Refusal, body: &Value) -> bool {
        if refused.status != 400 {
            return false;
        }
        let said = refused.said.to_lowercase();
        if said.contains("temperature") && body.pointer("/temperature").is_some() {
            self.temperature.store(true, Relaxed);
            return !known.has_its_temperature;
        }
        if said.contains("thinking") && said.contains("tool_choice") && body.get("thinking").is_none() {
            self.thinking.store(true, Relaxed);
            return !known.thinks;
        }
        if said.contains("does not support tools") && body.get("tools").is_some() {
            self.tools.store(true, Relaxed);
            return !known.has_no_tools;
        }
        false
    }
}
