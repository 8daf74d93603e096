//! Structs and maps.

use serde_json::{Map, Value};

use super::{PortableConverter, SchemaGapKind, SchemaStyle, note};
use crate::wire::protocol::json::{get, set};

impl PortableConverter<'_> {
    /// Converts the rules for the members of an object. `exact` are the keywords of the object.
    pub(super) fn members(&mut self, exact: &Map<String, Value>, form: &mut Map<String, Value>, at: &str) {
        let (mut properties, required) = (Map::new(), get(exact, "required").and_then(Value::as_array));
        for (name, schema) in get(exact, "properties").and_then(Value::as_object).into_iter().flatten() {
            let converted = self.schema(schema, &if at.is_empty() { name.clone() } else { format!("{at}.{name}") });
            // An optional property is left out instead.
            let is_required = required.is_some_and(|required| required.iter().any(|one| one == name));
            let property = if is_required { converted.with_null() } else { Value::Object(converted.keywords) };
            set(&mut properties, name, property);
        }
        let is_listed = !properties.is_empty();
        set(form, "properties", Value::Object(properties));
        if let Some(required) = required.filter(|required| !required.is_empty()) {
            set(form, "required", required.clone().into());
        }
        self.others(exact, form, is_listed, at);
        self.keys(exact, form);
        self.gaps_of(&["dependentRequired", "dependentSchemas", "unevaluatedProperties"], exact, at);
    }

    /// Converts the rules for members that `properties` does not list.
    fn others(&mut self, exact: &Map<String, Value>, form: &mut Map<String, Value>, is_listed: bool, at: &str) {
        let patterns = get(exact, "patternProperties").and_then(Value::as_object);
        let of_patterns = patterns.and_then(|patterns| patterns.values().next());
        match get(exact, "additionalProperties").filter(|others| **others != false).or(of_patterns) {
            // Listed properties need no sign that others are allowed too, unless all objects of that kind are closed.
            Some(Value::Bool(true)) if is_listed && self.style == SchemaStyle::Portable => {}
            Some(others) => {
                self.gap(at, SchemaGapKind::Map);
                // `{}` means the same as `true`, which some hosts refuse.
                let is_any = *others == true || others.as_object().is_some_and(Map::is_empty);
                let others = match is_any {
                    true => Value::Object(Map::new()),
                    false => self.schema(others, &format!("{at}.*")).with_null(),
                };
                set(form, "additionalProperties", others);
            }
            None if self.style == SchemaStyle::Strict
                && (is_listed || get(exact, "additionalProperties").is_some()) =>
            {
                set(form, "additionalProperties", false.into());
            }
            None => {}
        }
    }

    /// Writes the rules for the keys of a map into the description.
    fn keys(&mut self, exact: &Map<String, Value>, form: &mut Map<String, Value>) {
        let patterns = get(exact, "patternProperties").and_then(Value::as_object).into_iter().flatten();
        for (pattern, _) in patterns {
            note::add(
                form,
                &match pattern.as_str() {
                    r"^\d+$" => "Each key is a whole number.".to_owned(),
                    r"^-?\d+$" => "Each key is a whole number, which may be negative.".to_owned(),
                    pattern => format!("Each key matches `{pattern}`."),
                },
            );
        }
        let Some(names) = get(exact, "propertyNames").and_then(Value::as_object) else { return };
        if let Some(pattern) = get(names, "pattern").and_then(Value::as_str) {
            note::add(form, &format!("Each key matches `{pattern}`."));
        }
        let listed = crate::wire::schema::example::names(names);
        if !listed.is_empty() {
            let listed: Vec<_> = listed.iter().map(|name| format!("`{name}`")).collect();
            note::add(form, &format!("Each key is one of: {}.", listed.join(", ")));
        }
    }
}
