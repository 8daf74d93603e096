//! The keywords of schemas that are kept as they are. A value that its keyword cannot have, and a default that does not fit,
//! are left out: the server could not check the arguments then, and the service checks them in any case.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::{document::Document, schema::Usage};

/// What becomes of a keyword.
pub(super) enum Rule {
    Kept(Value),
    LeftOut,
    /// The keyword is converted elsewhere, or limits no values.
    Other,
}

/// Returns the value of a keyword that is kept as it is, if it can have this value.
pub(super) fn rule(document: &Document, keyword: &str, value: &Value, usage: Usage) -> Rule {
    let is_list_of_names = |names: &Value| names.as_array().is_some_and(|names| names.iter().all(Value::is_string));
    let is_argument = usage == Usage::Arguments;
    let fits = match keyword {
        "const" => return Rule::Kept(value.clone()),
        // Earlier drafts have `required` inside of properties.
        "required" => {
            let Some(names) = value.as_array() else { return Rule::LeftOut };
            return Rule::Kept(names.iter().filter(|name| name.is_string()).cloned().collect());
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => value.is_u64(),
        "minimum" | "maximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|step| step > 0.0),
        "uniqueItems" => value.is_boolean(),
        "pattern" => is_argument && value.as_str().is_some_and(|text| document.is_pattern(text)),
        "dependentRequired" => value.as_object().is_some_and(|lists| lists.values().all(is_list_of_names)),
        "unevaluatedProperties" | "unevaluatedItems" | "additionalItems" => false,
        _ => return Rule::Other,
    };
    if fits && is_argument { Rule::Kept(value.clone()) } else { Rule::LeftOut }
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
