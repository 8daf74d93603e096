//! Errors about answers that do not match their form.

use serde_json::{Map, Value};

use super::{
    field::Field,
    schema::{self, Changes, Titled},
};
use crate::wire::{
    protocol::text::shortened,
    schema::{ValueStep, Violation, Violations},
};

/// The reason why an answer does not match its form. There are two texts: one for the author, with names on the wire,
/// and one for the user, with titles.
#[derive(Debug)]
pub struct Unfit {
    /// The message with the names on the wire. The author and the model that called the tool see this message.
    pub(super) for_author: String,
    /// The message with the titles of the form. A user who is asked again sees this message.
    pub(super) for_user: String,
}

impl Unfit {
    /// Creates an error about the answer as a whole.
    pub(super) fn answer(reason: String) -> Self {
        Self { for_user: reason.clone(), for_author: reason }
    }

    /// Creates an error for an answer that the field's type rejects.
    pub(super) fn field(field: &Field, reason: &str) -> Self {
        Self { for_author: format!("- `{}`: {reason}", field.name), for_user: format!("- {}: {reason}", label(field)) }
    }

    /// Creates an error for content that violates the schema of the form. `fields` and `changes` describe this schema.
    pub(super) fn content(
        violations: &Violations,
        fields: &[Field],
        changes: &Changes,
        content: &Map<String, Value>,
    ) -> Self {
        let for_user = violations.reworded(|violation| {
            let found =
                fields.iter().enumerate().find_map(|(index, field)| Some((index, field, said(violation, field)?)));
            let Some((index, field, item)) = found else { return violation.to_string() };
            let own_words = schema::titled(field, index, changes)
                .and_then(|choices| beside_choices(&choices, field, item, content.get(field.name)));
            format!("{}: {}", label(field), own_words.as_deref().unwrap_or(&violation.what))
        });
        Self { for_author: violations.to_string(), for_user }
    }
}

/// Returns the name that the user sees for a field.
fn label(field: &Field) -> String {
    field.title.map_or_else(|| format!("`{}`", field.name), str::to_owned)
}

/// Returns the index of the invalid choice, if the error is about one choice of this field. Returns `None` if the error
/// is about something else.
fn said(violation: &Violation, field: &Field) -> Option<Option<usize>> {
    match violation.place.argument()? {
        (name, []) if name == field.name => Some(None),
        (name, [ValueStep::Index(item)]) if name == field.name => Some(Some(*item)),
        _ => None,
    }
}

/// Returns an error message that shows the titles of the choices. Returns `None` if the error is about the whole list.
fn beside_choices(
    choices: &[Titled<'_>],
    field: &Field,
    item: Option<usize>,
    answer: Option<&Value>,
) -> Option<String> {
    let given = match item {
        Some(item) => Some(answer?.get(item)?),
        None if field.is_multi_select() => return None,
        None => answer,
    };
    let choices = one_of(choices);
    Some(match given {
        Some(given) => format!("got {}, must be {choices}", shortened(&given.to_string())),
        None => format!("missing; {choices} is required"),
    })
}

/// Lists titles and their values on the wire. A client can show titles or values, and the command line takes values.
fn one_of(choices: &[Titled<'_>]) -> String {
    const LISTED: usize = 20;
    let label = |Titled { name, title }: &Titled<'_>| match title {
        Some(title) if title != name => format!("{title:?} (`{name}`)"),
        _ => format!("{name:?}"),
    };
    let listed: Vec<_> = choices.iter().take(LISTED).map(label).collect();
    match (&*listed, choices.len().saturating_sub(LISTED)) {
        ([only], _) => only.clone(),
        (_, 0) => format!("one of {}", listed.join(", ")),
        (_, rest) => format!("one of {}, or {rest} others", listed.join(", ")),
    }
}
