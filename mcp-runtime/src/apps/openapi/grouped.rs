//! Operations as the actions of one tool.

#[cfg(feature = "actions")]
use std::sync::Arc;

use super::{table::ApiGroup, tool::ApiTool};
use crate::engine::tool::Tool;
#[cfg(feature = "actions")]
use crate::{
    apps::actions::{Action, ActionSet, Actions},
    engine::tool::ToolDefinition,
};

/// Returns the tool of a group: each of these tools is an action of it.
#[cfg(feature = "actions")]
pub(super) fn tool(group: &ApiGroup, operations: Vec<ApiTool>) -> Box<dyn Tool> {
    // As for a tool of one operation: nothing happens outside of its step.
    let mut definition = ToolDefinition::new(group.name, group.description).open_world(true).replayable();
    let all = |holds: fn(&ApiTool) -> bool| operations.iter().all(holds);
    if all(|tool| tool.operation.is_read_only()) {
        definition = definition.read_only(true);
    } else if all(|tool| tool.operation.is_idempotent()) {
        definition = definition.idempotent(true);
    }
    if !all(|tool| tool.operation.method != "DELETE") {
        definition = definition.destructive(true);
    }
    let action = |tool| {
        let tool = Arc::new(tool);
        Action::new(ApiTool::definition(&tool), &tool, |tool, call, arguments| tool.call(call, arguments))
    };
    let actions = operations.into_iter().map(action).collect();
    Box::new(Actions::new(ActionSet::new(definition, actions).open()))
}

#[cfg(not(feature = "actions"))]
pub(super) fn tool(_: &ApiGroup, _: Vec<ApiTool>) -> Box<dyn Tool> {
    unreachable!("without the feature, `actions(…)` is a compile error")
}
