//! Calls and tools, as the routes show them.

use serde_json::{Map, Value, json};

use crate::{
    plugin::{PluginCall, PluginHost},
    protocol::{json::object_of_some, revision::Revision},
    server::listing::Listed,
    tool::FormEntry,
};

/// Returns the JSON object of a call, without the timeline.
pub(super) fn shown_call(call: &PluginCall) -> Value {
    let live = &call.call;
    let question = live.question().and_then(|question| serde_json::from_str(question.get()).ok());
    object_of_some([
        ("id", Some(json!(live.id))),
        ("tool", Some(json!(live.tool))),
        ("title", live.title.as_deref().map(Value::from)),
        ("arguments", Some(json!(live.arguments))),
        ("status", Some(json!(live.status()))),
        ("startedAt", Some(json!(live.started_at))),
        ("lastEvent", Some(json!(live.timeline.last()))),
        ("question", question),
    ])
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
    let mut shown = Map::new();
    shown.insert("key".into(), form.key.into());
    shown.insert("description".into(), form.description.into());
    shown.insert("schema".into(), (form.published)());
    shown.into()
}
