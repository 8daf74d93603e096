//! Calls and tools, as the routes show them.

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

use crate::{
    apps::plugin::{
        host::{PluginHost, handle::PluginCall},
        timeline::{event::CallStatus, question::PluginQuestion},
    },
    engine::tool::FormEntry,
    serve::server::listed::Listed,
    wire::protocol::revision::Revision,
};

/// A call as a JSON object, without the timeline. The arguments stay JSON text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownCall<'a> {
    id: &'a str,
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    arguments: &'a RawValue,
    status: CallStatus,
    started_at: u64,
    last_event: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<PluginQuestion>,
}

impl<'a> ShownCall<'a> {
    pub(super) fn of(call: &'a PluginCall) -> Self {
        let live = &call.call;
        Self {
            id: &live.id,
            tool: &live.tool,
            title: live.title(),
            arguments: call.arguments(),
            status: live.status(),
            started_at: live.started_at,
            last_event: live.timeline.last(),
            question: call.question(),
        }
    }
}

/// Returns the JSON object of each tool, with the forms of the tool.
pub(super) fn shown_tools(host: &PluginHost) -> Vec<Value> {
    let registry = host.server().0.registry.read();
    let shown = registry.iter().map(|tool| {
        let mut shown = json!(Listed::new(tool, Revision::LATEST));
        shown["forms"] = tool.definition.forms.iter().map(shown_form).collect();
        shown
    });
    shown.collect()
}

fn shown_form(form: &FormEntry) -> Value {
    json!({ "key": form.key, "description": form.description, "schema": (form.published)() })
}
