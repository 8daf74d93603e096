//! The list of modes that a test runs in.

pub(crate) mod mode;
mod slow_ledger;

use super::{
    compare::mode_comparison::{Called, Trial},
    connection::fault::Fault,
};
use crate::{serve::client::Question, wire::protocol::revision::Revision};

/// How a mode's calls reach the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) revision: Revision,
    pub(crate) trouble: Option<Fault>,
    /// Whether two server instances take turns to receive the rounds.
    pub(crate) is_shared: bool,
}

impl Way {
    /// The first mode. All other modes are compared with it.
    pub(crate) const FIRST: Self = Self { revision: Revision::LATEST, trouble: None, is_shared: false };

    /// Returns the other modes in which a client can make the same calls as in the first mode.
    pub(crate) fn others(first: &Trial) -> Vec<Self> {
        let sessions = Revision::ALL.into_iter().rev().filter(|revision| !revision.is_modern());
        let sessions = sessions.filter(|revision| first.all_calls(|called| can_be_made(called, *revision)));
        let mut ways: Vec<_> = sessions.map(|revision| Self { revision, ..Self::FIRST }).collect();
        let asks = |called: &Called| called.outcome.rounds > 1;
        if first.all_calls(|called| !asks(called)) {
            return ways;
        }
        let is_begun_again = !first.all_calls(|called| !asks(called) || !called.replayable);
        let troubles = Fault::ALL.into_iter().filter(|trouble| is_begun_again || !trouble.replays());
        ways.extend(troubles.map(|trouble| Self { trouble: Some(trouble), ..Self::FIRST }));
        if is_begun_again && cfg!(feature = "seal") {
            let shared = [None, Some(Fault::Disconnects)];
            ways.extend(shared.map(|trouble| Self { trouble, is_shared: true, ..Self::FIRST }));
        }
        ways
    }

    pub(crate) fn name(self) -> String {
        let Self { revision, trouble, is_shared } = self;
        match (trouble, is_shared) {
            (None, false) => revision.to_string(),
            (Some(trouble), false) => format!("{revision}, {}", trouble.in_words()),
            (None, true) => format!("{revision}, two instances in turn"),
            (Some(_), true) => format!("{revision}, each instance killed in its round"),
        }
    }

    /// Whether the server replays calls in this mode.
    pub(crate) fn replays(self) -> bool {
        self.is_shared || self.trouble.is_some_and(Fault::replays)
    }
}

/// Returns whether a client of this revision can receive all questions of this call.
fn can_be_made(called: &Called, revision: Revision) -> bool {
    let can_be_asked = |question: &Question| {
        !question.is_elicitation()
            || (revision.has_elicitation()
                && (revision.has_url_elicitation() || question.url().is_none())
                && (revision.has_multi_select() || !question.has_lists()))
    };
    let needs = called.requires;
    needs.without(needs.known_in(revision)).is_empty() && called.outcome.asked.iter().all(can_be_asked)
}
