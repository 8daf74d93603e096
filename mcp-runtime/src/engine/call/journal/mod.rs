//! The journal of a call: what another instance needs to rebuild it, such as its handoff and its answers.
//!
//! A rebuilt call runs the author's code again from its beginning. This is a replay. Answered questions are not asked
//! again: an answer is found by the content of its question, and never used for another question. Log messages and
//! progress are not sent again.

mod text;

use std::{borrow::Cow, collections::VecDeque, sync::Arc, time::Duration};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{
    ask_error::AskError,
    conversation::{Answer, AnswerText, WireQuestion},
    replay_cursor::ReadTime,
};
use crate::base::clock::Millis;
use crate::wire::protocol::capability::Capabilities;

/// The journal of a call. The `requestState` contains the journal, or names the ledger entry that contains the journal.
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
    pub(crate) open: Vec<AskedQuestion>,
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

/// A question that waits for its answer, in the form in which the client gets it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AskedQuestion {
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

/// Who answered a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answerer {
    /// The client. Its answer can contain anything.
    #[default]
    Client,
    /// The server's own [provider](crate::sample::SamplingProvider).
    Server,
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

/// The hashes of the parts of a question, as the author wrote the question. The hashes do not depend on what the
/// runtime changes: conversions for a revision, and the reason that the runtime adds when it repeats a question. If a
/// replayed question differs from the recorded question, the error names the part that differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    #[serde(rename = "f")]
    pub(crate) form: u32,
    #[serde(rename = "m")]
    pub(crate) message: u32,
    #[serde(rename = "c")]
    pub(crate) choices: u32,
}

/// Hashes texts with FNV-1a (32 bits). The hash detects accidental changes, but it does not prevent forgery.
pub(crate) fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    // Each text ends with a byte that UTF-8 never contains.
    texts.into_iter().fold(0x811c_9dc5, |hash, text| step(text.bytes().fold(hash, step), 0xff))
}

impl Fingerprint {
    /// Returns the first part in which two questions differ.
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
    /// Returns the question with this name and content from the last round, if there is one.
    pub(super) fn asked(&self, name: &str, question: Fingerprint) -> Option<&AskedQuestion> {
        self.open.iter().find(|asked| asked.name == name && asked.question == question)
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
}

impl AskedQuestion {
    pub(super) fn of(question: &WireQuestion) -> Self {
        let WireQuestion { key, name, fingerprint, method, params, needs, deadline, .. } = question;
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

    /// Returns the capabilities that a client must have to get this question.
    pub(crate) fn needs(&self) -> Capabilities {
        Capabilities::from_bits(self.needs)
    }

    /// Creates the record of an answer of the client that came in this round.
    pub(crate) fn answered(&self, answer: Option<Arc<str>>, round: u32, now: Millis) -> Answered {
        let Self { key, name, question, deadline, .. } = self.clone();
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

fn read_text<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
    Ok(Box::<RawValue>::deserialize(from)?.get().into())
}

fn read_optional_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Arc<str>>, D::Error> {
    Ok(Option::<Box<RawValue>>::deserialize(from)?.map(|text| text.get().into()))
}
