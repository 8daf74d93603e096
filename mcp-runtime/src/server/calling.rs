//! `tools/call`: a call begun, taken up again, ended.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::Inner;
use crate::{
    call::{
        AskError, Call, CallState, Outlet, Reports,
        conversation::Question,
        parked::{Fit, Parked, Parking},
        request::{Caller, Request},
        running::{Round, Running, panicked},
    },
    tool::{Arguments, CallToolResult},
    trace::CallSpan,
    wire::{
        capability::Capabilities, error::RpcError, frame::Frame, id::Id, params::Params, result::push_call_result,
        text::push_json_string,
    },
};

/// So many requests in a row without an answer, and the client cannot give one.
const MISSES: u8 = 3;

/// What a request leads to.
pub(super) enum Answer<'a> {
    Ready(Frame),
    /// A call whose future has not been polled yet, and its arguments.
    Call(Running, &'a str),
}

/// Finds the tool, holds the arguments against its schema, begins the call or takes it up again.
pub(super) fn call<'a>(
    server: &Arc<Inner>,
    id: &Id<'_>,
    caller: Caller,
    params: &Params<'a>,
    outlet: &Arc<dyn Outlet>,
) -> Result<Answer<'a>, RpcError> {
    let name = params.name()?;
    let tool = server.registry.find(&name).ok_or_else(|| RpcError::unknown_tool(&name))?;
    let arguments = params.arguments()?;
    let reports = params.meta.progress_token()?.map(|token| Reports::new(token.into_owned()));
    let missing = server.registry.at(tool).requires.without(caller.client().capabilities());
    let revision = caller.revision();
    let request = Request { caller, reports, outlet: Arc::clone(outlet) };

    if !revision.is_modern() {
        if !missing.is_empty() {
            let call = Call::new(Arc::clone(server), tool, request);
            let text = format!("the tool `{name}` needs a client that supports {missing}");
            return Ok(refused(&call.0, &CallSpan::new(&call.0), id, CallToolResult::error(text)));
        }
        return begin(server, id, tool, request, arguments, Vec::new());
    }
    if !missing.is_empty() {
        return Err(RpcError::missing_capability(&name, missing));
    }
    let responses = params.input_responses()?;
    match params.request_state()? {
        None => begin(server, id, tool, request, arguments, responses.unwrap_or_default()),
        Some(state) => take_up(server, id, tool, request, arguments, responses, &state),
    }
}

/// The response that ends a round.
pub(super) fn round_response(round: Round, running: Running, id: &Id<'_>, arguments: &str) -> Frame {
    match round {
        Round::Done(outcome) => done_response(running.call(), id, outcome),
        Round::Asks => {
            let server = Arc::clone(&running.call().server);
            let questions = running.call().conversation.unanswered();
            let state = Parking::park(&server, Parked { running, arguments: arguments.into(), misses: 0 });
            input_required(&server, id, &questions, &state)
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
    let span = CallSpan::new(&state);
    let _entered = span.enter();
    let refuse = |text| refused(&state, &span, id, CallToolResult::error(text));

    if registered.schema.needs_check()
        && let Err(violations) = registered.schema.check(arguments)
    {
        return Ok(refuse(format!("invalid arguments for `{name}`:\n{violations}")));
    }
    match catch_unwind(AssertUnwindSafe(|| registered.tool.call(call, Arguments(arguments)))) {
        Ok(Ok(calling)) => {
            let early = responses.into_iter().map(|(key, response)| (key, Ok(response.into()))).collect();
            Ok(Answer::Call(Running::new(calling, state, early, span), arguments))
        }
        // What the schema has to say is better than the reader's own words, which name no path.
        Ok(Err(unread)) => Ok(refuse(match registered.schema.check(arguments) {
            Err(violations) => format!("invalid arguments for `{name}`:\n{violations}"),
            Ok(()) => format!("invalid arguments for `{name}`: {}", unread.0),
        })),
        Err(_) => Ok(refused(&state, &span, id, panicked(name))),
    }
}

/// A later round of a call. A request that answers nothing takes nothing up: the same state may come again.
fn take_up<'a>(
    server: &Arc<Inner>,
    id: &Id<'_>,
    tool: usize,
    request: Request,
    arguments: &'a str,
    responses: Option<Vec<(String, &str)>>,
    state: &str,
) -> Result<Answer<'a>, RpcError> {
    let client = request.caller.client().capabilities();
    let fit = server.parking.take(state, |parked| {
        if parked.running.call().tool != tool || !parked.has_arguments(arguments) {
            return Err(RpcError::invalid_params("`requestState` belongs to another call"));
        }
        let questions = parked.running.call().conversation.unanswered();
        let missing = needs(&questions).without(client);
        if !missing.is_empty() {
            return Err(RpcError::missing_capability(&server.registry.at(tool).definition.name, missing));
        }
        let answers = |question: &Question| responses.iter().flatten().any(|(key, _)| *key == question.key);
        if questions.iter().any(answers) {
            return Ok(Fit::Take(()));
        }
        // A state alone may be load shedding on the client's side; answers that are none are a client that cannot.
        parked.misses += u8::from(responses.is_some());
        Ok(if parked.misses < MISSES { Fit::Stay(questions) } else { Fit::Take(()) })
    })?;
    Ok(match fit {
        Fit::Stay(questions) => Answer::Ready(input_required(server, id, &questions, state)),
        Fit::Take(Parked { mut running, misses, .. }) => {
            let unanswered = if misses < MISSES { Vec::new() } else { running.call().conversation.unanswered() };
            let misses = unanswered.into_iter().map(|question| (question.key.into_owned(), Err(AskError::Unanswered)));
            let answers = responses.into_iter().flatten().map(|(key, response)| (key, Ok(response.into())));
            running.resume(request, answers.chain(misses).collect());
            Answer::Call(running, arguments)
        }
    })
}

/// What a client must be able to do to be asked these.
fn needs(questions: &[Question]) -> Capabilities {
    questions.iter().fold(Capabilities::default(), |needs, question| needs.union(question.needs))
}

fn input_required(server: &Inner, id: &Id<'_>, questions: &[Question], state: &str) -> Frame {
    Frame::result(id, |out| {
        out.extend_from_slice(br#"{"resultType":"input_required","inputRequests":{"#);
        for (index, Question { key, method, params, .. }) in questions.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"" } else { b"," });
            push_json_string(out, key);
            out.extend_from_slice(br#":{"method":""#);
            out.extend_from_slice(method.as_bytes());
            out.extend_from_slice(br#"","params":"#);
            out.extend_from_slice(params.as_bytes());
            out.push(b'}');
        }
        out.extend_from_slice(br#"},"requestState":""#);
        out.extend_from_slice(state.as_bytes());
        out.extend_from_slice(br#"","_meta":{"io.modelcontextprotocol/serverInfo":"#);
        out.extend_from_slice(server.server_info.as_bytes());
        out.extend_from_slice(b"}}");
    })
}

/// The answer of a call whose future never was.
fn refused<'a>(call: &CallState, span: &CallSpan, id: &Id<'_>, result: CallToolResult) -> Answer<'a> {
    call.finish();
    let outcome = Ok(result);
    span.done(&outcome);
    Answer::Ready(done_response(call, id, outcome))
}

fn done_response(call: &CallState, id: &Id<'_>, outcome: Result<CallToolResult, RpcError>) -> Frame {
    match outcome {
        Ok(result) => Frame::result(id, |out| push_call_result(out, &result, call.revision, &call.server.server_info)),
        Err(error) => Frame::error(Some(id), &error),
    }
}
