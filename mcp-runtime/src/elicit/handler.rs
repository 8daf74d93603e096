//! Forms answered by an application, through the trait that `#[elicits]` makes.

use std::{fmt, marker::PhantomData, pin::Pin};

use serde_json::{Map, Value, value::RawValue};

use super::{Elicits, Form, form::Content, reply::Elicited};

/// One question, for the method of an application's handler that answers the form `F`.
pub struct ElicitRequest<'a, F> {
    asked: Asked<'a>,
    form: PhantomData<fn() -> F>,
}

impl<'a, F> ElicitRequest<'a, F> {
    /// The tool that asks.
    pub fn tool_name(&self) -> &'a str {
        self.asked.tool_name
    }

    /// The key of the question: unique in its call.
    pub fn key(&self) -> &'a str {
        self.asked.key
    }

    /// What stands above the form.
    pub fn message(&self) -> &'a str {
        self.asked.message
    }

    /// The form's schema, with what is only known now.
    pub fn schema(&self) -> &'a RawValue {
        self.asked.schema
    }

    /// The arguments of the call.
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

/// A question before it is known which form it is.
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
    /// The form's place in its set.
    pub fn form(&self) -> usize {
        self.form
    }

    /// The question for the method of this form.
    pub fn request<F>(self) -> ElicitRequest<'a, F> {
        ElicitRequest { asked: self, form: PhantomData }
    }
}

/// What a handler did with a form, as content.
pub type Handled = Elicited<Map<String, Value>>;

/// A handler at work.
pub type Handling<'a> = Pin<Box<dyn Future<Output = Handled> + Send + 'a>>;

/// A set of forms whose handlers are of the type `T`: implemented for the trait that `#[elicits]` makes.
#[diagnostic::on_unimplemented(
    message = "`{T}` does not answer the forms of `{Self}`",
    label = "not a handler of `{Self}`",
    note = "implement `{Self}Handler` for `{T}`: one method for each form"
)]
pub trait HandledBy<T>: Elicits {
    #[doc(hidden)]
    fn handle<'a>(handler: &'a T, asked: Asked<'a>) -> Handling<'a>;
}

/// What a method gave, as content.
pub(crate) fn handled<F: Form>(answer: Elicited<F>) -> Handled {
    answer.map(Content::of)
}
