//! Calls that no client has sent. The doors of a contract and `Actions::handle` run them.

use std::sync::Arc;

use super::Service;
use crate::{
    call::{
        Call, Client, Outlet,
        observer::{Observer as _, observer},
        request::{Caller, Peer, Request},
        running::{Calling, Round, Running},
    },
    protocol::{capability::Capabilities, frame::Frame, result::CallToolResult, revision::Revision},
    tool::registered::RegisteredTool,
};

/// Runs a tool until its first question or its end. `arguments` must be the JSON text of an object. `wrap` can put a
/// future around the future of the tool. Notifications of the call are dropped.
///
/// # Errors
/// Returns the error result if the arguments are invalid.
pub(crate) async fn call_locally(
    engine: &Service,
    tool: &Arc<RegisteredTool>,
    arguments: &str,
    wrap: impl FnOnce(Calling) -> Calling + Send,
) -> Result<Round, CallToolResult> {
    let client = Client::new(None, Revision::LATEST, Capabilities::default());
    let caller = Caller::Modern { client, log_level: None };
    let peer = Peer::new(Arc::new(DropNotifications), None);
    let call = Call::new(Arc::clone(&engine.0) as _, Arc::clone(tool) as _, Request::new(caller, None, &peer));
    let state = Arc::clone(&call.0);
    let watch = observer().call(&state, 0);
    let calling = tool.begin(call, arguments)?;
    Ok(Running::new(wrap(calling), None, state, Vec::new(), watch).round().await)
}

/// Drops the notifications of a call whose caller does not read them.
struct DropNotifications;

impl Outlet for DropNotifications {
    fn send(&self, _: Frame) {}
}
