//! Calls that no MCP client has sent. The endpoints of a contract and `Actions::handle` run them.

use std::{sync::Arc, task::Poll};

use crate::{
    base::error::ToolError,
    engine::{
        call::{
            Call, Client,
            observer::{Observer as _, observer},
            request::{Caller, Peer, Request},
            round_observer::RoundObserver as _,
            running::{Round, Running},
        },
        tool::{begin::InvalidArguments, registered::RegisteredTool},
    },
    serve::server::core::{concurrency::Room, service::Service},
    wire::protocol::{capability::Capabilities, error::RpcError, revision::Revision},
};

/// A call that no MCP client has sent. It passes the same guard as a call of a client that has no capabilities.
pub(crate) struct LocalCall<'a> {
    pub(crate) service: &'a Service,
    pub(crate) tool: &'a Arc<RegisteredTool>,
    /// What errors call the tool, if not by its kind and name.
    pub(crate) described: Option<Arc<str>>,
    /// The JSON text of an object.
    pub(crate) arguments: &'a str,
    pub(crate) peer: Peer,
    /// The capacity that the call shares with other calls. `None` if the application itself calls.
    pub(crate) room: Option<Room>,
}

/// The reason why a local call did not begin.
pub(crate) enum NotBegun {
    /// The caller may not call the tool, or the server has no capacity.
    Refused(RpcError),
    Invalid(InvalidArguments),
}

/// How a local call ended.
pub(crate) struct LocalOutcome {
    pub(crate) round: Round,
    /// The error of the author's function or of a layer, if the call has failed with one.
    pub(crate) error: Option<ToolError>,
}

impl LocalCall<'_> {
    /// Runs the call until its first question or its end.
    pub(crate) async fn run(self) -> Result<LocalOutcome, NotBegun> {
        let Self { service: Service(server), tool, described, arguments, peer, room } = self;
        let client = Client::new(None, Revision::LATEST, Capabilities::default());
        let pass =
            tool.admit(&peer, &client).map_err(|denied| refused(denied.error_about(tool, described.as_deref())))?;
        if server.is_stopping() {
            return Err(refused(RpcError::stopping()));
        }
        let (mut _held, mut permit) = (None, None);
        if let Some(room) = &room {
            room.admit(arguments.len()).map_err(refused)?;
            if !room.is_free() {
                _held = Some(room.hold(arguments.len()));
                // Boxed, because few calls wait, and each reserves space for its future.
                let entered = Box::pin(room.enter(room.take())).await;
                permit = Some(entered.ok_or_else(|| refused(Room::overloaded()))?);
            }
        }
        let caller = Caller::Modern { client, log_level: None };
        let request = Request::new(caller, None, &peer);
        let call = Call::described_as(described, Arc::clone(server) as _, Arc::clone(tool) as _, request);
        let state = Arc::clone(&call.0);
        let watch = observer().call(&state, 0);
        let (calling, layers) = match &server.settings.layers {
            Some(layers) => {
                // The layers would turn a mistake in the arguments into a result.
                let checked = tool.schema.check(arguments);
                checked.map_err(|violations| NotBegun::Invalid(InvalidArguments::Unfit(violations)))?;
                layers.begin(pass, call, arguments)
            }
            None => (tool.begin(pass, call, arguments).map_err(NotBegun::Invalid)?, None),
        };
        let mut running = Running::new(calling, layers, state, Vec::new(), watch);
        let round = match (room, permit) {
            // Most calls end in their first poll, and need no slot.
            (Some(room), None) => match running.poll_once() {
                Poll::Ready(round) => round,
                Poll::Pending => {
                    _held = Some(room.hold(arguments.len()));
                    running.hold(room.take());
                    running.round().await
                }
            },
            (_, permit) => {
                permit.into_iter().for_each(|permit| running.hold(permit));
                running.round().await
            }
        };
        Ok(LocalOutcome { round, error: running.take_error() })
    }
}

fn refused(error: RpcError) -> NotBegun {
    observer().refused(&error);
    NotBegun::Refused(error)
}
