//! The keywords of schemas that are kept as they are. A value that its keyword cannot have, and a default that does not fit,
//! are left out: the server could not check the arguments then, and the service checks them in any case.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::schema::Usage;

/// Returns the value of a keyword that is kept, if it can have this value.
pub(super) fn kept(keyword: &str, value: &Value, usage: Usage) -> Option<Value> {
    // Earlier drafts have `required` inside of properties.
    match keyword {
        "const" => return Some(value.clone()),
        "required" => {
            return value.as_array().map(|names| names.iter().filter(|name| name.is_string()).cloned().collect());
        }
        _ if usage == Usage::Result => return None,
        _ => {}
    }
    let is_list_of_names = |names: &Value| names.as_array().is_some_and(|names| names.iter().all(Value::is_string));
    let fits = match keyword {
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => value.is_u64(),
        "minimum" | "maximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|step| step > 0.0),
        "uniqueItems" => value.is_boolean(),
        "pattern" => value.as_str().is_some_and(is_pattern),
        "dependentRequired" => value.as_object().is_some_and(|lists| lists.values().all(is_list_of_names)),
        _ => false,
    };
    fits.then(|| value.clone())
}

/// Returns whether a server can compile a pattern. Many services have patterns of other languages, such as `[\w-.]`.
pub(super) fn is_pattern(text: &str) -> bool {
    let is_backreference = |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9');
    // The conversion stops at these, and reads nothing after them.
    let is_read = !["(?=", "(?!", "(?<"].iter().any(|group| text.contains(group))
        && !text.as_bytes().windows(2).any(is_backreference);
    jsonschema_regex::to_rust_regex(text).is_ok() && (is_read || jsonschema_regex::is_valid_ecma_regex(text))
}

/// Checks that an object can be without a property, whose name the APIs of models do not take.
///
/// # Errors
/// Fails if a request would need the property, or if no other properties are allowed.
pub(super) fn check_left_out(name: &str, keywords: &Map<String, Value>) -> Result<(), String> {
    let required = keywords.get("required").and_then(Value::as_array);
    let why = if required.is_some_and(|required| required.iter().any(|required| required == name)) {
        "is required"
    } else if keywords.get("additionalProperties") == Some(&Value::Bool(false)) {
        "cannot be sent as another property, because `additionalProperties` is `false`"
    } else {
        return Ok(());
    };
    Err(format!(
        "the property `{name}` of a schema {why}, but the APIs of models take only names with 1 to 64 ASCII letters, digits, \
         `_`, `-` and `.`"
    ))
}

/// Returns whether a default certainly fits its converted schema. Many do not: `"30"` for an integer, `""` for a date.
pub(super) fn is_fitting(default: &Value, schema: &Map<String, Value>) -> bool {
    const NOT_CHECKED_HERE: [&str; 8] = ["pattern", "format", "$ref", "allOf", "anyOf", "oneOf", "not", "if"];
    let is_of = |name: &Value| match name.as_str() {
        Some("string") => default.is_string(),
        Some("integer") => default.is_i64() || default.is_u64(),
        Some("number") => default.is_number(),
        Some("boolean") => default.is_boolean(),
        _ => false,
    };
    let is_of_type = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(is_of),
        Some(name) => is_of(name),
        None => false,
    };
    is_of_type
        && !NOT_CHECKED_HERE.iter().any(|keyword| schema.contains_key(*keyword))
        && schema.iter().all(|(keyword, rule)| satisfies(default, keyword, rule))
}

/// Returns whether a value that is not a list or an object satisfies a keyword.
fn satisfies(value: &Value, keyword: &str, rule: &Value) -> bool {
    let number = || compared(value, rule);
    let length = || value.as_str().map(|text| compared(&text.chars().count().into(), rule));
    match keyword {
        "enum" => rule.as_array().is_none_or(|values| values.contains(value)),
        "const" => value == rule,
        "minLength" => length().is_none_or(Ordering::is_ge),
        "maxLength" => length().is_none_or(Ordering::is_le),
        "minimum" => !value.is_number() || number().is_ge(),
        "maximum" => !value.is_number() || number().is_le(),
        "exclusiveMinimum" => !value.is_number() || number().is_gt(),
        "exclusiveMaximum" => !value.is_number() || number().is_lt(),
        // Without an exact result, the default is not certain to fit.
        "multipleOf" => match (whole(value), whole(rule)) {
            (Some(value), Some(step)) => value % step == 0,
            _ => !value.is_number(),
        },
        _ => true,
    }
}

/// Compares two numbers.
fn compared(one: &Value, other: &Value) -> Ordering {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap_or(f64::NAN));
            one.total_cmp(&other)
        }
    }
}

fn whole(number: &Value) -> Option<i128> {
    number.as_i64().map(i128::from).or(number.as_u64().map(i128::from))
}
