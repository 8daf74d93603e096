//! Finds the parameters of a tool that have no description.

use serde_json::Value;

/// The maximum depth at which fields are examined. A recursive type is written out only a few times anyway.
const DEEPEST: usize = 16;

/// Returns the places of the properties without a description, such as `filter.dates[].from`, each once.
pub(crate) fn undescribed(schema: &Value) -> Vec<String> {
    let mut places = Vec::new();
    add(schema, "", DEEPEST, &mut places);
    places
}

fn add(schema: &Value, at: &str, depth: usize, places: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let place = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        let is_described = property["description"].as_str().is_some_and(|text| !text.trim().is_empty());
        // A tag has one value, and there is nothing to choose.
        let is_tag = property.get("const").is_some() || property["enum"].as_array().is_some_and(|all| all.len() == 1);
        if !is_described && !is_tag && !places.contains(&place) {
            places.push(place.clone());
        }
        add(property, &place, depth - 1, places);
    }
    let items = format!("{at}[]");
    for (keyword, place) in [("items", &*items), ("additionalProperties", &*format!("{at}.*"))] {
        if schema[keyword].is_object() {
            add(&schema[keyword], place, depth - 1, places);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        for branch in schema[keyword].as_array().into_iter().flatten() {
            add(branch, at, depth - 1, places);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_fields_at_any_depth_once() {
        let field = json!({ "type": "string" });
        let described = json!({ "type": "string", "description": "It." });
        let schema = json!({ "properties": {
            "a": described,
            "b": { "description": "B.", "type": "array", "items": { "properties": { "c": field, "d": described } } },
            "e": { "description": "E.", "anyOf": [
                { "properties": { "kind": { "enum": ["f"] }, "size": field } },
                { "properties": { "kind": { "enum": ["g"] }, "size": field } },
            ] },
            "h": { "type": "object", "additionalProperties": { "properties": { "i": field } } },
            "j": { "description": " " },
        } });
        assert_eq!(undescribed(&schema), ["b[].c", "e.size", "h", "h.*.i", "j"]);
        assert_eq!(undescribed(&json!(true)), [""; 0]);
    }

    #[test]
    fn ends_at_a_deep_schema() {
        let deep = (0..100).fold(json!({}), |inner, _| json!({ "properties": { "a": inner } }));
        assert_eq!(undescribed(&deep).len(), DEEPEST);
    }
}
