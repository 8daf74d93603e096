//! Questions to the user: forms, and URLs to open.

mod builder;
mod choice;
mod default_check;
mod field;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "url"))]
mod foreign;
mod form;
mod form_question;
mod handler;
pub(crate) mod leniency;
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

pub use self::{
    builder::{Elicit, IntoChoice, OnDecline},
    choice::{Choice, MultiSelect, read as read_choice, write as write_choice},
    field::{Field, FieldKey},
    form::{Answers, Declared, Elicits, Form, FormOf, FormSchema, Includes},
    handler::{Asked, ElicitRequest, ElicitUrlRequest, Handled, HandledBy, Handling, RequestChoice, handled_url},
    problem::Problem,
    reply::Elicited,
    shape::{ChoiceEntry, Format, Literal, Shape, TypeOfField},
    types::{Email, FieldType, FormField, NotAnEmail},
    unfit::Unfit,
    visit::{ElicitUrl, ElicitedUrl},
};
pub(crate) use self::{handler::handled, shape::ShapeKind};
