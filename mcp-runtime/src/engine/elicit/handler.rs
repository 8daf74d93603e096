//! Lets an application answer questions to the user, through the trait that `#[elicits]` generates.

use std::{
    fmt,
    future::{Pending, pending},
    marker::PhantomData,
    pin::Pin,
};

use serde_json::{Map, Value, value::RawValue};

use super::{Elicits, FieldKey, Form, form::Answers, reply::Elicited};
use crate::wire::protocol::json::json_of;

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

    /// Returns the id of the call.
    pub fn call_id(&self) -> &'a str {
        self.asked.call_id
    }

    /// Returns the key of the question. The key is unique within the call.
    pub fn key(&self) -> &'a str {
        self.asked.key
    }

    /// Returns the number of the question in its call, counted from 1. If an answer is rejected and the tool asks
    /// again, the repeated question has its own number.
    pub fn seq(&self) -> u32 {
        self.asked.seq
    }

    /// Returns the message above the form, or the reason why the user should open the page.
    pub fn message(&self) -> &'a str {
        self.asked.message
    }

    /// Returns the arguments of the call.
    pub fn arguments(&self) -> &'a RawValue {
        json_of(self.asked.arguments)
    }

    /// Returns the value that the phase `before` has passed to the later phases, as JSON. Returns `None` if the tool is
    /// not a [`#[handoff]`](macro@crate::handoff).
    pub fn handoff(&self) -> Option<&'a RawValue> {
        self.asked.handoff.map(json_of)
    }
}

impl<'a, F: Form> ElicitRequest<'a, F> {
    /// Returns the schema of the form, with the choices and defaults that are set at run time.
    pub fn schema(&self) -> &'a RawValue {
        json_of(self.asked.schema)
    }

    /// Returns the choices of a field, each with its title. The field is a text field that
    /// [`choices`](super::Elicit::choices) has restricted, or an enum with `#[derive(Choice)]`. Returns an empty list
    /// for other fields.
    pub fn choices<T>(&self, field: FieldKey<F, T>) -> Vec<RequestChoice> {
        let name = F::schema().fields[field.index].name;
        let schema: Value = serde_json::from_str(self.asked.schema).unwrap_or_default();
        let field = &schema["properties"][name];
        let titled = field["oneOf"].as_array().into_iter().flatten().filter_map(|choice| {
            let value = choice["const"].as_str()?;
            Some(RequestChoice { value: value.into(), title: choice["title"].as_str().unwrap_or(value).into() })
        });
        let titles = |at: usize| field["enumNames"][at].as_str();
        let plain = field["enum"].as_array().into_iter().flatten().enumerate().filter_map(|(at, choice)| {
            let value = choice.as_str()?;
            Some(RequestChoice { value: value.into(), title: titles(at).unwrap_or(value).into() })
        });
        titled.chain(plain).collect()
    }

    /// Returns why the last answer to this question was rejected. Returns `None` if no answer was rejected.
    pub fn rejected(&self) -> Option<&'a str> {
        self.asked.rejected
    }
}

/// A question that asks the user to open a page ([`Ctx::elicit_url`](crate::Ctx::elicit_url)), as an application's handler gets
/// it. The method `elicit_url` of the trait that [`#[elicits]`](macro@crate::elicits) generates takes this request.
///
/// The answer `Accept` means that the user agreed to open the page, not that the user has finished there.
pub type ElicitUrlRequest<'a> = ElicitRequest<'a, WebPage>;

/// Stands in the place of the form if the question asks the user to open a page.
#[derive(Debug)]
pub enum WebPage {}

impl<'a> ElicitUrlRequest<'a> {
    /// Returns the URL of the page. Show it in full, and open it only if the user agrees.
    pub fn url(&self) -> &'a str {
        self.asked.url
    }

    /// Leaves the question on the timeline of the call, where a follower answers it. The returned future never
    /// completes. The host drops it when the question is answered, or when its time is over.
    pub fn on_timeline(self) -> Pending<Elicited<()>> {
        pending()
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

/// One choice of a form field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestChoice {
    /// The value of the field if the user selects this choice.
    pub value: String,
    /// The text to show.
    pub title: String,
}

/// A question whose form has not been matched with a Rust type yet.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// `None` if the question asks the user to open a page.
    pub(crate) form: Option<usize>,
    /// Empty if the question is a form.
    pub(crate) url: &'a str,
    pub(crate) tool_name: &'a str,
    pub(crate) call_id: &'a str,
    pub(crate) key: &'a str,
    pub(crate) seq: u32,
    pub(crate) message: &'a str,
    /// JSON text, and so are the arguments and the handoff: many handlers read none of them.
    pub(crate) schema: &'a str,
    pub(crate) arguments: &'a str,
    pub(crate) handoff: Option<&'a str>,
    pub(crate) rejected: Option<&'a str>,
}

impl<'a> Asked<'a> {
    /// Returns the index of the form in its set, or `None` if the question asks the user to open a page.
    pub fn form(&self) -> Option<usize> {
        self.form
    }

    /// Converts this question to the type that the handler's method for the form `F` takes.
    pub fn request<F>(self) -> ElicitRequest<'a, F> {
        ElicitRequest { asked: self, form: PhantomData }
    }

    /// Converts this question to the type that the handler's method for pages takes.
    pub fn url_request(self) -> ElicitUrlRequest<'a> {
        self.request()
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

/// Converts a handler's answer to a question that asks the user to open a page.
pub fn handled_url(answer: Elicited<()>) -> Handled {
    answer.map(|()| Map::new())
}

/// Converts the form in a handler's answer into JSON values.
pub(crate) fn handled<F: Form>(answer: Elicited<F>) -> Handled {
    answer.map(Answers::of)
}
