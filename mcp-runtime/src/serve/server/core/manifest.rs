//! What a server publishes, as one JSON value.

use serde_json::{Value, json};

use super::{listed::Listed, service::Service};
use crate::{
    engine::tool::{FormEntry, registered::RegisteredTool, registry::ItemList},
    wire::protocol::revision::Revision,
};

impl Service {
    /// Returns everything that the server publishes, as JSON: its identity, and the definition (in the newest revision)
    /// and requirements of each tool, prompt and resource. A build step or a review can compare two manifests.
    pub fn manifest(&self) -> Value {
        let registry = self.0.registry.read();
        let tools = registry.iter().map(|tool| {
            let mut object = json!(Listed::new(tool, Revision::LATEST));
            let optional = self.0.settings.sampling.of_use(tool);
            for (name, needs) in [("requires", tool.requires), ("optional", optional)] {
                if !needs.is_empty() {
                    object[name] = needs.to_json();
                }
            }
            if !tool.definition.scopes.is_empty() {
                object["scopes"] = json!(tool.definition.scopes);
            }
            if !tool.definition.forms.is_empty() {
                object["forms"] = tool.definition.forms.iter().copied().map(FormEntry::to_json).collect();
            }
            if tool.definition.replayable {
                object["replayable"] = json!(true);
            }
            for (name, time) in
                [("timeoutMs", tool.definition.timeout), ("answerWithinMs", tool.definition.answer_within)]
            {
                if let Some(time) = time {
                    object[name] = json!(time.as_millis() as u64);
                }
            }
            if self.0.durable.waives_ledger(tool) && tool.may_ask() {
                object["once"] = json!("perInstance");
            }
            object
        });
        let mut manifest = json!({
            "server": self.0.settings.identity.to_json(Revision::LATEST),
            "instructions": self.0.settings.identity.instructions,
            "protocolVersions": Revision::ALL.map(Revision::as_str),
            "tools": tools.collect::<Vec<_>>(),
        });
        for (name, value) in self.0.extensions.iter().flat_map(|extension| extension.manifest(&registry)) {
            manifest[name] = value;
        }
        manifest
    }
}

/// Returns what the manifest says about items: the object of each, and what a client needs to call it.
pub(crate) fn manifest(items: &ItemList, listed: fn(&RegisteredTool, Revision) -> Listed<'_>) -> Value {
    let objects = items.iter().map(|item| {
        let mut object = json!(listed(item, Revision::LATEST));
        if !item.requires.is_empty() {
            object["requires"] = item.requires.to_json();
        }
        object
    });
    objects.collect()
}
