//! One question with a form, as the client gets it.

use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;

use super::{
    form::{FormOf, FormSchema},
    schema::{self, Changes},
    unfit::Unfit,
};
#[cfg(feature = "views-preview")]
use crate::wire::protocol::capability::Capability;
use crate::{
    engine::{
        call::{
            AskError, CallState,
            conversation::{Fingerprint, fingerprint},
        },
        tool::ViewDefinition,
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
    /// The view that shows the form, where the client can.
    view: Option<&'static ViewDefinition>,
    message: String,
    pub(super) changes: Changes,
    /// Checks answers against the schema that `form` and `changes` describe.
    checker: OnceLock<InputSchema>,
}

impl FormQuestion {
    pub(super) fn new<F>(form: &FormOf<F>, message: String) -> Self {
        let (key, view, form) = (form.key, form.view, (form.schema)());
        Self { key, form, view, message, changes: Changes::default(), checker: OnceLock::new() }
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
        let form_key = call.is_in_application.then_some(self.key);
        let for_application = rejected.filter(|_| form_key.is_some());
        let meta = FormMeta { form: form_key, rejected: for_application, view: self.view_of(call) };
        let message = match rejected.filter(|_| form_key.is_none()) {
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

    /// Returns the URI of the view, if the client of the call can show it in place of the form. The answer, its checks
    /// and the fingerprint are the same in any case.
    #[cfg(feature = "views-preview")]
    fn view_of(&self, call: &CallState) -> Option<&'static str> {
        let view = self.view?;
        call.client().supports(Capability::ElicitationView).then_some(view.uri)
    }

    #[cfg(not(feature = "views-preview"))]
    fn view_of(&self, _: &CallState) -> Option<&'static str> {
        None
    }

    pub(super) fn checker(&self) -> &InputSchema {
        if self.changes.is_empty() {
            return self.form.checker();
        }
        self.checker.get_or_init(|| schema::checker(self.form.fields, &self.changes))
    }
}
