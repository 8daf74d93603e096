//! The body of a response, without the request's id. The id is left out because a repeated request gets the same body.

use super::running::CallOutcome;
use crate::{
    engine::call::{
        CallState,
        conversation::WireQuestion,
        host::Host,
        observer::{Observer as _, observer},
        operation::Operation,
    },
    wire::protocol::{
        error::{ErrorHint, RpcError},
        frame::{Frame, OK},
        id::Id,
        result::push_call_result,
        text::push_json_string,
    },
};

/// The `result` or `error` member of a response, with its name.
pub(crate) struct Body {
    member: Vec<u8>,
    /// See [`Frame::status`].
    status: u16,
    /// See [`Frame::hint`].
    hint: Option<Box<ErrorHint>>,
}

/// Returns the response of a call that completes at once. Writes the result directly into the frame, because some
/// results are large.
pub(crate) fn done(id: &Id<'_>, call: &CallState, outcome: CallOutcome) -> Frame {
    match of_operation(call, outcome) {
        Ok(result) => {
            let info = call.server.info();
            Frame::long_result(id, result.estimated_length(info), |out| {
                push_call_result(out, &result, call.revision, info);
            })
        }
        Err(error) => Frame::error(Some(id), &error),
    }
}

/// Converts an error result of a method other than `tools/call` to a JSON-RPC error, because only `tools/call` has error
/// results.
fn of_operation(call: &CallState, outcome: CallOutcome) -> CallOutcome {
    match outcome {
        Ok(result) if result.is_error && call.tool.operation() != Operation::CallTool => {
            Err(RpcError::internal(result.first_text()))
        }
        outcome => outcome,
    }
}

impl Body {
    pub(crate) fn done(call: &CallState, outcome: CallOutcome) -> Self {
        match of_operation(call, outcome) {
            Ok(result) => {
                let info = call.server.info();
                Self::result(result.estimated_length(info), |out| push_call_result(out, &result, call.revision, info))
            }
            Err(error) => Self::error(&error),
        }
    }

    pub(crate) fn error(error: &RpcError) -> Self {
        observer().refused(error);
        Self::error_to_keep(error)
    }

    /// Creates the body of an error that answers no request yet, because the ledger stores it for later requests.
    pub(crate) fn error_to_keep(error: &RpcError) -> Self {
        let mut body = br#""error":"#.to_vec();
        error.push(&mut body);
        Self { member: body, status: error.status(), hint: error.hint.clone() }
    }

    /// Creates the body of the response that ends the round with these questions.
    pub(crate) fn input_required(server: &dyn Host, questions: &[WireQuestion], state: &str) -> Self {
        let asked =
            questions.iter().map(|WireQuestion { key, method, params, .. }| key.len() + method.len() + params.len());
        // An estimate: about 256 bytes of fixed text, and about 32 bytes for each question.
        let length = 256 + asked.map(|length| length + 32).sum::<usize>() + state.len() + server.info().len();
        Self::result(length, |out| {
            out.extend_from_slice(br#"{"resultType":"input_required","inputRequests":{"#);
            for (index, WireQuestion { key, method, params, .. }) in questions.iter().enumerate() {
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
            out.extend_from_slice(server.info().as_bytes());
            out.extend_from_slice(b"}}");
        })
    }

    /// Creates the body from bytes that [`to_keep`](Self::to_keep) returned and the ledger stored.
    pub(crate) fn from_kept(bytes: &[u8]) -> Self {
        Self { member: bytes.to_vec(), status: OK, hint: None }
    }

    /// Returns the bytes that the ledger stores.
    pub(crate) fn to_keep(&self) -> &[u8] {
        &self.member
    }

    pub(crate) fn into_frame(self, id: &Id<'_>) -> Frame {
        Frame::response(id, &self.member, self.status, self.hint)
    }

    /// Writes a `result` member. `length` is the expected length in bytes.
    fn result(length: usize, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut body = Vec::with_capacity(length);
        body.extend_from_slice(br#""result":"#);
        write(&mut body);
        Self { member: body, status: OK, hint: None }
    }
}
