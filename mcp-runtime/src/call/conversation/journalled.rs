//! What a conversation remembers for when its call is rebuilt, and what it is fed when that has happened.

use std::{sync::Arc, time::SystemTime};

use serde_json::value::RawValue;

use super::{Arrived, Asks, Conversation, Question};
use crate::call::journal::{Answered, Asked, Journal, StepTaken};

impl Asks {
    /// The recorded answer to a question, if there is one. A question that was asked before keeps its deadline.
    pub(super) fn feed(&mut self, question: &mut Question) -> Option<Arrived> {
        if let Some(answered) = self.journal.take(&question.name, question.fingerprint) {
            self.replaying &= !answered.fresh;
            question.deadline = answered.deadline;
            return Some(Arrived { answer: answered.answer(), round: answered.round });
        }
        self.replaying = false;
        if let Some(asked) = self.journal.asked(&question.name, question.fingerprint) {
            question.deadline = asked.deadline;
        }
        let drifted = self.journal.miss(&question.key, question.fingerprint).err()?;
        Some(Arrived { answer: Err(drifted), round: self.round })
    }
}

impl Conversation {
    /// What there is to feed back. Before anything is asked.
    pub(crate) fn rebuild(&self, journal: Journal) {
        let mut asks = self.lock();
        asks.replaying = true;
        asks.journal = journal;
    }

    /// What another must be told to rebuild the call as it is.
    pub(crate) fn journal(&self) -> Journal {
        let asks = self.lock();
        let mut open: Vec<_> =
            asks.open.iter().filter(|ask| ask.answer.is_none() && !ask.is_sought()).map(|ask| &ask.question).collect();
        // In the order the asks were made: what is asked again comes where it was, whoever was polled first.
        open.sort_by_cached_key(|question| asks.names.position(&question.key));
        // An answer that waits to be taken is one as well.
        let waiting = asks.open.iter().filter_map(|ask| {
            let Arrived { answer, round } = ask.answer.as_ref()?;
            Answered::of(ask.question.clone(), answer, *round).map(Arc::new)
        });
        Journal {
            answers: asks.taken.iter().cloned().chain(asks.journal.answers.iter().cloned()).chain(waiting).collect(),
            open: open.into_iter().map(Asked::of).collect(),
            handoff: asks.journal.handoff.clone(),
            steps: asks.journal.steps.clone(),
            moments: asks.journal.moments.clone(),
            seed: asks.journal.seed,
            drifted: asks.journal.drifted.clone(),
        }
    }

    /// What `before` gave, if it was kept. The call is past it then.
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

    /// The time, as it was when the call was here first.
    pub(crate) fn moment(&self, keep: bool) -> SystemTime {
        let Asks { journal, reached, .. } = &mut *self.lock();
        journal.moment(reached, keep)
    }

    /// A number, as it was drawn when the call was here first.
    pub(crate) fn number(&self) -> u64 {
        let Asks { journal, reached, .. } = &mut *self.lock();
        journal.number(reached)
    }

    /// What the step of this key gave before there was a record to write it to.
    pub(crate) fn early_step(&self, key: &str) -> Option<Box<RawValue>> {
        self.lock().journal.step(key)
    }

    /// Keeps what a step gave for which there is no record.
    pub(crate) fn keep_step(&self, key: &str, value: Box<RawValue>) {
        self.lock().journal.steps.push(StepTaken { key: key.into(), value });
    }

    /// The call is past a step; and what it says from now on is new, if that ran.
    pub(crate) fn stepped(&self, key: &str, ran: bool) {
        let mut asks = self.lock();
        asks.reached.step(key);
        asks.replaying &= !ran;
    }
}
