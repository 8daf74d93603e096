//! The conversation, usage and limits of a branch.

use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

use super::messages::Messages;
use crate::{
    base::mutex::Mutex,
    engine::call::{AskError, CallState, ask_error::BranchLimit},
    wire::protocol::sampling::Sampled,
};

/// The limits of a [branch](crate::Ctx::branch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchLimits {
    pub(super) depth: u32,
    pub(super) asks: u32,
    pub(super) tokens: u64,
    pub(super) time: Duration,
}

impl Default for BranchLimits {
    fn default() -> Self {
        Self { depth: 3, asks: 20, tokens: 100_000, time: Duration::from_secs(10 * 60) }
    }
}

impl BranchLimits {
    /// Creates the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how deep branches can be nested, including this branch. Default: 3.
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Sets how many times the branch can ask a model. Default: 20.
    #[must_use]
    pub fn asks(mut self, asks: u32) -> Self {
        self.asks = asks;
        self
    }

    /// Sets how many tokens models can write in the branch. Default: 100,000. If the usage of a reply is unknown, four
    /// bytes of text count as one token.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// Sets how long the branch may take. Default: ten minutes. The limit is checked when the branch asks and while it
    /// waits for an answer.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }
}

/// The state that all requests of a branch share.
#[derive(Debug)]
pub(super) struct BranchState<'a> {
    key: Cow<'static, str>,
    limits: BranchLimits,
    /// The nesting depth of this branch; an outermost branch has 1.
    depth: u32,
    begun: SystemTime,
    state: Mutex<BranchUsage>,
    outer: Option<&'a BranchState<'a>>,
}

#[derive(Debug, Default)]
struct BranchUsage {
    messages: Messages,
    asks: u32,
    tokens: u64,
}

/// The part of a branch's limits that is not used yet.
#[derive(Clone, Copy)]
pub(super) struct BranchRest {
    pub(super) tokens: u64,
    pub(super) time: Duration,
    /// The time limit of which `time` is left, for error messages.
    pub(super) of: Duration,
}

impl<'a> BranchState<'a> {
    pub(super) fn new(
        call: &CallState,
        name: Cow<'static, str>,
        limits: BranchLimits,
        outer: Option<&'a Self>,
    ) -> Self {
        let key = call.conversation.reserve(name);
        let depth = outer.map_or(1, |outer| outer.depth + 1);
        Self { key, limits, depth, begun: now(call), state: Mutex::default(), outer }
    }

    /// Returns the key of a request in this branch.
    pub(super) fn key_of(&self, name: &str) -> String {
        format!("{}/{name}", self.key)
    }

    pub(super) fn messages(&self) -> Messages {
        self.state.lock().messages.clone()
    }

    /// Appends the messages and the reply to the conversation. Every tool call of the reply gets the result `ok`,
    /// because models require a result for each call.
    pub(super) fn append(&self, messages: Messages, reply: &Sampled) {
        let taken = reply.tool_uses().map(|call| call.result("ok"));
        self.state.lock().messages = messages.clone().answered(reply, taken).unwrap_or(messages);
    }

    /// Counts a request in this branch and in the branches around it. Returns what is left of the limits.
    ///
    /// # Errors
    /// Fails if a limit is reached.
    pub(super) fn begin(&self, call: &CallState) -> Result<BranchRest, AskError> {
        let left = self.left(now(call))?;
        self.chain().for_each(|within| within.state.lock().asks += 1);
        Ok(left)
    }

    /// Counts the tokens of a reply in this branch and in the branches around it.
    pub(super) fn end(&self, reply: &Sampled) {
        // An unknown usage is estimated: four bytes of English are about one token.
        let guess = || reply.raw_text().len() as u64 / 4 + 1;
        let tokens = reply.usage.map_or_else(guess, |usage| usage.output);
        self.chain().for_each(|within| within.state.lock().tokens += tokens);
    }

    fn left(&self, now: SystemTime) -> Result<BranchRest, AskError> {
        let mut left = BranchRest { tokens: u64::MAX, time: Duration::MAX, of: Duration::MAX };
        for within in self.chain() {
            let BranchUsage { asks, tokens, .. } = *within.state.lock();
            let limits = within.limits;
            let reached = |limit| Err(AskError::Limit(limit));
            let time = limits.time.saturating_sub(now.duration_since(within.begun).unwrap_or_default());
            if self.depth - within.depth + 1 > limits.depth {
                return reached(BranchLimit::Depth(limits.depth));
            } else if asks >= limits.asks {
                return reached(BranchLimit::Asks(limits.asks));
            } else if tokens >= limits.tokens {
                return reached(BranchLimit::Tokens(limits.tokens));
            } else if time.is_zero() {
                return reached(BranchLimit::Time(limits.time));
            }
            left.tokens = left.tokens.min(limits.tokens - tokens);
            if time < left.time {
                (left.time, left.of) = (time, limits.time);
            }
        }
        Ok(left)
    }

    /// Returns this branch and the branches around it.
    fn chain(&self) -> impl Iterator<Item = &BranchState<'a>> {
        std::iter::successors(Some(self), |within| within.outer)
    }
}

/// Returns the time that is compared with the time limit of the branch. In a rebuilt call this is the recorded time, so
/// that the call has as much time left as before.
fn now(call: &CallState) -> SystemTime {
    call.conversation.moment(call.keeps_journal())
}
