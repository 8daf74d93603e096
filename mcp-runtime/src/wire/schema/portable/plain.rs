//! Schemas without alternatives.

use serde_json::{Map, Value};

use super::{PortableConverter, PortableForm, SchemaGapKind, note};
use crate::wire::{
    protocol::json::{get, set},
    schema::{
        keyword::{describes, is_published},
        value::types::Types,
    },
};

impl PortableConverter<'_> {
    /// Converts a schema without alternatives. Its type, if there is one, is a single name.
    pub(super) fn plain(&mut self, exact: &Map<String, Value>, at: &str) -> PortableForm {
        let mut form = Map::new();
        if let Some(name) = type_of(exact) {
            set(&mut form, "type", name.into());
        }
        for (keyword, value) in exact {
            match keyword.as_str() {
                "const" => set(&mut form, "enum", vec![value.clone()].into()),
                "default" if value.is_null() => {}
                keyword if is_published(keyword) => set(&mut form, keyword, value.clone()),
                _ => {}
            }
        }
        match get(&form, "type").and_then(Value::as_str) {
            Some("object") => self.members(exact, &mut form, at),
            Some("array") => self.items(exact, &mut form, at),
            _ => {}
        }
        note::replace_format(&mut form);
        self.other_rules(exact, &mut form, at);
        if form.keys().all(|keyword| describes(keyword)) {
            self.gap(at, SchemaGapKind::AnyValue);
            if get(&form, "description").is_none() {
                note::add(&mut form, "Any JSON value.");
            }
        }
        PortableForm::new(form)
    }

    fn other_rules(&mut self, exact: &Map<String, Value>, form: &mut Map<String, Value>, at: &str) {
        match get(exact, "not").and_then(Value::as_object) {
            Some(not) => match (get(not, "const"), get(not, "enum").and_then(Value::as_array)) {
                (Some(value), _) => note::add(form, &format!("Not {value}.")),
                (None, Some(values)) => {
                    let values: Vec<_> = values.iter().map(Value::to_string).collect();
                    note::add(form, &format!("Not one of: {}.", values.join(", ")));
                }
                (None, None) => self.gap(at, SchemaGapKind::Rule("not")),
            },
            None if get(exact, "not").is_some() => self.gap(at, SchemaGapKind::Rule("not")),
            None => {}
        }
        self.gaps_of(&["if"], exact, at);
    }
}

/// Returns the type that the schema names, or the type of the values that it lists or describes.
fn type_of(exact: &Map<String, Value>) -> Option<&str> {
    if let Some(name) = get(exact, "type") {
        return name.as_str();
    }
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| get(exact, keyword).is_some());
    if has(&["properties", "additionalProperties", "patternProperties", "required"]) {
        return Some("object");
    }
    if has(&["items", "prefixItems"]) {
        return Some("array");
    }
    let values = match get(exact, "const") {
        Some(value) => std::slice::from_ref(value),
        None => get(exact, "enum")?.as_array()?,
    };
    let types = values.iter().fold(Types::NONE, |types, value| types.or(Types::of_json(value)));
    match types.each().collect::<Vec<_>>()[..] {
        [(name @ ("string" | "integer" | "number" | "boolean"), _)] => Some(name),
        _ => None,
    }
}
