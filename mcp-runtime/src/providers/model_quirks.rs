//! What a model has refused once, and is not asked again.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde_json::Value;

use super::failure::Refused;

/// What is known of a model.
#[derive(Default)]
pub(super) struct Learnt {
    temperature: AtomicBool,
    thinking: AtomicBool,
    tools: AtomicBool,
}

/// The same, at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// It has a temperature of its own, as models that reason do.
    pub(super) has_its_temperature: bool,
    /// It thinks unless told otherwise, and cannot be made to call a tool while it does.
    pub(super) thinks: bool,
    /// It calls none.
    pub(super) has_no_tools: bool,
}

impl Learnt {
    pub(super) fn get(&self) -> Known {
        Known {
            has_its_temperature: self.temperature.load(Relaxed),
            thinks: self.thinking.load(Relaxed),
            has_no_tools: self.tools.load(Relaxed),
        }
    }

    /// Whether a refusal says something that was not `known` when the body was made, and another body would mend.
    pub(super) fn learn(&self, known: Known, refused: &Refused, body: &Value) -> bool {
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
