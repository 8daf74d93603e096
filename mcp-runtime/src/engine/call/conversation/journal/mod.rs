//! The journal of a call: what another instance needs to rebuild it, such as its handoff and its answers.
//!
//! A rebuilt call runs the author's code again from its beginning. This is a replay. Answered questions are not asked
//! again: an answer is found by the content of its question, and never used for another question. Log messages and
//! progress are not sent again.

mod recorded;
mod text;

use std::{
    borrow::Cow,
    collections::VecDeque,
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

pub(crate) use self::recorded::RecordedJournal;
use super::{
    ask_error::AskError,
    question::{Answer, AnswerText, Answerer, Fingerprint, WireQuestion},
    replay_cursor::{ReadTime, ReplayCursor},
};
use crate::base::{
    clock::{Millis, since_1970},
    mac, random,
};

/// The journal of a call, or what one round has added to it. The `requestState` or the record of the call contains the
/// journal, or the `requestState` names the ledger entry that contains it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Journal {
    /// The result of the phase `before`. It can be the JSON value `null`.
    #[serde(default, deserialize_with = "present")]
    pub(crate) handoff: Option<Box<RawValue>>,
    /// The answers, in the order in which the call took them.
    #[serde(default)]
    pub(crate) answers: VecDeque<Arc<Answered>>,
    /// The questions of the last round. An answer with any other key is ignored.
    #[serde(default)]
    pub(crate) open: Vec<WireQuestion>,
    /// The outputs of steps that ran before the call had a record in the ledger. Later outputs are in the record.
    #[serde(default)]
    pub(super) steps: Vec<StepTaken>,
    /// The times that the call has read from the clock.
    #[serde(default)]
    pub(super) moments: Vec<ReadTime>,
    /// The seed of the random numbers.
    #[serde(default)]
    pub(super) seed: Option<[u64; 2]>,
    /// The keys of questions that had changed in a replay and were asked again.
    #[serde(default)]
    pub(super) drifted: Vec<String>,
}

/// Reads a member that can be `null`. `Option` alone reads `null` as an absent member.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Deserialize::deserialize(value).map(Some)
}

/// A completed step, and its output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StepTaken {
    pub(super) key: Box<str>,
    pub(super) value: Box<RawValue>,
}

/// A question and its answer. The answer is missing if it came too late, if the client sent too many requests without
/// an answer, or if the server's own provider failed.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answered {
    pub(crate) key: Cow<'static, str>,
    pub(crate) name: Cow<'static, str>,
    pub(crate) question: Fingerprint,
    /// JSON text.
    #[serde(deserialize_with = "read_optional_text")]
    pub(crate) answer: Option<Arc<str>>,
    /// Who gave the answer.
    #[serde(default)]
    pub(super) by: Answerer,
    /// Why the server's own provider failed, in the words for the client.
    #[serde(default)]
    failed: Option<Box<str>>,
    /// Whether the answer came after its deadline.
    #[serde(default)]
    late: bool,
    #[serde(default)]
    pub(super) deadline: Option<Millis>,
    /// The round in which the answer came.
    pub(super) round: u32,
    /// Whether the answer came in the current round. The replay ends at the first such answer.
    #[serde(skip)]
    pub(crate) fresh: bool,
}

impl Journal {
    /// Returns the question with this name and content from the last round, if there is one.
    pub(super) fn asked(&self, name: &str, question: Fingerprint) -> Option<&WireQuestion> {
        self.open.iter().find(|asked| asked.name == name && asked.fingerprint == question)
    }

    /// Returns the output of the step with this key.
    pub(super) fn step(&self, key: &str) -> Option<Box<RawValue>> {
        self.steps.iter().find(|step| *step.key == *key).map(|step| step.value.clone())
    }

    /// Removes and returns the recorded answer to a question.
    pub(super) fn take(&mut self, name: &str, question: Fingerprint) -> Option<Arc<Answered>> {
        let fits = |answered: &Arc<Answered>| answered.name == name && answered.question == question;
        let index = self.answers.iter().position(fits)?;
        self.answers.remove(index)
    }

    /// Handles a question without a recorded answer. If the journal has an answer to a different question under this
    /// key, the question has changed. After the first change the question is asked again; after the second change this
    /// function fails.
    pub(super) fn miss(&mut self, key: &str, question: Fingerprint) -> Result<(), AskError> {
        let recorded = self.answers.iter().find(|answered| answered.key == key && answered.question != question);
        let Some(Answered { question: recorded, .. }) = recorded.map(|answered| &**answered) else { return Ok(()) };
        if self.drifted.iter().any(|drifted| drifted == key) {
            return Err(AskError::Drifted { key: key.to_owned(), part: recorded.difference(question) });
        }
        self.drifted.push(key.to_owned());
        Ok(())
    }

    /// Returns the time that is recorded for the position `reached`. If no time is recorded, returns the current time,
    /// and records this time if `keep` is set.
    pub(super) fn moment(&mut self, reached: &mut ReplayCursor, keep: bool) -> SystemTime {
        let (last, number) = (reached.last, reached.moments);
        reached.moments += 1;
        let known = self.moments.iter().find(|moment| moment.last == last && moment.number == number);
        let time = known.map_or_else(now, |moment| moment.time);
        if known.is_none() && keep {
            self.moments.push(ReadTime { last, number, time });
        }
        SystemTime::UNIX_EPOCH + Duration::from_micros(time)
    }

    /// Returns the random number for this position. The number is computed from the seed and the position.
    pub(super) fn number(&mut self, reached: &mut ReplayCursor) -> u64 {
        let seed = *self.seed.get_or_insert_with(|| [(); 2].map(|()| u64::from_be_bytes(random::bytes())));
        let place = u64::from(reached.last.0) << 32 | u64::from(reached.numbers);
        reached.numbers += 1;
        let code = mac::code(seed.map(u64::to_be_bytes).as_flattened(), &[&place.to_be_bytes()]);
        code[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl WireQuestion {
    /// Creates the record of an answer of the client that came in this round.
    pub(crate) fn answered(&self, answer: Option<Arc<str>>, round: u32, now: Millis) -> Answered {
        let Self { key, name, fingerprint: question, deadline, .. } = self.clone();
        let late = deadline.is_some_and(|deadline| deadline < now);
        let answer = answer.filter(|_| !late);
        let by = Answerer::Client;
        Answered { key, name, question, answer, by, failed: None, late, deadline, round, fresh: true }
    }
}

impl Answered {
    /// Creates the record of an answer, or of a timeout or a missing answer. Returns `None` for errors that occur only
    /// in a session, because calls in a session are not rebuilt.
    pub(super) fn of(question: WireQuestion, answer: &Answer, round: u32) -> Option<Self> {
        let (mut by, mut failed) = (Answerer::Client, None);
        let (answer, late) = match answer {
            Ok(answer) => {
                by = answer.by;
                (Some(Arc::clone(&answer.text)), false)
            }
            Err(AskError::Provider(error)) => {
                failed = Some(error.as_str().into());
                (None, false)
            }
            Err(AskError::Unanswered) => (None, false),
            Err(AskError::Timeout(_)) => (None, true),
            Err(_) => return None,
        };
        let WireQuestion { key, name, fingerprint: question, deadline, .. } = question;
        Some(Self { key, name, question, answer, by, failed, late, deadline, round, fresh: false })
    }

    /// Returns the answer or the error. A timeout error contains the duration 0. The caller replaces this duration with
    /// the time limit of the question.
    pub(crate) fn answer(&self) -> Answer {
        if self.late {
            return Err(AskError::Timeout(Duration::ZERO));
        }
        if let Some(failed) = &self.failed {
            return Err(AskError::Provider(failed.as_ref().into()));
        }
        let text = self.answer.clone().ok_or(AskError::Unanswered)?;
        Ok(AnswerText { text, by: self.by })
    }
}

/// Returns the current time in microseconds, the unit in which readings are recorded.
fn now() -> u64 {
    u64::try_from(since_1970().as_micros()).unwrap_or(u64::MAX)
}

fn read_optional_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Arc<str>>, D::Error> {
    Ok(Option::<Box<RawValue>>::deserialize(from)?.map(|text| text.get().into()))
}
