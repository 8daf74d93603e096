//! What authors ask their users: forms, and visits to a URL.

mod builder;
mod choice;
mod context;
mod default;
mod field;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "url"))]
mod foreign;
mod form;
mod formats;
mod handler;
mod problem;
mod reply;
mod rules;
pub(crate) mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod types;
mod unfit;
mod visit;

pub(crate) use self::handler::handled;
/// How long a person may take unless the author says otherwise.
const WITHIN: std::time::Duration = std::time::Duration::from_secs(60 * 60);

pub use self::{
    builder::{Elicit, IntoChoice, OnDecline},
    choice::{Choice, ChoiceEntry, MultiSelect, read as read_choice, write as write_choice},
    field::{Field, FieldKey},
    form::{Answers, Content, Declared, Elicits, Form, FormOf, FormSchema, Includes},
    handler::{Asked, ElicitRequest, Handled, HandledBy, Handling},
    problem::Problem,
    reply::Elicited,
    shape::{Format, Literal, Shape, TypeOfField},
    types::{Email, FieldType, FormField, NotAnEmail},
    unfit::Unfit,
    visit::{Visit, Visited},
};
