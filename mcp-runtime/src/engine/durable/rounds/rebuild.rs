//! Rebuilds a call from its journal.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::{
    engine::{
        call::{
            Call,
            call_id::Place,
            journal::Journal,
            observer::observer,
            round_observer::{CallObserver as _, RoundObserver as _},
            running::Running,
        },
        tool::registered::RegisteredTool,
    },
    wire::protocol::error::RpcError,
};

/// Restarts a call whose future was dropped. The restarted call gets the answers in the journal again.
pub(super) fn rebuild(call: &Call, place: Place, journal: Journal, arguments: &str) -> Result<Box<Running>, RpcError> {
    let tool = call.0.registered();
    call.0.conversation.rebuild(journal);
    let watch = observer().call(&call.0, place.round);
    let _entered = watch.enter();
    let calling = catch_unwind(AssertUnwindSafe(|| tool.rebuild(call.clone(), arguments)));
    match calling {
        Ok(Ok(calling)) => Ok(Running::rebuilt(calling, Arc::clone(&call.0), watch, place)),
        // The arguments were readable in the first round, so the types of the tool have changed.
        Ok(Err(_)) | Err(_) => Err(RpcError::past_state()),
    }
}

/// Checks that this version of the tool can read the handoff in the journal.
pub(super) fn check_handoff(tool: &RegisteredTool, journal: &Journal) -> Result<(), RpcError> {
    match (tool.definition.reads_handoff, &journal.handoff) {
        (Some(reads), Some(handoff)) => {
            reads(handoff.get()).map_err(|error| RpcError::invalid_params(error.to_string()))
        }
        (None, None) => Ok(()),
        // Another tool with the same name began the call.
        _ => Err(RpcError::invalid_params(format!(
            "the {} was replaced after this call began, so this call cannot continue; begin a new call",
            tool.described()
        ))),
    }
}
