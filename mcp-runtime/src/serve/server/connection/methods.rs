//! The tables of methods: one for requests since 2026-07-28, one for requests in a session.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};

use super::calling::call_tool;
use crate::{
    engine::{
        call::{
            Client,
            request::{Caller, Questions, Session},
        },
        durable::KEYS_KEPT,
    },
    serve::server::core::{
        listing::list_tools,
        pending_call::RequestReply,
        service::{DEFAULT_TTL, RequestContext},
    },
    wire::protocol::{
        capability::Capabilities,
        error::{RpcError, supported_revisions},
        frame::{Frame, push_json},
        id::Id,
        json::{object, set},
        params::Meta,
        revision::Revision,
        scan::read_string,
    },
};

/// Answers a request of revision 2026-07-28 or later. Such a request belongs to no session.
pub(super) fn modern(context: RequestContext<'_>) -> Result<RequestReply<'_>, RpcError> {
    let RequestContext { server, id, method, params, .. } = context;
    let meta = params.meta;
    let version = named_version(&meta)?;
    context.check_headers(&version)?;
    let revision = modern_revision(&version)?;
    let client = server.last_client.of(&meta, revision)?;
    let log_level = meta.log_level()?;
    match method {
        "tools/call" => call_tool(context, Caller::Modern { client, log_level }),
        "tools/list" => list_tools(context, &client),
        "server/discover" => Ok(RequestReply::Ready(Frame::result(id, |out| push_json(out, &discover(context))))),
        "subscriptions/listen" if context.peer.only_answer && !context.sends_only_answers() => {
            let reason = "the reply to `subscriptions/listen` is an event stream; send `Accept: text/event-stream`";
            Err(RpcError::not_acceptable(reason))
        }
        _ => other(context, Caller::Modern { client, log_level }),
    }
}

/// Answers a request in a session.
pub(super) fn legacy(context: RequestContext<'_>, session: Arc<Session>) -> Result<RequestReply<'_>, RpcError> {
    let RequestContext { peer, id, method, params, .. } = context;
    let client = peer.unable_to_ask().map(|_| session.client.without_capabilities());
    match method {
        "tools/call" => call_tool(context, Caller::Legacy { session, client }),
        "tools/list" => list_tools(context, client.as_ref().unwrap_or(&session.client)),
        "ping" => Ok(RequestReply::Ready(empty(id))),
        "logging/setLevel" if !peer.sessionless => {
            session.set_log_level(params.level()?);
            Ok(RequestReply::Ready(empty(id)))
        }
        _ => other(context, Caller::Legacy { session, client }),
    }
}

/// Answers a request of an optional method. The server has such a method only if the author added items for it, such as
/// prompts.
#[inline(never)]
fn other(context: RequestContext<'_>, caller: Caller) -> Result<RequestReply<'_>, RpcError> {
    match context.server.extensions.of_method(context.method) {
        Some(extension) => extension.answer(context, caller),
        None => Err(RpcError::method_not_found(context.method)),
    }
}

/// Answers `initialize`, and returns the new session, which has these questions. If the client requests an unknown
/// revision, the server answers with the newest revision that has a handshake.
pub(super) fn initialize(context: RequestContext<'_>, questions: Arc<Questions>) -> Result<(Session, Frame), RpcError> {
    let RequestContext { server, id, params, .. } = context;
    let requested = params.protocol_version()?;
    let revision =
        Revision::parse(&requested).filter(|revision| !revision.is_modern()).unwrap_or(Revision::LATEST_LEGACY);
    let capabilities = Capabilities::of_handshake(params.capabilities)?;
    let session = Session::new(Client::new(params.client_info, revision, capabilities), questions);

    let mut result = Map::new();
    set(&mut result, "protocolVersion", revision.as_str().into());
    set(&mut result, "capabilities", server_capabilities(context, revision));
    set(&mut result, "serverInfo", server.settings.identity.to_json(revision));
    if let Some(instructions) = server.instructions() {
        set(&mut result, "instructions", instructions.into());
    }
    Ok((session, Frame::result(id, |out| push_json(out, &result))))
}

/// Returns the response to `ping` and `logging/setLevel`: the empty result `{}`.
pub(super) fn empty(id: &Id<'_>) -> Frame {
    Frame::result(id, |out| out.extend_from_slice(b"{}"))
}

fn discover(context: RequestContext<'_>) -> Map<String, Value> {
    let server = context.server;
    let mut result = Map::new();
    set(&mut result, "resultType", "complete".into());
    set(&mut result, "supportedVersions", supported_revisions().into());
    set(&mut result, "capabilities", server_capabilities(context, Revision::LATEST));
    if let Some(instructions) = server.instructions() {
        set(&mut result, "instructions", instructions.into());
    }
    server.add_modern_hints(&mut result, server.settings.ttl.unwrap_or(DEFAULT_TTL), "public");
    result
}

fn server_capabilities(context: RequestContext<'_>, revision: Revision) -> Value {
    let mut capabilities = Map::new();
    // A client without a session cannot set the level of its log messages, so it gets none.
    if !context.peer.sessionless {
        set(&mut capabilities, "logging", object([]));
    }
    set(&mut capabilities, "tools", object([]));
    if revision.is_modern() && context.server.minds_keys() {
        // Such as `{"idempotency-key": {"keptForMs": 3600000}}`.
        let kept = u64::try_from(KEYS_KEPT.as_millis()).unwrap_or(u64::MAX);
        let declared = object([("keptForMs", kept.into())]);
        set(&mut capabilities, "experimental", object([("idempotency-key", declared)]));
    }
    context.server.extensions.iter().for_each(|extension| extension.declare(context, revision, &mut capabilities));
    Value::Object(capabilities)
}

/// Returns the protocol version that a request since 2026-07-28 names.
fn named_version<'a>(meta: &Meta<'a>) -> Result<Cow<'a, str>, RpcError> {
    let version = meta.protocol_version.ok_or_else(RpcError::no_revision)?;
    let reason = "`io.modelcontextprotocol/protocolVersion` must be a string";
    read_string(version).ok_or_else(|| RpcError::invalid_params(reason))
}

fn modern_revision(version: &str) -> Result<Revision, RpcError> {
    let revision = Revision::parse(version).filter(|revision| revision.is_modern());
    revision.ok_or_else(|| RpcError::unsupported_revision(version))
}
