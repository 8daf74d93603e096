//! What a branch has said and taken so far, and what it may take.

use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

use super::{branch::BranchLimits, messages::Messages};
use crate::{
    call::{AskError, CallState, limits::BranchLimit},
    mutex::Mutex,
    protocol::sampling::Sampled,
};

/// A branch, as its questions see it.
#[derive(Debug)]
pub(super) struct Within<'a> {
    key: Cow<'static, str>,
    limits: BranchLimits,
    /// How deep it stands, the outermost at 1.
    depth: u32,
    begun: SystemTime,
    state: Mutex<State>,
    outer: Option<&'a Within<'a>>,
}

#[derive(Debug, Default)]
struct State {
    messages: Messages,
    asks: u32,
    tokens: u64,
}

/// What a branch has left.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) tokens: u64,
    pub(super) time: Duration,
    /// Of so much.
    pub(super) of: Duration,
}

impl<'a> Within<'a> {
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

    /// The key of a question that is asked in it.
    pub(super) fn key_of(&self, name: &str) -> String {
        format!("{}/{name}", self.key)
    }

    pub(super) fn messages(&self) -> Messages {
        self.state.lock().messages.clone()
    }

    /// Goes on from here. A model that has called tools is told that the calls were taken: nothing else may follow them.
    pub(super) fn go_on(&self, messages: Messages, reply: &Sampled) {
        let taken = reply.tool_uses().map(|call| call.result("ok"));
        self.state.lock().messages = messages.clone().answered(reply, taken).unwrap_or(messages);
    }

    /// Counts a question, here and in the branches around.
    ///
    /// # Errors
    /// A limit is reached.
    pub(super) fn begin(&self, call: &CallState) -> Result<Left, AskError> {
        let left = self.left(now(call))?;
        self.chain().for_each(|within| within.state.lock().asks += 1);
        Ok(left)
    }

    /// Counts what a model has written.
    pub(super) fn end(&self, reply: &Sampled) {
        // What is not told is guessed: four bytes of English are a token.
        let guess = || reply.raw_text().len() as u64 / 4 + 1;
        let tokens = reply.usage.map_or_else(guess, |usage| usage.output);
        self.chain().for_each(|within| within.state.lock().tokens += tokens);
    }

    fn left(&self, now: SystemTime) -> Result<Left, AskError> {
        let mut left = Left { tokens: u64::MAX, time: Duration::MAX, of: Duration::MAX };
        for within in self.chain() {
            let State { asks, tokens, .. } = *within.state.lock();
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

    /// It, and the branches around it.
    fn chain(&self) -> impl Iterator<Item = &Within<'a>> {
        std::iter::successors(Some(self), |within| within.outer)
    }
}

/// The time as it was when the call was here first: a call that is rebuilt has as much left as it had.
fn now(call: &CallState) -> SystemTime {
    call.conversation.moment(call.revision.is_modern())
}
