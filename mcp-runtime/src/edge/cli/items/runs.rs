//! Calls that begin a run of an action. A run ends with the process that executes it, so the command line waits for the
//! end of the run, unless `--detach` leaves the run to another process.

use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    apps::actions::Actions,
    edge::cli::terminal::content::read_json,
    engine::{runs::manager::RunManager, tool::registered::RegisteredTool},
    wire::protocol::json::set,
};

/// Whether the tool has the option `--detach`.
pub(crate) fn can_detach(tool: &RegisteredTool) -> bool {
    cfg!(unix) && run_manager(tool).is_some()
}

/// If the call begins a run, returns the arguments with which the call waits for the end of the run, however long it
/// takes.
pub(crate) fn waiting(tool: &RegisteredTool, arguments: &RawValue) -> Option<Box<RawValue>> {
    let arguments = with_wait(tool, arguments, true)?;
    run_manager(tool)?.wait_without_limit();
    Some(arguments)
}

/// If the call begins a run, returns the arguments with which the call waits for the end of the run, or does not wait.
pub(crate) fn with_wait(tool: &RegisteredTool, arguments: &RawValue, wait: bool) -> Option<Box<RawValue>> {
    let Value::Object(mut input) = read_json(arguments) else { return None };
    if !actions(tool)?.begins_run(input.get("action")?.as_str()?) {
        return None;
    }
    let mut params = match input.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        // The tool reads a text that holds an object, and rejects everything else.
        Some(other) => serde_json::from_str(other.as_str()?).ok()?,
    };
    set(&mut params, "wait", wait.into());
    set(&mut input, "params", params.into());
    to_raw_value(&input).ok()
}

/// Returns the table of the tool's runs. `None` if the tool has no runs.
pub(crate) fn run_manager(tool: &RegisteredTool) -> Option<&RunManager> {
    actions(tool)?.run_manager()
}

fn actions(tool: &RegisteredTool) -> Option<&Actions> {
    crate::engine::tool::nested(tool.item()).find_map(|tool| tool.downcast_ref())
}
