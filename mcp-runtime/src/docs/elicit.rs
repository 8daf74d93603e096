//! Questions to the user: forms, and URLs to open.
//!
//! [`macro@crate::elicits`] declares the forms of a tool, [`Ctx::elicit`](crate::Ctx::elicit) shows one, and
//! [`Ctx::elicit_url`](crate::Ctx::elicit_url) asks the user to open a page. The types here are their settings, the types
//! of fields beyond numbers and texts ([`Email`], [`MultiSelect`]), and what an application sees that answers forms
//! itself ([`ElicitRequest`]).

pub use crate::engine::elicit::{
    ChoiceEntry, Elicit, ElicitRequest, ElicitUrl, ElicitUrlRequest, ElicitedUrl, Elicits, Email, FieldKey, FormField,
    Format, HandledBy, Includes, IntoChoice, MultiSelect, NotAnEmail, OnDecline, RequestChoice, Shape,
};
