//! The journal of a conversation, and the replay of a call from it.

use std::time::SystemTime;

use serde_json::value::RawValue;

use super::{
    Conversation,
    asks::Asks,
    journal::{Journal, StepTaken},
    question::WireQuestion,
};

impl Conversation {
    /// Sets the journal that the call replays. Must be called before the call asks its first question.
    pub(crate) fn rebuild(&self, journal: Journal) {
        let mut asks = self.lock();
        asks.replaying = true;
        asks.journal = journal;
    }

    /// Returns the journal from which another instance can rebuild the call.
    pub(crate) fn journal(&self) -> Journal {
        let asks = self.lock();
        Journal {
            answers: asks.answers().collect(),
            open: asks.open_questions(),
            handoff: asks.journal.handoff.clone(),
            steps: asks.journal.steps.clone(),
            moments: asks.journal.moments.clone(),
            seed: asks.journal.seed,
            drifted: asks.journal.drifted.clone(),
        }
    }

    /// Appends the same journal as JSON. `open` are the [open questions](Self::open_questions).
    pub(crate) fn push_journal(&self, out: &mut Vec<u8>, open: &[WireQuestion]) {
        let asks = self.lock();
        asks.journal.push_json_with(out, asks.answers(), open);
    }

    /// Returns the unanswered questions to the client.
    pub(crate) fn open_questions(&self) -> Vec<WireQuestion> {
        self.peek().as_deref().map(Asks::open_questions).unwrap_or_default()
    }

    /// Returns the same journal as text for the call's record. Earlier rounds have written most of the text, so this
    /// only writes what the current round has added. `open` are the [open questions](Self::open_questions).
    pub(crate) fn journal_to_record(&self, open: &[WireQuestion]) -> Vec<u8> {
        let mut asks = self.lock();
        let mut recorded = asks.recorded.take().unwrap_or_default();
        recorded.add(&asks.journal, asks.answers(), asks.round);
        let text = recorded.with_open(open);
        asks.recorded = Some(recorded);
        text
    }

    /// Returns the recorded result of the phase `before`. If there is one, the call does not run `before` again.
    pub(crate) fn handoff(&self) -> Option<Box<RawValue>> {
        let mut asks = self.lock();
        let handoff = asks.journal.handoff.clone()?;
        asks.reached.handoff();
        Some(handoff)
    }

    pub(crate) fn keep_handoff(&self, handoff: Option<Box<RawValue>>) {
        let mut asks = self.lock();
        asks.reached.handoff();
        asks.journal.handoff = handoff;
    }

    /// Returns the current time. In a replay, returns the time that the original run of the call read at this position.
    pub(crate) fn moment(&self, keep: bool) -> SystemTime {
        let Asks { journal, reached, .. } = &mut *self.lock();
        journal.moment(reached, keep)
    }

    /// Returns a random number. In a replay, returns the number that the original run of the call got at this position.
    pub(crate) fn number(&self) -> u64 {
        let Asks { journal, reached, .. } = &mut *self.lock();
        journal.number(reached)
    }

    /// Returns the output of the step with this key, if the step ran before the call had a record in the ledger.
    pub(crate) fn early_step(&self, key: &str) -> Option<Box<RawValue>> {
        self.lock().journal.step(key)
    }

    /// Records the output of a step in the journal, for a call without a record in the ledger.
    pub(crate) fn keep_step(&self, key: &str, value: Box<RawValue>) {
        self.lock().journal.steps.push(StepTaken { key: key.into(), value });
    }

    /// Records that a step has completed. The parameter `ran` is `false` if the step was replayed. A step that was not
    /// replayed ends the replay.
    pub(crate) fn stepped(&self, key: &str, ran: bool) {
        let mut asks = self.lock();
        asks.reached.step(key);
        asks.replaying &= !ran;
    }
}
