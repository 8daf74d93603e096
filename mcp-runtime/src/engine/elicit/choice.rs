//! Fields with fixed choices, of which the user selects one or several.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    shape::{ChoiceEntry, Shape},
    types::FormField,
};

/// An enum from which the user chooses one variant. Implemented by `#[derive(Choice)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a choice",
    label = "not an enum with `#[derive(Choice)]`",
    note = "a choice is an enum whose variants carry no data; put `#[derive(Choice)]` on it"
)]
pub trait Choice: Sized + Send + 'static {
    /// All choices, in the order of the variants.
    const CHOICES: &'static [ChoiceEntry];

    /// Returns the position of this choice in [`CHOICES`](Self::CHOICES).
    fn index(&self) -> usize;

    /// Returns the choice at this position.
    fn at(index: usize) -> Option<Self>;
}

/// A list of choices from a fixed set. It is the only kind of list that a form can have (since 2025-11-25).
///
/// If an answer repeats a choice, the choice counts once. With a client of an older revision the question fails with [`AskError::Unsupported`](crate::AskError::Unsupported).
///
/// ```
/// use mcp_runtime::{elicit::MultiSelect, prelude::*};
///
/// #[derive(Choice, Debug, PartialEq)]
/// enum Topic {
///     News,
///     Offers,
/// }
///
/// let topics = MultiSelect::from(vec![Topic::News]);
/// assert!(topics.contains(&Topic::News));
/// ```
///
/// If `E` implements the traits of serde and schemars, these crates treat this type like the `Vec` inside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct MultiSelect<E>(Vec<E>);

impl<E> MultiSelect<E> {
    /// Returns the choices, in the order of the client's answer.
    pub fn into_vec(self) -> Vec<E> {
        self.0
    }
}

impl<E> From<Vec<E>> for MultiSelect<E> {
    fn from(choices: Vec<E>) -> Self {
        Self(choices)
    }
}

impl<E> FromIterator<E> for MultiSelect<E> {
    fn from_iter<I: IntoIterator<Item = E>>(choices: I) -> Self {
        Self(choices.into_iter().collect())
    }
}

impl<E> IntoIterator for MultiSelect<E> {
    type Item = E;
    type IntoIter = std::vec::IntoIter<E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a MultiSelect<E> {
    type Item = &'a E;
    type IntoIter = std::slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<E> Deref for MultiSelect<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl<E: Choice> FormField for MultiSelect<E> {
    const SHAPE: Shape = Shape::several_of(E::CHOICES);

    fn read(value: Value) -> Result<Self, String> {
        match value {
            Value::Array(values) => values.iter().map(read).collect(),
            other => Err(format!("{other} is not a list of choices")),
        }
    }

    fn write(self) -> Value {
        self.0.iter().map(write).collect()
    }
}

/// Returns the choice whose name on the wire is `value`.
pub fn read<E: Choice>(value: &Value) -> Result<E, String> {
    let index = value.as_str().and_then(|name| E::CHOICES.iter().position(|choice| choice.name == name));
    index.and_then(E::at).ok_or_else(|| format!("{value} is not one of the choices"))
}

/// Returns the wire name of `choice` as a JSON string.
pub fn write<E: Choice>(choice: &E) -> Value {
    E::CHOICES.get(choice.index()).map_or(Value::Null, |choice| choice.name.into())
}
