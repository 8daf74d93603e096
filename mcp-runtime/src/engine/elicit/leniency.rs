//! Reads what forms of clients send for a field that the user left alone. Many send `null`, an empty text or an empty
//! list instead of leaving the field out.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::wire::schema::InputSchema;

/// Removes the fields that the answer leaves out, and repeated choices of a list. Returns whether the content has
/// changed. `form` is called only if a value might be removed, and returns the `requestedSchema`.
pub(crate) fn normalize(content: &mut Map<String, Value>, form: impl FnOnce() -> Value) -> bool {
    if !may_need_correction(content) {
        return false;
    }
    let (form, fields) = (form(), content.len());
    let is_required =
        |name: &str| form["required"].as_array().is_some_and(|required| required.iter().any(|one| one == name));
    content.retain(|name, answer| {
        let field = form["properties"].get(name).filter(|_| is_empty(answer) && !is_required(name));
        !field.is_some_and(|field| leaves_out(field, answer))
    });
    let mut changed = content.len() < fields;
    for choices in content.values_mut().filter(|answer| has_repetitions(answer)) {
        changed = true;
        if let Value::Array(choices) = choices {
            let mut seen = HashSet::new();
            choices.retain(|choice| choice.as_str().is_none_or(|text| seen.insert(text.to_owned())));
        }
    }
    changed
}

/// Returns whether [`normalize`] can change this content.
pub(super) fn may_need_correction(content: &Map<String, Value>) -> bool {
    content.values().any(|answer| is_empty(answer) || has_repetitions(answer))
}

/// Returns whether this answer to a field that is not required leaves the field out. `null` does, and an empty text or
/// list that the field does not accept. An empty text is kept where the field accepts it.
pub(crate) fn leaves_out(field: &Value, answer: &Value) -> bool {
    answer.is_null() || (is_empty(answer) && !accepts(field, answer))
}

fn accepts(field: &Value, answer: &Value) -> bool {
    let alone = InputSchema::of_form(&json!({ "type": "object", "properties": { "field": field } }));
    alone.check(&json!({ "field": answer }).to_string()).is_ok()
}

/// Returns whether a form sends this value for a field that its user left alone.
pub(super) fn is_empty(answer: &Value) -> bool {
    match answer {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(choices) => choices.is_empty(),
        _ => false,
    }
}

/// Returns whether a list of choices has a choice twice. Only lists of texts are looked at, because choices are texts.
fn has_repetitions(answer: &Value) -> bool {
    let Some(choices) = answer.as_array() else { return false };
    let mut seen = HashSet::new();
    choices.iter().filter_map(Value::as_str).any(|choice| !seen.insert(choice))
}
