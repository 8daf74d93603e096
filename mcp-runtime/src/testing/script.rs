//! The answers of a call, and which question gets which.

use std::{collections::VecDeque, fmt, panic::Location};

use super::{question::Question, reply::Reply};

/// What the other side answers.
#[derive(Debug, Default)]
pub(super) struct Script {
    in_order: VecDeque<Step>,
    by_key: Vec<(String, Step)>,
}

/// An answer, and where the test gives it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) reply: Reply,
    pub(super) at: &'static Location<'static>,
}

impl Script {
    pub(super) fn push(&mut self, step: Step) {
        self.in_order.push_back(step);
    }

    pub(super) fn push_for(&mut self, key: String, step: Step) {
        self.by_key.push((key, step));
    }

    /// The answer to this question: the first that was given for its key, else the next in order.
    pub(super) fn take(&mut self, question: &Question) -> Option<Step> {
        match self.by_key.iter().position(|(key, _)| key == question.key()) {
            Some(index) => Some(self.by_key.remove(index).1),
            None => self.in_order.pop_front(),
        }
    }

    /// What nobody has asked for, a line each.
    pub(super) fn rest(&self) -> Vec<String> {
        let by_key = self.by_key.iter().map(|(key, step)| format!("{step}, for the question `{key}`"));
        self.in_order.iter().map(Step::to_string).chain(by_key).collect()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reply, self.at)
    }
}
