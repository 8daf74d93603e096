//! Calls that begin a run of an action. A run ends with the process that executes it, so the command line waits for the
//! end of the run, unless `--detach` leaves the run to another process.

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    messages::{CallRequest, FollowUp},
    read_json,
};
use crate::{
    call::operation::Operation,
    protocol::{
        json::{object, set},
        level::Level,
    },
    tool::registered::RegisteredTool,
};

/// If the call begins a run, returns the arguments with which the call waits for the end of the run, or does not wait.
pub(super) fn with_wait(tool: &RegisteredTool, arguments: &RawValue, wait: bool) -> Option<Box<RawValue>> {
    let Value::Object(mut input) = read_json(arguments) else { return None };
    if !begins_run(tool, input.get("action")?.as_str()?) {
        return None;
    }
    let mut params = match input.remove("params") {
        None | Some(Value::Null) => serde_json::Map::new(),
        Some(Value::Object(params)) => params,
        // The tool reads a text that holds an object, and rejects everything else.
        Some(other) => serde_json::from_str(other.as_str()?).ok()?,
    };
    set(&mut params, "wait", wait.into());
    set(&mut input, "params", params.into());
    to_raw_value(&input).ok()
}

/// Returns the function that continues to wait. A call waits for a limited time, and then its result says that the run
/// is still open.
pub(super) fn follow_up(tool: &str, log: Option<Level>) -> FollowUp {
    let tool = tool.to_owned();
    Box::new(move |result| {
        let run = read_json(result)["structuredContent"]["result"].take();
        if !matches!(run["status"].as_str(), Some("working" | "input_required")) {
            return None;
        }
        let params = object([("run_id", run["run_id"].clone()), ("wait", true.into())]);
        let input = to_raw_value(&object([("action", "status".into()), ("params", params)])).ok()?;
        Some(CallRequest::call(Operation::CallTool, &tool, &input, log))
    })
}

#[cfg(feature = "actions")]
fn begins_run(tool: &RegisteredTool, action: &str) -> bool {
    actions(tool).is_some_and(|actions| actions.begins_run(action))
}

#[cfg(not(feature = "actions"))]
fn begins_run(_: &RegisteredTool, _: &str) -> bool {
    false
}

#[cfg(feature = "actions")]
pub(super) fn actions(tool: &RegisteredTool) -> Option<&crate::actions::Actions> {
    crate::tool::nested(tool.item()).find_map(|tool| tool.downcast_ref())
}
