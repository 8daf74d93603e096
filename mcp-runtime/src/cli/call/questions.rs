//! Questions of the server, and who answers them: `--answer`, then whoever sits at the terminal.

use std::io::{self, IsTerminal};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    elicitation::Elicitation,
    given::{Answer, Given},
    roots::roots,
};
use crate::cli::terminal::warn;

/// What this client can answer, and what it was asked.
pub(super) struct Questions {
    given: Given,
    /// Whether there is a keyboard, and a screen that is not the result's.
    has_person: bool,
}

/// An entry of `inputRequests`.
#[derive(Deserialize)]
pub(super) struct Question {
    method: String,
    #[serde(default)]
    params: Value,
}

/// Why a question has no answer.
pub(super) enum Unanswered {
    /// Ctrl-C.
    Interrupted,
    Failed(String),
}

impl Questions {
    pub(super) fn new(answers: Vec<Answer>) -> Self {
        let has_person = io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { given: Given::new(answers), has_person }
    }

    /// The `ClientCapabilities`: what can be asked at all.
    pub(super) fn capabilities(&self) -> Value {
        let mut capabilities = json!({ "roots": {} });
        if self.has_person || !self.given.is_empty() {
            capabilities["elicitation"] = json!({ "form": {}, "url": {} });
        }
        capabilities
    }

    /// Answers what ends a round. Gives the `inputResponses` of the next.
    pub(super) fn answer(&mut self, questions: Map<String, Value>) -> Result<Map<String, Value>, Unanswered> {
        let mut answers = Map::new();
        for (key, question) in questions {
            let question: Question = serde_json::from_value(question).map_err(|error| {
                Unanswered::Failed(format!("the server's question `{key}` cannot be read: {error}"))
            })?;
            let answer = match &*question.method {
                "elicitation/create" => self.elicit(&key, &question.params)?,
                "roots/list" => roots(),
                method => {
                    let reason = format!("the server asks for `{method}`, which cannot be answered at a terminal");
                    return Err(Unanswered::Failed(reason));
                }
            };
            answers.insert(key, answer);
        }
        Ok(answers)
    }

    /// Says which answers were never used.
    pub(super) fn report_unused(&self) {
        self.given.unused().for_each(warn);
    }

    fn elicit(&mut self, key: &str, params: &Value) -> Result<Value, Unanswered> {
        let asked_before = self.given.was_asked(key);
        let elicitation = Elicitation::read(key, params);
        let misfit = match self.given.take(key) {
            None => None,
            Some(text) => match elicitation.read_answer(&text) {
                Ok(answer) => return Ok(answer),
                Err(reason) => Some(format!("`--answer {key}={text}`: {reason}")),
            },
        };
        if self.has_person {
            misfit.iter().for_each(warn);
            return elicitation.ask();
        }
        let reason = misfit.unwrap_or_else(|| match asked_before {
            true => format!("`{key}` is asked again, and its `--answer` was used"),
            false => format!(
                "`{key}` is asked, and nobody is there to answer: standard input or standard error is no terminal"
            ),
        });
        Err(Unanswered::Failed(format!("{reason}\n\n{elicitation}")))
    }
}
