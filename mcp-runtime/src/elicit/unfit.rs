//! Why an answer does not fit its form.

use serde_json::{Map, Value};

use super::{
    field::Field,
    schema::{self, Changes, Titled},
};
use crate::{protocol::text::shortened, schema::Violations};

/// Why an answer does not fit its form, in the words of the wire and in those of the form.
#[derive(Debug)]
pub struct Unfit {
    /// With the names on the wire: for the author, and the model that called the tool.
    pub(super) told: String,
    /// With the titles on the form: for the person who is asked again.
    pub(super) shown: String,
}

impl Unfit {
    /// There is no content that a form could have.
    pub(super) fn answer(reason: String) -> Self {
        Self { shown: reason.clone(), told: reason }
    }

    /// A field is refused by its type.
    pub(super) fn field(field: &Field, reason: &str) -> Self {
        Self { told: format!("- `{}`: {reason}", field.name), shown: format!("- {}: {reason}", label(field)) }
    }

    /// The content is not what the form, changed like this, asks for.
    pub(super) fn content(
        violations: &Violations,
        fields: &[Field],
        changes: &Changes,
        content: &Map<String, Value>,
    ) -> Self {
        let shown = violations.reworded(|line| {
            let found = fields.iter().enumerate().find_map(|(index, field)| Some((index, field, said(line, field)?)));
            let Some((index, field, (item, what))) = found else { return line.to_owned() };
            let own_words = schema::titled(field, index, changes)
                .and_then(|choices| beside_choices(&choices, field, item, content.get(field.name)));
            format!("{}: {}", label(field), own_words.as_deref().unwrap_or(what))
        });
        Self { told: violations.to_string(), shown: shown.to_string() }
    }
}

/// What a person knows a field by.
fn label(field: &Field) -> String {
    field.title.map_or_else(|| format!("`{}`", field.name), str::to_owned)
}

/// What a line says of this field, if it is about it: of which of several choices, and what.
fn said<'l>(line: &'l str, field: &Field) -> Option<(Option<usize>, &'l str)> {
    let place = line.strip_prefix('`')?;
    // A name with a dot stands as a string in brackets.
    let behind = place
        .strip_prefix(field.name)
        .or_else(|| place.strip_prefix("[\"")?.strip_prefix(field.name)?.strip_prefix("\"]"))?;
    let (item, what) = behind.split_once("`: ")?;
    if item.is_empty() {
        return Some((None, what));
    }
    let item = item.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    Some((Some(item), what))
}

/// The same of choices that a person knows by their titles. Of a list as a whole there is nothing to say.
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

/// Titles, and beside them the values on the wire: a client may show either, and a command line takes values.
fn one_of(choices: &[Titled<'_>]) -> String {
    const LISTED: usize = 20;
    let told = |Titled { name, title }: &Titled<'_>| match title {
        Some(title) if title != name => format!("{title:?} (`{name}`)"),
        _ => format!("{name:?}"),
    };
    let listed: Vec<_> = choices.iter().take(LISTED).map(told).collect();
    match (&*listed, choices.len().saturating_sub(LISTED)) {
        ([only], _) => only.clone(),
        (_, 0) => format!("one of {}", listed.join(", ")),
        (_, rest) => format!("one of {}, or {rest} others", listed.join(", ")),
    }
}
