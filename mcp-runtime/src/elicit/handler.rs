//! Lets an application answer forms, through the trait that `#[elicits]` generates.

use std::{fmt, marker::PhantomData, pin::Pin};

use serde_json::{Map, Value, value::RawValue};

use super::{Elicits, Form, form::FormContent, reply::Elicited};

/// A question with the form `F`, as an application's handler gets it.
pub struct ElicitRequest<'a, F> {
    asked: Asked<'a>,
    form: PhantomData<fn() -> F>,
}

impl<'a, F> ElicitRequest<'a, F> {
    /// Returns the name of the tool that asks.
    pub fn tool_name(&self) -> &'a str {
        self.asked.tool_name
    }

    /// Returns the key of the question. The key is unique within the call.
    pub fn key(&self) -> &'a str {
        self.asked.key
    }

    /// Returns the message above the form.
    pub fn message(&self) -> &'a str {
        self.asked.message
    }

    /// Returns the schema of the form, with the values set at run time.
    pub fn schema(&self) -> &'a RawValue {
        self.asked.schema
    }

    /// Returns the arguments of the call.
    pub fn arguments(&self) -> &'a RawValue {
        self.asked.arguments
    }
}

impl<F> Clone for ElicitRequest<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for ElicitRequest<'_, F> {}

impl<F> fmt::Debug for ElicitRequest<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ElicitRequest").field(&self.asked).finish()
    }
}

/// A question whose form has not been matched with a Rust type yet.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub(crate) form: usize,
    pub(crate) tool_name: &'a str,
    pub(crate) key: &'a str,
    pub(crate) message: &'a str,
    pub(crate) schema: &'a RawValue,
    pub(crate) arguments: &'a RawValue,
}

impl<'a> Asked<'a> {
    /// Returns the index of the form in its set.
    pub fn form(&self) -> usize {
        self.form
    }

    /// Converts this to a question for the form type `F`. The handler's method for `F` takes that question.
    pub fn request<F>(self) -> ElicitRequest<'a, F> {
        ElicitRequest { asked: self, form: PhantomData }
    }
}

/// The answer of a handler. An accepted form is represented by its fields as JSON values.
pub type Handled = Elicited<Map<String, Value>>;

/// The future that returns a handler's answer.
pub type Handling<'a> = Pin<Box<dyn Future<Output = Handled> + Send + 'a>>;

/// A set of forms that an application's handler of type `T` can answer. `#[elicits]` generates the implementation.
#[diagnostic::on_unimplemented(
    message = "`{T}` does not answer the forms of `{Self}`",
    label = "not a handler of `{Self}`",
    note = "implement `{Self}Handler` for `{T}`: one method for each form"
)]
pub trait HandledBy<T>: Elicits {
    #[doc(hidden)]
    fn handle<'a>(handler: &'a T, asked: Asked<'a>) -> Handling<'a>;
}

/// Converts the form in a handler's answer into JSON values.
pub(crate) fn handled<F: Form>(answer: Elicited<F>) -> Handled {
    answer.map(FormContent::of)
}
