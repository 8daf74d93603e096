//! The table: which function answers which method, in either era.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::{Map, Value, json};

use super::{Inner, listing};
use crate::{
    call::{
        Call, CallState, Caller, Client, End, ModernClient, Outlet, Reports, Session,
        running::{Running, panicked},
    },
    tool::{Arguments, CallToolResult},
    wire::{
        capability::Capabilities,
        error::{RpcError, supported_revisions},
        frame::{Frame, push_json},
        id::Id,
        params::{Meta, Params},
        result::push_call_result,
        revision::Revision,
    },
};

/// What a request leads to.
pub(super) enum Answer {
    Ready(Frame),
    /// A call whose future has not been polled yet.
    Call(Running),
}

/// Answers a request that stands alone (2026-07-28).
pub(super) fn modern(
    server: &Arc<Inner>,
    id: &Id<'_>,
    method: &str,
    params: &Params<'_>,
    outlet: &Arc<dyn Outlet>,
) -> Result<Answer, RpcError> {
    let meta = params.meta();
    let revision = modern_revision(&meta)?;
    let capabilities = modern_capabilities(&meta)?;
    match method {
        "tools/call" => {
            let client = ModernClient::new(meta.client_info, revision, capabilities);
            let caller = Caller::Modern { client, log_level: meta.log_level()? };
            call(server, id, caller, capabilities, params, outlet)
        }
        "tools/list" => {
            let page = listing::list(server, revision, capabilities, params.cursor()?.as_deref())?;
            Ok(Answer::Ready(Frame::shared(id, page)))
        }
        "server/discover" => Ok(Answer::Ready(Frame::result(id, |out| push_json(out, &discover(server))))),
        _ => Err(RpcError::method_not_found(method)),
    }
}

/// Answers a request of a session opened by a handshake.
pub(super) fn legacy(
    server: &Arc<Inner>,
    id: &Id<'_>,
    method: &str,
    params: &Params<'_>,
    session: &Arc<Session>,
    outlet: &Arc<dyn Outlet>,
) -> Result<Answer, RpcError> {
    let capabilities = session.client.capabilities();
    match method {
        "tools/call" => call(server, id, Caller::Legacy(Arc::clone(session)), capabilities, params, outlet),
        "tools/list" => {
            let page = listing::list(server, session.revision, capabilities, params.cursor()?.as_deref())?;
            Ok(Answer::Ready(Frame::shared(id, page)))
        }
        "ping" => Ok(Answer::Ready(empty(id))),
        "logging/setLevel" => {
            session.set_log_level(params.level()?);
            Ok(Answer::Ready(empty(id)))
        }
        _ => Err(RpcError::method_not_found(method)),
    }
}

/// `initialize`: the session it opens, and the answer. An unknown revision gets the newest one that has a handshake.
pub(super) fn initialize(server: &Inner, id: &Id<'_>, params: &Params<'_>) -> Result<(Session, Frame), RpcError> {
    let requested = params.protocol_version()?;
    let revision =
        Revision::parse(&requested).filter(|revision| !revision.is_modern()).unwrap_or(Revision::LATEST_LEGACY);
    let capabilities = read_capabilities(params.capabilities)?;
    let session = Session::new(revision, Client::new(params.client_info, revision, capabilities));

    let mut result = Map::new();
    result.insert("protocolVersion".into(), revision.as_str().into());
    result.insert("capabilities".into(), server_capabilities());
    result.insert("serverInfo".into(), server.identity.to_json(revision));
    if let Some(instructions) = &server.identity.instructions {
        result.insert("instructions".into(), instructions.as_str().into());
    }
    Ok((session, Frame::result(id, |out| push_json(out, &result))))
}

/// `{}`: the answer to `ping` and `logging/setLevel`.
pub(super) fn empty(id: &Id<'_>) -> Frame {
    Frame::result(id, |out| out.extend_from_slice(b"{}"))
}

/// The response that carries a tool's result.
pub(crate) fn call_response(call: &CallState, id: &Id<'_>, outcome: Result<CallToolResult, RpcError>) -> Frame {
    match outcome {
        Ok(result) => {
            Frame::result(id, |out| push_call_result(out, &result, call.revision(), &call.server.server_info))
        }
        Err(error) => Frame::error(Some(id), &error),
    }
}

/// `tools/call`: finds the tool, holds the arguments against its schema, begins the call.
fn call(
    server: &Arc<Inner>,
    id: &Id<'_>,
    caller: Caller,
    capabilities: Capabilities,
    params: &Params<'_>,
    outlet: &Arc<dyn Outlet>,
) -> Result<Answer, RpcError> {
    let name = params.name()?;
    let index = server.registry.find(&name).ok_or_else(|| RpcError::unknown_tool(&name))?;
    let tool = server.registry.at(index);
    let arguments = params.arguments()?;
    let reports = params.meta().progress_token()?.map(|token| Reports::new(token.into_owned()));
    let missing = tool.requires.without(capabilities);
    if !missing.is_empty() && caller.revision().is_modern() {
        return Err(RpcError::missing_capability(&name, missing));
    }
    let call = Call(Arc::new(CallState {
        server: Arc::clone(server),
        tool: index,
        caller,
        reports,
        outlet: Arc::clone(outlet),
        end: End::default(),
    }));
    let state = Arc::clone(&call.0);
    let refuse = |text: String| {
        state.end.finish();
        Ok(Answer::Ready(call_response(&state, id, Ok(CallToolResult::error(text)))))
    };

    if !missing.is_empty() {
        return refuse(format!("the tool `{name}` needs a client that supports {missing}"));
    }
    if tool.schema.needs_check()
        && let Err(violations) = tool.schema.check(arguments)
    {
        return refuse(format!("invalid arguments for `{name}`:\n{violations}"));
    }
    match catch_unwind(AssertUnwindSafe(|| tool.tool.call(call, Arguments(arguments)))) {
        Ok(Ok(calling)) => Ok(Answer::Call(Running::new(calling, Arc::clone(&state)))),
        Err(_) => {
            state.end.finish();
            Ok(Answer::Ready(call_response(&state, id, Ok(panicked(&name)))))
        }
        // What the schema has to say is better than the reader's own words, which name no path.
        Ok(Err(unread)) => match tool.schema.check(arguments) {
            Err(violations) => refuse(format!("invalid arguments for `{name}`:\n{violations}")),
            Ok(()) => refuse(format!("invalid arguments for `{name}`: {}", unread.0)),
        },
    }
}

fn discover(server: &Inner) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("resultType".into(), "complete".into());
    result.insert("supportedVersions".into(), supported_revisions().into());
    result.insert("capabilities".into(), server_capabilities());
    if let Some(instructions) = &server.identity.instructions {
        result.insert("instructions".into(), instructions.as_str().into());
    }
    server.add_modern_hints(&mut result);
    result
}

fn server_capabilities() -> Value {
    json!({ "logging": {}, "tools": {} })
}

/// The revision a modern request names.
fn modern_revision(meta: &Meta<'_>) -> Result<Revision, RpcError> {
    let Some(version) = meta.protocol_version else { return Err(RpcError::no_revision()) };
    let Ok(version) = serde_json::from_str::<std::borrow::Cow<'_, str>>(version.get()) else {
        return Err(RpcError::invalid_params("`io.modelcontextprotocol/protocolVersion` must be a string"));
    };
    Revision::parse(&version)
        .filter(|revision| revision.is_modern())
        .ok_or_else(|| RpcError::unsupported_revision(&version))
}

/// What a modern client can do: said with every request.
fn modern_capabilities(meta: &Meta<'_>) -> Result<Capabilities, RpcError> {
    if meta.capabilities.is_none() {
        return Err(RpcError::invalid_params("`_meta` lacks `io.modelcontextprotocol/clientCapabilities`"));
    }
    read_capabilities(meta.capabilities)
}

fn read_capabilities(raw: Option<&serde_json::value::RawValue>) -> Result<Capabilities, RpcError> {
    raw.map_or(Ok(Capabilities::default()), Capabilities::read)
        .map_err(|error| RpcError::invalid_params(format!("malformed client capabilities: {error}")))
}
