//! Classifies the keywords of JSON Schema. Some contain schemas, some constrain values, and some only describe values.

use serde_json::{Map, Value};

use super::nearest::nearest;

/// The kind of value that a keyword has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeywordValue {
    Schema,
    Schemas,
    NamedSchemas,
    Other,
}

impl KeywordValue {
    pub(super) fn of(keyword: &str) -> Self {
        match keyword {
            "items"
            | "additionalProperties"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema" => Self::Schema,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Self::Schemas,
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => Self::NamedSchemas,
            _ => Self::Other,
        }
    }
}

/// Calls `each` with every schema directly inside this one.
pub(super) fn for_each_inner(schema: &mut Map<String, Value>, mut each: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        match (KeywordValue::of(keyword), value) {
            (KeywordValue::Schema, value) => each(keyword, value),
            (KeywordValue::Schemas, Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| each(keyword, schema));
            }
            (KeywordValue::NamedSchemas, Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| each(keyword, schema));
            }
            _ => {}
        }
    }
}

/// Returns whether a keyword only describes values or defines targets of references. Such a keyword accepts every
/// value.
pub(super) fn describes(keyword: &str) -> bool {
    const DESCRIBING: [&str; 18] = [
        "title",
        "description",
        "default",
        "examples",
        "example",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
        "$schema",
        "$id",
        "$anchor",
        "$dynamicAnchor",
        "$defs",
        "definitions",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    ];
    DESCRIBING.contains(&keyword) || keyword.starts_with("x-")
}

/// Returns the error for an unknown keyword that looks like an outdated or misspelled constraint. Returns `None` for
/// other unknown keywords, because JSON Schema allows them.
pub(super) fn unknown(keyword: &str) -> Option<String> {
    const KNOWN: [&str; 34] = [
        "type",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "items",
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "required",
        "properties",
        "additionalProperties",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "oneOf",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
    ];
    let newer = match keyword {
        "additionalItems" => "`prefixItems` and `items`",
        "dependencies" => "`dependentRequired` or `dependentSchemas`",
        "divisibleBy" => "`multipleOf`",
        "$recursiveRef" => "`$ref`",
        _ => {
            // Short words are similar to too many keywords.
            let known = nearest(keyword, KNOWN).filter(|_| keyword.len() > 3 && !keyword.contains('-'))?;
            let near = known.len().abs_diff(keyword.len()) <= 2;
            return near.then(|| format!("not a keyword of JSON Schema; did you mean `{known}`?"));
        }
    };
    Some(format!("this keyword is from an older draft of JSON Schema; write {newer} instead"))
}
