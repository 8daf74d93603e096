//! The definitions of the built-in actions for runs: `status`, `cancel`, `restart` and `runs`.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    action::{ActionKind, BuiltIn, CompiledAction, wait},
    marks::OutputMarks,
    parameters::ParameterSet,
};
use crate::{engine::runs::RunStatus, wire::schema::InputSchema};

/// How many runs a page has, unless the caller sets it.
pub(super) const USUAL_PAGE: usize = 20;

/// Returns the built-in actions of a tool. `runs` are the names of the tool's actions that run in the background.
pub(super) fn actions(runs: &[Cow<'static, str>]) -> Vec<CompiledAction> {
    let run_id = json!({ "type": "string", "description": "The id of the run." });
    let trace = json!({ "type": "boolean", "default": false, "description": "Also return what happened in the run." });
    let statuses: Vec<_> = RunStatus::ALL.iter().map(|status| status.as_str()).collect();
    let list = json!({
        "action": { "type": "string", "enum": runs, "description": "Only runs of this action." },
        "status": { "type": "string", "enum": statuses, "description": "Only runs with this status." },
        "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": USUAL_PAGE, "description": "How many runs." },
        "cursor": { "type": "string", "description": "The `next_cursor` of the previous page." },
    });
    let status = json!({ "run_id": run_id, "include_trace": trace, "wait": wait() });
    let mut status = action("status", "Shows a run: its status, inputs and outputs", &status, BuiltIn::Status);
    status.aliases.push(("result", vec![("include_trace", true.into())]));
    let cancel = json!({ "run_id": run_id });
    let restart = json!({ "run_id": run_id, "wait": wait() });
    vec![
        status,
        action("cancel", "Cancels a run", &cancel, BuiltIn::Cancel),
        action("restart", "Starts a run again with the same inputs", &restart, BuiltIn::Restart),
        action("runs", "Lists your runs, the newest first", &list, BuiltIn::Runs),
    ]
}

fn action(name: &'static str, description: &'static str, properties: &Value, built_in: BuiltIn) -> CompiledAction {
    let required: Vec<_> = properties.get("run_id").map(|_| "run_id").into_iter().collect();
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    let schema = InputSchema::new(schema).expect("the schemas of built-in actions are valid");
    CompiledAction {
        name: name.into(),
        description: description.into(),
        parameters: ParameterSet { published: schema.to_value(), schema: schema.untyped(), hints: Vec::new() },
        aliases: Vec::new(),
        inputs: Vec::new(),
        is_list: false,
        marks: OutputMarks::default(),
        output: None,
        kind: ActionKind::BuiltIn(built_in),
    }
}
