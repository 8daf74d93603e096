//! Forms and sets of forms, as the macros generate them.

use std::{ops::Deref, sync::OnceLock};

use serde_json::{Map, Value, value::RawValue};

use super::{
    field::Field,
    leniency,
    schema::{self, Changes},
    unfit::Unfit,
};
use crate::{
    engine::{
        call::{Call, Ctx, NoForms, context::AnyForms, conversation::fingerprint},
        tool::{FormEntry, ToolDefinition, ViewDefinition},
    },
    wire::{protocol::revision::Revision, schema::InputSchema},
};

/// A form, which is a struct whose fields the user fills in. [`#[elicits]`](macro@crate::elicits) implements this trait
/// for each variant, and `#[derive(Form)]` implements it for a struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "not a struct with `#[derive(Form)]`",
    note = "a form is a variant of an enum with `#[elicits]`, or a struct with `#[derive(Form)]`"
)]
pub trait Form: Sized {
    #[doc(hidden)]
    fn schema() -> &'static FormSchema;

    #[doc(hidden)]
    fn read(answers: &mut Answers) -> Result<Self, Unfit>;

    #[doc(hidden)]
    fn write(self, answers: &mut Answers);
}

/// A set of forms. A tool with a [`Ctx<Set>`](crate::Ctx) can ask the user to fill in the forms of `Set`.
/// [`#[elicits]`](macro@crate::elicits) implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of forms",
    label = "not an enum with `#[elicits]`",
    note = "if the tool asks nothing, write `&Ctx`; otherwise put `#[elicits]` on the enum `{Self}`"
)]
pub trait Elicits: 'static {
    #[doc(hidden)]
    const FORMS: &'static [FormEntry];
}

/// A set of forms that an author has declared. Every type that implements [`Elicits`] is such a set, except `NoForms`
/// and `AnyForms`.
pub trait Declared: Elicits {}

/// A set of forms that contains the form `F`.
#[diagnostic::on_unimplemented(
    message = "this tool does not declare the form `{F}`",
    label = "not a form of `{Self}`",
    note = "declare the forms: `ctx: &Ctx<YourForms>`, where `YourForms` is an enum with `#[elicits]` that has `{F}`",
    note = "a form is one variant of that enum: `ctx.elicit::<Confirm>(…)`"
)]
pub trait Includes<F>: Elicits {
    #[doc(hidden)]
    const FORM: FormOf<F>;
}

impl Elicits for NoForms {
    const FORMS: &'static [FormEntry] = &[];
}

impl Elicits for AnyForms {
    const FORMS: &'static [FormEntry] = &[];
}

// Compiler hints must not suggest this type, because authors do not use it.
#[diagnostic::do_not_recommend]
impl<F> Includes<F> for AnyForms {
    const FORM: FormOf<F> = panic!("a phase that cannot ask has no forms");
}

impl ToolDefinition {
    /// Declares that the tool asks the user with the forms of `S`. A client that cannot show forms can call the tool
    /// only if the tool lists [`Capability::Elicitation`](crate::call::Capability::Elicitation) as
    /// [`optional`](Self::optional).
    pub fn elicits<S: Elicits>(self) -> Self {
        self.with_forms(S::FORMS)
    }
}

impl Call {
    /// Creates the context of this call.
    pub fn context<S: Elicits, P>(&self) -> Ctx<S, P> {
        Ctx::new(self.clone())
    }
}

/// Gives a context with forms the methods of a context without forms. `NoForms` is not [`Declared`], because otherwise
/// a context without forms would dereference to itself.
impl<S: Declared> Deref for Ctx<S> {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        self.plain()
    }
}

/// One form of a set. `F` is the type of the form.
pub struct FormOf<F> {
    pub(crate) key: &'static str,
    pub(crate) schema: fn() -> &'static FormSchema,
    pub(crate) read: fn(&mut Answers) -> Result<F, Unfit>,
    published: fn() -> &'static RawValue,
    accepts: fn(&Map<String, Value>) -> bool,
    /// The view that shows the form, where the client can.
    pub(crate) view: Option<&'static ViewDefinition>,
}

impl<F> FormOf<F> {
    /// Creates the entry for the form `F`, which has this key in its set.
    pub const fn new(key: &'static str) -> Self
    where
        F: Form,
    {
        Self {
            key,
            schema: F::schema,
            read: F::read,
            published: || F::schema().published(Revision::LATEST),
            accepts: |content| F::schema().accepts(content),
            view: None,
        }
    }

    /// Replaces the form's key in its set.
    pub const fn keyed(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Sets the view that shows the form, where the client can.
    pub const fn shown_by(self, view: &'static ViewDefinition) -> Self {
        Self { view: Some(view), ..self }
    }

    /// Returns the form's key, description and schema, without the type `F`.
    pub const fn entry(&self, description: &'static str) -> FormEntry {
        let Self { key, published, accepts, view, .. } = *self;
        FormEntry { key, description, published, accepts, view }
    }
}

/// The schema of a form. The JSON for clients is created when first needed, and so is the checker of answers.
#[derive(Debug)]
pub struct FormSchema {
    pub(crate) fields: &'static [Field],
    /// The schema for protocol revisions before 2025-11-25.
    older: OnceLock<Box<RawValue>>,
    newer: OnceLock<Box<RawValue>>,
    checker: OnceLock<InputSchema>,
    fingerprint: OnceLock<u32>,
}

impl FormSchema {
    /// Creates the schema of a form with these fields.
    pub const fn new(fields: &'static [Field]) -> Self {
        Self {
            fields,
            older: OnceLock::new(),
            newer: OnceLock::new(),
            checker: OnceLock::new(),
            fingerprint: OnceLock::new(),
        }
    }

    /// Returns the `requestedSchema` for this revision.
    pub(crate) fn published(&self, revision: Revision) -> &RawValue {
        let text = if revision.has_titled_choices() { &self.newer } else { &self.older };
        text.get_or_init(|| schema::published(self.fields, &Changes::default(), revision))
    }

    /// Returns the hash that identifies the form in a call's journal. The hash does not depend on the revision.
    pub(crate) fn fingerprint(&self) -> u32 {
        *self.fingerprint.get_or_init(|| fingerprint([self.published(Revision::LATEST).get()]))
    }

    /// Returns the schema that answers to this form are checked against.
    pub(crate) fn checker(&self) -> &InputSchema {
        self.checker.get_or_init(|| schema::checker(self.fields, &Changes::default()))
    }

    /// Returns whether this content answers the form with nothing to correct.
    fn accepts(&self, content: &Map<String, Value>) -> bool {
        content.keys().all(|name| self.fields.iter().any(|field| field.name == name))
            && !leniency::may_need_correction(content)
            && serde_json::to_string(content).is_ok_and(|text| self.checker().check(&text).is_ok())
    }

    /// Returns the name of a field that this revision does not support, or `None` if the revision supports all fields.
    pub(crate) fn unsupported(&self, revision: Revision) -> Option<&'static str> {
        if revision.has_multi_select() {
            return None;
        }
        self.fields.iter().find(|field| field.is_multi_select()).map(|field| field.name)
    }
}

/// The values of an accepted, valid answer. `Form::read` creates a form from them, and `Form::write` sets the values of
/// a form.
#[derive(Debug)]
pub struct Answers {
    pub(crate) fields: &'static [Field],
    pub(crate) values: FieldValues,
}

/// The values of an answer, one for each field of the form. The value of a field that was left out is `None`.
pub(crate) type FieldValues = Vec<Option<Value>>;

impl Answers {
    /// Reads a field. If its type rejects an empty answer that the schema accepts, the field counts as left out.
    pub fn read<T>(&mut self, index: usize, read: impl Fn(Option<Value>) -> Result<T, String>) -> Result<T, Unfit> {
        let answer = self.take(index);
        let may_be_left_out = self.fields.get(index).is_some_and(|field| !field.is_required());
        let is_left_out = may_be_left_out && answer.as_ref().is_some_and(leniency::is_empty);
        let otherwise = |reason: String| match is_left_out {
            true => read(self.take(index)).map_err(|_| reason),
            false => Err(reason),
        };
        read(answer).or_else(otherwise).map_err(|reason| self.unfit(index, &reason))
    }

    /// Removes and returns the answer of a field. If the answer is missing, returns the default of the field, or `None`
    /// if the field is optional or has no default.
    fn take(&mut self, index: usize) -> Option<Value> {
        let field = self.fields.get(index)?;
        let default = || field.default.filter(|_| !field.optional).map(schema::literal);
        self.values.get_mut(index).and_then(Option::take).or_else(default)
    }

    /// Creates the error for an answer that the field's type rejects.
    fn unfit(&self, index: usize, reason: &str) -> Unfit {
        self.fields.get(index).map_or_else(|| Unfit::answer(reason.into()), |field| Unfit::field(field, reason))
    }

    /// Converts `form` to the content of an answer. Parsing that content gives `form` again.
    pub(crate) fn of<F: Form>(form: F) -> Map<String, Value> {
        let fields = F::schema().fields;
        let mut answers = Self { fields, values: vec![None; fields.len()] };
        form.write(&mut answers);
        let named = fields.iter().zip(answers.values);
        named.filter_map(|(field, value)| Some((field.name.to_owned(), value?))).collect()
    }

    /// Sets the value of a field. If `value` is `None`, the field is left out.
    pub fn put(&mut self, index: usize, value: Option<Value>) {
        if let Some(answer) = self.values.get_mut(index) {
            *answer = value;
        }
    }
}
