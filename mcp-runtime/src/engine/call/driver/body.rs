//! The reply to a request, without the request's id. The id is left out because a repeated request gets the same body.

use std::sync::Arc;

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
        error::RpcError,
        frame::{ENVELOPE, Frame},
        id::Id,
        result::{CallToolResult, push_call_result},
        revision::Revision,
        text::push_json_string,
    },
};

/// The reply to a request. It becomes JSON only where it leaves the process.
pub(crate) struct Body {
    reply: BodyContent,
    /// The `result` or `error` member of the response, with its name, if the ledger stores it.
    member: Option<Vec<u8>>,
}

/// The content of a [`Body`].
pub(crate) enum BodyContent {
    Done(CompletedCall),
    Asks(AskedRound),
    Refused(RpcError),
    /// The `result` or `error` member of the response, with its name, as the ledger has stored it.
    Kept(Vec<u8>),
}

/// The result of a call, and what its JSON contains besides.
pub(crate) struct CompletedCall {
    pub(crate) result: CallToolResult,
    revision: Revision,
    server: Arc<dyn Host>,
}

/// The questions that end a round, and the state that resumes the call.
pub(crate) struct AskedRound {
    pub(crate) questions: Vec<WireQuestion>,
    pub(crate) state: String,
    server: Arc<dyn Host>,
}

impl Body {
    pub(crate) fn done(call: &CallState, outcome: CallOutcome) -> Self {
        match of_operation(call, outcome) {
            Ok(result) => {
                let server = Arc::clone(&call.server);
                Self::new(BodyContent::Done(CompletedCall { result, revision: call.revision, server }))
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
        Self::new(BodyContent::Refused(error.clone()))
    }

    /// Creates the body of the response that ends the round with these questions.
    pub(crate) fn input_required(server: &Arc<dyn Host>, questions: Vec<WireQuestion>, state: String) -> Self {
        Self::new(BodyContent::Asks(AskedRound { questions, state, server: Arc::clone(server) }))
    }

    /// Creates the body from bytes that [`kept`](Self::kept) returned and the ledger stored.
    pub(crate) fn from_kept(bytes: &[u8]) -> Self {
        Self::new(BodyContent::Kept(bytes.to_vec()))
    }

    fn new(reply: BodyContent) -> Self {
        Self { reply, member: None }
    }

    /// Returns the bytes that the ledger stores. They are written once.
    pub(crate) fn kept(&mut self) -> &[u8] {
        match &self.reply {
            BodyContent::Kept(member) => member,
            reply => self.member.get_or_insert_with(|| reply.to_member()),
        }
    }

    /// Returns the reply for a caller in the same process.
    #[allow(dead_code, reason = "only some features have callers in the same process")]
    pub(crate) fn into_reply(self) -> BodyContent {
        self.reply
    }

    /// Writes the response. A result is written directly into the frame, because some results are large.
    pub(crate) fn into_frame(self, id: &Id<'_>) -> Frame {
        match (self.reply, self.member) {
            (BodyContent::Done(_) | BodyContent::Asks(_), Some(member)) => Frame::response(id, member),
            (BodyContent::Done(done), None) => Frame::long_result(id, done.estimated_length(), |out| done.push(out)),
            (BodyContent::Asks(asks), None) => Frame::long_result(id, asks.estimated_length(), |out| asks.push(out)),
            (BodyContent::Refused(error), _) => Frame::error(Some(id), &error),
            (BodyContent::Kept(member), _) => Frame::response(id, member),
        }
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

impl BodyContent {
    fn to_member(&self) -> Vec<u8> {
        let result = |length: usize, push: &dyn Fn(&mut Vec<u8>)| {
            // With room for the rest of the response.
            let mut member = Vec::with_capacity(length + ENVELOPE);
            member.extend_from_slice(br#""result":"#);
            push(&mut member);
            member
        };
        match self {
            Self::Done(done) => result(done.estimated_length(), &|out| done.push(out)),
            Self::Asks(asks) => result(asks.estimated_length(), &|out| asks.push(out)),
            Self::Refused(error) => {
                let mut member = br#""error":"#.to_vec();
                error.push(&mut member);
                member
            }
            Self::Kept(member) => member.clone(),
        }
    }
}

impl CompletedCall {
    /// Appends the `result` of the response.
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        push_call_result(out, &self.result, self.revision, self.server.info());
    }

    pub(crate) fn estimated_length(&self) -> usize {
        self.result.estimated_length(self.server.info())
    }
}

impl AskedRound {
    fn push(&self, out: &mut Vec<u8>) {
        let Self { questions, state, server } = self;
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
    }

    /// Returns about how many bytes [`push`](Self::push) appends: about 256 bytes of fixed text, and about 32 bytes for
    /// each question.
    fn estimated_length(&self) -> usize {
        let asked = self.questions.iter().map(|asked| asked.key.len() + asked.method.len() + asked.params.len() + 32);
        256 + asked.sum::<usize>() + self.state.len() + self.server.info().len()
    }
}
