//! A request to a model before it is awaited: what to ask, and how often.

use std::time::Duration;

use super::{asking::ModelAsker, branch_state::BranchState, messages::Messages};
use crate::{engine::call::Call, wire::protocol::sampling::SamplingRequest};

/// The default timeout. It is long because the user may review the request first.
const ANSWER_WITHIN: Duration = Duration::from_secs(10 * 60);

/// The default token limit of a reply. A smaller one would often cut off JSON.
const MAX_TOKENS: u32 = 2048;

/// How often the model is asked again by default after an invalid reply.
const RETRIES: u32 = 2;

/// The default maximum number of turns in a loop.
const TURNS: u32 = 8;

/// A request with all its options.
#[derive(Debug)]
pub struct Setup<'a> {
    pub(super) asker: ModelAsker<'a>,
    pub(super) prompt: SamplingRequest,
    pub(super) retries: u32,
    pub(super) turns: u32,
}

impl<'a> Setup<'a> {
    pub(super) fn new(
        call: &'a Call,
        branch: Option<&'a BranchState<'a>>,
        name: &'static str,
        messages: Messages,
    ) -> Self {
        let asker = ModelAsker::new(call, branch, name, ANSWER_WITHIN);
        let prompt = SamplingRequest::new(messages, MAX_TOKENS);
        Self { asker, prompt, retries: RETRIES, turns: TURNS }
    }

    /// Puts the messages of the branch before the messages of the request.
    pub(super) fn open(mut self) -> Self {
        self.prompt.messages = self.asker.after(self.prompt.messages);
        self
    }
}
