//! What a call must be told to go on elsewhere: its handoff, and the answers it has had.
//!
//! Rebuilding a call runs its conversation again from the top. What was answered before is not asked again: an answer
//! is found by its question, and an answer to another question is never taken for it. What was said before (log,
//! progress) is not said again.

#[cfg(feature = "seal")]
mod text;

use std::{borrow::Cow, collections::VecDeque, sync::Arc, time::Duration};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{
    ask::AskError,
    clock::Millis,
    conversation::{Answer, Question},
    replay_cursor::Moment,
};
use crate::protocol::capability::Capabilities;

/// The journal of a call, as it travels.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Journal {
    /// What `before` gave.
    #[serde(default)]
    pub(crate) handoff: Option<Box<RawValue>>,
    /// What was answered, in the order it was taken.
    #[serde(default)]
    pub(crate) answers: VecDeque<Arc<Answered>>,
    /// What the last round asked: an answer is only taken under one of these keys.
    #[serde(default)]
    pub(crate) open: Vec<Asked>,
    /// What steps gave before the call had a record in the ledger. What they give later is there.
    #[serde(default)]
    pub(super) steps: Vec<StepTaken>,
    /// The clock, as it was read.
    #[serde(default)]
    pub(super) moments: Vec<Moment>,
    /// What random numbers are made of.
    #[serde(default)]
    pub(super) seed: Option<[u64; 2]>,
    /// Keys of questions that came out differently when the call was rebuilt, and were asked again.
    #[serde(default)]
    pub(super) drifted: Vec<String>,
}

/// A step that is done, and what it gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StepTaken {
    pub(super) key: Box<str>,
    pub(super) value: Box<RawValue>,
}

/// A question that waits for its answer, as it stands on the wire.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Asked {
    pub(crate) key: Cow<'static, str>,
    /// The key without its number.
    name: Cow<'static, str>,
    question: Fingerprint,
    pub(crate) method: Cow<'static, str>,
    /// JSON text.
    #[serde(deserialize_with = "read_text")]
    pub(crate) params: Arc<str>,
    needs: u8,
    #[serde(default)]
    pub(super) deadline: Option<Millis>,
}

/// A question and its answer; none where the client came back without one too often.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answered {
    pub(crate) key: Cow<'static, str>,
    pub(crate) name: Cow<'static, str>,
    pub(crate) question: Fingerprint,
    pub(crate) answer: Option<Arc<RawValue>>,
    /// The answer came after its deadline.
    #[serde(default)]
    late: bool,
    #[serde(default)]
    pub(super) deadline: Option<Millis>,
    /// The round it came with.
    pub(super) round: u32,
    /// It came with this round: what is said after it has not been said before.
    #[serde(skip)]
    pub(crate) fresh: bool,
}

/// What an author asked, before it was written for a revision and without the reason a repetition adds: by its parts,
/// so that what changed can be named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    #[serde(rename = "f")]
    pub(crate) form: u32,
    #[serde(rename = "m")]
    pub(crate) message: u32,
    #[serde(rename = "c")]
    pub(crate) choices: u32,
}

/// Fowler, Noll and Vo's hash of some text (FNV-1a, 32 bits). It tells accidents apart; nobody forges what is sealed.
pub(crate) fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    // A byte that stands in no text ends each.
    texts.into_iter().fold(0x811c_9dc5, |hash, text| step(text.bytes().fold(hash, step), 0xff))
}

impl Fingerprint {
    /// The part in which two questions differ first.
    fn difference(self, other: Self) -> &'static str {
        if self.form != other.form {
            "form"
        } else if self.message != other.message {
            "message"
        } else {
            "choices or defaults"
        }
    }
}

impl Journal {
    /// The question, if the last round asked it.
    pub(super) fn asked(&self, name: &str, question: Fingerprint) -> Option<&Asked> {
        self.open.iter().find(|asked| asked.name == name && asked.question == question)
    }

    /// What the step of this key gave.
    pub(super) fn step(&self, key: &str) -> Option<Box<RawValue>> {
        self.steps.iter().find(|step| *step.key == *key).map(|step| step.value.clone())
    }

    /// The recorded answer to a question, taken out.
    pub(super) fn take(&mut self, name: &str, question: Fingerprint) -> Option<Arc<Answered>> {
        let fits = |answered: &Arc<Answered>| answered.name == name && answered.question == question;
        let index = self.answers.iter().position(fits)?;
        self.answers.remove(index)
    }

    /// Notes that a question has no recorded answer. An error if the answers under its key are to others, and it was
    /// asked anew before for that reason.
    pub(super) fn miss(&mut self, key: &str, question: Fingerprint) -> Result<(), AskError> {
        let recorded = self.answers.iter().find(|answered| answered.key == key && answered.question != question);
        let Some(Answered { question: recorded, .. }) = recorded.map(|answered| &**answered) else { return Ok(()) };
        if self.drifted.iter().any(|drifted| drifted == key) {
            return Err(AskError::Drifted { key: key.to_owned(), part: recorded.difference(question) });
        }
        self.drifted.push(key.to_owned());
        Ok(())
    }
}

impl Asked {
    pub(super) fn of(question: &Question) -> Self {
        let Question { key, name, fingerprint, method, params, needs, deadline, .. } = question;
        Self {
            key: key.clone(),
            name: name.clone(),
            question: *fingerprint,
            method: (*method).into(),
            params: Arc::clone(params),
            needs: needs.to_bits(),
            deadline: *deadline,
        }
    }

    /// What the client must be able to do to be asked this.
    pub(crate) fn needs(&self) -> Capabilities {
        Capabilities::from_bits(self.needs)
    }

    /// What was answered in this round, for the feed.
    pub(crate) fn answered(&self, answer: Option<Arc<RawValue>>, round: u32, now: Millis) -> Answered {
        let Self { key, name, question, deadline, .. } = self.clone();
        let late = deadline.is_some_and(|deadline| deadline < now);
        let answer = answer.filter(|_| !late);
        Answered { key, name, question, answer, late, deadline, round, fresh: true }
    }
}

impl Answered {
    /// An answer that was taken. Errors of a session are none: it lives in one process.
    pub(super) fn of(question: Question, answer: &Answer, round: u32) -> Option<Self> {
        let (answer, late) = match answer {
            Ok(answer) => (Some(Arc::clone(answer)), false),
            Err(AskError::Unanswered) => (None, false),
            Err(AskError::Timeout(_)) => (None, true),
            Err(_) => return None,
        };
        let Question { key, name, fingerprint, deadline, .. } = question;
        Some(Self { key, name, question: fingerprint, answer, late, deadline, round, fresh: false })
    }

    /// The time that is over is not told: whoever asked knows it.
    pub(crate) fn answer(&self) -> Answer {
        if self.late {
            return Err(AskError::Timeout(Duration::ZERO));
        }
        self.answer.clone().ok_or(AskError::Unanswered)
    }
}

fn read_text<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
    Ok(Box::<RawValue>::deserialize(from)?.get().into())
}
