//! `tools/call`: a call begun, taken up again, ended.

use std::{
    borrow::Cow,
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::{
    Inner,
    body::done,
    multi_round::{Keyed, Return, Rounds},
    registry::Registered,
};
#[cfg(feature = "http")]
use crate::protocol::headers;
use crate::{
    call::{
        Call, CallState, Reports,
        request::{Caller, Peer, Request},
        running::{Calling, Running, panicked},
    },
    protocol::{error::RpcError, frame::Frame, id::Id, params::Params, result::CallToolResult},
    telemetry,
    telemetry::CallWatch,
    tool::{Arguments, ToolDefinition},
};

/// What a request leads to.
pub(super) enum Answer<'a> {
    Ready(Frame),
    /// A call whose future has not been polled yet, and its arguments.
    Call(Box<Running>, &'a str),
    /// One that has a key from its client.
    Keyed(Keyed),
    /// A later round of a call.
    Return(Return),
}

/// Finds the tool, holds the arguments against its schema, begins the call or takes it up again.
pub(super) fn call<'a>(
    server: &Arc<Inner>,
    id: &Id<'_>,
    caller: Caller,
    params: &Params<'a>,
    peer: &Peer,
) -> Result<Answer<'a>, RpcError> {
    let name = params.name()?;
    #[cfg(feature = "http")]
    let headers = peer.headers().filter(|_| caller.revision().is_modern());
    #[cfg(feature = "http")]
    headers.map_or(Ok(()), |headers| headers::check_name(headers, &name))?;
    let tool = server.registry.find(&name).ok_or_else(|| RpcError::unknown_tool(&name))?;
    telemetry::tool(&name);
    check_scopes(peer, &server.registry.at(tool).definition)?;
    let arguments = params.arguments()?;
    #[cfg(feature = "http")]
    headers.map_or(Ok(()), |headers| {
        headers::check_arguments(headers, &server.registry.at(tool).param_headers, arguments)
    })?;
    let reports = params.meta.progress_token()?.map(|token| Reports::new(token.into_owned()));
    let missing = server.registry.at(tool).requires.without(caller.client().capabilities());
    let revision = caller.revision();
    let request = Request::new(caller, reports, peer);

    if !revision.is_modern() {
        if !missing.is_empty() {
            let call = Call::new(Arc::clone(server), tool, request);
            let text = format!("the tool `{name}` needs a client that supports {missing}");
            let outcome = CallToolResult::error(text);
            return Ok(refused(&call.0, CallWatch::new(&call.0, 0), id, outcome));
        }
        let admitted = match (server.registry.at(tool).definition.rounds, &peer.owner) {
            (Some(rounds), Some(owner)) => Some((rounds.admit_in_session)(server, owner, arguments.len())?),
            _ => None,
        };
        let mut answer = begin(server, id, tool, request, arguments, Vec::new())?;
        if let (Answer::Call(running, _), Some(admitted)) = (&mut answer, admitted) {
            running.admit(admitted);
        }
        return Ok(answer);
    }
    if !missing.is_empty() {
        return Err(RpcError::missing_capability(&name, missing));
    }
    let responses = params.input_responses()?;
    match params.request_state()? {
        None => {
            let key = match params.meta.idempotency_key()? {
                #[cfg(feature = "http")]
                None => headers.map_or(Ok(None), headers::idempotency_key)?,
                key => key,
            };
            let key = key.filter(|_| server.rounds.get().is_some());
            let registered = server.registry.at(tool);
            // One with a key may be there already, and is admitted when that is known.
            let rounds = registered.definition.rounds.filter(|_| key.is_none());
            let admit = |rounds: &Rounds| (rounds.admit)(server, registered, peer.owner.as_ref(), arguments.len());
            let admitted = rounds.map(admit).transpose()?;
            let answer = begin(server, id, tool, request, arguments, responses.unwrap_or_default())?;
            Ok(match (answer, key) {
                (Answer::Call(running, arguments), Some(key)) => {
                    Answer::Keyed(Keyed { running, arguments: arguments.into(), key, owner: peer.owner.clone() })
                }
                (Answer::Call(mut running, arguments), None) => {
                    admitted.into_iter().for_each(|admitted| running.admit(admitted));
                    Answer::Call(running, arguments)
                }
                (answer, _) => answer,
            })
        }
        Some(state) => {
            let responses =
                responses.map(|responses| responses.into_iter().map(|(k, text)| (k, text.into())).collect());
            let call = Call::new(Arc::clone(server), tool, request);
            Ok(Answer::Return(Return { call, arguments: arguments.into(), responses, state: state.into() }))
        }
    }
}

fn begin<'a>(
    server: &Arc<Inner>,
    id: &Id<'_>,
    tool: usize,
    request: Request,
    arguments: &'a str,
    responses: Vec<(String, &str)>,
) -> Result<Answer<'a>, RpcError> {
    let registered = server.registry.at(tool);
    let name = &registered.definition.name;
    let call = Call::new(Arc::clone(server), tool, request);
    let state = Arc::clone(&call.0);
    let mut watch = CallWatch::new(&state, 0);
    let _entered = watch.enter();

    let (calling, layered) = match &server.layers {
        Some(layers) => layers.begin(call, arguments),
        None => match catch_unwind(AssertUnwindSafe(|| start(registered, call, arguments))) {
            Ok(Ok(calling)) => (calling, None),
            Ok(Err(invalid)) => return Ok(refused(&state, watch, id, invalid)),
            Err(_) => {
                watch.panicked();
                return Ok(refused(&state, watch, id, panicked(name)));
            }
        },
    };
    let early = if responses.is_empty() { Vec::new() } else { readable(responses) };
    Ok(Answer::Call(Running::new(calling, layered, state, early, watch), arguments))
}

/// What their reader cannot read is no answer.
#[cold]
fn readable(responses: Vec<(String, &str)>) -> Vec<(String, Arc<RawValue>)> {
    let read = |text: &str| RawValue::from_string(text.to_owned()).ok().map(Arc::from);
    responses.into_iter().filter_map(|(key, text)| Some((key, read(text)?))).collect()
}

/// Checks the arguments and begins the tool's future. What is wrong with the arguments is the result of the call.
#[inline]
pub(crate) fn start(tool: &Registered, call: Call, arguments: &str) -> Result<Calling, CallToolResult> {
    let name = &tool.definition.name;
    let invalid = |reason: &dyn Display| CallToolResult::error(invalid_arguments(name, reason));
    let schema = &tool.schema;
    let needs_check = schema.needs_check() && !schema.surely_fits(arguments);
    let checked = if needs_check { schema.checked(arguments) } else { Ok(Cow::Borrowed(arguments)) };
    let checked = checked.map_err(|violations| invalid(&violations))?;
    tool.tool.call(call, Arguments::new(&checked, schema)).map_err(|unread| {
        // What the schema has to say is better than the reader's own words, which name no path.
        match schema.check(arguments) {
            Err(violations) => invalid(&violations),
            Ok(()) => invalid(&format_args!("- {unread}")),
        }
    })
}

/// The error text of a call whose arguments its tool cannot take.
pub(crate) fn invalid_arguments(tool: &str, reason: &dyn Display) -> String {
    format!("invalid arguments for `{tool}`:\n{reason}")
}

/// The answer of a call whose future never was.
fn refused<'a>(call: &CallState, mut watch: CallWatch, id: &Id<'_>, result: CallToolResult) -> Answer<'a> {
    call.finish();
    let outcome = Ok(result);
    watch.done(&outcome);
    Answer::Ready(done(id, call, outcome))
}

/// Checks that the caller was granted the scopes of this tool. On standard input callers have no identity, and every scope is
/// granted.
fn check_scopes(peer: &Peer, tool: &ToolDefinition) -> Result<(), RpcError> {
    let may = match &peer.principal {
        Some(principal) => tool.scopes.iter().all(|scope| principal.has_scope(scope)),
        None => tool.scopes.is_empty() || !peer.remote,
    };
    if may { Ok(()) } else { Err(RpcError::insufficient_scope(&tool.name, &tool.scopes, peer.principal.is_some())) }
}
