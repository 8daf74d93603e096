//! Answers questions of the server from `--answer`. If there is no such answer, prompts the user.

mod elicit_result;
mod elicitation;
pub(crate) mod form;
pub(crate) mod given;
mod roots;
mod sampling;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use self::{
    given::{GivenAnswer, GivenAnswers},
    roots::roots,
};
use super::{
    items::askable::{Askable, SAMPLE},
    terminal::{has_person, prompt::UnansweredQuestion, warn},
};
use crate::{
    engine::tool::registered::RegisteredTool,
    serve::client::Question,
    wire::protocol::{
        capability::Capability,
        json::{object, set},
    },
};

/// The answers that this client can give, and the questions that the server has asked so far. The default gives none, for
/// requests during which the server asks nothing.
#[derive(Default)]
pub(crate) struct InputRequests {
    given: GivenAnswers,
    /// Whether standard input and standard error are a terminal.
    has_person: bool,
    /// Whether the questions of the call wait until another process asks its user.
    asks_elsewhere: bool,
    /// Whether this client can give replies in place of a model.
    replies: bool,
    /// Questions that the user left without a reply. The server may ask them again.
    unreplied: HashSet<String>,
    /// The keys of the forms that were answered with `--answer`, each with its answer.
    accepted: HashMap<String, String>,
}

impl InputRequests {
    /// # Errors
    /// Returns an error if an answer does not fit the form that has the same key.
    pub(crate) fn new(answers: Vec<GivenAnswer>, tool: &RegisteredTool) -> Result<Self, String> {
        let has_person = has_person();
        let askable = Askable::of(tool);
        answers.iter().try_for_each(|answer| check(answer, &askable))?;
        let known = askable.iter().map(|askable| askable.key().to_owned()).collect();
        let given = GivenAnswers::new(answers, known, tool.definition.operation.noun());
        let replies = replies(tool, has_person, &given);
        Ok(Self { given, has_person, replies, ..Self::default() })
    }

    /// Creates a value for a call without a user, whose questions wait until another process asks them.
    pub(crate) fn of_background() -> Self {
        Self { asks_elsewhere: true, ..Self::default() }
    }

    pub(crate) fn capabilities(&self) -> Value {
        let mut capabilities = Map::new();
        set(&mut capabilities, "roots", object([]));
        if self.has_person || self.asks_elsewhere || !self.given.is_empty() {
            set(&mut capabilities, "elicitation", object([("form", object([])), ("url", object([]))]));
        }
        if self.replies {
            set(&mut capabilities, "sampling", object([]));
        }
        capabilities.into()
    }

    /// Answers a question. Returns `None` if the call continues without an answer.
    pub(crate) fn answer(&mut self, question: &Question) -> Result<Option<Value>, UnansweredQuestion> {
        match &*question.method {
            "elicitation/create" => self.elicit(question).map(Some),
            "roots/list" => Ok(Some(roots())),
            "sampling/createMessage" => self.sample(question),
            method => {
                let reason = format!("the server asks for `{method}`, which cannot be answered at a terminal");
                Err(UnansweredQuestion::Failed(reason))
            }
        }
    }

    /// Warns of answers that were not used.
    pub(crate) fn report_unused(&self) {
        self.given.unused().for_each(warn);
    }

    fn elicit(&mut self, question: &Question) -> Result<Value, UnansweredQuestion> {
        let key = &*question.key;
        let asked_before = self.given.was_asked(key);
        let misfit = match self.given.take(key, elicitation::shared_key(question)) {
            None => None,
            Some(given) => match elicitation::read_answer(question, &given.text) {
                Ok(answer) => {
                    if answer["action"] == "accept" {
                        self.accepted.insert(key.to_owned(), given.to_string());
                    }
                    return Ok(answer);
                }
                Err(reason) => Some(format!("`{given}`: {reason}")),
            },
        };
        if self.has_person {
            misfit.iter().for_each(warn);
            return elicitation::ask(question);
        }
        let refused = self
            .accepted
            .get(key)
            .map(|given| format!("the server rejected `{given}`, and no other `--answer` is left"));
        let question = elicitation::described(question);
        Err(match misfit.or(refused) {
            Some(reason) => UnansweredQuestion::BadAnswer(format!("{reason}\n\n{question}")),
            None => unanswered(key, asked_before, &question),
        })
    }

    /// Returns a reply in place of the model, or `None` if the user gives none. Without a reply, the next request has
    /// no response to `key`.
    fn sample(&mut self, question: &Question) -> Result<Option<Value>, UnansweredQuestion> {
        let key = &question.key;
        if self.unreplied.contains(key) {
            return Ok(None);
        }
        let asked_before = self.given.was_asked(key);
        let reply = match self.given.take(key, Some(SAMPLE)) {
            Some(given) => sampling::read_reply(&given.text),
            None if self.has_person => sampling::ask(question)?,
            None => return Err(unanswered(key, asked_before, &sampling::described(question))),
        };
        if reply.is_none() {
            self.unreplied.insert(key.clone());
        }
        Ok(reply)
    }
}

/// Whether this client declares sampling. The client never declares it if the server has its own model. Otherwise the
/// client declares it if there is a user who can be prompted, or an answer was given in advance. If the tool also works
/// without a model, an answer to a form is not enough, because the tool would fail if it asked a model and got no
/// reply.
fn replies(tool: &RegisteredTool, has_person: bool, given: &GivenAnswers) -> bool {
    let is_required = tool.requires.has(Capability::Sampling);
    let is_form = |key: &str| tool.definition.forms.iter().any(|form| form.key == key);
    !tool.done_by_server.has(Capability::Sampling)
        && (has_person || (is_required && !given.is_empty()) || given.has_one_of_no_form(is_form))
}

/// Rejects an `--answer` that does not match the form with the same key. Called before the call begins.
fn check(answer: &GivenAnswer, askable: &[Askable]) -> Result<(), String> {
    let Some(form @ Askable::Form { .. }) = askable.iter().find(|askable| askable.key() == answer.question()) else {
        return Ok(());
    };
    let read = elicit_result::to_form(&answer.text, &form.fields());
    read.map(drop).map_err(|reason| format!("`{answer}`: {reason}; write it like `{}`", form.example()))
}

/// Returns the failure of a question that has no answer. `question` describes it.
fn unanswered(key: &str, asked_before: bool, question: &str) -> UnansweredQuestion {
    let reason = match asked_before {
        true => "is asked again, and no `--answer` is left for it",
        false => "is asked, and there is no `--answer` for it",
    };
    UnansweredQuestion::Failed(format!(
        "`{key}` {reason}; standard input or standard error is not a terminal, so no user can answer\n\n{question}"
    ))
}
