//! One question with a form, as the client gets it.

use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;

use super::{
    form::FormSchema,
    schema::{self, Changes},
    unfit::Unfit,
};
use crate::{
    engine::call::{
        AskError, CallState,
        conversation::{Fingerprint, fingerprint},
    },
    wire::{
        protocol::elicitation::{FormMeta, form_params},
        schema::InputSchema,
    },
};

/// A form, its message, and its values that are known only at run time.
pub(super) struct FormQuestion {
    /// The key of the form in its set.
    key: &'static str,
    pub(super) form: &'static FormSchema,
    message: String,
    pub(super) changes: Changes,
    /// Checks answers against the schema that `form` and `changes` describe.
    checker: OnceLock<InputSchema>,
}

impl FormQuestion {
    pub(super) fn new(key: &'static str, form: &'static FormSchema, message: String) -> Self {
        Self { key, form, message, changes: Changes::default(), checker: OnceLock::new() }
    }

    /// Returns the `params` of `elicitation/create` and their fingerprint. `reason` is the error of the last answer.
    /// The fingerprint does not depend on `reason`.
    pub(super) fn params(&self, call: &CallState, reason: Option<&Unfit>) -> Result<(Fingerprint, Arc<str>), AskError> {
        let revision = call.revision;
        if let Some(field) = self.form.unsupported(revision) {
            return Err(AskError::Unsupported { field, revision });
        }
        if let Some(problem) = schema::problem(self.form.fields, &self.changes) {
            return Err(AskError::Question(problem));
        }
        // Only a call that keeps a journal compares its questions.
        let own = if call.keeps_journal() { fingerprint([&*self.message]) } else { 0 };
        let form = self.form.fingerprint();
        let rejected = reason.map(|unfit| &*unfit.for_user);
        let meta = call.is_in_application.then_some(FormMeta { form: self.key, rejected });
        let message = match rejected.filter(|_| meta.is_none()) {
            Some(rejected) => &format!("{}\n\nThe last answer did not fit:\n{rejected}", self.message),
            None => &self.message,
        };
        if self.changes.is_empty() {
            let fingerprint = Fingerprint { form, message: own, choices: 0 };
            return Ok((fingerprint, form_params(revision, message, self.form.published(revision), meta)));
        }
        let schema: Box<RawValue> = schema::published(self.form.fields, &self.changes, revision);
        let fingerprint = Fingerprint { form, message: own, choices: fingerprint([schema.get()]) };
        Ok((fingerprint, form_params(revision, message, &schema, meta)))
    }

    pub(super) fn checker(&self) -> &InputSchema {
        if self.changes.is_empty() {
            return self.form.checker();
        }
        self.checker.get_or_init(|| schema::checker(self.form.fields, &self.changes))
    }
}
