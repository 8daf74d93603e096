//! Hides parameters of a mounted tool: in its schema, and in the arguments of a call.

use std::collections::BTreeMap;

use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::engine::tool::ArgumentsError;

/// The parameters that clients do not see, with their values.
pub(super) type HiddenParameters = BTreeMap<String, Option<Box<RawValue>>>;

/// Removes the hidden parameters from the schema of a tool.
///
/// # Errors
/// Returns the reason why the tool cannot be offered.
pub(super) fn hide(schema: &mut Value, hidden: &HiddenParameters) -> Result<(), String> {
    for (name, value) in hidden {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        if properties.and_then(|properties| properties.shift_remove(name)).is_none() {
            return Err(format!("it has no parameter `{name}`, which the mount hides or fixes"));
        }
        let required = schema.get_mut("required").and_then(Value::as_array_mut);
        let Some(required) = required else { continue };
        let count = required.len();
        required.retain(|required| required != name);
        if required.len() < count && value.is_none() {
            return Err(format!(
                "its parameter `{name}` is required, so it cannot be hidden; fix its value with `fix`"
            ));
        }
        if required.is_empty() {
            schema.as_object_mut().map(|schema| schema.shift_remove("required"));
        }
    }
    Ok(())
}

/// Returns the arguments for the other server. Without hidden parameters, they are those of the client as it sent them.
///
/// # Errors
/// Fails if the arguments are not an object.
pub(super) fn arguments(text: &str, hidden: &HiddenParameters) -> Result<Box<RawValue>, ArgumentsError> {
    let invalid = |error: serde_json::Error| ArgumentsError::new(error.to_string());
    if hidden.is_empty() {
        return serde_json::from_str(text).map_err(invalid);
    }
    let mut arguments: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).map_err(invalid)?;
    for (name, value) in hidden {
        match value {
            Some(value) => arguments.insert(name.clone(), value.clone()),
            None => arguments.remove(name),
        };
    }
    to_raw_value(&arguments).map_err(invalid)
}

/// Returns an object of texts as JSON, such as the arguments of a prompt.
pub(super) fn texts<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> Map<String, Value> {
    texts.map(|(name, text)| (name.to_owned(), text.into())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hidden(parameters: &[(&str, Option<Value>)]) -> HiddenParameters {
        let raw = |value: &Value| to_raw_value(value).unwrap();
        parameters.iter().map(|(name, value)| ((*name).to_owned(), value.as_ref().map(raw))).collect()
    }

    fn schema() -> Value {
        json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": ["a"], "additionalProperties": false })
    }

    #[test]
    fn clients_do_not_see_hidden_parameters() {
        let mut published = schema();
        hide(&mut published, &hidden(&[("a", Some(json!(1))), ("b", None)])).unwrap();
        assert_eq!(published, json!({ "type": "object", "properties": {}, "additionalProperties": false }));
    }

    #[test]
    fn a_restriction_that_does_not_hold_leaves_the_tool_out() {
        assert!(hide(&mut schema(), &hidden(&[("a", None)])).unwrap_err().contains("required"));
        assert!(hide(&mut schema(), &hidden(&[("c", Some(json!(1)))])).unwrap_err().contains("no parameter `c`"));
        assert!(hide(&mut json!({ "type": "object" }), &hidden(&[("a", None)])).is_err());
    }

    #[test]
    fn clients_cannot_set_hidden_parameters() {
        let hidden = hidden(&[("a", Some(json!("fixed"))), ("b", None)]);
        let sent = arguments(r#"{"c":1e400,"b":2,"a":"other"}"#, &hidden).unwrap();
        assert_eq!(sent.get(), r#"{"a":"fixed","c":1e400}"#);
        assert!(arguments("[]", &hidden).is_err());
    }

    #[test]
    fn passes_arguments_on_as_they_were_sent() {
        let text = r#"{"big": 12345678901234567890123,  "b":[1.0]}"#;
        assert_eq!(arguments(text, &HiddenParameters::new()).unwrap().get(), text);
    }
}
