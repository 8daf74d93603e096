//! The answers that a script gives in a call. Each answer is matched with a question.

pub(crate) mod cancel;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod sampled;

use std::{collections::VecDeque, fmt, panic::Location};

use self::{cancel::Cancellation, reply::Reply};
use crate::serve::client::Question;

/// The answers of the client.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) in_order: VecDeque<ScriptStep>,
    pub(crate) by_key: Vec<(String, ScriptStep)>,
    pub(crate) otherwise: Option<(Otherwise, &'static Location<'static>)>,
    /// The event that cancels the call. An answer of the script can also cancel the call.
    pub(crate) cancellation: Option<Cancellation>,
}

/// A closure that answers the questions that the script does not list.
pub(crate) type Otherwise = Box<dyn FnMut(&Question) -> Reply + Send>;

/// An answer, and its location in the test.
#[derive(Debug)]
pub(crate) struct ScriptStep {
    pub(crate) reply: Reply,
    pub(crate) at: &'static Location<'static>,
}

impl Script {
    /// Takes the answer to this question out of the script. Prefers an answer for the question's key. If there is none,
    /// takes the next answer without a key. If there is none either, calls the closure `otherwise`.
    pub(crate) fn take(&mut self, question: &Question) -> Option<ScriptStep> {
        if let Some(index) = self.by_key.iter().position(|(key, _)| key == question.key()) {
            return Some(self.by_key.remove(index).1);
        }
        self.in_order.pop_front().or_else(|| {
            let (answer, at) = self.otherwise.as_mut()?;
            Some(ScriptStep { reply: answer(question), at })
        })
    }

    /// Returns the answers that were not used, one per line.
    pub(crate) fn rest(&self) -> Vec<String> {
        let by_key = self.by_key.iter().map(|(key, step)| format!("{step}, for the question `{key}`"));
        self.in_order.iter().map(ScriptStep::to_string).chain(by_key).collect()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { in_order, by_key, .. } = self;
        f.debug_struct("Script").field("in_order", in_order).field("by_key", by_key).finish_non_exhaustive()
    }
}

impl fmt::Display for ScriptStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reply, self.at)
    }
}
