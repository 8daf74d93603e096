//! The user's answer to a form.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    field::Field,
    form::FieldValues,
    leniency,
    schema::{self, Changes},
    shape::ShapeKind,
    unfit::Unfit,
};
use crate::{
    engine::call::AskError,
    wire::{
        protocol::{
            repeated::repeated_member,
            scan::{Scanner, read_string},
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

/// Reads the client's response to `elicitation/create`. Returns the content as text, if there is one.
fn elicit_result(answer: &str) -> Result<Elicited<Option<&str>>, Unfit> {
    let wrong = |reason: &str| Unfit::answer(format!("it is not an `ElicitResult`: {reason}"));
    let (mut action, mut content, mut is_ambiguous) = (None, None, false);
    let mut scanner = Scanner::new(answer);
    let is_object = scanner.object(|scanner, name| {
        let value = scanner.value()?;
        is_ambiguous |= match &*name {
            "action" => action.replace(value).is_some(),
            "content" => content.replace(value).is_some(),
            _ => false,
        };
        Ok(())
    });
    match is_object.and_then(|is_object| scanner.end().map(|()| is_object)) {
        Ok(true) if is_ambiguous => return Err(wrong("a member appears twice")),
        Ok(true) => {}
        Ok(false) => return Err(wrong("expected an object")),
        Err(error) => return Err(wrong(&error.to_string())),
    }
    let action = action.and_then(read_string).ok_or_else(|| wrong("`action` must be a string"))?;
    match &*action {
        "accept" => Ok(Elicited::Accept(content)),
        "decline" => Ok(Elicited::Decline),
        "cancel" => Ok(Elicited::Cancel),
        other => {
            let other = &*shortened(other);
            Err(Unfit::answer(format!("`action` is {other:?}; it must be \"accept\", \"decline\" or \"cancel\"")))
        }
    }
}

/// Reads whether the user accepted, declined or cancelled a question without a form.
pub(crate) fn consent(answer: &str) -> Result<Elicited<()>, Unfit> {
    elicit_result(answer).map(|result| result.map(drop))
}

/// Reads an answer and checks its content, in which optional fields can be empty. `checker` is the schema that `fields`
/// and `changes` describe.
pub(super) fn content(
    answer: &str,
    checker: &InputSchema,
    fields: &[Field],
    changes: &Changes,
) -> Result<Elicited<FieldValues>, Unfit> {
    let content = match elicit_result(answer)? {
        // The answer to an empty form can lack `content`.
        Elicited::Accept(content) => content.filter(|content| *content != "null").unwrap_or("{}"),
        Elicited::Decline => return Ok(Elicited::Decline),
        Elicited::Cancel => return Ok(Elicited::Cancel),
    };
    if let Some(values) = plain_values(content, fields) {
        return Ok(Elicited::Accept(values));
    }
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
    let mut object: Map<_, _> = match (checker.checked(&content), object) {
        (Ok(Cow::Borrowed(_)), Ok(object)) => object,
        (Ok(integers), _) => serde_json::from_str(&integers)
            .map_err(|error| Unfit::answer(format!("`content` cannot be read: {}", reason(&error))))?,
        (Err(violations), object) => {
            return Err(Unfit::content(&violations, fields, changes, &object.unwrap_or_default()));
        }
    };
    Ok(Elicited::Accept(fields.iter().map(|field| object.remove(field.name)).collect()))
}

/// Reads content in which every value is a boolean or one choice, as in the answer to a confirmation. Returns `None` if
/// there are other values, or if the content may be invalid. Then the form's schema decides.
fn plain_values(content: &str, fields: &[Field]) -> Option<FieldValues> {
    let mut values = vec![None; fields.len()];
    let mut scanner = Scanner::new(content);
    let is_object = scanner.object(|scanner, name| {
        let text = scanner.value()?;
        let field = fields.iter().zip(&mut values).find(|(field, value)| field.name == name && value.is_none());
        let (field, value) = field.ok_or_else(|| scanner.error("a field"))?;
        *value = plain_value(field, text);
        if value.is_some() { Ok(()) } else { Err(scanner.error("a boolean or a choice")) }
    });
    let is_complete = fields.iter().zip(&values).all(|(field, value)| value.is_some() || !field.is_required());
    (is_object == Ok(true) && scanner.end().is_ok() && is_complete).then_some(values)
}

/// Reads a boolean or one choice.
fn plain_value(field: &Field, text: &str) -> Option<Value> {
    match field.shape.0 {
        ShapeKind::Boolean => text.parse().ok().map(Value::Bool),
        ShapeKind::One(choices) => {
            let name = read_string(text)?;
            choices.iter().any(|choice| choice.name == name).then(|| Value::String(name.into_owned()))
        }
        _ => None,
    }
}
