//! The user's answer to a form.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::{
    field::Field,
    leniency,
    schema::{self, Changes},
    unfit::Unfit,
};
use crate::{
    engine::call::AskError,
    wire::{
        protocol::{
            repeated::repeated_member,
            text::{reason, shortened},
        },
        schema::InputSchema,
    },
};

/// The user's answer to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the user may have declined the form"]
pub enum Elicited<F> {
    /// The user submitted the form, and the answer is valid.
    Accept(F),
    /// The user declined.
    Decline,
    /// The user closed the form without an answer.
    Cancel,
}

impl<F> Elicited<F> {
    /// Returns the form, if the user submitted it.
    pub fn accepted(self) -> Option<F> {
        match self {
            Self::Accept(form) => Some(form),
            Self::Decline | Self::Cancel => None,
        }
    }

    /// Returns the form, or an error if the user declined or cancelled.
    pub(super) fn strict(self) -> Result<F, AskError> {
        match self {
            Self::Accept(form) => Ok(form),
            Self::Decline => Err(AskError::Declined),
            Self::Cancel => Err(AskError::Cancelled),
        }
    }

    /// Converts the form, if the user submitted it.
    pub fn map<T>(self, with: impl FnOnce(F) -> T) -> Elicited<T> {
        match self {
            Self::Accept(form) => Elicited::Accept(with(form)),
            Self::Decline => Elicited::Decline,
            Self::Cancel => Elicited::Cancel,
        }
    }
}

/// The client's response to `elicitation/create`.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ElicitResult<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl<'a> ElicitResult<'a> {
    fn read(answer: &'a str) -> Result<Elicited<Option<&'a str>>, Unfit> {
        let result: Self = serde_json::from_str(answer)
            .map_err(|error| Unfit::answer(format!("it is not an `ElicitResult`: {}", reason(&error))))?;
        match &*result.action {
            "accept" => Ok(Elicited::Accept(result.content.map(RawValue::get))),
            "decline" => Ok(Elicited::Decline),
            "cancel" => Ok(Elicited::Cancel),
            other => {
                let other = &*shortened(other);
                Err(Unfit::answer(format!("`action` is {other:?}; it must be \"accept\", \"decline\" or \"cancel\"")))
            }
        }
    }
}

/// Reads whether the user accepted, declined or cancelled a question without a form.
pub(crate) fn consent(answer: &str) -> Result<Elicited<()>, Unfit> {
    ElicitResult::read(answer).map(|result| result.map(drop))
}

/// Reads an answer and checks its content, in which optional fields can be empty. `checker` is the schema that `fields` and `changes` describe.
pub(super) fn content(
    answer: &str,
    checker: &InputSchema,
    fields: &[Field],
    changes: &Changes,
) -> Result<Elicited<Map<String, Value>>, Unfit> {
    let content = match ElicitResult::read(answer)? {
        // The answer to an empty form can lack `content`.
        Elicited::Accept(content) => content.filter(|content| *content != "null").unwrap_or("{}"),
        Elicited::Decline => return Ok(Elicited::Decline),
        Elicited::Cancel => return Ok(Elicited::Cancel),
    };
    if !content.starts_with('{') {
        return Err(Unfit::answer(format!("`content` must be an object, not {}", shortened(content))));
    }
    if let Some(name) = repeated_member(content) {
        return Err(Unfit::answer(format!("`{}` appears twice in `content`", shortened(&name))));
    }
    let mut object = serde_json::from_str(content);
    let mut content = Cow::Borrowed(content);
    if let Ok(object) = &mut object
        && leniency::normalize(object, || schema::form(fields, changes))
    {
        // A tree of values always serializes.
        content = serde_json::to_string(object).unwrap_or_default().into();
    }
    match (checker.checked(&content), object) {
        (Ok(Cow::Borrowed(_)), Ok(object)) => Ok(Elicited::Accept(object)),
        (Ok(integers), _) => serde_json::from_str(&integers)
            .map(Elicited::Accept)
            .map_err(|error| Unfit::answer(format!("`content` cannot be read: {}", reason(&error)))),
        (Err(violations), object) => Err(Unfit::content(&violations, fields, changes, &object.unwrap_or_default())),
    }
}
