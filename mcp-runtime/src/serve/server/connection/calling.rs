//! `tools/call` and other calls: finds the tool, checks the request, and begins or resumes the call.

use std::{
    borrow::Cow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::{
    engine::{
        call::{
            Call, Reports,
            admission::Admission,
            body::Body,
            execution::panicked,
            multi_round::{KeyedCall, ResumeRequest},
            observer::{Observer as _, observer},
            request::{Caller, Request},
            round_observer::{CallObserver as _, CallWatch, RoundObserver as _},
            running::{CallOutcome, Running},
        },
        tool::{
            begin::InvalidArguments,
            guard::{Denied, Pass},
            registered::RegisteredTool,
        },
    },
    serve::server::core::{
        pending_call::{PendingCall, RequestReply},
        service::{Inner, RequestContext},
    },
    wire::protocol::{capability::Capabilities, error::RpcError, result::CallToolResult},
};

/// Answers `tools/call`.
pub(super) fn call_tool<'a>(context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
    let RequestContext { server, params, .. } = context;
    let name = params.name()?;
    context.check_name(&name)?;
    let tool = server.registry.find(&name).ok_or_else(|| server.unknown("tool", &name))?;
    let sent = params.arguments();
    let forwarded = sent.as_ref().ok().and_then(|arguments| server.forwarded(&tool, arguments));
    observer().tool(forwarded.as_ref().map_or(&name, |(tool, _)| &tool.definition.name));
    let arguments = sent?;
    context.check_arguments(&tool, arguments)?;
    let (tool, arguments) = forwarded.unwrap_or_else(|| (tool, arguments.into()));
    call_item(context, caller, &tool, arguments)
}

impl Inner {
    /// Returns the tool that a call is forwarded to, and its arguments. The call is then a call of that tool in all
    /// respects: for the guard, the layers, the ledger and the client. Returns `None` if `tool` itself answers, for example
    /// because its arguments are invalid.
    #[inline]
    pub(crate) fn forwarded<'a>(
        &self,
        tool: &RegisteredTool,
        arguments: &'a str,
    ) -> Option<(Arc<RegisteredTool>, Cow<'a, str>)> {
        let forwards = tool.definition.forwards?;
        let find = |name: &str| self.registry.find(name).filter(|tool| tool.definition.is_for_models());
        if let Some((name, arguments)) = forwards(arguments) {
            return Some((find(&name)?, arguments.into()));
        }
        // The model may have written the arguments of the other tool as JSON in a string.
        let normalized = tool.schema.normalized(arguments)?;
        let (name, arguments) = forwards(&normalized)?;
        Some((find(&name)?, arguments.to_owned().into()))
    }
}

/// Begins or resumes a call of a tool, or of the item that answers another method, such as `prompts/get`. `arguments` is
/// JSON text. A request that resumes the call must have the same arguments.
pub(crate) fn call_item<'a>(
    context: RequestContext<'a>,
    caller: Caller,
    tool: &Arc<RegisteredTool>,
    arguments: impl Into<Cow<'a, str>>,
) -> Result<RequestReply<'a>, RpcError> {
    let RequestContext { server, peer, params, .. } = context;
    let arguments = arguments.into();
    let reports = params.meta.progress_token()?.map(|token| Reports::new(token.into_owned()));
    let (is_modern, admitted) = (caller.revision().is_modern(), tool.admit(peer, caller.client()));
    let request = || Request::new(caller, reports, peer).passing_on(&params.meta);
    let call = || Call::new(Arc::clone(server) as _, Arc::clone(tool) as _, request());
    match admitted {
        Ok(pass) if is_modern => standalone(context, tool, pass, call(), arguments),
        Ok(pass) => in_session(context, tool, pass, call(), arguments),
        Err(Denied::Capabilities(missing)) if !is_modern => {
            Ok(RequestReply::Done(unsupported(context, tool, &call(), missing)))
        }
        Err(denied) => Err(denied.error(tool)),
    }
}

/// Begins a call in a session.
fn in_session<'a>(
    context: RequestContext<'a>,
    tool: &RegisteredTool,
    pass: Pass,
    call: Call,
    arguments: Cow<'a, str>,
) -> Result<RequestReply<'a>, RpcError> {
    let admission = match (tool.definition.multi_round, &context.peer.owner) {
        (Some(multi_round), Some(owner)) => {
            Some(multi_round.admit_in_session(&**context.server, owner, arguments.len())?)
        }
        _ => None,
    };
    Ok(first(begin(context, tool, pass, call, &arguments, Vec::new()), arguments, admission))
}

/// Begins or resumes a call whose request belongs to no session (since 2026-07-28).
fn standalone<'a>(
    context: RequestContext<'a>,
    tool: &RegisteredTool,
    pass: Pass,
    call: Call,
    arguments: Cow<'a, str>,
) -> Result<RequestReply<'a>, RpcError> {
    let RequestContext { server, peer, params, .. } = context;
    let responses = params.input_responses()?;
    if let Some(state) = params.request_state()? {
        let request = ResumeRequest { call, arguments, responses, state };
        return PendingCall::resume(request).map(RequestReply::Pending);
    }
    let key = match params.meta.idempotency_key()? {
        None => context.idempotency_key()?,
        key => key,
    };
    let key = key.filter(|_| server.multi_round.get().is_some());
    // A server that declares that it minds keys must mind them for the whole tool.
    if key.is_some() && server.minds_keys() && tool.begins_once() {
        call.0.set_begins_once();
    }
    // A call with a key is admitted later, because the ledger may already have its record.
    let admission = match tool.definition.multi_round.filter(|_| key.is_none()) {
        Some(multi_round) => Some(multi_round.admit(&call.0, peer.owner.as_ref(), arguments.len())?),
        None => None,
    };
    let responses = responses.map_or_else(Vec::new, |responses| {
        responses.into_iter().map(|(key, text)| (key.into_owned(), text.into())).collect()
    });
    match (begin(context, tool, pass, call, &arguments, responses), key) {
        (Ok(running), Some(key)) => {
            let owner = peer.owner.clone();
            let keyed = KeyedCall { running, arguments: arguments.into(), key, owner };
            PendingCall::begin_once(keyed).map(RequestReply::Pending)
        }
        (begun, _) => Ok(first(begun, arguments, admission)),
    }
}

/// Checks the arguments and begins the call.
///
/// # Errors
/// Returns the reply of the call, if its arguments are invalid or if reading the arguments panicked.
#[expect(clippy::result_large_err, reason = "the reply is moved once, which costs less than a box")]
fn begin(
    context: RequestContext<'_>,
    tool: &RegisteredTool,
    pass: Pass,
    call: Call,
    arguments: &str,
    responses: Vec<(String, Arc<str>)>,
) -> Result<Box<Running>, Body> {
    let state = Arc::clone(&call.0);
    let mut watch = observer().call(&state, 0);
    let _entered = watch.enter();
    let (calling, layers) = match &context.server.settings.layers {
        Some(layers) if tool.is_tool() => layers.begin(pass, call, arguments),
        _ => match catch_unwind(AssertUnwindSafe(|| tool.begin(pass, call, arguments))) {
            Ok(Ok(calling)) => (calling, None),
            Ok(Err(InvalidArguments::Unread(reason))) if !tool.is_tool() => {
                let error = RpcError::invalid_params(reason.to_string());
                return Err(refused(&Call::of(state), watch, Err(error)));
            }
            Ok(Err(invalid)) => {
                return Err(refused(&Call::of(state), watch, Ok(tool.refuse_arguments(&invalid))));
            }
            Err(_) => {
                watch.panicked();
                return Err(refused(&Call::of(state), watch, Ok(panicked(&tool.described()))));
            }
        },
    };
    Ok(Running::new(calling, layers, state, responses, watch))
}

/// Returns the first round of a call that has begun, or its reply.
fn first(begun: Result<Box<Running>, Body>, arguments: Cow<'_, str>, admission: Option<Admission>) -> RequestReply<'_> {
    match begun {
        Ok(mut running) => {
            running.admission = admission;
            RequestReply::Pending(PendingCall::First(running, arguments))
        }
        Err(body) => RequestReply::Done(body),
    }
}

/// Ends a call in a session whose client lacks the capabilities `missing`. The model gets the reason as a result.
fn unsupported(context: RequestContext<'_>, tool: &RegisteredTool, call: &Call, missing: Capabilities) -> Body {
    let mut text = format!("the {} needs a client that supports {missing}", tool.described());
    if let Some(reason) = context.peer.unable_to_ask() {
        text = format!("{text}; {reason}");
    }
    let watch = observer().call(&call.0, 0);
    refused(call, watch, Ok(CallToolResult::error(text)))
}

/// Ends a call whose tool was not run, and returns the reply.
fn refused(call: &Call, mut watch: CallWatch, outcome: CallOutcome) -> Body {
    call.0.finish();
    watch.done(outcome.as_ref());
    Body::done(&call.0, outcome)
}
