//! The journal as text for the record of its call. The text grows from round to round and is never written again.

use std::{iter, mem::take, sync::Arc};

use serde_json::Deserializer;

use super::{super::question::WireQuestion, Answered, Journal};

/// The text of a journal, and how much of the journal it contains. The text has one JSON value for each round, with the
/// parts of the journal that the round added.
#[derive(Debug, Default)]
pub(crate) struct RecordedJournal {
    text: Vec<u8>,
    handoff: bool,
    /// The text contains the answers of all rounds before this one.
    round: u32,
    steps: usize,
    moments: usize,
    seed: bool,
    drifted: usize,
}

impl RecordedJournal {
    /// Adds the parts of the journal that the text does not contain yet. `answers` are all answers of the call, up to
    /// this round.
    pub(in super::super) fn add(
        &mut self,
        journal: &Journal,
        answers: impl Iterator<Item = Arc<Answered>>,
        round: u32,
    ) {
        let Journal { handoff, steps, moments, seed, drifted, .. } = journal;
        let added = Journal {
            handoff: handoff.clone().filter(|_| !self.handoff),
            answers: answers.filter(|answered| self.round <= answered.round).collect(),
            open: Vec::new(),
            steps: steps[self.steps..].to_vec(),
            moments: moments[self.moments..].to_vec(),
            seed: seed.filter(|_| !self.seed),
            drifted: drifted[self.drifted..].to_vec(),
        };
        added.push_json(&mut self.text);
        *self = Self {
            text: take(&mut self.text),
            handoff: handoff.is_some(),
            round: round + 1,
            steps: steps.len(),
            moments: moments.len(),
            seed: seed.is_some(),
            drifted: drifted.len(),
        };
    }

    /// Returns the text with the open questions, which the text itself does not contain: each round has others.
    pub(in super::super) fn with_open(&self, open: &[WireQuestion]) -> Vec<u8> {
        // Has room for a question of usual length.
        let mut text = Vec::with_capacity(self.text.len() + 1024);
        text.extend_from_slice(&self.text);
        Journal::default().push_json_with(&mut text, iter::empty(), open);
        text
    }
}

impl Journal {
    /// Reads the text of [`RecordedJournal::with_open`].
    pub(crate) fn of_record(text: &[u8]) -> serde_json::Result<Self> {
        let mut journal = Self::default();
        for added in Deserializer::from_slice(text).into_iter() {
            journal.append(added?);
        }
        Ok(journal)
    }

    /// Appends what a later round has added.
    fn append(&mut self, mut later: Self) {
        self.handoff = later.handoff.or(self.handoff.take());
        self.answers.append(&mut later.answers);
        self.open = later.open;
        self.steps.append(&mut later.steps);
        self.moments.append(&mut later.moments);
        self.seed = later.seed.or(self.seed);
        self.drifted.append(&mut later.drifted);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{
        super::{
            super::{
                question::{Answerer, Fingerprint},
                replay_cursor::{LastEvent, ReadTime},
            },
            StepTaken,
        },
        *,
    };
    use crate::wire::protocol::capability::Capabilities;

    fn answered(round: u32) -> Arc<Answered> {
        Arc::new(Answered {
            key: format!("sure#{round}").into(),
            name: "sure".into(),
            question: Fingerprint::default(),
            answer: Some(r#"{"action":"accept"}"#.into()),
            by: Answerer::Client,
            failed: None,
            late: false,
            deadline: None,
            round,
            fresh: false,
        })
    }

    fn question(key: &'static str) -> WireQuestion {
        WireQuestion {
            key: key.into(),
            name: key.into(),
            fingerprint: Fingerprint::default(),
            method: "elicitation/create",
            params: "{}".into(),
            needs: Capabilities::from_bits(1),
            must_ask: false,
            deadline: Some(7),
        }
    }

    /// The journal of a call that has run up to this round.
    fn journal(round: u32) -> Journal {
        let moment = |number| ReadTime { last: LastEvent(number), number, time: 1_800_000_000_000_000 };
        let step = |number: u32| StepTaken { key: format!("step {number}").into(), value: Box::default() };
        Journal {
            handoff: Some(RawValue::from_string(r#"{"a":1}"#.to_owned()).expect("JSON")),
            answers: (0..=round).map(answered).collect(),
            open: vec![question("next")],
            steps: (0..round).map(step).collect(),
            moments: (0..round).map(moment).collect(),
            seed: (round > 1).then_some([1, u64::MAX]),
            drifted: (2..round).map(|number| format!("key {number}")).collect(),
        }
    }

    #[test]
    fn text_contains_the_whole_journal_after_each_round() {
        let mut recorded = RecordedJournal::default();
        for round in 1..5 {
            let journal = journal(round);
            recorded.add(&journal, journal.answers.iter().cloned(), round);
            let read = Journal::of_record(&recorded.with_open(&journal.open)).expect("a journal");
            assert_eq!(format!("{read:?}"), format!("{journal:?}"), "round {round}");
        }
    }

    #[test]
    fn a_round_adds_only_what_is_new() {
        let mut recorded = RecordedJournal::default();
        let mut lengths = Vec::new();
        for round in 1..32 {
            let before = recorded.text.len();
            recorded.add(&Journal::default(), (0..=round).map(answered), round);
            lengths.push(recorded.text.len() - before);
        }
        assert!(lengths[1..].iter().all(|length| *length < lengths[1] + 8), "{lengths:?}");
    }

    #[test]
    fn damaged_text_is_not_a_journal() {
        let mut recorded = RecordedJournal::default();
        recorded.add(&journal(3), [answered(3)].into_iter(), 3);
        let text = recorded.with_open(&[question("next")]);
        assert!(Journal::of_record(&text).is_ok());
        assert!(Journal::of_record(&text[..text.len() - 1]).is_err());
        assert!(Journal::of_record(&text[1..]).is_err());
    }
}
