//! Lists and tuples.

use serde_json::{Map, Value};

use super::{PortableConverter, note};
use crate::wire::{
    protocol::json::{get, object, set},
    schema::keyword::describes,
};

impl PortableConverter<'_> {
    /// Converts the rules for the items of an array. `exact` are the keywords of the array.
    pub(super) fn items(&mut self, exact: &Map<String, Value>, form: &mut Map<String, Value>, at: &str) {
        let at = format!("{at}[]");
        let prefix = get(exact, "prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut items: Vec<Value> = prefix.iter().map(|schema| self.schema(schema, &at).with_null()).collect();
        let nouns: Vec<String> = items.iter().map(noun).collect();
        match get(exact, "items") {
            Some(Value::Bool(false)) if !prefix.is_empty() => {}
            Some(schema) => items.push(self.schema(schema, &at).with_null()),
            // Some hosts refuse an array without `items`.
            None if prefix.is_empty() => items.push(self.schema(&Value::Bool(true), &at).with_null()),
            None => {}
        }
        // Items that differ only in their descriptions have one form. The note has the descriptions.
        let mut distinct: Vec<Value> = Vec::new();
        for one in items {
            match distinct.iter_mut().find(|other| rules(other) == rules(&one)) {
                Some(other) if *other != one => *other = rules(other),
                Some(_) => {}
                None => distinct.push(one),
            }
        }
        let is_mixed = distinct.len() > 1 || nouns.iter().any(|noun| *noun != nouns[0]);
        let items = match &mut distinct[..] {
            [only] => only.take(),
            _ => object([("anyOf", distinct.into())]),
        };
        set(form, "items", items);
        if is_mixed && !nouns.is_empty() {
            let length = |keyword: &str| get(exact, keyword).and_then(Value::as_u64);
            let is_exact = length("maxItems") == Some(nouns.len() as u64);
            let begin = if is_exact { "The items" } else { "The first items" };
            note::add(form, &format!("{begin}, in this order: {}.", nouns.join(", ")));
        }
        if get(exact, "uniqueItems").is_some_and(|unique| unique == true) {
            note::add(form, "No item occurs twice.");
        }
        self.gaps_of(&["contains", "unevaluatedItems"], exact, at.trim_end_matches("[]"));
    }
}

/// Returns the schema without the keywords that only describe.
fn rules(schema: &Value) -> Value {
    let mut rules = schema.clone();
    if let Some(keywords) = rules.as_object_mut() {
        keywords.retain(|keyword, _| !describes(keyword));
    }
    rules
}

/// Returns the name of an item of a tuple: its type, and the first sentence of its description.
fn noun(item: &Value) -> String {
    let name = item["type"].as_str().unwrap_or("any value");
    match item["description"].as_str().map(note::one_line) {
        Some(description) if !description.is_empty() => {
            let sentence = description.split(". ").next().unwrap_or_default();
            format!("{name} ({sentence})")
        }
        _ => name.to_owned(),
    }
}
